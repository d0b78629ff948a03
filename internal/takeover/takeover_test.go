package takeover

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"tunic/internal/waittest"
)

// folder is one whose name is short enough for a socket's.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "t")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

func listener(t *testing.T, network, address string) net.Listener {
	t.Helper()
	l, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// lines is a log that may be read while it is written.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// giving is a tunic that can be taken over from.
type giving struct {
	path    string
	sockets Sockets
	handed  chan struct{}
	log     *lines
	*Giver
}

func give(t *testing.T, clients net.Listener) *giving {
	t.Helper()
	g := &giving{path: filepath.Join(folder(t), "takeover"), handed: make(chan struct{}), log: new(lines)}
	asked, err := Listen(g.path)
	if err != nil {
		t.Fatal(err)
	}
	g.sockets = Sockets{Clients: clients, Admin: listener(t, "tcp", "127.0.0.1:0")}
	g.Giver = Give(asked, g.sockets, Addresses{"a:1", "b:2"}, slog.New(slog.NewTextHandler(g.log, nil)), func() {
		_ = clients.Close()
		close(g.handed)
	})
	t.Cleanup(g.Stop)
	return g
}

// serve answers each connection with a word.
func serve(l net.Listener, word string) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		_, _ = io.WriteString(conn, word)
		_ = conn.Close()
	}
}

func hears(t *testing.T, l net.Addr) string {
	t.Helper()
	conn, err := net.Dial(l.Network(), l.String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
	word, err := io.ReadAll(conn)
	if err != nil {
		t.Fatal(err)
	}
	return string(word)
}

// TestTakeOver: the new one has the sockets of the old one, at TCP and at a path, can be taken over from
// itself, and the old one hears it before it is told so.
func TestTakeOver(t *testing.T) {
	defer goleak.VerifyNone(t)
	path := filepath.Join(folder(t), "s")
	for _, l := range []net.Listener{listener(t, "tcp", "127.0.0.1:0"), listener(t, "unix", path)} {
		addr := l.Addr()
		old := give(t, l)
		given, err := Ask(t.Context(), old.path, Addresses{"a:1", "b:2"})
		if err != nil {
			t.Fatal(err)
		}
		if given.PID != os.Getpid() || given.Admin == nil || given.Admin.Addr().String() != old.sockets.Admin.Addr().String() {
			t.Errorf("given %+v", given)
		}
		select {
		case <-old.handed:
			t.Error("handed over before the new one was ready")
		default:
		}
		if err := given.Ready(); err != nil {
			t.Fatal(err)
		}
		<-old.handed
		go serve(given.Clients, "new")
		if got := hears(t, addr); got != "new" {
			t.Errorf("%s is answered by %q", addr, got)
		}
		next := make(chan struct{})
		second := Give(given.Asked, Sockets{Clients: given.Clients}, Addresses{"a:1", ""}, slog.New(slog.DiscardHandler), func() { _ = given.Clients.Close(); close(next) })
		again, err := Ask(t.Context(), old.path, Addresses{"a:1", "c:3"})
		if err != nil {
			t.Fatal("a second time: ", err)
		}
		if again.Admin != nil {
			t.Error("the socket of another page for operators was taken")
		}
		if err := again.Ready(); err != nil {
			t.Fatal(err)
		}
		<-next
		go serve(again.Clients, "newer")
		if got := hears(t, addr); got != "newer" {
			t.Errorf("%s is answered by %q", addr, got)
		}
		second.Stop()
		again.Sockets.Close()
		_ = given.Admin.Close()
		for _, left := range []string{path, old.path} {
			if _, err := os.Lstat(left); err == nil && left != path || addr.Network() == "unix" && err == nil {
				t.Errorf("%s is left", left)
			}
		}
	}
}

// TestNotTakenOver: the old one goes on where the new one does not come as far as that it is ready.
func TestNotTakenOver(t *testing.T) {
	defer goleak.VerifyNone(t)
	l := listener(t, "tcp", "127.0.0.1:0")
	old := give(t, l)
	go serve(l, "old")
	given, err := Ask(t.Context(), old.path, Addresses{"a:1", "b:2"})
	if err != nil {
		t.Fatal(err)
	}
	given.Close() // as if it were killed
	waittest.Until(t, "the old one goes on", func() bool { return strings.Contains(old.log.String(), "this tunic goes on") })

	var other *OtherAddressError
	if _, err := Ask(t.Context(), old.path, Addresses{"a:2", "b:2"}); !errors.As(err, &other) || other.Theirs != "a:1" {
		t.Errorf("another address: %v", err)
	}
	conn, err := net.DialUnix(network, nil, &net.UnixAddr{Net: network, Name: old.path})
	if err != nil {
		t.Fatal(err)
	}
	if err := say(conn, "hello"); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Read(make([]byte, 10)); err == nil {
		t.Error("a peer that says something else was answered")
	}
	_ = conn.Close()
	if got := hears(t, l.Addr()); got != "old" {
		t.Errorf("answered by %q", got)
	}
	given, err = Ask(t.Context(), old.path, Addresses{"a:1", "b:2"})
	if err != nil {
		t.Fatal("after all that: ", err)
	}
	if err := given.Ready(); err != nil {
		t.Fatal(err)
	}
	given.Sockets.Close()
}

// TestTakeoverSocket: the socket is for its user alone, one that a killed tunic has left is replaced, and
// nobody at it is another matter than somebody.
func TestTakeoverSocket(t *testing.T) {
	dir := folder(t)
	path := filepath.Join(dir, "takeover")
	if _, err := Ask(t.Context(), path, Addresses{}); !errors.Is(err, ErrNobody) {
		t.Errorf("no socket: %v", err)
	}
	l, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the socket: %v, %v; want mode 0600", info, err)
	}
	if _, err := Listen(path); err == nil || !strings.Contains(err.Error(), "another tunic") {
		t.Errorf("a second one: %v", err)
	}
	l.SetUnlinkOnClose(false)
	_ = l.Close()
	if _, err := Ask(t.Context(), path, Addresses{}); !errors.Is(err, ErrNobody) {
		t.Errorf("a socket that was left: %v", err)
	}
	if l, err = Listen(path); err != nil {
		t.Fatal(err)
	}
	_ = l.Close()
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Listen(path); err == nil || !strings.Contains(err.Error(), "no socket") {
		t.Errorf("another file: %v", err)
	}
	path = filepath.Join(dir, "mysqld.sock")
	server := listener(t, "unix", path)
	go serve(server, "the server")
	if _, err := Listen(path); err == nil || !strings.Contains(err.Error(), "another program") {
		t.Errorf("the socket of another program: %v", err)
	}
	if got := hears(t, server.Addr()); got != "the server" {
		t.Errorf("the socket of another program is answered by %q", got)
	}
}

