package binding

import (
	"tunic/internal/recipe"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// ErrComparison is the refusal of a value that no token stands for. The statement's
// fallback compares it with opened values.
var ErrComparison error = sqlerr.ValueRefused("the comparison of a column of this type with a value of this form")

// compare converts a value that a column is compared with: to the value of the
// column's type that it stands for, or to a place among all of them. NULL stays
// NULL, so that the comparison of the tokens is unknown where that of the values is.
func (b *Binder) compare(v *Bound, o *Operand) error {
	if err := b.Env.Serves(&o.Column.Type); err != nil {
		return err
	}
	if mixesCollations(&b.Source, &o.Column.Type) {
		return ErrComparison
	}
	var exactness value.Exactness
	v.canonical, exactness = value.Comparand(v.canonical, &o.Column.Type, &b.Source, &b.Env.Value)
	if b.comparedOtherwise(o, exactness) {
		return ErrComparison
	}
	equality := o.Use == recipe.Equal
	switch {
	case exactness == value.Exact, exactness == value.ExactEquality && equality:
		v.reach = within
	case exactness == value.Unknown:
		v.reach = isNull
	case exactness == value.Between && equality && (o.Column.Type.Kind == value.DateTime || o.Column.Type.Kind == value.Timestamp): // through a key servers find the next one
		return ErrComparison
	case exactness == value.Above, exactness == value.Never && equality, exactness == value.Between && equality:
		v.reach = aboveAll
	case exactness == value.Below && equality:
		v.reach = aboveAll
	case exactness == value.Below:
		v.reach = belowAll
	case exactness == value.Between && o.Use == recipe.Around:
		v.reach = within // of the value below it, which shares its token with others
	case exactness == value.Between:
		v.reach = just
	default:
		return ErrComparison
	}
	return nil
}

// mixesCollations reports whether a user variable has another collation than the column, of the same
// character set, and the column's does not win: servers have an error there (1267), as neither was
// named (MySQL manual, "Collation Coercibility in Expressions").
func mixesCollations(s *value.Source, t *value.Type) bool {
	return s.Variable && s.Form == value.FormString && s.Collation != nil && t.Collation != nil &&
		s.Collation != t.Collation && s.Collation.Charset == t.Collation.Charset && t.Collation != t.Collation.Charset.Bin()
}
