package exec

import (
	"tunic/internal/recipe"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// errComparison is the refusal of a value that no token stands for. The statement's
// fallback compares it with opened values.
var errComparison error = sqlerr.ValueRefused("the comparison of a column of this type with a value of this form")

// compare converts a value that a column is compared with: to the value of the
// column's type that it stands for, or to a place among all of them. NULL stays
// NULL, so that the comparison of the tokens is unknown where that of the values is.
func (b *binder) compare(v *bound, o *operand) error {
	if err := b.env.Serves(&o.column.Type); err != nil {
		return err
	}
	if mixesCollations(&b.source, &o.column.Type) {
		return errComparison
	}
	var exactness value.Exactness
	v.canonical, exactness = value.Comparand(v.canonical, &o.column.Type, &b.source, &b.env.Value)
	equality := o.use == recipe.Equal
	switch {
	case exactness == value.Exact, exactness == value.ExactEquality && equality:
		v.reach = within
	case exactness == value.Unknown:
		v.reach = isNull
	case exactness == value.Between && equality && (o.column.Type.Kind == value.DateTime || o.column.Type.Kind == value.Timestamp): // through a key servers find the next one
		return errComparison
	case exactness == value.Above, exactness == value.Never && equality, exactness == value.Between && equality:
		v.reach = aboveAll
	case exactness == value.Below && equality:
		v.reach = aboveAll
	case exactness == value.Below:
		v.reach = belowAll
	case exactness == value.Between && o.use == recipe.Around:
		v.reach = within // of the value below it, which shares its token with others
	case exactness == value.Between:
		v.reach = just
	default:
		return errComparison
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
