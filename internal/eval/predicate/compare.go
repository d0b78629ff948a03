package predicate

import (
	"cmp"

	"tunic/internal/eval/class"
	"tunic/internal/eval/coercion"
	"tunic/internal/eval/comparison"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
)

// ComparisonOf finds how two nodes are compared, and refuses what is not known
// to come out as on the server.
func ComparisonOf(c *compilation.Compilation, operation string, a, b *program.Node) (comparison.Comparison, error) {
	if err := c.Allow(operation, a, b); err != nil {
		return comparison.Comparison{}, err
	}
	if (a.Defaulted || b.Defaulted) && a.Class != b.Class {
		return comparison.Comparison{}, refusal.Of("DEFAULT() compared with another type")
	}
	if a.Class == class.JSON || b.Class == class.JSON {
		return compareJSON(c, operation, a, b)
	}
	k := comparison.Comparison{A: c.Once(a, a.Ev), B: c.Once(b, b.Ev)}
	k.By = class.ComparedAs(&a.Shape, &b.Shape, a.Constant, b.Constant)
	if k.By == class.Double && c.Session.IsMariaDB() && (comparesExactly(a, b) || comparesExactly(b, a)) {
		k.By = class.Decimal
	}
	switch k.By {
	case class.Null:
		k.Compare = func(*program.Run, *program.Datum, *program.Datum) int { return 0 }
	case class.Int:
		k.Compare = comparison.Integers(a.Class.IsUnsigned(), b.Class.IsUnsigned())
		k.Alike = a.Class.IsUnsigned() == b.Class.IsUnsigned()
		k.A = c.Once(a, yearGuard(a, b, coercion.Integer(c, a, operation), operation))
		k.B = c.Once(b, yearGuard(b, a, coercion.Integer(c, b, operation), operation))
	case class.Decimal:
		k.A, k.B = c.Once(a, coercion.Decimal(c, a, operation)), c.Once(b, coercion.Decimal(c, b, operation))
		k.Compare = comparison.Decimals
	case class.Double:
		if operation == "=" && (comparesWhole(a, b) || comparesWhole(b, a)) {
			return compareWhole(c, operation, a, b), nil
		}
		k.A = c.Once(a, wholeGuard(c, a, b, coercion.Real(c, a, operation), operation))
		k.B = c.Once(b, wholeGuard(c, b, a, coercion.Real(c, b, operation), operation))
		k.Compare = comparison.Doubles
	case class.DateTime, class.Time:
		k.A = c.Once(a, momentGuard(c, a, b, clockGuard(c, a, b, coercion.Temporal(c, a, k.By, operation), operation)))
		k.B = c.Once(b, momentGuard(c, b, a, clockGuard(c, b, a, coercion.Temporal(c, b, k.By, operation), operation)))
		k.Compare = func(_ *program.Run, x, y *program.Datum) int { return cmp.Compare(int64(x.N), int64(y.N)) }
		if k.By == class.Time && !c.Session.IsMariaDB() {
			k.GuardFiner(a, b)
		}
	case class.Text, class.Bytes:
		return CompareStrings(c, operation, a, b, k)
	default:
		return k, refusal.Of(operation)
	}
	return k, nil
}
