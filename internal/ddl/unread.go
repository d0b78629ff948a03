package ddl

import (
	"slices"
	"strings"

	"tunic/internal/policy"
)

// MayProtectTable reports whether a table of such a name would have a protected
// column, whatever its definition.
func (d *Definer) MayProtectTable(schema, table string) bool {
	return d.o.Policy.MayProtect(schema, table)
}

// MayProtect reports whether a definition that nobody can read might have to make a
// protected table, though it does not speak to tunic.
func (d *Definer) MayProtect() bool {
	return d.o.Policy.Default.Protected || len(d.o.Policy.Rules) > 0
}

// Guards reports whether a table of such a name must not have columns of some names that are
// plain.
func (d *Definer) Guards(schema, table string) bool { return d.o.Policy.Guards(schema, table) }

// Guarded reports whether a rule of the policy protects a column, and does not wait for it.
func (d *Definer) Guarded(schema, table, column string) bool {
	return d.o.Policy.Guarded(schema, table, column)
}

// GuardsWord reports whether a word of a text may name a column that a rule protects, other than
// by protecting all.
func (d *Definer) GuardsWord(schema, table, word string) bool {
	return d.o.Policy.GuardsWord(schema, table, word)
}

// GuardedAmong is a table that a rule names in full, and a column of it, if words in lower case may
// name both. Tables for which except is true do not count.
func (d *Definer) GuardedAmong(schema string, words []string, except func(schema, table string) bool) (table string, ok bool) {
	return d.o.Policy.GuardedAmong(strings.ToLower(schema), words, except)
}

// HasGuards reports whether there is such a table.
func (d *Definer) HasGuards() bool {
	return slices.ContainsFunc(d.o.Policy.Rules, func(r policy.Rule) bool { return r.Protection.Protected && !r.Waits })
}
