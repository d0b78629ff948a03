package catalog

import (
	"cmp"
	"encoding/binary"
	"hash/fnv"
	"slices"
	"strings"

	"tunic/internal/policy"
)

// Actions of foreign keys that change or delete the rows that refer.
const (
	actionCascade = "CASCADE"
	actionNull    = "SET NULL"
)

// Cascade is what a change of a row makes of protected columns in rows that refer to it
// by foreign keys, in the table of its last Hop. Servers carry the token that a key is
// over along and know of no other stored form.
type Cascade struct {
	// Path are the foreign keys from the table that is changed to the one whose rows
	// change with it.
	Path []Hop
	Set  []Carried
	// Nulls says that the columns of the last key become NULL, and do not follow.
	Nulls bool
}

// Hop is a table, and its foreign key that refers to the one before.
type Hop struct {
	Table *Table
	Key   *ForeignKey
}

// Carried is a column of the last table and, in From, the column of the first table whose
// new value it takes; -1 for NULL.
type Carried struct{ Column, From int }

// Cascades says what becomes of protected columns in other rows where a row of t is
// deleted, or some of its columns change. Rows that are referred to come behind those that
// refer to them. It is not known where a table is reached again by deletions, so that
// there is no end of the keys that lead on.
func (c *Catalog) Cascades(t *Table, deleted bool, changed []int) (all []Cascade, known bool) {
	w := cascades{catalog: c, known: true}
	if deleted {
		w.gone = []*Table{t}
		w.deleted(t, nil)
	} else {
		values := make([]Carried, len(changed))
		for i, column := range changed {
			values[i] = Carried{column, column}
		}
		w.moved = []*Table{t}
		w.changed(t, nil, values)
	}
	return w.all, len(w.all) == 0 || w.known
}

// cascades follows foreign keys. gone and moved are the tables on the way whose rows are
// deleted and changed.
type cascades struct {
	catalog     *Catalog
	all         []Cascade
	gone, moved []*Table
	known       bool
}

