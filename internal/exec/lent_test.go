package exec

import (
	"testing"

	"tunic/internal/budget"
	"tunic/internal/eval"
	"tunic/internal/local"
	"tunic/internal/value"
)

// TestLentToStream: what a query whose rows go through as they come has of pools it gives
// back when its execution is closed.
func TestLentToStream(t *testing.T) {
	m := newShop(t, value.MySQL)
	st, in := m.statement("SELECT DISTINCT name FROM p WHERE id IN (SELECT 1) ORDER BY name")
	x := &local.Execution{Inputs: in, Account: budget.Account{Budget: &m.engine.options.Local, Total: &m.engine.reserved}}
	_, err := st.query.Start(x, m.env.EvalSession(), func(*local.Program) (local.Sink, error) {
		return &local.Shield{To: emitter(func(eval.Row) error { return nil })}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	all, lent := borrowedBy(x), 0
	for _, of := range all {
		for _, m := range of.Lent {
			if _, ok := m.(*local.Execution); !ok {
				lent++
			}
		}
	}
	if lent != 2 {
		t.Errorf("%d pieces are lent, want those of DISTINCT and ORDER BY", lent)
	}
	x.Close()
	for _, of := range all {
		if len(of.Lent) > 0 {
			t.Errorf("%d pieces are not given back", len(of.Lent))
		}
	}
}
