package ddl

import (
	"tunic/internal/catalog"
	"tunic/internal/policy"
)

// guardedPlain are columns of protected tables that are plain, and that must not be by a rule: of each table
// the first one.
type guardedPlain struct {
	rules   *policy.Policy
	known   *catalog.Catalog
	columns map[catalog.ID]string
}

// GuardedPlain is a plain column of a protected table that a rule protects and that does not wait to be
// encrypted; "" if there is none. The rule came after the table, or the table is still being encrypted.
func (d *Definer) GuardedPlain(t *catalog.Table) (column string) {
	rules, known := d.Policy(), d.o.Ledger.Catalog()
	found := d.guarded.Load()
	if found == nil || found.rules != rules || found.known != known {
		found = findGuardedPlain(rules, known)
		d.guarded.Store(found)
	}
	return found.columns[t.ID]
}

func findGuardedPlain(rules *policy.Policy, known *catalog.Catalog) *guardedPlain {
	found := &guardedPlain{rules: rules, known: known}
	if !rules.HasGuards() {
		return found
	}
	found.columns = map[catalog.ID]string{}
	for t := range known.Tables() {
		for i := range t.Columns {
			// A shadow column is tunic's own.
			if c := &t.Columns[i]; !c.Protected() && c.Shadows == "" && rules.Guarded(t.Schema, t.Name, c.Name) {
				found.columns[t.ID] = c.Name
				break
			}
		}
	}
	return found
}
