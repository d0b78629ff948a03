package ddl

import "tunic/internal/policy"

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

// Policy is the operator's.
func (d *Definer) Policy() *policy.Policy { return d.o.Policy }
