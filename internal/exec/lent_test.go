package exec

import (
	"testing"

	"tunic/internal/eval"
	"tunic/internal/value"
)

// TestLentToStream: what a query whose rows go through as they come has of pools it gives
// back when its execution is closed.
func TestLentToStream(t *testing.T) {
	m := newShop(t, value.MySQL)
	st, in := m.statement("SELECT DISTINCT name FROM p WHERE id IN (SELECT 1) ORDER BY name")
	x := &execution{inputs: in, account: account{budget: &m.engine.options.Local, total: &m.engine.reserved}}
	_, err := st.query.start(x, m.env.evalSession(), func(*program) (taker, error) {
		return &shield{to: emitter(func(eval.Row) error { return nil })}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	all, lent := borrowedBy(x), 0
	for _, of := range all {
		for _, m := range of.lent {
			if _, ok := m.(*execution); !ok {
				lent++
			}
		}
	}
	if lent != 2 {
		t.Errorf("%d pieces are lent, want those of DISTINCT and ORDER BY", lent)
	}
	x.close()
	for _, of := range all {
		if len(of.lent) > 0 {
			t.Errorf("%d pieces are not given back", len(of.lent))
		}
	}
}
