package catalog

import "strings"

// Transactional reports whether the engine of the table has transactions. SHOW CREATE TABLE names it in a line of its own; of a plain
// table of which nobody has asked that, it is true.
func (t *Table) Transactional() bool {
	const before = "\n) ENGINE="
	at := strings.LastIndex(t.Definition, before)
	if at < 0 {
		return true
	}
	engine, _, _ := strings.Cut(t.Definition[at+len(before):], " ")
	switch strings.ToLower(engine) {
	case "innodb", "rocksdb", "ndbcluster":
		return true
	}
	return false
}

// WritesBack reports whether an UPDATE can read rows of the table first, and find each again by its key.
func (t *Table) WritesBack() bool {
	key := t.RowKey()
	if key == nil || !t.Transactional() {
		return false
	}
	for _, p := range key.Parts {
		if c := &t.Columns[t.Column(p.Column)]; !c.Protected() && !c.Type.Kind.Locates() {
			return false
		}
	}
	return true
}
