package server

import (
	"bytes"
	"context"
	"database/sql"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"

	"tunic/internal/config"
	"tunic/internal/sandbox"
)

// trips counts what a session sends to its server.
type trips struct {
	turns    atomic.Int64 // how often it waits for an answer
	commands atomic.Int64
}

// meter passes connections on to a server and counts on those of the user app. What the
// server has said before a command is another turn, so several commands at once are one.
func (c *trips) meter(t *testing.T, server string) (addr string) {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			far, err := (&net.Dialer{}).DialContext(context.Background(), "tcp", server)
			if err != nil {
				_ = near.Close()
				continue
			}
			go c.pass(near, far)
		}
	}()
	return listener.Addr().String()
}

// pass passes on both directions of a connection.
func (c *trips) pass(near, far net.Conn) {
	answered := new(atomic.Bool)
	go func() {
		_, _ = io.Copy(writerFunc(func(b []byte) (int, error) {
			answered.Store(true)
			return near.Write(b)
		}), far)
		_ = near.Close()
	}()
	frames, login, counts := frameCounter{}, true, false
	_, _ = io.Copy(writerFunc(func(b []byte) (int, error) {
		if login {
			login, counts = false, bytes.Contains(b, []byte("app\x00"))
		}
		commands := frames.add(b)
		if counts {
			c.commands.Add(int64(commands))
			if answered.Swap(false) {
				c.turns.Add(1)
			}
		}
		return far.Write(b)
	}), near)
	_ = far.Close()
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

// frameCounter finds where commands begin: at frames with the sequence number 0.
type frameCounter struct {
	header []byte
	rest   int
}

func (f *frameCounter) add(b []byte) (commands int) {
	for len(b) > 0 {
		if f.rest > 0 {
			n := min(f.rest, len(b))
			b, f.rest = b[n:], f.rest-n
			continue
		}
		f.header, b = append(f.header, b[0]), b[1:]
		if len(f.header) < 4 {
			continue
		}
		f.rest = int(f.header[0]) | int(f.header[1])<<8 | int(f.header[2])<<16
		if f.header[3] == 0 {
			commands++
		}
		f.header = f.header[:0]
	}
	return commands
}

// cost is how often the server is waited for, and how many commands it gets.
type cost struct{ turns, commands int64 }

// trip is a statement of sysbench's, and what it may cost.
type trip struct {
	text          string
	args          []any
	alone, within cost // by itself, and within a transaction
}

// sysbenchTrips are the statements of oltp_read_write. An UPDATE that computes with what is
// in the row, or sets a part of a family, is a locking read and the update. One that does not has both in one text within
// a transaction: the server is told before it that texts have several statements, and behind
// it that they have no more.
func sysbenchTrips() []trip {
	c, pad := strings.Repeat("1234567890-", 10)+"123456789", strings.Repeat("1234567890-", 5)+"1234"
	one, two := cost{1, 1}, cost{2, 2}
	return []trip{
		{"SELECT c FROM sbtest1 WHERE id=?", []any{7}, one, one},
		{"SELECT c FROM sbtest1 WHERE id BETWEEN ? AND ?", []any{1, 100}, one, one},
		{"SELECT SUM(k) FROM sbtest1 WHERE id BETWEEN ? AND ?", []any{1, 100}, one, one},
		{"SELECT c FROM sbtest1 WHERE id BETWEEN ? AND ? ORDER BY c", []any{1, 100}, one, one},
		{"SELECT DISTINCT c FROM sbtest1 WHERE id BETWEEN ? AND ? ORDER BY c", []any{1, 100}, one, one},
		{"UPDATE sbtest1 SET k=k+1 WHERE id=?", []any{7}, two, two},
		{"UPDATE sbtest1 SET k=k+1 WHERE id=? AND k>?", []any{7, 0}, two, two},
		{"UPDATE sbtest1 SET k=k+0 WHERE id=?", []any{7}, one, one},
		{"UPDATE sbtest1 SET k=k+1 WHERE id=?", []any{99}, one, one},
		{"UPDATE sbtest1 SET c=? WHERE id=?", []any{c, 7}, two, two},
		{"UPDATE sbtest1 SET own=? WHERE id=?", []any{c, 7}, two, cost{1, 3}},
		{"DELETE FROM sbtest1 WHERE id=?", []any{7}, one, one},
		{"INSERT INTO sbtest1 (id, k, c, pad) VALUES (?, ?, ?, ?)", []any{7, 5, "another", pad}, one, one},
	}
}

// TestRoundTrips: what the statements of oltp_read_write cost at the server when they are
// executed again, with fences in all of them and what they miss counted. Whatever is
// asked of the server besides shows here.
func TestRoundTrips(t *testing.T) {
	_, kek, cfg := protecting(t, sandbox.MariaDB)
	meter := new(trips)
	cfg.Backend.Address, cfg.Backend.TLS = meter.meter(t, cfg.Backend.Address), config.TLSDisabled
	cfg.Policy.Layers = config.LayersAdvise
	cfg.RowCache.Bytes = 0 // no row is known
	proxy, _ := serveWith(t, cfg, kek)
	db := through(t, proxy.Addr().String())
	mustExec(t, db, "CREATE TABLE sbtest1 (id INT NOT NULL AUTO_INCREMENT, k INT DEFAULT '0' NOT NULL, c CHAR(120) DEFAULT '' NOT NULL, pad CHAR(60) DEFAULT '' NOT NULL, own CHAR(120) DEFAULT '' NOT NULL COMMENT 'tunic: apart', PRIMARY KEY (id), KEY k_1 (k))",
		"INSERT INTO sbtest1 (id, k, c, pad) VALUES (7, 1, 'c', 'pad'), (8, 2, 'd', 'pad')")
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	all := sysbenchTrips()
	prepared := make([]*sql.Stmt, len(all))
	for i := range all {
		if prepared[i], err = conn.PrepareContext(t.Context(), all[i].text); err != nil {
			t.Fatalf("%s: %v", all[i].text, err)
		}
	}
	do := func(text string) func() { return func() { execIn(t, conn, text) } }
	execute := func(i int) func() { return func() { executePrepared(t, prepared[i], all[i].args) } }
	twice := func() { // what a session asks once, and has the server prepare when it comes again
		for n := range 2 * len(all) {
			execute(n % len(all))()
		}
	}
	twice()
	for i := range all {
		meter.compare(t, all[i].text, execute(i), all[i].alone)
	}
	meter.compare(t, "BEGIN", do("BEGIN"), cost{1, 1})
	twice()
	for i := range all {
		meter.compare(t, all[i].text+", in a transaction", execute(i), all[i].within)
	}
	meter.compare(t, "COMMIT", do("COMMIT"), cost{1, 1})
}

// compare compares what something costs with what it may.
func (c *trips) compare(t *testing.T, what string, do func(), want cost) {
	t.Helper()
	c.turns.Store(0)
	c.commands.Store(0)
	do()
	if got := (cost{c.turns.Load(), c.commands.Load()}); got != want {
		t.Errorf("%s: %d round trips with %d commands, want %d with %d", what, got.turns, got.commands, want.turns, want.commands)
	}
}

// executePrepared executes a statement and reads its rows.
func executePrepared(t *testing.T, st *sql.Stmt, args []any) {
	t.Helper()
	rows, err := st.QueryContext(t.Context(), args...)
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		continue // they are read, and not looked at
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	_ = rows.Close()
}

func execIn(t *testing.T, conn *sql.Conn, statement string) {
	t.Helper()
	if _, err := conn.ExecContext(t.Context(), statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}