// TestStopWaitsForNobody: a peer that hangs does not keep tunic from ending.
func TestStopWaitsForNobody(t *testing.T) {
	defer goleak.VerifyNone(t)
	for _, said := range []string{"", asks} {
		old := give(t, listener(t, "tcp", "127.0.0.1:0"))
		conn, err := net.DialUnix(network, nil, &net.UnixAddr{Net: network, Name: old.path})
		if err != nil {
			t.Fatal(err)
		}
		if said != "" {
			if err := say(conn, said); err != nil {
				t.Fatal(err)
			}
			_, files, err := receive(conn)
			closeAll(files)
			if err != nil || len(files) == 0 {
				t.Fatalf("no offer: %v", err)
			}
		}
		began := time.Now()
		old.Stop()
		if took := time.Since(began); took > answerTime/2 {
			t.Errorf("a peer that has said %q held up Stop for %v", said, took)
		}
		_ = conn.Close()
	}
}

// TestSorted: what systemd's sockets are for.
func TestSorted(t *testing.T) {
	for _, c := range []struct {
		names   []string
		problem string
	}{
		{nil, ""},
		{[]string{"tunic.socket"}, ""},
		{[]string{"clients", "admin"}, ""},
		{[]string{"admin"}, "none for clients"},
		{[]string{"tunic.socket", "other.socket"}, "more than one socket for clients"},
		{[]string{"clients", "admin", "admin"}, "more than one socket for operators"},
	} {
		named := map[string][]net.Listener{}
		for _, n := range c.names {
			named[n] = append(named[n], listener(t, "tcp", "127.0.0.1:0"))
		}
		found, err := sorted(named)
		switch {
		case c.problem != "":
			if err == nil || !strings.Contains(err.Error(), c.problem) {
				t.Errorf("%v: %v", c.names, err)
			}
		case err != nil:
			t.Errorf("%v: %v", c.names, err)
		case (found.Clients != nil) != (len(c.names) > 0), (found.Admin != nil) != (len(c.names) > 1):
			t.Errorf("%v: %+v", c.names, found)
		}
	}
}
