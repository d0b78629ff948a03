package exec

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tunic/internal/arena"
	"tunic/internal/binding"
	"tunic/internal/budget"
	"tunic/internal/catalog"
	"tunic/internal/eval"
	"tunic/internal/local"
	"tunic/internal/plan/build"
	"tunic/internal/policy"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// bench does local work without a server: rows of a table pairs (k BIGINT, v BIGINT,
// s VARCHAR(20)), all of them protected, go into the steps of a statement.
type bench struct {
	session *Session
	catalog *catalog.Catalog
}

// tester is a test, or a run of a property.
type tester interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

func newBench(t tester, budget budget.Budget) *bench {
	t.Helper()
	types := catalog.TypesOf(value.MySQL)
	table := &catalog.Table{ID: catalog.ID{1}, Schema: "test", Name: "pairs", Twin: "t_1"}
	for i, c := range [][2]string{{"k", "bigint"}, {"v", "bigint"}, {"s", "varchar(20)"}} {
		collation := ""
		if c[1] == "varchar(20)" {
			collation = "utf8mb4_general_ci"
		}
		parsed, err := types(c[1], collation, false)
		if err != nil {
			t.Fatal(err)
		}
		id := catalog.ID{byte(i + 2)}
		table.Columns = append(table.Columns, catalog.Column{
			ID: id, Domain: id, Name: c[0], TypeText: c[1], CollationName: collation, Type: parsed, Protection: policy.Sealed,
		})
	}
	if err := table.Check(); err != nil {
		t.Fatal(err)
	}
	s := &Session{
		binder: binding.New(),
		engine: New(Options{
			Forms: binding.FormsOf{Column: func(*catalog.Column) (binding.Forms, error) { return nil, nil }}, //nolint:nilnil // nothing is opened
			Log:   slog.New(slog.DiscardHandler), Local: budget,
		}),
	}
	s.env.Value = value.Env{Flavor: value.MySQL, Version: 90000}
	s.env.Reading.DivPrecision = 4
	s.env.Connection, _ = charset.Lookup(value.MySQL, "utf8mb4_general_ci")
	s.env.Client = s.env.Connection.Charset
	s.binder.Env = &s.env
	return &bench{session: s, catalog: catalog.New(false).Next(1, nil, []*catalog.Table{table})}
}

// statement makes a text ready; the session's binder has its literals.
func (b *bench) statement(t tester, text string) *Statement {
	t.Helper()
	var fp sql.Fingerprinter
	fp.Record(true)
	fp.Fingerprint([]byte(text), 0)
	all, err := sql.Parse([]byte(text), 0)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := all[0].TreeWithPlaces(fp.Literals())
	if err != nil {
		t.Fatal(err)
	}
	run, err := build.Build(tree, b.catalog, "test", 0)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	st, err := b.session.engine.Statement(run)
	if err != nil {
		t.Fatal(err)
	}
	b.session.binder.Text, b.session.binder.Literals = []byte(text), fp.Literals()
	return st
}

// pairRow is a row of the table; a nil is NULL.
type pairRow struct {
	k, v *int64
	s    *string
}

func (b *bench) row(st *Statement, p pairRow) eval.Row {
	var row eval.Row
	for _, f := range st.Run.Fetch {
		var v []byte
		switch f.Column {
		case 0:
			v = canonicalInt(p.k)
		case 1:
			v = canonicalInt(p.v)
		case 2:
			if p.s != nil {
				v = append([]byte{}, *p.s...)
			}
		}
		row = append(row, v)
	}
	return row
}

func canonicalInt(n *int64) []byte {
	if n == nil {
		return nil
	}
	return binary.BigEndian.AppendUint64(nil, uint64(*n))
}

// run puts rows into the steps of a statement and returns what comes out: copies.
func (b *bench) run(t tester, text string, rows []pairRow) (out []eval.Row, err error) {
	t.Helper()
	st := b.statement(t, text)
	c, err := b.session.choose(st, func(r eval.Row) error {
		out = append(out, arena.CopyOf(r))
		return nil
	})
	if err != nil {
		return nil, err
	}
	defer c.close()
	for _, p := range rows {
		if err := c.Row(b.row(st, p)); errors.Is(err, local.ErrEnough) {
			return out, nil
		} else if err != nil {
			return out, err
		}
	}
	return out, c.End()
}

