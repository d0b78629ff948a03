package exec

import (
	"fmt"
	"io"
	"net"
	"sync"
	"testing"

	"tunic/internal/sandbox"
	"tunic/internal/value"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// TestWritesInTransactions: a statement of several that fails leaves the client's
// transaction as it was before, and one of tunic's own ends with it.
func TestWritesInTransactions(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.stock()
		for _, caps := range []wire.Capability{wiretest.ClientCaps, wiretest.ClientCaps &^ wire.ClientMultiStatements} {
			p := r.pair(t, caps)
			p.each("DELETE FROM stock")
			p.each(filled...)
			p.each("BEGIN", "UPDATE stock SET k = k + 1")
			p.wrote("UPDATE stock SET code = CONCAT('z', '') ORDER BY id")
			p.each(allStock, "UPDATE stock SET k = k + 1 WHERE id = 2", "ROLLBACK", allStock)
			p.each("BEGIN", "UPDATE stock SET k = k + 1 WHERE id = 1", "SAVEPOINT mine", "UPDATE stock SET k = k * 2")
			p.each("ROLLBACK TO SAVEPOINT mine", "COMMIT", allStock)
			p.each("SET completion_type = 1", "UPDATE stock SET k = k + 1 WHERE id < 3", "UPDATE stock SET k = k + 1 WHERE id = 3", "SET completion_type = 0", allStock)
			p.each("START TRANSACTION READ ONLY", "UPDATE stock SET k = k + 1", "UPDATE stock SET k = k + 1 WHERE id = 99", "COMMIT")
			p.each("SET SESSION TRANSACTION READ ONLY", "UPDATE stock SET k = k + 1", "SET SESSION TRANSACTION READ WRITE", allStock)
			p.each("SET sql_safe_updates = 1")
			if _, tunnel := p.text("UPDATE stock SET k = k + 1"); tunnel.err == nil {
				t.Error("sql_safe_updates is not warned")
			}
			p.each("UPDATE stock SET k = k + 1 WHERE id = 1", "UPDATE stock SET big = 7 WHERE id = 2", "UPDATE stock SET k = k + 0 WHERE id = 1", "UPDATE stock SET k = k + 1 WHERE id = 99",
				"BEGIN", "SELECT k FROM stock WHERE id = 2 FOR UPDATE", "UPDATE stock SET k = k + 1 WHERE id = 2", "COMMIT")
			p.each("SET sql_safe_updates = 0", allStock)
			p.each("SET sql_select_limit = 1", "UPDATE stock SET k = k + 1", "SET sql_select_limit = DEFAULT", allStock)
			p.global("XA START")
			p.each("UPDATE stock SET k = k + 1", "UPDATE stock SET k = k + 1 WHERE id = 2")
			p.wrote("UPDATE stock SET code = CONCAT('z', '') ORDER BY id")
			p.global("XA END")
			p.each("UPDATE stock SET k = k + 1 WHERE id = 1")
			p.global("XA ROLLBACK")
			p.each(allStock)
		}
	})
}

// global does something with a global transaction of each client's own.
func (p *pair) global(verb string) {
	p.t.Helper()
	if diff := difference(p.readText(p.direct, verb+" 'direct'"), p.readText(p.tunnel, verb+" 'tunnel'"), p.direct.Caps); diff != "" {
		p.t.Errorf("%s\n%s", verb, diff)
	}
}

// TestWritesSwapped: assignments see what those before them have set, unless MariaDB is
// told to make them all at once.
func TestWritesSwapped(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.stock()
		p := r.pair(t, wiretest.ClientCaps)
		p.each(filled...)
		modes := []string{"STRICT_TRANS_TABLES"}
		if r.flavor == value.MariaDB {
			modes = append(modes, "STRICT_TRANS_TABLES,SIMULTANEOUS_ASSIGNMENT")
		}
		for _, mode := range modes {
			p.each("SET sql_mode = '"+mode+"'", "UPDATE stock SET k = big, big = k WHERE id = 1", allStock)
			p.each("UPDATE stock SET name = code, code = CONCAT(name, '2'), k = k + 1 WHERE id < 3", allStock)
			p.each("UPDATE stock SET k = 3, price = k WHERE id = 1", "UPDATE stock SET k = 4, price = k + 0 ORDER BY id", allStock)
		}
	})
}

// TestWritesAtOnce: times that the server puts into the rows of a statement are those
// of one statement, and the session's clock goes on behind it.
func TestWritesAtOnce(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		table := r.table("stamped", []col{
			{name: "id", typ: "INT", protect: "plain"},
			{name: "k", typ: "INT", protect: "sealed"},
			{name: "at", typ: "DATETIME(6)", protect: "plain", def: "'2000-01-01'", extra: "ON UPDATE CURRENT_TIMESTAMP(6)"},
		}, primary("id"))
		table.Columns[2].OnUpdateNow = true
		p := r.pair(t, wiretest.ClientCaps)
		p.each("INSERT INTO stamped (id, k) VALUES (1, 1), (2, 2), (3, 3)", "UPDATE stamped SET k = k + 1")
		p.each("SELECT COUNT(DISTINCT at), YEAR(MIN(at)) > 2019, COUNT(k) FROM stamped", "SELECT @@timestamp = UNIX_TIMESTAMP(SYSDATE(6)) OR 1")
		p.each("SET timestamp = 1700000000.5", "UPDATE stamped SET k = k + 1", "SELECT * FROM stamped ORDER BY id", "SELECT @@timestamp")
		p.each("UPDATE stamped SET k = k + 2147483646 ORDER BY id DESC", "SELECT * FROM stamped ORDER BY id", "SELECT @@timestamp", "SET timestamp = DEFAULT")
	})
}

