package exec

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tunic/internal/binding"
	"tunic/internal/budget"
	"tunic/internal/eval"
	"tunic/internal/local"
	"tunic/internal/recipe"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// asks is how many statements of the client's the server has carried out for it.
func (p *pair) asks(statement string) (n int) {
	p.t.Helper()
	count := func() (n int) {
		sets, err := p.tunnel.Query("SHOW SESSION STATUS LIKE 'Com_select'")
		if err != nil {
			p.t.Fatal(err)
		}
		rows, err := sets[0].Text()
		if err == nil {
			n, err = strconv.Atoi(rows[0][1])
		}
		if err != nil {
			p.t.Fatal(err)
		}
		return n
	}
	before := count()
	p.same(statement)
	return count() - before - 1 // after SHOW, what the session is like is asked for again
}

// TestFirstRows: of a LIMIT over an order layer that has the beginning of its values only, the
// first rows are asked for, and more where they share a token.
func TestFirstRows(t *testing.T) {
	onServers(t, func(t *testing.T, r *rig) {
		r.table("page", []col{
			{name: "id", typ: "INT", protect: "plain"},
			{name: "k", typ: "VARCHAR(30)", protect: "order", null: true},
			{name: "note", typ: "VARCHAR(30)", protect: "sealed"},
		}, primary("id"))
		p := r.pair(t, wiretest.ClientCaps)
		var rows []string
		for i := range 200 { // a hundred that share their beginning, and a hundred that do not
			rows = append(rows, fmt.Sprintf("(%d, '%s', 'note %d')", i, map[bool]string{true: fmt.Sprintf("shared beginning %03d", 7*i%101), false: fmt.Sprintf("t%03d", i)}[i < 100], i))
		}
		p.same("INSERT INTO page VALUES " + strings.Join(rows, ", ") + ", (1000, NULL, 'n')")
		for i, c := range []struct {
			statement string
			asks      int
		}{
			{"SELECT id, note FROM page WHERE k > 't150' ORDER BY k LIMIT 10", 1},
			{"SELECT id, note FROM page WHERE k > 't150' ORDER BY k LIMIT 45, 10", 1}, // fewer than are asked for
			{"SELECT id, note FROM page WHERE k <= 't150' ORDER BY k DESC LIMIT 10", 1},
			{"SELECT id, note FROM page WHERE k >= 't150' ORDER BY id DESC LIMIT 10", 1},
			{"SELECT id, note FROM page WHERE k BETWEEN 't150' AND 't170' ORDER BY k, id LIMIT 10", 1},
			{"SELECT id, note FROM page ORDER BY k LIMIT 1", 1}, // NULL, and one more
			{"SELECT id, note FROM page WHERE k > 'shared beginning 007' ORDER BY k LIMIT 3", 3},
			{"SELECT id, note FROM page WHERE k > 'shared beginning 099' ORDER BY k LIMIT 4", 1}, // begins where the one before has ended
			{"SELECT id, note FROM page WHERE k > 't160' ORDER BY k LIMIT 5", 1},
			{"SELECT id, note FROM page WHERE k > 't150' ORDER BY k LIMIT 0", 1},
			{"SELECT id, note FROM page WHERE k > 't150' ORDER BY k LIMIT 10001", 1},
			{"SELECT id, note FROM page WHERE k > 't150' AND note LIKE '%7' ORDER BY k LIMIT 2", 1},
			{"SELECT id, note FROM page WHERE k > 't150' ORDER BY k LIMIT 2 FOR UPDATE", 1},
		} {
			if n := p.asks(c.statement); n != c.asks {
				t.Errorf("%d: %s: %d statements, want %d", i, c.statement, n, c.asks)
			}
		}
		p.prepared("SELECT id, note FROM page WHERE k >= ? ORDER BY k, id LIMIT ? OFFSET ?", 0,
			[]binding.Param{str("t150"), long(5), long(3)}, []binding.Param{str("shared beginning 050"), long(5), long(30)},
			[]binding.Param{str("t150"), long(0), long(0)}, []binding.Param{str("t150"), long(20000), long(1)}, []binding.Param{str("u"), long(5), long(0)})
		bound := r.engine.options.Local
		r.engine.options.Local = budget.Budget{Rows: 25}.WithDefaults()
		p.same("SELECT id, note FROM page WHERE k > 't100' ORDER BY k LIMIT 10")
		if _, err := p.tunnel.Query("SELECT id, note FROM page WHERE k > 'shared beginning 003' ORDER BY k LIMIT 3"); err == nil || !strings.Contains(err.Error(), "TUNIC-2013") {
			t.Errorf("beyond the bound: %v", err)
		}
		r.engine.options.Local = bound
		r.exec("UPDATE shop.page SET note = 'no sealed form of a value at all' WHERE id = 155")
		for _, statement := range []string{"SELECT id, note FROM page WHERE k >= 't150' ORDER BY k LIMIT 10", "SELECT id, note FROM page WHERE k >= 't150' LIMIT 40"} {
			if _, err := p.tunnel.Query(statement); err == nil || !strings.Contains(err.Error(), "TUNIC-7001") {
				t.Errorf("%s: %v", statement, err)
			}
		}
		p.same("SELECT id, note FROM page WHERE k >= 't160' ORDER BY k LIMIT 10")
		r.exec("UPDATE shop.page AS a, shop.page AS b SET a.`k$ord` = b.`k$ord` WHERE a.id BETWEEN 100 AND 140 AND b.id = 170")
		if _, err := p.tunnel.Query("SELECT id FROM page WHERE k > 't160' ORDER BY k LIMIT 20"); err == nil || !strings.Contains(err.Error(), "TUNIC-7001") {
			t.Errorf("tokens of other rows: %v", err)
		}
		if n := r.engine.reserved.Load(); n != 0 {
			t.Errorf("%d bytes are still reserved", n)
		}
	})
}

