package exec

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tunic/internal/budget"
	"tunic/internal/eval"
	"tunic/internal/local"
	"tunic/internal/value"
)

// sifted gives a taker of rows what the fetcher reads of them: columns that the sieve asks for, and then all that anything reads.
type sifted struct {
	sieve     *local.Sieve
	to        local.Sink
	whole, of eval.Row
	there     []bool
	reads     int // of columns
}

// Read makes it local.Columns.
func (s *sifted) Read(column int) error {
	if !s.there[column] {
		s.of[column], s.there[column] = s.whole[column], true
		s.reads++
	}
	return nil
}

// Row makes it local.Sink.
func (s *sifted) Row(r eval.Row) error {
	last := len(r) - 1
	leaf := int(binary.BigEndian.Uint64(r[last]))
	s.whole, s.of, s.there = r, make(eval.Row, last), make([]bool, last)
	if drops, err := s.sieve.Drops(leaf, s.of, s); err != nil || drops {
		return err
	}
	for i := range last {
		if s.sieve.Reads(leaf, i) {
			_ = s.Read(i)
		}
	}
	return s.to.Row(append(s.of, r[last]))
}

// End makes it local.Sink.
func (s *sifted) End() error { return s.to.End() }

// TestSieve: a row that the sieve leaves out is one that has no part in the answer, whichever of its columns are read, and a column
// that nothing reads is one that nothing misses.
func TestSieve(t *testing.T) {
	for _, flavor := range []value.Flavor{value.MySQL, value.MariaDB} {
		m := newShop(t, flavor)
		rows := make([]string, 300) // more than all parts of a condition are computed of
		for i := range rows {
			rows[i] = fmt.Sprintf("%d,%d,%s,%d", i, i%7, []string{"x", "y", "NULL"}[i%3], i%11)
		}
		m.table("l", []string{"id int NOT NULL", "a int", "n varchar(10)", "d decimal(8,2)"}, rows...)
		statements := []string{
			"SELECT COUNT(*), SUM(l.id) FROM l, p WHERE l.a = 3 AND l.n = 'x' AND l.d > 2.5 AND p.id = 1",
			"SELECT COUNT(*), SUM(l.id) FROM l, p WHERE (l.a = 3 AND l.n = 'x' OR l.a = 4 AND l.n = 'y') AND p.id = 1",
			"SELECT COUNT(*), SUM(l.id) FROM l, p WHERE l.a IN (1, 2) AND l.n LIKE 'x%' AND NOT l.d BETWEEN 1 AND 9 AND p.id = 1",
			"SELECT COUNT(*), SUM(l.id) FROM l, p WHERE l.a > 2 AND l.d / l.a > 1 AND l.n <> 'x' AND p.id = 1",
			"SELECT COUNT(*), SUM(l.id) FROM l, p WHERE l.a <> 0 AND 10 / l.a > 1 AND p.id = 1",
			"SELECT id FROM p WHERE EXISTS (SELECT * FROM l WHERE l.a = p.id AND l.n = 'y' AND l.d < 3)",
			"SELECT id FROM p WHERE NOT EXISTS (SELECT name, id FROM b WHERE b.who = p.id)",
			"SELECT id FROM p WHERE EXISTS (SELECT who FROM b WHERE b.who = p.id LIMIT 0)",
			"SELECT id FROM p WHERE EXISTS (SELECT DISTINCT name FROM b WHERE b.who = p.id)",
			"SELECT p.id, x.name FROM p LEFT JOIN (SELECT * FROM b) x ON x.who = p.id AND x.price > 2 AND x.name <> 'ANN'",
		}
		for _, c := range treeAnswers {
			statements = append(statements, c.statement)
		}
		for _, statement := range statements {
			m.sifts = false
			want, wrong := m.query(statement)
			m.sifts = true
			got, err := m.query(statement)
			if !ordered(statement) {
				slices.Sort(want)
				slices.Sort(got)
			}
			if !slices.Equal(got, want) || (err == nil) != (wrong == nil) || err != nil && err.Error() != wrong.Error() {
				t.Errorf("%s\n%q, %v, want %q, %v", statement, got, err, want, wrong)
			}
		}
	}
}

// TestSieveSpares: columns that decide nothing are not read.
func TestSieveSpares(t *testing.T) {
	m := newMemory(t, value.MySQL)
	rows := make([]string, 200)
	for i := range rows {
		rows[i] = fmt.Sprintf("%d,%d,%d", i, i%2, i%50)
	}
	m.table("l", []string{"id int NOT NULL", "often int", "seldom int"}, rows...)
	m.table("r", []string{"id int"}, "1")
	for statement, most := range map[string]int{
		// Both of the first 64, and then the one that is false more often, which is true twice.
		"SELECT COUNT(*) FROM l, r WHERE l.often = 0 AND l.seldom = 2": 64*2 + 136 + 2,
		// In their order, as a sum may have an error.
		"SELECT COUNT(*) FROM l, r WHERE l.often = 0 AND l.seldom + 0 = 2":      200 + 100,
		"SELECT COUNT(*) FROM r WHERE EXISTS (SELECT * FROM l WHERE id = r.id)": 200 + 1,
	} {
		st, in := m.statement(statement)
		x := &local.Execution{Inputs: in, Rounds: 1}
		x.Account = budget.Account{Budget: &m.engine.options.Local, Total: &m.engine.reserved, Hint: st.hint}
		read := &sifted{}
		to, err := st.query.Start(x, m.env.EvalSession(), func(*local.Program) (local.Sink, error) { return &lines{env: &m.env.Value}, nil })
		if err == nil {
			read.sieve, read.to = x.Sieve, to
			err = m.feed(st, read)
		}
		const keptMost = 38_000 // with all columns it is 42,954
		if strings.Contains(statement, "EXISTS") && x.Account.Kept > keptMost {
			t.Errorf("%s: %d bytes are kept, want %d at most", statement, x.Account.Kept, keptMost)
		}
		if x.Close(); err != nil || read.reads != most {
			t.Errorf("%s: %d columns are read, want %d: %v", statement, read.reads, most, err)
		}
	}
}
