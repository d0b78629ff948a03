package drawing_test

import (
	"testing"

	"tunic/internal/eval/evaltest"
)

// TestDrawn: each evaluation has a value of its own, in a table that is written to and in no other.
func TestDrawn(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Refuses("UUID()", "RAND()", "RANDOM_BYTES(16)")
		x.DrawsValues = true
		for text, length := range map[string]int{"UUID()": 36, "RANDOM_BYTES(16)": 16} {
			got := x.Evaluate(text)
			if len(got[0]) != length || got[0] == got[1] {
				t.Errorf("%s: %q", text, got)
			}
		}
		x.Want("RAND() < 1 AND RAND() >= 0", "1", "1")
		x.Want("LENGTH(RANDOM_BYTES(1025))", "refused", "refused")
		x.Refuses("RAND(7)", "RANDOM_BYTES(`int`)")
	}, evaltest.Row{}, evaltest.Row{})
}
