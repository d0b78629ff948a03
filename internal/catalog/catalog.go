package catalog

import (
	"bytes"
	"iter"
	"maps"
	"strings"
)

// Catalog is one version of all protected tables, and of the views over them.
type Catalog struct {
	// Version counts the changes since the catalog was made.
	Version uint64
	folds   bool // names of schemas and tables compare whatever their case

	tables map[name]*Table
	views  map[name]*Table
	words  map[string]struct{} // see Protected
	// actions is what Actions tells.
	actions uint64
	jobs    []*Job // by ID
	coming  []*Table
}

type name struct{ schema, table string }

// New makes an empty catalog. folds says that the server compares names of schemas
// and tables whatever their case (lower_case_table_names is not 0).
func New(folds bool) *Catalog {
	return (&Catalog{folds: folds}).Next(0, nil, nil)
}

func (c *Catalog) key(schema, table string) name {
	if c.folds {
		return name{strings.ToLower(schema), strings.ToLower(table)}
	}
	return name{schema, table}
}

// Folds reports whether names of schemas and tables compare whatever their case.
func (c *Catalog) Folds() bool { return c.folds }

// SameName reports whether two names of schemas or tables are the same.
func (c *Catalog) SameName(a, b string) bool { return a == b || c.folds && strings.EqualFold(a, b) }

// Among is the one of some tables that a name means, nil if it means none of them.
func (c *Catalog) Among(tables []*Table, schema, name string) *Table {
	for _, t := range tables {
		if c.SameName(t.Schema, schema) && c.SameName(t.Name, name) {
			return t
		}
	}
	return nil
}

// Table finds a protected table; nil if there is none of that name.
func (c *Catalog) Table(schema, table string) *Table { return c.tables[c.key(schema, table)] }

// ByID finds a protected table whatever its name has become; nil if there is none.
func (c *Catalog) ByID(id ID) *Table {
	for _, t := range c.tables {
		if t.ID == id {
			return t
		}
	}
	return nil
}

// Tables are all protected tables, in no order.
func (c *Catalog) Tables() iter.Seq[*Table] { return maps.Values(c.tables) }

// Len is how many tables are protected.
func (c *Catalog) Len() int { return len(c.tables) }

// Next is the version after c, in which the tables of removed are gone and those of
// added are there. A table that is changed is in both.
func (c *Catalog) Next(version uint64, removed, added []*Table) *Catalog {
	next := &Catalog{Version: version, folds: c.folds, tables: make(map[name]*Table, len(c.tables)+len(added)), views: maps.Clone(c.views), jobs: c.jobs}
	maps.Copy(next.tables, c.tables)
	for _, t := range removed {
		delete(next.kind(t), c.key(t.Schema, t.Name))
	}
	for _, t := range added {
		t.index()
		next.kind(t)[c.key(t.Schema, t.Name)] = t
	}
	next.actions = next.sumActions()
	next.words = make(map[string]struct{}, 2*(len(next.tables)+len(next.views))+1)
	next.words[Schema] = struct{}{}
	for _, all := range []map[name]*Table{next.tables, next.views} {
		for _, t := range all {
			next.words[strings.ToLower(t.Schema)] = struct{}{}
			next.words[strings.ToLower(t.Name)] = struct{}{}
		}
	}
	return next
}

// WithComing is Next with tables and views that are about to come to be, and may not: it
// knows which they are.
func (c *Catalog) WithComing(version uint64, coming []*Table) *Catalog {
	next := c.Next(version, nil, coming)
	next.coming = coming
	return next
}

// Coming are the tables and views that are about to come to be, and may not.
func (c *Catalog) Coming() []*Table { return c.coming }

// kind is where a table is kept, or a view.
func (c *Catalog) kind(t *Table) map[name]*Table {
	if t.View == nil {
		return c.tables
	}
	if c.views == nil {
		c.views = map[name]*Table{}
	}
	return c.views
}

// Empty is false: tunic's own schema is protected before any table is.
func (c *Catalog) Empty() bool { return false }

// Within reports whether a name of which Protected is true may be anywhere in a text,
// which is ASCII, however it is read: between letters, digits and the like that do not
// belong to it, but for digits before it, which may be those of a comment.
func (c *Catalog) Within(text []byte) bool {
	text = bytes.ToLower(text)
	for word := range c.words {
		part := longestPart(word)
		for from := 0; ; {
			at := bytes.Index(text[from:], []byte(part))
			if at < 0 {
				break
			}
			at += from
			end := at + len(part)
			joined := at > 0 && isPart(text[at-1]) && !isDigit(text[at-1]) || end < len(text) && isPart(text[end])
			if part != word || !joined {
				return true
			}
			from = at + 1
		}
	}
	return false
}

// longestPart is the longest part of a name that is written the same in quotes and without.
func longestPart(name string) (longest string) {
	for rest := name; rest != ""; {
		n := strings.IndexFunc(rest, func(r rune) bool { return r >= 0x80 || !isPart(byte(r)) })
		if n < 0 {
			n = len(rest)
		}
		if n > len(longest) {
			longest = rest[:n]
		}
		rest = rest[min(n+1, len(rest)):]
	}
	return longest
}

func isPart(b byte) bool { return isDigit(b) || b >= 'a' && b <= 'z' || b == '_' || b == '$' }

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// Protected reports whether a name, without its quotes, may be that of a protected
// table, of a schema with one, or of tunic's own. It errs towards yes: it compares whatever the
// case, and the empty name, which stands for what cannot be read, is one.
func (c *Catalog) Protected(name []byte) bool {
	if len(name) == 0 {
		return true
	}
	_, found := c.words[strings.ToLower(string(name))]
	return found
}