// TestWritesTogether: sessions that add to the same rows at once lose nothing, and
// meet no deadlock where a plain server has none.
func TestWritesTogether(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.stock()
		p := r.pair(t, wiretest.ClientCaps)
		p.each(filled...)
		const sessions, rounds = 8, 10
		var working sync.WaitGroup
		errs := make(chan error, sessions)
		for range sessions {
			other := r.pair(t, wiretest.ClientCaps).tunnel
			working.Add(1)
			go func() {
				defer working.Done()
				for range rounds {
					for id := 1; id <= 4; id++ {
						if _, err := other.Query(fmt.Sprintf("UPDATE stock SET k = k + 1 WHERE id = %d", id)); err != nil {
							errs <- err
							return
						}
					}
					if _, err := other.Query("UPDATE stock SET k = k + 1"); err != nil {
						errs <- err
						return
					}
				}
			}()
		}
		working.Wait()
		close(errs)
		for err := range errs {
			t.Error(err)
		}
		sets, err := p.tunnel.Query("SELECT k - 10, k FROM stock WHERE id = 1")
		if err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprint(2 * sessions * rounds); string(sets[0].Rows[0][1:1+len(want)]) != want {
			t.Errorf("%q, want %s", sets[0].Rows[0], want)
		}
	})
}

// cutter is a connection that is cut after so many bytes have been written to the
// server.
type cutter struct {
	io.ReadWriter
	left int
}

func (c *cutter) Write(b []byte) (int, error) {
	if len(b) > c.left {
		n, _ := c.ReadWriter.Write(b[:c.left])
		c.left = 0
		return n, net.ErrClosed
	}
	c.left -= len(b)
	return c.ReadWriter.Write(b)
}

// TestWritesCut: whenever the connection to the server is cut, a statement has
// written all of its rows or none.
func TestWritesCut(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.stock()
		p := r.pair(t, wiretest.ClientCaps)
		p.each(filled...)
		for _, statement := range []string{"UPDATE stock SET k = k + 1", "UPDATE stock SET k = k + 1 WHERE id = 1"} {
			sum := r.sum(p)
			for after := 1; ; after += 37 {
				if after > 20_000 {
					t.Fatal("the statement does not end")
				}
				r.cutAfter.Store(int64(after))
				done := r.cutOnce(t, statement)
				r.cutAfter.Store(0)
				now := r.sum(p)
				rows := map[bool]int{true: 1, false: 4}[len(statement) > 30]
				if now != sum && now != sum+rows {
					t.Fatalf("cut after %d bytes: %d became %d", after, sum, now)
				}
				if done && now != sum+rows {
					t.Fatalf("cut after %d bytes: told of a change that is none", after)
				}
				sum = now
				if done {
					break
				}
			}
		}
	})
}

// cutOnce runs a statement in a session of its own, and reports whether the client
// was told of its success.
func (r *rig) cutOnce(t *testing.T, statement string) bool {
	t.Helper()
	c := wiretest.Client{User: sandbox.AppUser, Password: sandbox.AppPassword, Database: "shop", Caps: wiretest.ClientCaps}
	peer, err := c.Dial(t.Context(), r.listen())
	if err != nil {
		t.Fatal(err)
	}
	defer peer.Close()
	_, err = peer.Query(statement)
	return err == nil
}

// sum is the sum of column k.
func (r *rig) sum(p *pair) (sum int) {
	p.t.Helper()
	r.exec("SELECT id FROM shop.stock FOR UPDATE") // which waits for a session that is about to end
	sets, err := p.tunnel.Query("SELECT k FROM stock")
	if err != nil {
		p.t.Fatal(err)
	}
	for _, row := range sets[0].Rows {
		var n int
		if _, err := fmt.Sscan(string(row[1:]), &n); err != nil {
			p.t.Fatal(err)
		}
		sum += n
	}
	return sum
}

// TestWritesFlags: the flags of an answer are those of the session.
func TestWritesFlags(t *testing.T) {
	onServers(t, func(t *testing.T, r *rig) {
		r.stock()
		p := r.pair(t, wiretest.ClientCaps)
		p.each(filled...)
		for _, mode := range []string{"ANSI_QUOTES", "NO_BACKSLASH_ESCAPES", "ANSI_QUOTES,NO_BACKSLASH_ESCAPES", ""} {
			p.each("SET sql_mode = '"+mode+"'", "UPDATE stock SET k = k + 1 WHERE id = 1", "UPDATE stock SET big = 7 WHERE id = 1", "UPDATE stock SET k = k + 1",
				"UPDATE stock SET k = k + 0 WHERE id = 1", "UPDATE stock SET k = k + 1 WHERE id = 99",
				"INSERT INTO stock (id, code) VALUES (1, 'z') ON DUPLICATE KEY UPDATE k = k + 1", "BEGIN", "UPDATE stock SET k = k + 1 WHERE id = 1", "COMMIT")
		}
	})
}
