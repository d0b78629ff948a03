package eval

import (
	"math"

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

func (k *comparison) guardFiner(a, b *program.Node) {
	k.a, k.b = finerGuard(a, b, k.a), finerGuard(b, a, k.b)
}

// finerGuard is the evaluator of a constant that is compared with a column.
func finerGuard(constant, column *program.Node, ev program.Evaluator) program.Evaluator {
	if !constant.Constant || column.Column == nil || column.Scale >= 6 || column.Class == class.Date {
		return ev
	}
	unit := int64(math.Pow10(6 - column.Scale))
	return func(r *program.Run) *program.Datum {
		d := ev(r)
		if micro := int64(d.N) & (1<<24 - 1); !d.Null && micro%unit != 0 {
			return r.Refuse("a date or time compared with one of more digits")
		}
		return d
	}
}
