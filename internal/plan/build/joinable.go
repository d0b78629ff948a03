package build

import (
	"tunic/internal/catalog"
	"tunic/internal/policy"
	"tunic/internal/value"
)

// quiet reports whether servers join columns of two types without a conversion: of a
// number that is none of the other's type MySQL warns, or not, as its plan has it.
func quiet(a, b *value.Type) bool {
	switch {
	case a.Kind.IsInteger() && b.Kind.IsInteger(), a.Kind.IsText() && b.Kind.IsText():
		return a.Unsigned == b.Unsigned
	case a.Kind == value.Decimal:
		return b.Kind == value.Decimal && a.Decimals == b.Decimals && value.FixedBytes(a) == value.FixedBytes(b)
	}
	return a.Kind == b.Kind
}

// sameTokens reports whether equal values of two columns have equal tokens, and others
// have others. Two TIMESTAMPs are equal to MySQL if clocks show the same.
func sameTokens(a, b *catalog.Column) bool {
	s, t := &a.Type, &b.Type
	of, with := a.Layer(policy.Equality), b.Layer(policy.Equality)
	return s.Kind != value.Timestamp && a.Domain == b.Domain && of.Epoch == with.Epoch && of.Scheme == with.Scheme && s.Kind == t.Kind && s.Unsigned == t.Unsigned && s.Decimals == t.Decimals && s.Collation == t.Collation
}
