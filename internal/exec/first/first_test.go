package first

import (
	"bytes"
	"cmp"
	"slices"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"tunic/internal/budget"
	"tunic/internal/eval"
	"tunic/internal/local"
	"tunic/internal/recipe"
	"tunic/internal/wire"
)

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
	p := &Portion{account: new(budget.Account)}
	p.Begin(of, uint64(most), uint64(skip), uint64(skip+left))
	p.account = account()
	steps := &modelSteps{bound: bound, sorts: sorts, to: &local.Limiter{Skip: uint64(skip), Left: uint64(left), Next: (*holder)(p)}}
	read := 0
	for _, r := range table {
		if r.token < bound/grain || read == most {
			continue
		}
		read++
		cells := r.cells(bound / grain)
		if !p.Takes(cells, false) || p.Full {
			continue
		}
		if err := steps.Row(eval.Row{cells[0].Bytes}); err == local.ErrEnough { //nolint:errorlint // it is never wrapped
			p.Full = true
		}
	}
	err := p.End(steps)
	for _, r := range p.held {
		got = append(got, int(r[0][0]))
	}
	return got, err != ErrTooFew //nolint:errorlint // it is never wrapped
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
	p := &Portion{}
	p.Begin(&recipe.First{Certain: 1, Token: -1}, 3, 0, 2)
	p.account = account()
	for range 3 {
		p.Takes([]wire.Cell{{}, {Bytes: []byte("1")}}, false)
	}
	if err := p.End((*holder)(p)); err != ErrNotCertain { //nolint:errorlint // it is never wrapped
		t.Errorf("%v of no row that the steps have let pass", err)
	}
}

// TestFirstLevel: an execution begins with as many rows as were enough for the one before, if
// those are not more than are asked for at all.
func TestFirstLevel(t *testing.T) {
	var f Level
	for _, rows := range []uint64{1, RowsAt(10, 0), RowsAt(10, 0) + 1, RowsAt(10, 2), 1 << 40, 3} {
		f.Took(10, rows)
		level := f.Begin(10)
		if RowsAt(10, level) < rows && level < All-1 || level > 0 && RowsAt(10, level-1) >= rows {
			t.Errorf("level %d after %d rows", level, rows)
		}
	}
	f.Took(10, RowsAt(10, 4))
	for _, wanted := range []uint64{10, 100, 1000, WantedMost} {
		if level := f.Begin(wanted); RowsAt(wanted, level) > Most {
			t.Errorf("%d rows are wanted, and level %d is begun with", wanted, level)
		}
	}
}

// TestFirstLevelIsPatient: a statement for which none are enough is tried again, the more seldom
// the more often that is so; one for which some are is not kept from it by a single execution that
// needs all.
func TestFirstLevelIsPatient(t *testing.T) {
	var f Level
	tries := 0
	for range 20 * allAgain {
		if f.Begin(10) < All {
			tries++
			f.NeededAll()
		}
	}
	if tries < 20 || tries > 30 {
		t.Errorf("%d tries of %d", tries, 20*allAgain)
	}
	all := 0
	for i := range 10_000 {
		switch {
		case f.Begin(10) == All:
			all++
		case i%100 == 0:
			f.NeededAll()
		default:
			f.Took(10, 10)
		}
	}
	if all > 2*allAgain+10_000/100 {
		t.Errorf("%d executions asked for all rows, where one of a hundred needs them", all)
	}
}

// TestFirstRowsKeepTheirMemory: portions of a session use the memory of those before.
func TestFirstRowsKeepTheirMemory(t *testing.T) {
	var p Portion
	all, total := budget.Budget{}.WithDefaults(), new(atomic.Int64)
	row := eval.Row{[]byte("some value"), nil}
	of := &recipe.First{Certain: -1, Token: -1}
	round := func() {
		p.Begin(of, 20, 0, 10)
		p.account = &budget.Account{Budget: &all, Total: total}
		for range 10 {
			if err := (*holder)(&p).Row(row); err != nil {
				t.Fatal(err)
			}
		}
		p.account.Close()
		p.LetGo()
	}
	round()
	if n := testing.AllocsPerRun(100, round); n > 1 { // the account
		t.Errorf("%v allocations", n)
	}
}

// account is one of a statement that nothing else runs beside.
func account() *budget.Account {
	all := budget.Budget{}.WithDefaults()
	return &budget.Account{Budget: &all, Total: new(atomic.Int64)}
}
