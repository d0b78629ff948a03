package eval

import (
	"tunic/internal/eval/class"
	"tunic/internal/eval/comparison"
	"tunic/internal/eval/program"
)

// refuseFiner refuses, when they are to be equal, a time of a column and a constant that has more digits
// after the second than it: through a key servers find the row beside it. MySQL rounds a TIME to the column's
// digits in every comparison: it is guarded in all.
func (c *compiler) refuseFiner(k *comparison.Comparison, a, b *program.Node) {
	if k.By == class.DateTime || k.By == class.Time && c.session.IsMariaDB() {
		k.GuardFiner(a, b)
	}
}
