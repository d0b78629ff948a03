package comparison

import (
	"math"

	"tunic/internal/eval/class"
	"tunic/internal/eval/program"
	"tunic/internal/value/charset"
)

// Comparator compares two data that are not NULL: -1, 0 or +1.
type Comparator func(r *program.Run, a, b *program.Datum) int

// Comparison is how two nodes are compared: both as what they have in common.
type Comparison struct {
	A, B    program.Evaluator
	Compare Comparator
	// By says which representation is compared.
	By class.Class
	// Collation is that of a comparison by classText.
	Collation *charset.Collation
	// Alike says that equal values are equal data: integers of one sign rule, text.
	Alike bool
}

// Evaluator is an operator of what the comparison finds; NULL if one side is.
func (k *Comparison) Evaluator(op func(int) bool) program.Evaluator {
	a, b, compare := k.A, k.B, k.Compare
	return func(r *program.Run) *program.Datum {
		x := a(r)
		if x.Null {
			return program.NullDatum
		}
		y := b(r)
		if y.Null {
			return program.NullDatum
		}
		return program.BoolDatum(op(compare(r, x, y)))
	}
}

// NullSafe is <=>: NULL is equal to NULL.
func (k *Comparison) NullSafe() program.Evaluator {
	a, b, compare := k.A, k.B, k.Compare
	return func(r *program.Run) *program.Datum {
		before := len(r.Conds)
		x, y := a(r), b(r)
		if len(r.Conds) > before { // once or twice
			return r.Refuse("<=>")
		}
		if x.Null || y.Null {
			return program.BoolDatum(x.Null && y.Null)
		}
		return program.BoolDatum(compare(r, x, y) == 0)
	}
}

// Turned is the same comparison with its sides changed.
func (k *Comparison) Turned() Comparison {
	other, compare := *k, k.Compare
	other.A, other.B = k.B, k.A
	other.Compare = func(r *program.Run, x, y *program.Datum) int { return -compare(r, y, x) }
	return other
}

// GuardFiner refuses a constant that has more digits after the second than the column it is compared with.
func (k *Comparison) GuardFiner(a, b *program.Node) {
	k.A, k.B = finerGuard(a, b, k.A), finerGuard(b, a, k.B)
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

// comparesAs reports whether the items of both are compared in one way: integers of
// other signs than the left side's are not.
func (k *Comparison) comparesAs(other *Comparison) bool {
	return k.By == other.By && k.Alike && other.Alike && k.Collation == other.Collation
}
