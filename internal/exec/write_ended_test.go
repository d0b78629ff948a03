package exec

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// spy sees what is written to the server, and has a KILL QUERY come at a moment: behind one
// of the writes, when the server has nothing to do but to wait for the next.
type spy struct {
	mu     sync.Mutex
	writes []string
	at     int // the write behind which it comes
	beside func(text string)
	// instead changes what is written; nil for nothing.
	instead func(b []byte)
	locked  bool // LOCK TABLES holds tables
}

// begin is before a statement.
func (s *spy) begin(at int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.writes, s.at = nil, at
}

// goes has something done beside what is written.
func (s *spy) goes(beside func(text string)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.beside = beside
}

func (s *spy) killed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.writes) > s.at
}

// seen is what was written since begin.
func (s *spy) seen() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.writes...)
}

// spied is a connection to the server that a spy sees.
type spied struct {
	io.ReadWriter
	spy *spy
}

func (s spied) Write(b []byte) (int, error) {
	s.spy.mu.Lock()
	s.spy.writes = append(s.spy.writes, string(b))
	beside := s.spy.beside
	s.spy.mu.Unlock()
	if beside != nil {
		beside(string(b))
	}
	if s.spy.instead != nil {
		s.spy.instead(b)
	}
	return s.ReadWriter.Write(b)
}

const never = 1 << 30

// endedRows is how many rows there are.
const endedRows = 6

// endedStatements are statements of several texts, and how many rows have the value 7 behind them.
var endedStatements = []struct {
	text string
	rows int
	more int // rows than before
}{
	{"INSERT INTO stock (id, code, k, big) SELECT id, code, k, 7 FROM stock ON DUPLICATE KEY UPDATE big = VALUES(big)", endedRows, 0},
	{"REPLACE INTO stock (id, code, k, big) SELECT id, code, k, 7 FROM stock", endedRows, 0},
	{"INSERT INTO stock (id, code, k, big) SELECT id + 1000, CONCAT('y', code), k, 7 FROM stock", endedRows, endedRows},
	{"INSERT INTO stock (id, code, k, big) VALUES (1, 'x1', 1, 7) ON DUPLICATE KEY UPDATE big = VALUES(big), k = k + 1", 1, 0},
	{"INSERT INTO stock (id, code, k, big) VALUES (9, 'x9', 1, 7) ON DUPLICATE KEY UPDATE big = VALUES(big), k = k + 1", 1, 1},
	{"INSERT INTO stock (id, code, k, big) VALUES (1, 'x1', 1, 7), (2, 'x2', 1, 7) ON DUPLICATE KEY UPDATE big = VALUES(big)", 2, 0},
	{"UPDATE stock SET big = 7, k = k + 1 WHERE id = 2", 1, 0},
	{"UPDATE stock SET big = 7 WHERE id = 2", 1, 0},
	{"UPDATE stock SET big = 7, name = CONCAT('n', k)", endedRows, 0},
	{"UPDATE stock SET big = 7, name = CONCAT('n', k), town = CONCAT(id, 't')", endedRows, 0},
	{"UPDATE stock SET big = 7 ORDER BY id", endedRows, 0},
	{"UPDATE stock a JOIN stock b ON a.id = b.id SET a.big = 7", endedRows, 0},
	{"DELETE FROM stock WHERE k + 0 = 1 AND name IS NULL ORDER BY id LIMIT 3", 0, -3},
}

// TestEndedBetweenTexts: a KILL QUERY that comes behind any text of a statement but the last, where the
// server forgets it, ends the statement as if it had not been. Behind the last it comes too late.
func TestEndedBetweenTexts(t *testing.T) {
	onServers(t, func(t *testing.T, r *rig) {
		r.stock()
		r.exec("CREATE TABLE plain.marks (n INT)")
		for _, c := range []struct {
			caps  wire.Capability
			apart bool
		}{{wiretest.ClientCaps, false}, {wiretest.ClientCaps &^ wire.ClientMultiStatements, false}, {wiretest.ClientCaps, true}} {
			r.engine.options.Apart, r.spy = c.apart, &spy{at: never}
			p := r.pair(t, c.caps)
			r.asks(p.tunnel, "SET sql_mode = ''", "SET sql_mode = DEFAULT")
			id := r.asked(p.tunnel, "SELECT CONNECTION_ID()")
			for _, begin := range []string{"", "BEGIN", "SET autocommit = 0", "LOCK TABLES stock WRITE, stock AS a WRITE, stock AS b WRITE"} {
				r.spy.locked = strings.HasPrefix(begin, "LOCK")
				for _, s := range endedStatements {
					if r.spy.locked && strings.Contains(s.text, " SELECT ") {
						continue // it is refused
					}
					for at := 0; r.endBehind(p.tunnel, id, begin, s.text, s.rows, s.more, at); at++ {
					}
				}
			}
		}
	})
}

