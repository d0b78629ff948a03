package server

import (
	"bytes"
	"context"
	"io"
	"net"
	"sync"
	"testing"

	"tunic/internal/sandbox"
)

// TestMadeBesideChange: a table is made of the rows of another one, which a second tunic
// changes once the query has been planned and described. The twin that the columns are to be
// told of is not there any more then: the client is not told of that.
func TestMadeBesideChange(t *testing.T) {
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			_, kek, cfg := protecting(t, flavor)
			two, _ := serveWith(t, cfg, kek)
			beside := through(t, two.Addr().String())
			var once sync.Once
			cfg.Backend.Address = relayed(t, cfg.Backend.Address, func(sent []byte) {
				if bytes.Contains(sent, []byte("CREATE TABLE `_tunic`.")) && bytes.Contains(sent, []byte(" AS select ")) {
					once.Do(func() { mustExec(t, beside, "ALTER TABLE source ADD COLUMN more INT FIRST") })
				}
			})
			one, _ := serveWith(t, cfg, kek)
			db := through(t, one.Addr().String())
			mustExec(t, beside, "CREATE TABLE source (id INT PRIMARY KEY, note VARCHAR(20))", "INSERT INTO source VALUES (1, 'a'), (2, 'b')")
			mustExec(t, db, "CREATE TABLE made (id INT PRIMARY KEY) SELECT id, note FROM source")
			is(t, "the rows", textOf(t, db, "SELECT id, note FROM made ORDER BY id"), "1 a", "2 b")
			once.Do(func() { t.Error("the source was not changed meanwhile") })
		})
	}
}

// relayed is the address of a relay before a server, which shows all that is sent there first.
func relayed(t *testing.T, to string, show func(sent []byte)) string {
	t.Helper()
	var listening net.ListenConfig
	l, err := listening.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	t.Cleanup(func() { _ = l.Close(); all.Wait() })
	all.Go(func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			var dialer net.Dialer
			server, err := dialer.DialContext(context.WithoutCancel(t.Context()), "tcp", to)
			if err != nil {
				_ = client.Close()
				continue
			}
			all.Go(func() {
				defer func() { _ = server.Close() }()
				for buf := make([]byte, 1<<16); ; {
					n, err := client.Read(buf)
					if err == nil {
						show(buf[:n])
						_, err = server.Write(buf[:n])
					}
					if err != nil {
						return
					}
				}
			})
			all.Go(func() { _, _ = io.Copy(client, server); _ = client.Close() })
		}
	})
	return l.Addr().String()
}