func numbers(r eval.Row) (all []any) {
	for _, v := range r {
		switch {
		case v == nil:
			all = append(all, nil)
		case len(v) == 8:
			all = append(all, int64(binary.BigEndian.Uint64(v)))
		default:
			all = append(all, string(v))
		}
	}
	return all
}

// drawRows are rows whose values repeat.
func drawRows(t *rapid.T) []pairRow {
	number := rapid.Custom(func(t *rapid.T) *int64 {
		if rapid.IntRange(0, 5).Draw(t, "null") == 0 {
			return nil
		}
		n := rapid.Int64Range(-3, 3).Draw(t, "n")
		return &n
	})
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) pairRow {
		s := rapid.SampledFrom([]string{"", "a", "A", "b ", "b", "ä"}).Draw(t, "s")
		return pairRow{number.Draw(t, "k"), number.Draw(t, "v"), &s}
	}), 0, 40).Draw(t, "rows")
}

// compareInts orders NULL before all numbers.
func compareInts(a, b *int64) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return -1
	case b == nil:
		return 1
	}
	return cmp.Compare(*a, *b)
}

// TestSortAndLimit: what a LIMIT leaves of sorted rows are the first of all of them
// sorted, however few are kept.
func TestSortAndLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := drawRows(t)
		offset, count := rapid.IntRange(0, 10).Draw(t, "offset"), rapid.IntRange(0, 10).Draw(t, "count")
		got, err := newBench(t, budget.Budget{}).run(t, fmt.Sprintf("SELECT k, v FROM pairs ORDER BY k DESC, v LIMIT %d, %d", offset, count), rows)
		if err != nil {
			t.Fatal(err)
		}
		slices.SortStableFunc(rows, func(a, b pairRow) int {
			return cmp.Or(compareInts(b.k, a.k), compareInts(a.v, b.v))
		})
		want := rows[min(offset, len(rows)):min(offset+count, len(rows))]
		if len(got) != len(want) {
			t.Fatalf("%d rows, want %d", len(got), len(want))
		}
		for i := range got {
			if w := (eval.Row{canonicalInt(want[i].k), canonicalInt(want[i].v)}); !slices.EqualFunc(got[i], w, slices.Equal) {
				t.Fatalf("row %d: %v, want %v", i, numbers(got[i]), numbers(w))
			}
		}
	})
}

// TestGroups: rows with equal keys are counted and summed together, and groups come
// in the order of their first rows.
func TestGroups(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := drawRows(t)
		got, err := newBench(t, budget.Budget{}).run(t, "SELECT k, COUNT(*), COUNT(v), MAX(v) FROM pairs GROUP BY k", rows)
		if err != nil {
			t.Fatal(err)
		}
		type sums struct {
			all, some int64
			most      *int64
		}
		want, order := map[string]*sums{}, []string{}
		for _, r := range rows {
			key := fmt.Sprint(numbers(eval.Row{canonicalInt(r.k)}))
			if want[key] == nil {
				want[key] = &sums{}
				order = append(order, key)
			}
			w := want[key]
			w.all++
			if r.v != nil {
				w.some++
				if compareInts(w.most, r.v) < 0 {
					w.most = r.v
				}
			}
		}
		if len(got) != len(order) {
			t.Fatalf("%d groups, want %d", len(got), len(order))
		}
		for i, key := range order {
			w := want[key]
			// A row has the columns k and v, of the group's first row, and the results.
			result := eval.Row{got[i][0], canonicalInt(&w.all), canonicalInt(&w.some), canonicalInt(w.most)}
			if fmt.Sprint(numbers(got[i][:1])) != key || !slices.EqualFunc(got[i][2:], result[1:], slices.Equal) {
				t.Fatalf("group %d: %v, want %v of %s", i, numbers(got[i]), numbers(result), key)
			}
		}
	})
}

