package server

import (
	"bytes"
	"context"
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"tunic/internal/config"
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

// TestMadePlain: where the table would have no protected column, the error names the column that would have protected values,
// or says that there is none; then the way that it names works.
func TestMadePlain(t *testing.T) {
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			_, kek, cfg := protecting(t, flavor)
			cfg.Policy.Default = config.PolicyPlain
			one, _ := serveWith(t, cfg, kek)
			db := through(t, one.Addr().String())
			mustExec(t, db, "CREATE TABLE source (id INT PRIMARY KEY, s VARCHAR(20) COMMENT 'tunic: equality', n INT COMMENT 'tunic: sealed')",
				"INSERT INTO source VALUES (1, 'a', 10), (2, 'b', 20)")
			for query, says := range map[string]string{
				"SELECT id FROM source": "no column of it would be protected",
				"SELECT id + 1 AS one, COUNT(*) AS c FROM source GROUP BY 1":       "no column of it would be protected",
				"SELECT id, UPPER(s) AS u FROM source":                             "plain column u;",
				"SELECT id FROM source UNION ALL SELECT n FROM source":             "plain column id;",
				"SELECT a.id, (SELECT MAX(n) FROM source) AS m FROM source a":      "plain column m;",
				"SELECT a.id, b.id AS other FROM source a JOIN source b USING (s)": "no column of it would be protected",
			} {
				_, err := db.ExecContext(t.Context(), "CREATE TABLE made "+query)
				if err == nil || !strings.Contains(err.Error(), says) {
					t.Errorf("%s: %v", query, err)
				}
			}
			_, err := db.ExecContext(t.Context(), "CREATE TABLE made (s VARCHAR(20), x INT) SELECT id, s FROM source")
			if err == nil || !strings.Contains(err.Error(), "plain column s;") {
				t.Error(err)
			}
			mustExec(t, db, "CREATE TABLE made (id INT)", "INSERT INTO made SELECT id FROM source")
			is(t, "the rows", textOf(t, db, "SELECT id FROM made ORDER BY id"), "1", "2")
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
