package ddl

import (
	"tunic/internal/catalog"
	"tunic/internal/policy"
)

// guardedPlain are columns of protected tables that are plain, and that must not be by a rule: of each table
// the first one.
type guardedPlain struct {
	rules   *policy.Policy
	known   *catalog.Catalog // nil if no rule guards anything
	columns map[catalog.ID]string
}

// GuardedPlain is a plain column of a protected table that a rule protects and that does not wait to be
// encrypted; "" if there is none. The rule came after the table, or the table is still being encrypted.
func (d *Definer) GuardedPlain(t *catalog.Table) (column string) {
	rules, found := d.Policy(), d.guarded.Load()
	if found == nil || found.rules != rules || found.known != nil && found.known != d.o.Ledger.Catalog() {
		found = &guardedPlain{rules: rules}
		if rules.HasGuards() {
			found.find(d.o.Ledger.Catalog())
		}
		d.guarded.Store(found)
	}
	return found.columns[t.ID]
}

// find finds those of a catalog.
func (g *guardedPlain) find(known *catalog.Catalog) {
	g.known, g.columns = known, map[catalog.ID]string{}
	for t := range known.Tables() {
		for i := range t.Columns {
			// A shadow column is tunic's own.
			if c := &t.Columns[i]; !c.Protected() && c.Shadows == "" && g.rules.Guarded(t.Schema, t.Name, c.Name) {
				g.columns[t.ID] = c.Name
				break
			}
		}
	}
}