// TestDistinct: the first of equal rows is left, and text is equal as its collation
// says.
func TestDistinct(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := drawRows(t)
		got, err := newBench(t, budget.Budget{}).run(t, "SELECT DISTINCT s FROM pairs", rows)
		if err != nil {
			t.Fatal(err)
		}
		equal := func(s string) string {
			return strings.ReplaceAll(strings.ToLower(strings.TrimRight(s, " ")), "ä", "a")
		}
		seen := map[string]bool{}
		var want []string
		for _, r := range rows {
			if !seen[equal(*r.s)] {
				seen[equal(*r.s)] = true
				want = append(want, *r.s)
			}
		}
		var all []string
		for _, r := range got {
			all = append(all, string(r[0]))
		}
		if !slices.Equal(all, want) {
			t.Fatalf("%q, want %q", all, want)
		}
	})
}

// TestFilters: a row passes if the condition is true, and not if it is NULL.
func TestFilters(t *testing.T) {
	one, two := int64(1), int64(2)
	a, b := "a", "b"
	rows := []pairRow{{&one, nil, &a}, {&two, &one, &b}, {nil, &two, nil}, {&two, &two, &a}}
	for text, want := range map[string]int{
		"SELECT k FROM pairs WHERE k > 1":                            2,
		"SELECT k FROM pairs WHERE NOT (k > 1)":                      1,
		"SELECT k FROM pairs WHERE k = v":                            1,
		"SELECT k FROM pairs WHERE s LIKE 'A'":                       2,
		"SELECT k FROM pairs WHERE k IN (1, 7) OR v IN (1, 7)":       2,
		"SELECT k FROM pairs WHERE k > 1 AND s = 'B' LIMIT 5":        1,
		"SELECT k FROM pairs WHERE k + v LIMIT 1":                    1,
		"SELECT k FROM pairs HAVING k > 1":                           2,
		"SELECT k, COUNT(*) AS n FROM pairs GROUP BY k HAVING n = 1": 2,
		"SELECT COUNT(*) FROM pairs WHERE k > 100":                   1,
		"SELECT COUNT(*) FROM pairs WHERE k > 100 GROUP BY k":        0,
		"SELECT MAX(k) FROM pairs HAVING MAX(k) > 100":               0,
	} {
		got, err := newBench(t, budget.Budget{}).run(t, text, rows)
		if err != nil || len(got) != want {
			t.Errorf("%s: %d rows, %v; want %d", text, len(got), err, want)
		}
	}
}

// TestBudget: a statement beyond its budget is refused with what would help, and
// gives back what it has taken.
func TestBudget(t *testing.T) {
	var rows []pairRow
	for i := range int64(1000) {
		rows = append(rows, pairRow{k: &i})
	}
	for text, c := range map[string]struct {
		budget budget.Budget
		want   error
		help   string
	}{
		"SELECT k FROM pairs WHERE k > 5":                      {budget.Budget{Rows: 999}, sqlerr.LocalRows(0, ""), "as test.pairs.k has no order layer"},
		"SELECT k FROM pairs WHERE s LIKE 'a'":                 {budget.Budget{Rows: 1}, sqlerr.LocalRows(0, ""), "as no layer serves it"},
		"SELECT k FROM pairs WHERE v + 1 = 2 OR v = 5":         {budget.Budget{Rows: 1}, sqlerr.LocalRows(0, ""), "as test.pairs.v has no equality layer"},
		"SELECT k FROM pairs ORDER BY k":                       {budget.Budget{Bytes: 10000}, sqlerr.LocalBytes(0, ""), "as test.pairs.k has no order layer"},
		"SELECT k, COUNT(*) FROM pairs GROUP BY k":             {budget.Budget{Bytes: 10000}, sqlerr.LocalBytes(0, ""), "as test.pairs.k has no equality layer"},
		"SELECT DISTINCT k FROM pairs":                         {budget.Budget{Bytes: 10000}, sqlerr.LocalBytes(0, ""), "as no layer serves it"},
		"SELECT COUNT(DISTINCT k) FROM pairs":                  {budget.Budget{Bytes: 10000}, sqlerr.LocalBytes(0, ""), "as no layer serves it"},
		"SELECT k FROM pairs ORDER BY v":                       {budget.Budget{TotalBytes: 10000}, sqlerr.LocalTotal(0, ""), "as test.pairs.v has no order layer"},
		"SELECT k FROM pairs WHERE k >= 0":                     {budget.Budget{Rows: 1000, Bytes: 1}, nil, ""},
		"SELECT k FROM pairs ORDER BY k DESC LIMIT 3":          {budget.Budget{Bytes: 10000}, nil, ""},
		"SELECT COUNT(*), SUM(k), MIN(k) FROM pairs":           {budget.Budget{Bytes: 10000}, nil, ""},
		"SELECT k FROM pairs WHERE k > 5 AND k IS NOT NULL":    {budget.Budget{}, nil, ""},
		"SELECT k FROM pairs WHERE k > 5 ORDER BY k LIMIT 999": {budget.Budget{}, nil, ""},
	} {
		b := newBench(t, c.budget)
		_, err := b.run(t, text, rows)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", text, err, c.want)
		}
		if err != nil && !strings.Contains(err.Error(), c.help) {
			t.Errorf("%s: %v does not say %q", text, err, c.help)
		}
		if n := b.session.engine.reserved.Load(); n != 0 {
			t.Errorf("%s: %d bytes are still reserved", text, n)
		}
	}
}

