package show

import (
	"strconv"
	"strings"
)

// tableFacts are the comments of tables.
func (a *Answer) tableFacts() (all []fact) {
	for _, t := range a.tables {
		if a.only.has("tables", t.Name) {
			all = append(all, fact{t.keys(), replaced, []string{a.words.text(wordOf{kind: tableWord, table: t.ID}, t.account.Comment)}})
		}
	}
	return all
}

// columnFacts are those of information_schema.COLUMNS.
func (a *Answer) columnFacts() (all []fact) {
	for _, t := range a.tables {
		if !a.only.has("columns", t.Name) {
			continue
		}
		for i := range t.fields {
			f := &t.fields[i]
			row := fact{t.keys(f.column.Name), plain, make([]string, len(facts))}
			for n := range row.values {
				row.values[n] = none
			}
			if f.column.Protected() {
				row.state, row.values = replaced, f.told(a.words, t.ID)
			}
			row.values = append(row.values, strconv.Itoa(i+1))
			all = append(all, row)
			all = append(all, f.layers(t)...)
		}
		all = append(all, t.unseen()...)
	}
	return append(all, a.viewFacts()...)
}

// unseen hide the table's fence, its families, and the columns that are being filled.
func (t *table) unseen() (all []fact) {
	if fence := t.Fence(); fence != "" {
		all = append(all, fact{keys: t.keys(fence), state: hidden})
	}
	for s := range t.StoredColumns() {
		if s.Family != nil || s.Column.Backfilling {
			all = append(all, fact{keys: t.keys(s.Name), state: hidden})
		}
	}
	return all
}

// layers hide the columns of a column's layers.
func (f *field) layers(t *table) (all []fact) {
	for i := range f.column.Layers {
		all = append(all, fact{keys: t.keys(f.column.Layers[i].Stored), state: hidden})
	}
	return all
}

// layerFacts hide the columns of layers and families.
func (a *Answer) layerFacts() (all []fact) {
	for _, t := range a.tables {
		for i := range t.fields {
			all = append(all, t.fields[i].layers(t)...)
		}
		all = append(all, t.unseen()...)
	}
	return append(all, a.markFacts()...)
}

// formFacts hide all stored forms, and the columns that members of families have in their place.
func (a *Answer) formFacts() []fact {
	all := a.layerFacts()
	for _, t := range a.tables {
		for _, f := range t.fields {
			if f.column.Protected() {
				all = append(all, fact{keys: t.keys(f.column.Name), state: hidden})
			}
		}
	}
	return all
}

// nameFacts are the columns that layers belong to.
func (a *Answer) nameFacts() (all []fact) {
	for _, t := range a.tables {
		for _, f := range t.fields {
			for i := range f.column.Layers {
				all = append(all, fact{t.keys(f.column.Layers[i].Stored), replaced, []string{literal(f.column.Name)}})
			}
		}
	}
	return all
}

// referencedFacts are the columns that foreign keys refer to by layers, also of tables
// that the client may not know of otherwise.
func (a *Answer) referencedFacts() (all []fact) {
	seen := map[string]bool{}
	for _, t := range a.tables {
		for i := range t.ForeignKeys {
			k := &t.ForeignKeys[i]
			parent := a.inquiry.Catalog.Table(k.Schema, k.Table)
			if parent == nil {
				continue
			}
			for _, name := range k.Referenced {
				at := parent.Column(name)
				if at < 0 {
					continue
				}
				for _, l := range parent.Columns[at].Layers {
					keys := []string{literal(parent.Schema), literal(parent.Name), literal(l.Stored)}
					if id := strings.Join(keys, "."); !seen[id] {
						seen[id] = true
						all = append(all, fact{keys, replaced, []string{literal(parent.Columns[at].Name)}})
					}
				}
			}
		}
	}
	return all
}

// partFacts are the columns of keys over layers.
func (a *Answer) partFacts() (all []fact) {
	for _, t := range a.tables {
		if !a.only.has("statistics", t.Name) {
			continue
		}
		for i := range t.Keys {
			for n, p := range t.Keys[i].Parts {
				of := t.protected(p.Column)
				if of == nil {
					continue
				}
				length := none
				if p.Prefix > 0 {
					length = strconv.Itoa(p.Prefix)
				}
				all = append(all, fact{append(t.keys(t.Keys[i].Name), strconv.Itoa(n+1)), replaced, []string{literal(p.Column), length, literal(nullable(of.column))}})
			}
		}
	}
	return all
}

// keys are the literals that name the table, and what follows.
func (t *table) keys(names ...string) []string {
	all := []string{literal(t.Schema), literal(t.Name)}
	for _, n := range names {
		all = append(all, literal(n))
	}
	return all
}

// keysInUTF8 are keys whose bytes are those of UTF-8 whatever the session's character
// set.
func (t *table) keysInUTF8(names ...string) []string {
	all := t.keys(names...)
	for i, k := range all {
		all[i] = inUTF8(k)
	}
	return all
}
