package eval

import (
	"math"

	"tunic/internal/eval/class"
)

// refuseFiner refuses, when they are to be equal, a time of a column and a constant that has more digits
// after the second than it: through a key servers find the row beside it. MySQL rounds a TIME to the column's
// digits in every comparison: it is guarded in all.
func (c *compiler) refuseFiner(k *comparison, a, b *node) {
	if k.by == class.DateTime || k.by == class.Time && c.session.isMariaDB() {
		k.guardFiner(a, b)
	}
}

func (k *comparison) guardFiner(a, b *node) {
	k.a, k.b = finerGuard(a, b, k.a), finerGuard(b, a, k.b)
}

// finerGuard is the evaluator of a constant that is compared with a column.
func finerGuard(constant, column *node, ev evaluator) evaluator {
	if !constant.constant || column.column == nil || column.Scale >= 6 || column.Class == class.Date {
		return ev
	}
	unit := int64(math.Pow10(6 - column.Scale))
	return func(r *Run) *datum {
		d := ev(r)
		if micro := int64(d.n) & (1<<24 - 1); !d.null && micro%unit != 0 {
			return r.refuse("a date or time compared with one of more digits")
		}
		return d
	}
}