// TestFirstRowsTriedAgain: a text of which an execution has needed all rows is not asked for all of them
// for good.
func TestFirstRowsTriedAgain(t *testing.T) {
	onServers(t, func(t *testing.T, r *rig) {
		r.table("page", []col{{name: "id", typ: "INT", protect: "plain"}, {name: "k", typ: "VARCHAR(30)", protect: "order"}}, primary("id"))
		p := r.pair(t, wiretest.ClientCaps)
		var rows []string
		for i := range 12_000 {
			rows = append(rows, fmt.Sprintf("(%d, 'shared beginning %06d')", i, i))
		}
		p.same("INSERT INTO page VALUES " + strings.Join(rows, ", ") + ", (12001, 'u1'), (12002, 'u2')")
		var asks []int
		for range 6 {
			asks = append(asks, p.asks("SELECT id FROM page WHERE k > 'shared beginning 000003' ORDER BY k LIMIT 9000, 1"))
		}
		if want := []int{2, 1, 2, 1, 1, 2}; !slices.Equal(asks, want) {
			t.Errorf("%v statements, want %v", asks, want)
		}
		r.engine.options.Local = budget.Budget{Rows: 25}.WithDefaults()
		for range 3 {
			if _, err := p.tunnel.Query("SELECT id FROM page WHERE k > 'shared beginning 000007' ORDER BY k LIMIT 3"); err == nil || !strings.Contains(err.Error(), "TUNIC-2013") {
				t.Errorf("beyond the budget: %v", err)
			}
			p.same("SELECT id FROM page WHERE k > 'u0' ORDER BY k LIMIT 3")
		}
	})
}

// modelRow is a row of a model of a table: a token that others share, and a value.
type modelRow struct{ token, value int }

func (r modelRow) cells(bound int) []wire.Cell {
	certain := "0"
	if r.token > bound {
		certain = "1"
	}
	return []wire.Cell{{Bytes: []byte{byte(r.value)}}, {Bytes: []byte(certain)}, {Bytes: []byte{byte(r.token)}}}
}

// modelSteps are WHERE value > bound [ORDER BY value] LIMIT of a portion's.
type modelSteps struct {
	bound int
	sorts bool
	rows  []eval.Row
	to    *local.Limiter
}

func (m *modelSteps) Row(r eval.Row) error {
	switch {
	case int(r[0][0]) <= m.bound:
		return nil
	case m.sorts:
		m.rows = append(m.rows, eval.Row{bytes.Clone(r[0])})
		return nil
	}
	return m.to.Row(r)
}

func (m *modelSteps) End() error {
	slices.SortFunc(m.rows, func(a, b eval.Row) int { return cmp.Compare(a[0][0], b[0][0]) })
	for _, r := range m.rows {
		if err := m.to.Row(r); err != nil {
			return err
		}
	}
	return m.to.End()
}

// model has a portion read the first rows of a table in the order of their tokens. It returns
// what is held, and whether that is enough.
func model(table []modelRow, bound, skip, left, most int, sorts bool) (got []int, enough bool) {
	const grain = 4
	of := &recipe.First{Certain: 1, Token: -1}
	if sorts {
		of.Token = 2
	}
	p := &portion{account: new(budget.Account)}
	p.begin(of, uint64(most), uint64(skip), uint64(skip+left))
	engine := New(Options{})
	p.account = &budget.Account{Budget: &engine.options.Local, Total: &engine.reserved}
	steps := &modelSteps{bound: bound, sorts: sorts, to: &local.Limiter{Skip: uint64(skip), Left: uint64(left), Next: (*portionHolder)(p)}}
	read := 0
	for _, r := range table {
		if r.token < bound/grain || read == most {
			continue
		}
		read++
		cells := r.cells(bound / grain)
		if !p.takes(cells, false) || p.full {
			continue
		}
		if err := steps.Row(eval.Row{cells[0].Bytes}); err == local.ErrEnough { //nolint:errorlint // it is never wrapped
			p.full = true
		}
	}
	err := p.end(steps)
	for _, r := range p.held {
		got = append(got, int(r[0][0]))
	}
	return got, err != errTooFew //nolint:errorlint // it is never wrapped
}

