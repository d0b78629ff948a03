package layers

import (
	"tunic/internal/catalog"
	"tunic/internal/value"
)

// A table with rows comes to be protected by columns that shadow its plain ones
// (catalog.Column.Shadows). Rows from before get the forms of what they have in the clear.

// shadowTarget is what rows are to get of a column that shadows another one. env is of the
// session that has one converted.
func (s *sources) shadowTarget(c *catalog.Column, env *value.Env, warned func([]value.Condition)) (x target, err error) {
	x = target{read: &s.table.Columns[s.table.Column(c.Shadows)]}
	if c.Family == "" { // else its family has its values: see record
		x.sealed = c.Stored()
	}
	for _, l := range c.Layers {
		x.tokens = append(x.tokens, tokenOf(c, &l))
	}
	if x.read.Protected() && x.read.ID != c.ID { // else it is the same column in another family
		x.convert = changer(&x.read.Type, &c.Type, env, warned)
	}
	if x.from, x.at, err = s.of(x.read); err == nil {
		x.makes, err = s.ring.Column(c)
	}
	return x, err
}
