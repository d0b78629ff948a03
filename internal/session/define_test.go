package session

import (
	"errors"
	"io"
	"net"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tunic/internal/backend"
	"tunic/internal/config"
	"tunic/internal/racetest"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/value"
	"tunic/internal/waittest"
	"tunic/internal/wire/wiretest"
)

// TestDefinitionOutlivesConnection: a definition whose connection breaks, as when tunic
// is killed, goes on at the server. What has become of it is not asked before it is over.
func TestDefinitionOutlivesConnection(t *testing.T) {
	onServers(t, func(t *testing.T, a *asked) {
		client, s, _ := startSession(t, a.shared)
		p := wiretest.NewPeer(client)
		if err := (wiretest.Client{User: "root", Password: "root", Database: "shop"}).Login(p); err != nil {
			t.Fatal(err)
		}
		told(t, a.tunnel, "CREATE TABLE slow (id INT PRIMARY KEY)")
		told(t, a.direct, "BEGIN")
		told(t, a.direct, "SELECT * FROM shop.slow")
		over := make(chan struct{})
		go func() {
			_, _ = p.Query("ALTER TABLE slow ADD v INT")
			close(over)
		}()
		a.untilWaiting(t, 1, nil)
		_ = s.owned.Load().Close()
		a.untilWaiting(t, 2, over)
		told(t, a.direct, "COMMIT")
		<-over
		waittest.Until(t, "the definition has ended", func() bool {
			return len(told(t, a.direct, "SHOW COLUMNS FROM shop.slow LIKE 'v'")) > 1 || len(a.waiting(t)) == 0
		})
		stored := told(t, a.direct, "SHOW COLUMNS FROM shop.slow LIKE 'v'")
		logical := told(t, a.tunnel, "SHOW COLUMNS FROM slow LIKE 'v'")
		if len(stored) != len(logical) || len(logical) > 1 && !strings.Contains(logical[1], `"int`) {
			t.Errorf("the server has %q, the catalog %q", stored, logical)
		}
		if rows := told(t, a.tunnel, "ALTER TABLE slow ADD w INT"); len(rows) > 0 {
			t.Errorf("afterwards: %q", rows)
		}
	})
}

// TestMadeWhenAnswerBreaks: where an answer makes no sense while the rows of a CREATE TABLE … SELECT
// come, nothing more is asked on that connection: what comes next on it would be read as the
// answer to something else.
func TestMadeWhenAnswerBreaks(t *testing.T) {
	racetest.InOrder(t)
	for _, flavor := range []value.Flavor{value.MariaDB, value.MySQL} {
		t.Run(flavor.String(), func(t *testing.T) {
			server := sandboxtest.Start(t, sandboxes[flavor])
			a := newAsked(t, flavor, server)
			told(t, a.tunnel, "CREATE TABLE source (id INT PRIMARY KEY, v INT)")
			told(t, a.tunnel, "INSERT INTO source VALUES (1, 2)")
			breaks := &breaker{server: server.Addr, at: "insert into `shop`.`made`(`id`"}
			var err error
			a.shared.Target, err = backend.NewTarget(config.Backend{Address: breaks.listen(t), TLS: config.TLSDisabled, ConnectTimeout: 10 * time.Second})
			if err != nil {
				t.Fatal(err)
			}
			client, _, wait := startSession(t, a.shared)
			p := wiretest.NewPeer(client)
			if err := (wiretest.Client{User: "root", Password: "root", Database: "shop"}).Login(p); err != nil {
				t.Fatal(err)
			}
			_, err = p.Query("CREATE TABLE made (id INT PRIMARY KEY) SELECT id, v FROM source")
			if said, ok := errors.AsType[*wiretest.ServerError](err); !ok || said.Number != 1835 {
				t.Errorf("the client is told %v", err)
			}
			wait()
			if asked := breaks.later.Load(); !breaks.broken.Load() || asked != 0 {
				t.Errorf("broken: %t; %d bytes were sent afterwards", breaks.broken.Load(), asked)
			}
			again := func() []string {
				return told(t, a.tunnel, "CREATE TABLE made (id INT PRIMARY KEY) SELECT id, v FROM source")
			}
			rows := again()
			for until := time.Now().Add(20 * time.Second); len(rows) > 0 && time.Now().Before(until); rows = again() {
				time.Sleep(50 * time.Millisecond) // the server kept the table for the connection
			}
			if len(rows) > 0 {
				t.Errorf("afterwards: %q", rows)
			}
		})
	}
}

// breaker stands between tunic and a server. Of a statement that contains at it answers
// what is no answer, and counts what is asked of it then.
type breaker struct {
	server, at string
	broken     atomic.Bool
	later      atomic.Int64 // bytes
}

func (b *breaker) listen(t *testing.T) (addr string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", b.server)
			if err != nil {
				_ = client.Close()
				continue
			}
			go func() { _, _ = io.Copy(client, server) }()
			go b.pass(server, client)
		}
	}()
	return listener.Addr().String()
}

// pass passes on what a client says.
func (b *breaker) pass(server, client net.Conn) {
	defer client.Close()
	defer server.Close()
	buffer := make([]byte, 1<<16)
	for broken := false; ; {
		n, err := client.Read(buffer)
		switch {
		case err != nil:
			return
		case broken:
			b.later.Add(int64(n))
			return
		case strings.Contains(string(buffer[:n]), b.at):
			broken = true
			b.broken.Store(true)
			_, err = client.Write([]byte{1, 0, 0, 77, 0}) // the number is out of order
		default:
			_, err = server.Write(buffer[:n])
		}
		if err != nil {
			return
		}
	}
}

// waiting are the connections that wait for a definition, or to make one.
func (a *asked) waiting(t *testing.T) []string {
	t.Helper()
	return told(t, a.direct, "SELECT id FROM information_schema.processlist WHERE state LIKE 'Waiting for table metadata lock'")[1:]
}

// untilWaiting waits until there are so many, or until something else is over.
func (a *asked) untilWaiting(t *testing.T, n int, over <-chan struct{}) {
	t.Helper()
	waittest.Until(t, strconv.Itoa(n)+" wait", func() bool {
		select {
		case <-over:
			return true
		default:
			return len(a.waiting(t)) >= n
		}
	})
}
