package document

import (
	"fmt"

	"tunic/internal/bench/figure"
)

// String says in a few words what came of the run.
func (r Run) String() string {
	if r.Refused != "" {
		return "refused: " + r.Failed
	}
	if r.Failed != "" {
		return "FAILED: " + r.Failed
	}
	text := figure.Grouped(r.TPS) + " TPS"
	if r.HopCPU > 0 {
		text += fmt.Sprintf(", %.1f µs of CPU a query", r.HopCPU)
	}
	return text
}
