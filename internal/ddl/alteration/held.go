package alteration

import (
	"fmt"
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// Numbers of the server's errors about what a foreign key needs.
const (
	indexNeeded  = 1553 // ER_DROP_INDEX_FK
	columnNeeded = 1828 // ER_FK_COLUMN_CANNOT_DROP
	parentNeeded = 1829 // ER_FK_COLUMN_CANNOT_DROP_CHILD
)

// Held is the server's error of a column that goes while a foreign key is over it, of the table or of another one that
// is known. checks says that foreign_key_checks are on. No stored table can be made of such a change: the server
// would be told of a key over a column that there is none of.
func (c *Change) Held(known *catalog.Catalog, checks bool) error {
	for i := range c.Old.ForeignKeys {
		k := &c.Old.ForeignKeys[i]
		if c.gone[catalog.Folded(k.Name)] {
			continue
		}
		if at := slices.IndexFunc(k.Columns, c.drops); at >= 0 {
			return c.held(k.Columns, at, checks, columnNeeded, c.constraint(c.Old, k, k.Columns[at]), "")
		}
	}
	for t := range known.Tables() {
		for i := range t.ForeignKeys {
			k := &t.ForeignKeys[i]
			if k.Schema != c.Old.Schema || k.Table != c.Old.Name || t.ID == c.Old.ID && c.gone[catalog.Folded(k.Name)] {
				continue
			}
			if at := slices.IndexFunc(k.Referenced, c.drops); at >= 0 {
				return c.held(k.Referenced, at, checks, parentNeeded, c.constraint(t, k, k.Referenced[at]), c.child(t))
			}
		}
	}
	return nil
}

// drops says that a column goes, whatever comes under its name.
func (c *Change) drops(name string) bool { return c.Old.Column(name) >= 0 && c.Coming(name) == nil }

// held is the error of the column at a place among those of a foreign key. MariaDB looks at the indexes first, if it
// changes the table in place.
func (c *Change) held(columns []string, at int, checks bool, number uint16, constraint, child string) error {
	if c.Flavor == value.MariaDB && checks && !c.copied(columns[at]) {
		for i := range c.shown.Keys {
			if k := &c.shown.Keys[i]; serves(k, columns) {
				return &sqlerr.Error{Number: indexNeeded, State: "HY000", Message: "Cannot drop index '" + k.Name + "': needed in a foreign key constraint"}
			}
		}
	}
	return &sqlerr.Error{
		Number: number, State: "HY000",
		Message: fmt.Sprintf("Cannot drop column '%s': needed in a foreign key constraint '%s'%s", columns[at], constraint, child),
	}
}

// copied says that a server makes the table anew to drop a column: the primary key is over it.
func (c *Change) copied(column string) bool {
	return c.Copies || slices.ContainsFunc(c.Old.Keys, func(k catalog.Key) bool {
		return k.Kind == catalog.Primary && slices.ContainsFunc(k.Parts, func(p catalog.Part) bool {
			return catalog.Folded(p.Column) == catalog.Folded(column)
		})
	})
}

// constraint and child are how servers name a foreign key there, and the table that it is of.
func (c *Change) constraint(t *catalog.Table, k *catalog.ForeignKey, column string) string {
	if c.Flavor == value.MariaDB && !c.copied(column) {
		return t.Schema + "/" + k.Name
	}
	return k.Name
}

func (c *Change) child(t *catalog.Table) string {
	if c.Flavor == value.MariaDB {
		return " of table " + t.QuotedName()
	}
	return " of table '" + t.Name + "'"
}

// serves says that a key begins with the columns of a foreign key, in any order of them.
func serves(k *showcreate.Key, columns []string) bool {
	if len(k.Parts) < len(columns) {
		return false
	}
	for _, p := range k.Parts[:len(columns)] {
		if !slices.ContainsFunc(columns, func(name string) bool { return catalog.Folded(name) == catalog.Folded(p.Name) }) {
			return false
		}
	}
	return true
}