// TestPortion: what is enough of a part of the rows is what all of them give, and that it is
// depends on nothing but tokens.
func TestPortion(t *testing.T) {
	const values, grain = 40, 4
	rapid.Check(t, func(t *rapid.T) {
		var table []modelRow
		for range rapid.IntRange(0, 40).Draw(t, "rows") {
			v := rapid.IntRange(0, values-1).Draw(t, "value")
			table = append(table, modelRow{v / grain, v})
		}
		table = rapid.Permutation(table).Draw(t, "order")
		sorts := rapid.Bool().Draw(t, "sorted")
		slices.SortStableFunc(table, func(a, b modelRow) int { return cmp.Compare(a.token, b.token) })
		bound, skip, left := rapid.IntRange(0, values-1).Draw(t, "bound"), rapid.IntRange(0, 5).Draw(t, "skip"), rapid.IntRange(0, 10).Draw(t, "left")
		most := rapid.IntRange(1, 30).Draw(t, "most")

		var want []int
		for _, r := range table {
			if r.value > bound {
				want = append(want, r.value)
			}
		}
		if sorts {
			slices.Sort(want)
		}
		want = want[min(skip, len(want)):]
		want = want[:min(left, len(want))]
		got, enough := model(table, bound, skip, left, most, sorts)
		if enough && !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
		if !enough && most > len(table) {
			t.Fatal("all rows are not enough")
		}
		others := slices.Clone(table)
		for i := range others {
			others[i].value = others[i].token*grain + rapid.IntRange(0, grain-1).Draw(t, "other")
		}
		if _, same := model(others, bound, skip, left, most, sorts); same != enough {
			t.Fatalf("%v for other values with the same tokens", same)
		}
	})
}

// TestPortionOfLies: a server that says of rows that they are in the answer makes it no
// shorter, and learns nothing by what is asked next.
func TestPortionOfLies(t *testing.T) {
	engine := New(Options{})
	p := &portion{}
	p.begin(&recipe.First{Certain: 1, Token: -1}, 3, 0, 2)
	p.account = &budget.Account{Budget: &engine.options.Local, Total: &engine.reserved}
	for range 3 {
		p.takes([]wire.Cell{{}, {Bytes: []byte("1")}}, false)
	}
	if err := p.end((*portionHolder)(p)); err != errNotCertain { //nolint:errorlint // it is never wrapped
		t.Errorf("%v of no row that the steps have let pass", err)
	}
}

// TestFirstLevel: an execution begins with as many rows as were enough for the one before, if
// those are not more than are asked for at all.
func TestFirstLevel(t *testing.T) {
	var f firstLevel
	for _, rows := range []uint64{1, portionOf(10, 0), portionOf(10, 0) + 1, portionOf(10, 2), 1 << 40, 3} {
		f.took(10, rows)
		level := f.begin(10)
		if portionOf(10, level) < rows && level < levels-2 || level > 0 && portionOf(10, level-1) >= rows {
			t.Errorf("level %d after %d rows", level, rows)
		}
	}
	f.took(10, portionOf(10, 4))
	for _, wanted := range []uint64{10, 100, 1000, wantedMost} {
		if level := f.begin(wanted); portionOf(wanted, level) > portionMost {
			t.Errorf("%d rows are wanted, and level %d is begun with", wanted, level)
		}
	}
}

// TestFirstLevelIsPatient: a statement for which none are enough is tried again, the more seldom
// the more often that is so; one for which some are is not kept from it by a single execution that
// needs all.
func TestFirstLevelIsPatient(t *testing.T) {
	var f firstLevel
	tries := 0
	for range 20 * allAgain {
		if f.begin(10) < levels-1 {
			tries++
			f.neededAll()
		}
	}
	if tries < 20 || tries > 30 {
		t.Errorf("%d tries of %d", tries, 20*allAgain)
	}
	all := 0
	for i := range 10_000 {
		switch {
		case f.begin(10) == levels-1:
			all++
		case i%100 == 0:
			f.neededAll()
		default:
			f.took(10, 10)
		}
	}
	if all > 2*allAgain+10_000/100 {
		t.Errorf("%d executions asked for all rows, where one of a hundred needs them", all)
	}
}

// TestFirstRowsKeepTheirMemory: portions of a session use the memory of those before.
func TestFirstRowsKeepTheirMemory(t *testing.T) {
	var p portion
	engine := New(Options{})
	row := eval.Row{[]byte("some value"), nil}
	of := &recipe.First{Certain: -1, Token: -1}
	round := func() {
		p.begin(of, 20, 0, 10)
		p.account = &budget.Account{Budget: &engine.options.Local, Total: &engine.reserved}
		for range 10 {
			if err := (*portionHolder)(&p).Row(row); err != nil {
				t.Fatal(err)
			}
		}
		p.account.Close()
		p.letGo()
	}
	round()
	if n := testing.AllocsPerRun(100, round); n > 1 { // the account
		t.Errorf("%v allocations", n)
	}
}
