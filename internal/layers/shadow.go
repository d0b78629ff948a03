package layers

import (
	"tunic/internal/catalog"
	"tunic/internal/value"
)

// A table with rows comes to be protected by columns that shadow its plain ones
// (catalog.Column.Shadows). Rows from before get the forms of what they have in the clear.

// CanShadow reports whether the values of a plain column of a type can be copied exactly: as
// they are read here (selectedPlain), they are what the server keeps, and what is written of
// them (shownOf, storedPlain) is the same value again.
func CanShadow(t *value.Type) bool {
	k := t.Kind
	if k == value.Year && t.Length == shortYear {
		return false // 00 is a year, and none
	}
	return k.IsText() || k.IsBytes() || k.IsNumber() || k.IsTemporal() || k == value.Enum || k == value.Set
}

// shortYear is the width of a YEAR(2), of which servers show two digits. MySQL has none since 5.7.5.
const shortYear = 2

// doubled reports whether a kind is read as a DOUBLE, of which servers show all digits. Of a
// FLOAT they show six, and of one of (M,D) as many as it has behind its point.
func doubled(k value.Kind) bool { return k == value.Float || k == value.Double }

// shadowTarget is what rows are to get of a column that shadows another one. env is of the
// session that has one converted.
func (s *sources) shadowTarget(c *catalog.Column, env *value.Env, warned func([]value.Condition)) (x target, err error) {
	x = target{read: &s.table.Columns[s.table.Column(c.Shadows)], sealed: c.Stored()}
	for _, l := range c.Layers {
		x.tokens = append(x.tokens, tokenOf(c, &l))
	}
	if x.read.Protected() {
		x.convert = changer(&x.read.Type, &c.Type, env, warned)
	}
	if x.from, x.at, err = s.of(x.read); err == nil {
		x.makes, err = s.ring.Column(c)
	}
	return x, err
}
