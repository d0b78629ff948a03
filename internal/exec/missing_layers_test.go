package exec

import (
	"fmt"
	"testing"

	"tunic/internal/advice"
	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/catalog/catalogtest"
	"tunic/internal/racetest"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// TestMissingLayersAreCounted: what a statement reads and leaves out for lack of a layer.
func TestMissingLayersAreCounted(t *testing.T) {
	const rows = 100
	for _, c := range []struct {
		text string
		want map[string]int64 // rows, by column and layer
	}{
		{"SELECT c FROM sbtest1 WHERE c = '07' AND id > 5", map[string]int64{"c equality": rows - 1}},
		{"SELECT c FROM sbtest1 WHERE c <> '07' ORDER BY c LIMIT 3", map[string]int64{"c equality": 1}}, // order of text no layer serves
		{"SELECT c FROM sbtest1 WHERE c = '07' AND c LIKE '%7%'", map[string]int64{"c equality": 0}},
		{"SELECT c FROM (SELECT c FROM sbtest1 WHERE c = '07') d", map[string]int64{"c equality": rows - 1}},
		{"SELECT c FROM sbtest1 WHERE c LIKE '%7'", nil},
	} {
		l := newLoop(t, func(forms map[string]binding.Forms) []wiretest.Message {
			columns, leaf := []string{"c"}, []string{}
			if c.text[14] == '(' { // the number of the leaf follows
				columns, leaf = append(columns, "0"), append(leaf, "0")
			}
			messages := wiretest.Head(columns...)
			for i := range rows {
				sealed, err := forms["c"].AppendSealed(nil, fmt.Appendf(nil, "%02d", i))
				if err != nil {
					t.Fatal(err)
				}
				messages = append(messages, wiretest.Row(append([]string{string(sealed)}, leaf...)...))
			}
			return append(messages, wiretest.End(wire.StatusAutocommit))
		})
		l.run(t, l.statement(t, c.text, "c"), []byte(c.text))
		got := map[string]int64{}
		for _, a := range l.advised() {
			if a.Statements == 1 {
				got[a.Column+" "+a.Layer.String()] = a.Rows
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %v, want %v", c.text, got, c.want)
		}
	}
}

// advised is what the loop's book has.
func (l *loop) advised() []advice.Advice {
	return advice.New(advice.Options{
		Book: l.book, Checker: advice.NewChecker(nil, nil), Catalog: func() *catalog.Catalog { return l.catalog },
	}).Advice()
}

// TestAdviceCostsNothing: what is counted of a statement that is finished here is no
// allocation.
func TestAdviceCostsNothing(t *testing.T) {
	if racetest.On {
		t.Skip("the race detector allocates")
	}
	const text = "SELECT c FROM sbtest1 WHERE c = '07'"
	counted := func(count bool) float64 {
		l := newLoop(t, func(forms map[string]binding.Forms) []wiretest.Message {
			sealed, err := forms["c"].AppendSealed(nil, []byte(catalogtest.SbtestC))
			if err != nil {
				t.Fatal(err)
			}
			return append(wiretest.Head("c"), wiretest.Row(string(sealed)), wiretest.End(wire.StatusAutocommit))
		})
		if !count {
			l.session.engine.options.Advice = nil
		}
		st := l.statement(t, text, "c")
		for range 20 {
			l.run(t, st, []byte(text))
		}
		return testing.AllocsPerRun(200, func() { l.run(t, st, []byte(text)) })
	}
	if with, without := counted(true), counted(false); with > without {
		t.Errorf("%v allocations, %v without counting", with, without)
	}
}
