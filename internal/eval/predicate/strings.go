package predicate

import (
	"bytes"

	"tunic/internal/eval/class"
	"tunic/internal/eval/coercion"
	"tunic/internal/eval/comparison"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
)

// CompareStrings compares characters in the collation that both agree on, or
// bytes.
func CompareStrings(c *compilation.Compilation, operation string, a, b *program.Node, k comparison.Comparison) (comparison.Comparison, error) {
	if k.By == class.Bytes {
		k.Compare = func(_ *program.Run, x, y *program.Datum) int { return bytes.Compare(x.B, y.B) }
		return k, nil
	}
	collation, err := coercion.CollationOf(c, operation, a, b)
	if err != nil {
		return k, err
	}
	if exact, _ := collation.Exact(); !exact {
		return k, refusal.Of(operation + " in " + collation.Name)
	}
	k.Collation, k.Alike = collation, true
	if k.A, err = coercion.InCharset(c, a, collation.Charset, operation); err != nil {
		return k, err
	}
	if k.B, err = coercion.InCharset(c, b, collation.Charset, operation); err != nil {
		return k, err
	}
	k.A, k.B = c.Once(a, k.A), c.Once(b, k.B)
	k.Compare = func(_ *program.Run, x, y *program.Datum) int { return collation.Compare(x.B, y.B) }
	return k, nil
}
