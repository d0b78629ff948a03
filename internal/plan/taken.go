package plan

import (
	"bytes"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/resolve"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
)

// other notes a table or sequence that a definition names and that the policy says nothing of; it is the refusal
// of one that is protected, or tunic's own.
func (k *knowledge) other(p *Plan, d *Define, n sql.TableName, refusal error) error {
	if n.Schema == "" {
		n.Schema, p.OfSchema = k.schema, true
	}
	if strings.EqualFold(n.Schema, catalog.Schema) {
		return sqlerr.OwnSchema()
	}
	if k.catalog.Table(n.Schema, n.Name) != nil || k.catalog.View(n.Schema, n.Name) != nil {
		return refusal
	}
	d.Others = append(d.Others, resolve.Name{Schema: n.Schema, Table: n.Name})
	return nil
}

// takes is the refusal of a definition by which another table would have the rows of a protected one: as they are
// stored, and what is written to it would be stored as it is.
func (k *knowledge) takes(p *Plan, d *Define, s *sql.Statement) error {
	refusal := sqlerr.StatementRefused(s.Kind.String() + " that makes rows of a protected table those of another one")
	for _, n := range s.TakenTables() {
		if err := k.other(p, d, n, refusal); err != nil {
			return err
		}
	}
	if s.NamesElsewhere() && k.inStrings(s) {
		return refusal
	}
	return nil
}

// inStrings reports whether a string of a statement may name a protected table or view, or tunic's own schema.
func (k *knowledge) inStrings(s *sql.Statement) bool {
	found := false
	read := s.EachString(func(value string) {
		text := bytes.ToLower([]byte(value))
		in := func(t *catalog.Table) bool { return namedIn(text, t.Name) }
		found = found || namedIn(text, catalog.Schema) || anyOf(k.catalog.Tables(), in) || anyOf(k.catalog.Views(), in)
	})
	return found || !read
}

// anyOf reports whether one of some tables is as match says.
func anyOf(tables func(func(*catalog.Table) bool), match func(*catalog.Table) bool) bool {
	for t := range tables {
		if match(t) {
			return true
		}
	}
	return false
}

// namedIn reports whether a name is in a text in lower case, and not a part of a longer word.
func namedIn(text []byte, name string) bool {
	name = strings.ToLower(name)
	for from := 0; ; {
		at := bytes.Index(text[from:], []byte(name))
		if at < 0 {
			return false
		}
		at += from
		end := at + len(name)
		if (at == 0 || !isWord(text[at-1])) && (end == len(text) || !isWord(text[end])) {
			return true
		}
		from = at + 1
	}
}
