package definition

import (
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/policy"
	"tunic/internal/sqlerr"
)

// A foreign key that changes the rows which refer (ON DELETE SET NULL, ON UPDATE CASCADE
// and SET NULL) is stored with its actions: the server carries the token along. What else
// there is of a protected column is written by whoever changes the row that is referred
// to, so it has to be known of every such statement that it does.

// layForeignKeys notes which layers the foreign keys of the table are over, and refuses
// actions that could not be followed.
func (l *Logical) layForeignKeys(known *catalog.Catalog) error {
	t := l.Table
	for i := range t.ForeignKeys {
		k := &t.ForeignKeys[i]
		k.Layers = make([]policy.Capabilities, len(k.Columns))
		for j, name := range k.Columns {
			if at := t.Column(name); at >= 0 && t.Columns[at].Protected() {
				k.Layers[j] = l.Layers[catalog.Folded(name)]
			}
		}
	}
	var was, is []*catalog.Table
	if old := known.Table(t.Schema, t.Name); old != nil {
		was = append(was, old)
	}
	if l.Protects() {
		is = append(is, t)
	}
	next := known.Next(known.Version, was, is)
	for child := range next.Tables() {
		for i := range child.ForeignKeys {
			if err := followable(next, child, &child.ForeignKeys[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// changesRows is a protected column that a foreign key changes in rows that refer, "" if
// there is none.
func changesRows(t *catalog.Table, k *catalog.ForeignKey) (column string) {
	if k.OnDelete != setNull && !movesRows(k) {
		return ""
	}
	for _, name := range k.Columns {
		if at := t.Column(name); at >= 0 && t.Columns[at].Protected() {
			return name
		}
	}
	return ""
}

const (
	setNull   = "SET NULL"
	toCascade = "CASCADE"
)

// movesRows says that a foreign key follows changes of what it refers to.
func movesRows(k *catalog.ForeignKey) bool { return k.OnRow == toCascade || k.OnRow == setNull }

// followable refuses what tunic could not do beside the server.
func followable(known *catalog.Catalog, t *catalog.Table, k *catalog.ForeignKey) error {
	column := changesRows(t, k)
	if column == "" {
		return nil
	}
	parent := known.Table(k.Schema, k.Table)
	if parent == nil {
		return nil // it is made later, and is looked at then
	}
	if name := differing(t, parent, k); name != "" {
		return sqlerr.ForeignKeyAction(name, "its type is not that of the column it refers to")
	}
	up := upward{known: known, seen: map[string]bool{}}
	if k.OnDelete == setNull && up.plain(parent, nil) || movesRows(k) && up.plain(parent, k.Referenced) {
		return sqlerr.ForeignKeyAction(column, "by another foreign key a change of a table that is not protected would lead to it")
	}
	for _, from := range append(known.Above(parent), parent) {
		if _, ends := known.Cascades(from, true, nil); !ends {
			return sqlerr.ForeignKeyAction(column, "the table that it refers to deletes rows of its own by ON DELETE CASCADE")
		}
	}
	return nil
}

// differing is a column that would take a value of another type.
func differing(t, parent *catalog.Table, k *catalog.ForeignKey) string {
	if k.OnRow != toCascade {
		return ""
	}
	for i, name := range k.Columns {
		at, to := t.Column(name), parent.Column(k.Referenced[i])
		if at < 0 || to < 0 || !t.Columns[at].Protected() {
			continue
		}
		a, b := &t.Columns[at], &parent.Columns[to]
		if a.TypeText != b.TypeText || a.CollationName != b.CollationName {
			return a.Name
		}
	}
	return ""
}

// upward looks for tables that are not protected and whose rows lead, by foreign keys, to a
// change.
type upward struct {
	known *catalog.Catalog
	seen  map[string]bool
}

// plain reports whether there is such a table above t: one by whose change rows of t are
// deleted, or change in columns.
func (u *upward) plain(t *catalog.Table, columns []string) bool {
	key := t.ID.String() + strings.Join(columns, "\x00")
	if u.seen[key] {
		return false
	}
	u.seen[key] = true
	for i := range t.ForeignKeys {
		k := &t.ForeignKeys[i]
		over := slices.ContainsFunc(k.Columns, func(name string) bool {
			return slices.ContainsFunc(columns, func(c string) bool { return catalog.Folded(c) == catalog.Folded(name) })
		})
		deletes := columns == nil && k.OnDelete == toCascade || over && k.OnDelete == setNull
		moves := over && movesRows(k)
		if !deletes && !moves {
			continue
		}
		parent := u.known.Table(k.Schema, k.Table)
		if parent == nil || deletes && u.plain(parent, nil) || moves && u.plain(parent, k.Referenced) {
			return true
		}
	}
	return false
}
