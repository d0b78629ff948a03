package eval

import (
	"math"

	"tunic/internal/eval/class"
	"tunic/internal/eval/program"
	"tunic/internal/value/charset"
)

// comparator compares two data that are not NULL: -1, 0 or +1.
type comparator func(r *program.Run, a, b *program.Datum) int

// comparison is how two nodes are compared: both as what they have in common.
type comparison struct {
	a, b    program.Evaluator
	compare comparator
	// by says which representation is compared.
	by class.Class
	// collation is that of a comparison by classText.
	collation *charset.Collation
	// alike says that equal values are equal data: integers of one sign rule, text.
	alike bool
}

func (k *comparison) evaluator(op func(int) bool) program.Evaluator {
	a, b, compare := k.a, k.b, k.compare
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

// nullSafe is <=>: NULL is equal to NULL.
func (k *comparison) nullSafe() program.Evaluator {
	a, b, compare := k.a, k.b, k.compare
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

// turned is the same comparison with its sides changed.
func (k *comparison) turned() comparison {
	other, compare := *k, k.compare
	other.a, other.b = k.b, k.a
	other.compare = func(r *program.Run, x, y *program.Datum) int { return -compare(r, y, x) }
	return other
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

// comparesAs reports whether the items of both are compared in one way: integers of
// other signs than the left side's are not.
func (k *comparison) comparesAs(other *comparison) bool {
	return k.by == other.by && k.alike && other.alike && k.collation == other.collation
}