// endBehind has a statement ended behind one of its texts; false if that came too late.
func (r *rig) endBehind(client *wiretest.Peer, id, begin, text string, rows, more, at int) bool {
	r.t.Helper()
	r.asks(client, "SET autocommit = 1", "DELETE FROM stock", "DELETE FROM plain.marks")
	for i := range endedRows {
		r.asks(client, fmt.Sprintf("INSERT INTO stock (id, code, k, big) VALUES (%d, 'x%d', 1, 0)", i, i))
	}
	switch {
	case r.spy.locked:
		r.asks(client, begin)
	case begin != "":
		r.asks(client, begin, "INSERT INTO plain.marks VALUES (1)")
	}
	r.spy.begin(at)
	_, err := client.Query(text)
	seen := len(r.spy.seen())
	r.spy.begin(never)
	what := fmt.Sprintf("%s %s, ended behind text %d of %d", begin, text, at+1, seen)
	last := seen - 1
	if r.spy.locked { // it is the one that lets go of the transaction
		last--
	}
	interrupted := err != nil && strings.Contains(err.Error(), "1317")
	if err != nil && !interrupted || err == nil && at < last {
		r.t.Errorf("%s: %v", what, err)
	}
	written, all := "0", strconv.Itoa(endedRows)
	if err == nil {
		written, all = strconv.Itoa(rows), strconv.Itoa(endedRows+more)
	}
	if got := r.asked(client, "SELECT COUNT(*) FROM stock WHERE big = 7"); got != written {
		r.t.Errorf("%s: %v, and %s rows are written, want %s", what, err, got, written)
	}
	if got := r.asked(client, "SELECT COUNT(*) FROM stock WHERE k > 0"); got != all {
		r.t.Errorf("%s: %v, and there are %s rows, want %s", what, err, got, all)
	}
	r.stands(client, id, begin, what)
	return interrupted
}

// stands wants the session to be as it was before a statement: in its own transaction, or in none.
func (r *rig) stands(client *wiretest.Peer, id, begin, what string) {
	r.t.Helper()
	if got := r.asked(client, "SELECT @@timestamp > 1e9 AND @@autocommit"); got != "1" && begin != "SET autocommit = 0" {
		r.t.Errorf("%s: the session is not as before", what)
	}
	switch {
	case r.spy.locked:
		r.asks(client, "UNLOCK TABLES")
	case begin != "":
		if got := r.asked(client, "SELECT COUNT(*) FROM plain.marks"); got != "1" {
			r.t.Errorf("%s: the client's transaction is gone", what)
		}
		r.asks(client, "ROLLBACK")
		if got := r.asked(client, "SELECT COUNT(*) FROM plain.marks"); got != "0" {
			r.t.Errorf("%s: the client's transaction is committed", what)
		}
		r.asks(client, "COMMIT")
	}
	r.nothingOpen(id, what)
}

// nothingOpen wants a connection to have no transaction.
func (r *rig) nothingOpen(id, what string) {
	r.t.Helper()
	open, err := sandboxtest.Transactions(r.t.Context(), r.db)
	number, invalid := strconv.ParseUint(id, 10, 64)
	if err := errors.Join(err, invalid); err != nil || slices.Contains(open, number) {
		r.t.Errorf("%s: a transaction is left open, %v", what, err)
	}
}

// asks has statements carried out that have to succeed.
func (r *rig) asks(client *wiretest.Peer, statements ...string) {
	r.t.Helper()
	for _, s := range statements {
		if _, err := client.Query(s); err != nil {
			r.t.Fatalf("%s: %v", s, err)
		}
	}
}