// TestPrograms: statements that differ in the form of their values are compiled
// apart, and only so many are kept.
func TestPrograms(t *testing.T) {
	b := newBench(t, budget.Budget{})
	one := int64(1)
	rows := []pairRow{{k: &one}}
	text := "SELECT k FROM pairs WHERE k = %s"
	st := b.statement(t, fmt.Sprintf(text, "1"))
	for n, literal := range []string{"1", "2", "123456", "1.5", "1.25", "1e0", "'1'", "'2'"} {
		b.session.binder.Text = fmt.Appendf(nil, text, literal)
		var fp sql.Fingerprinter
		fp.Record(true)
		fp.Fingerprint(b.session.binder.Text, 0)
		b.session.binder.Literals = fp.Literals()
		c, err := b.session.choose(st, func(eval.Row) error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Row(b.row(st, rows[0])); err != nil {
			t.Fatal(err)
		}
		c.close()
		if want := []int{1, 1, 1, 2, 3, 4, 5, 5}[n]; st.query.Compiled() != want {
			t.Errorf("after %s: %d programs, want %d", literal, st.query.Compiled(), want)
		}
	}
	for i := range 2 * local.ProgramsMax {
		b.session.env.Reading.DivPrecision = i
		if c, err := b.session.choose(st, func(eval.Row) error { return nil }); err != nil {
			t.Fatal(err)
		} else {
			c.close()
		}
	}
	if n := st.query.Compiled(); n != local.ProgramsMax {
		t.Errorf("%d programs are kept", n)
	}
}

// TestKeysDiffer: keys of groups are equal only for equal values.
func TestKeysDiffer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		types := []*value.Type{{Kind: value.VarBinary, Length: 20}, {Kind: value.VarBinary, Length: 20}}
		draw := func(name string) (row [2][]byte) {
			for i := range row {
				if rapid.Bool().Draw(t, name+" null") {
					continue
				}
				row[i] = rapid.SliceOfN(rapid.ByteRange(0, 2), 0, 6).Draw(t, name)
				if row[i] == nil {
					row[i] = []byte{}
				}
			}
			return row
		}
		key := func(row [2][]byte) (k []byte) {
			for i := range row {
				k = local.AppendKey(k, types[i], row[i])
			}
			return k
		}
		a, b := draw("a"), draw("b")
		same := slices.EqualFunc(a[:], b[:], func(x, y []byte) bool { return (x == nil) == (y == nil) && slices.Equal(x, y) })
		if equal := slices.Equal(key(a), key(b)); equal != same {
			t.Fatalf("keys of %q and %q are equal: %v", a, b, equal)
		}
	})
}
