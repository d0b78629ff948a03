package eval

import (
	"tunic/internal/eval/class"
	"tunic/internal/eval/program"
)

// refuseFiner refuses, when they are to be equal, a time of a column and a constant that has more digits
// after the second than it: through a key servers find the row beside it. MySQL rounds a TIME to the column's
// digits in every comparison: it is guarded in all.
func (c *compiler) refuseFiner(k *comparison, a, b *program.Node) {
	if k.by == class.DateTime || k.by == class.Time && c.session.IsMariaDB() {
		k.guardFiner(a, b)
	}
}