// referring calls do for the foreign keys that refer to a table, in an order that is
// always the same.
func (c *Catalog) referring(t *Table, do func(Hop)) {
	var all []Hop
	for _, child := range c.tables {
		for i := range child.ForeignKeys {
			if k := &child.ForeignKeys[i]; c.SameName(k.Schema, t.Schema) && c.SameName(k.Table, t.Name) {
				all = append(all, Hop{child, k})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Hop) int {
		return cmp.Or(strings.Compare(a.Table.Schema, b.Table.Schema), strings.Compare(a.Table.Name, b.Table.Name))
	})
	for _, h := range all {
		do(h)
	}
}

func (w *cascades) deleted(t *Table, path []Hop) {
	w.catalog.referring(t, func(h Hop) {
		path := append(slices.Clone(path), h)
		switch h.Key.OnDelete {
		case actionCascade:
			if slices.Contains(w.gone, h.Table) {
				w.known = false
				return
			}
			w.gone = append(w.gone, h.Table)
			w.deleted(h.Table, path)
			w.gone = w.gone[:len(w.gone)-1]
		case actionNull:
			w.set(path, nulls(h))
		}
	})
}

// changed follows a change of columns. A table that has been changed on the way already
// is left to the server, which refuses the change if there are such rows (MySQL manual,
// "FOREIGN KEY Constraints").
func (w *cascades) changed(t *Table, path []Hop, values []Carried) {
	w.catalog.referring(t, func(h Hop) {
		follows := carried(t, h, values)
		if len(follows) == 0 || slices.Contains(w.moved, h.Table) {
			return
		}
		path := append(slices.Clone(path), h)
		switch h.Key.OnRow {
		case actionCascade:
			w.set(path, follows)
		case actionNull:
			w.set(path, nulls(h))
		}
	})
}

// set notes a change, behind those that it has in turn.
func (w *cascades) set(path []Hop, values []Carried) {
	last := path[len(path)-1]
	w.moved = append(w.moved, last.Table)
	w.changed(last.Table, path, values)
	w.moved = w.moved[:len(w.moved)-1]
	protected := func(v Carried) bool { return last.Table.Columns[v.Column].Protected() }
	if slices.ContainsFunc(values, protected) {
		null := !slices.ContainsFunc(values, func(v Carried) bool { return v.From >= 0 })
		w.all = append(w.all, Cascade{path, values, null})
		w.known = w.known && !slices.ContainsFunc(path, Hop.layerless)
	}
}

// layerless says that it is not known which layers a foreign key is over.
func (h Hop) layerless() bool { return len(h.Key.Layers) != len(h.Key.Columns) }

// carried are the columns of a foreign key that follow what it refers to.
func carried(t *Table, h Hop, values []Carried) (all []Carried) {
	for i, name := range h.Key.Referenced {
		at, column := t.Column(name), h.Table.Column(h.Key.Columns[i])
		for _, v := range values {
			if v.Column == at && column >= 0 {
				all = append(all, Carried{column, v.From})
			}
		}
	}
	return all
}

func nulls(h Hop) (all []Carried) {
	for _, name := range h.Key.Columns {
		if column := h.Table.Column(name); column >= 0 {
			all = append(all, Carried{column, -1})
		}
	}
	return all
}

// Stored is the name of the stored column that the i-th column of the key is compared by,
// and that of the one which it refers to.
func (k *ForeignKey) Stored(t, referenced *Table, i int) (column, other string) {
	of, to := &t.Columns[t.Column(k.Columns[i])], &referenced.Columns[referenced.Column(k.Referenced[i])]
	if k.Layers[i] != 0 {
		return StoredName(of.Name, k.Layers[i]), StoredName(to.Name, k.Layers[i])
	}
	return of.Stored(), to.Stored()
}

// Referred calls do for the columns of a table that a foreign key refers to, with what
// becomes of rows that refer where they change (ON UPDATE).
func (c *Catalog) Referred(t *Table, do func(column int, onUpdate string)) {
	c.referring(t, func(h Hop) {
		for _, name := range h.Key.Referenced {
			if at := t.Column(name); at >= 0 {
				do(at, h.Key.OnRow)
			}
		}
	})
}

// cascades reports whether a key changes rows or deletes them.
func (k *ForeignKey) cascades() bool {
	return k.OnDelete == actionCascade || k.OnDelete == actionNull || k.OnRow == actionCascade || k.OnRow == actionNull
}

// Above are the tables from which foreign keys with actions lead to a table, by whatever
// way: what is done to their rows can hang on its definition.
func (c *Catalog) Above(t *Table) []*Table { return c.above(t, nil) }

func (c *Catalog) above(t *Table, known []*Table) []*Table {
	for i := range t.ForeignKeys {
		k := &t.ForeignKeys[i]
		parent := c.Table(k.Schema, k.Table)
		if !k.cascades() || parent == nil || slices.Contains(known, parent) {
			continue
		}
		known = c.above(parent, append(known, parent))
	}
	return known
}

// Actions tells catalogs apart by the foreign keys that are in them: what was planned to be
// written in one may leave something out in another.
func (c *Catalog) Actions() uint64 { return c.actions }

// sumActions is Actions, in no order of the tables.
func (c *Catalog) sumActions() (sum uint64) {
	for _, t := range c.tables {
		if len(t.ForeignKeys) == 0 {
			continue
		}
		h := fnv.New64a()
		_, _ = h.Write(t.ID[:])
		_, _ = h.Write(binary.LittleEndian.AppendUint64(nil, t.Revision))
		_, _ = h.Write([]byte(strings.ToLower(t.Schema + "." + t.Name)))
		sum ^= h.Sum64()
	}
	return sum
}

// Reached are the tables on the ways of cascades, each once.
func Reached(all []Cascade) (tables []*Table) {
	for _, c := range all {
		for _, h := range c.Path {
			if !slices.Contains(tables, h.Table) {
				tables = append(tables, h.Table)
			}
		}
	}
	return tables
}

// KeyLayer is the layer that the foreign keys of a table have a column over, 0 if it is in
// none of these.
func (k *ForeignKey) KeyLayer(column string) policy.Capabilities {
	for i, name := range k.Columns {
		if strings.EqualFold(name, column) && i < len(k.Layers) {
			return k.Layers[i]
		}
	}
	return 0
}
