package migrate

import (
	"database/sql"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/waittest"
)

// link passes on bytes between tunic and a server, and may stand still with those that have come.
type link struct {
	listener net.Listener
	passes   sync.RWMutex // held to stand still
	waiting  chan []byte  // what has come to a link that stands still

	mu    sync.Mutex
	conns []net.Conn
}

// cut closes what it links, as a balancer does where nothing has come for a while.
func (l *link) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range l.conns {
		_ = c.Close()
	}
	l.conns = nil
}

func newLink(t *testing.T, server string) *link {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &link{listener: listener, waiting: make(chan []byte, 1024)}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			to, err := net.Dial("tcp", server)
			if err != nil {
				_ = client.Close()
				continue
			}
			l.mu.Lock()
			l.conns = append(l.conns, client, to)
			l.mu.Unlock()
			go l.pump(client, to)
			go l.pump(to, client)
		}
	}()
	return l
}

func (l *link) pump(from, to net.Conn) {
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if !l.passes.TryRLock() {
			select {
			case l.waiting <- append([]byte(nil), buffer[:n]...):
			default:
			}
			l.passes.RLock()
		}
		if n > 0 {
			_, _ = to.Write(buffer[:n])
		}
		l.passes.RUnlock()
		if err != nil {
			_ = to.(*net.TCPConn).CloseWrite()
			return
		}
	}
}

// holds waits until all of some words have come to a link that stands still.
func (l *link) holds(t *testing.T, words ...string) {
	t.Helper()
	late := time.After(time.Minute)
	for len(words) > 0 {
		select {
		case b := <-l.waiting:
			words = slices.DeleteFunc(words, func(w string) bool { return strings.Contains(string(b), w) })
		case <-late:
			t.Fatalf("nothing with %q comes", words)
		}
	}
}

// TestInFlightStalled: a table is not protected while a statement for it is under way between a tunic and the server,
// whose lease is over meanwhile, be it that the tunic lives or that it was killed. The server shows the connection as one at rest.
func TestInFlightStalled(t *testing.T) {
	for name, kills := range map[string]bool{"the tunic lives": false, "the tunic was killed": true} {
		t.Run(name, func(t *testing.T) {
			onServers(t, func(b *bench) { b.stalled(kills) })
		})
	}
}

// far starts a tunic that comes to the server by a link.
func (b *bench) far(l *link) *sandbox.Proc {
	b.t.Helper()
	far, err := sandbox.StartTunic(b.t.Context(), sandbox.TunicOptions{
		Backend: l.listener.Addr().String(), Log: io.Discard,
		Args: []string{"--key", b.procs[0].Dir + "/key", "--policy-default", "protect", "--drain", "1s", "--backend-tls", "disabled"},
	})
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = far.Stop() })
	return far
}

func (b *bench) stalled(kills bool) {
	b.person(3)
	l := newLink(b.t, b.addr)
	far := b.far(l)
	clients := sandboxtest.Open(b.t, far.DSN(sandbox.AppUser, sandbox.AppPassword, "shop"))
	writer, reader := b.conn(clients), b.conn(clients)
	for _, c := range []*sql.Conn{writer, reader} {
		b.execOn(c, "UPDATE person SET seen = 1 WHERE id = 2")
	}
	l.passes.Lock()
	wrote, read := make(chan error, 1), make(chan string, 1)
	said := canary + " late"
	go func() {
		_, err := writer.ExecContext(b.t.Context(), "UPDATE person SET name = '"+said+"' WHERE id = 1")
		wrote <- err
	}()
	go func() {
		var name string
		_ = reader.QueryRowContext(b.t.Context(), "SELECT name FROM person WHERE id = 3").Scan(&name)
		read <- name
	}()
	l.holds(b.t, "UPDATE person", "SELECT name")
	if kills {
		if err := far.Kill(); err != nil {
			b.t.Fatal(err)
		}
	}
	w, end := b.work("person", "n", "name")
	defer end()
	waittest.Until(b.t, "its lease is over", func() bool { return w.Ledger.Members() == 3 })
	_, err := w.Encrypt(b.t.Context())
	if err == nil {
		b.t.Error("the table was protected before the statements had come")
	}
	l.passes.Unlock()
	wroteIt, name := <-wrote, <-read
	if kills != (wroteIt != nil) {
		b.t.Errorf("the writer was told %v", wroteIt)
	}
	if want := canary + " 3"; name != want && !kills {
		b.t.Errorf("the reader was told %q", name)
	}
	waittest.Until(b.t, "the table is encrypted", func() bool {
		_, err := w.Encrypt(b.t.Context())
		return err == nil
	})
	if err := b.tunics[0].QueryRowContext(b.t.Context(), "SELECT name FROM person WHERE n = 10").Scan(&name); err != nil || name != said && !(kills && name == canary+" 1") {
		b.t.Errorf("the row has %q: %v", name, err)
	}
	b.isProtected("person")
}
