package exec

import (
	"testing"

	"tunic/internal/budget"
	"tunic/internal/eval"
	"tunic/internal/local"
	"tunic/internal/value"
)

// TestBorrowedByStream: what a query whose rows go through as they come has of pools it gives
// back when its execution is closed.
func TestBorrowedByStream(t *testing.T) {
	m := newShop(t, value.MySQL)
	st, in := m.statement("SELECT DISTINCT name FROM p WHERE id IN (SELECT 1) ORDER BY name")
	x := &local.Execution{Inputs: in, Account: budget.Account{Budget: &m.engine.options.Local, Total: &m.engine.reserved}}
	_, err := st.query.Start(x, m.env.EvalSession(), func(*local.Program) (local.Sink, error) {
		return &local.Shield{To: emitter(func(eval.Row) error { return nil })}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	all, pieces := borrowedBy(x), 0
	for _, of := range all {
		for _, m := range of.Borrowed {
			if _, ok := m.(*local.Execution); !ok {
				pieces++
			}
		}
	}
	if pieces != 2 {
		t.Errorf("%d pieces are borrowed, want those of DISTINCT and ORDER BY", pieces)
	}
	x.Close()
	for _, of := range all {
		if len(of.Borrowed) > 0 {
			t.Errorf("%d pieces are not given back", len(of.Borrowed))
		}
	}
}
