package difftest

import (
	"path/filepath"
	"testing"

	"tunic/internal/sandbox"
)

// elsewhere is a policy that protects tables of which the corpus has none.
var elsewhere = &Policy{Name: "elsewhere", Settings: "[policy]\ndefault = \"plain\"\n" + ruleLines("vault.*.*", "sealed")}

// TestPlainTablesAreLeftAlone runs the corpus of plain tables through a tunic that has a
// key and a policy for others: what touches plain tables alone is answered as it is
// without them, and nothing of it is refused.
func TestPlainTablesAreLeftAlone(t *testing.T) {
	for _, flavor := range flavors {
		t.Run(flavor, func(t *testing.T) {
			t.Parallel()
			pair := startPair(t, flavor)
			pins, err := LoadPins(filepath.Join("testdata", "pins.txt"))
			if err != nil {
				t.Fatal(err)
			}
			proxied := protecting(t, pair.servers[1], elsewhere, sandbox.TunicOptions{})
			r := &Runner{Flavor: flavor, Direct: pair.direct(0), Proxied: proxied, Pins: pins}
			report := run(t, r, corpus(t), ways(t))
			check(t, report)
			if report.Refusals > 0 {
				t.Errorf("%d statements about plain tables were refused", report.Refusals)
			}
		})
	}
}
