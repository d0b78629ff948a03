package ddl

import (
	"errors"
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/value"
)

// shown is what SHOW CREATE TABLE says, in its parts. Each part keeps its text, so
// that what is not understood in it is carried along and not lost.
type shown struct {
	Columns     []shownColumn
	Keys        []shownKey
	ForeignKeys []shownForeignKey
	Checks      []shownCheck
	// Fence is the name of a stored table's fence, "" without one. It is none of Columns.
	Fence string
	// Options is everything behind the parenthesis: " ENGINE=InnoDB …", partitions
	// included.
	Options string
}

// place is where a column stands; -1 if there is none of the name.
func (s *shown) place(name string) int {
	return slices.IndexFunc(s.Columns, func(c shownColumn) bool { return strings.ToLower(c.Name) == strings.ToLower(name) })
}

// shownColumn is `name` and what follows it.
type shownColumn struct {
	Name string
	// Text is the definition with its name.
	Text string
}

// shownKey is PRIMARY KEY (…), UNIQUE KEY `k` (…) and the like.
type shownKey struct {
	Name string // PRIMARY of the primary key
	Kind string // "", PRIMARY, UNIQUE, FULLTEXT, SPATIAL
	// Head is the text before the parenthesis, Tail that behind it.
	Head, Tail string
	Parts      []shownPart
}

// shownPart is a column of a key. Text is all of it; Name is "" of an expression.
type shownPart struct {
	Text   string
	Name   string
	Prefix string // digits, or ""
	Desc   bool
}

// shownForeignKey is CONSTRAINT `c` FOREIGN KEY (…) REFERENCES …
type shownForeignKey struct {
	Name          string
	Columns       []string
	Schema, Table string // Schema is "" for the table's own
	Referenced    []string
	Actions       string // " ON DELETE CASCADE ON UPDATE …"
}

// shownCheck is CONSTRAINT `c` CHECK (…).
type shownCheck struct {
	Name string
	// Text is the definition behind its name.
	Text string
}

var errShown = errors.New("ddl: the server's account of a table cannot be read")

// readShown reads the text of SHOW CREATE TABLE.
func readShown(text string) (*shown, error) {
	all := tokens(text)
	open := 0
	for open < len(all) && !all[open].is(text, "(") {
		open++
	}
	end := group(text, all, open)
	if !whole(text) || open == len(all) || end == open || end > len(all) || !all[end-1].is(text, ")") {
		return nil, errShown
	}
	s := &shown{Options: text[all[end-1].to:]}
	from := open + 1
	for i := from; i < end; i++ {
		if all[i].is(text, "(") {
			i = group(text, all, i) - 1
			continue
		}
		if i != end-1 && !all[i].is(text, ",") {
			continue
		}
		if i == from {
			return nil, errShown
		}
		// What closes an executable comment belongs to the item.
		if err := s.item(strings.TrimSpace(text[all[from].from:all[i].from])); err != nil {
			return nil, err
		}
		from = i + 1
	}
	if len(s.Columns) == 0 {
		return nil, errShown
	}
	return s, nil
}

// item reads one definition.
func (s *shown) item(text string) error {
	all := tokens(text)
	switch {
	case len(all) == 0:
		return errShown
	case all[0].kind == tokenName:
		s.Columns = append(s.Columns, shownColumn{Name: unquoteName(all[0].of(text)), Text: text})
		return nil
	case all[0].is(text, "CONSTRAINT") && len(all) > 3 && all[2].is(text, "FOREIGN"):
		return s.foreignKey(text, all)
	case all[0].is(text, "CONSTRAINT") && len(all) > 3 && all[2].is(text, "CHECK"):
		s.Checks = append(s.Checks, shownCheck{Name: unquoteName(all[1].of(text)), Text: text[all[2].from:]})
		return nil
	case all[0].is(text, "PRIMARY", "UNIQUE", "KEY", "FULLTEXT", "SPATIAL"):
		return s.key(text, all)
	}
	return errShown
}

func (s *shown) key(text string, all []token) error {
	k := shownKey{Kind: strings.ToUpper(all[0].of(text)), Name: "PRIMARY"}
	if k.Kind == "KEY" {
		k.Kind = ""
	}
	open := 0
	for open < len(all) && !all[open].is(text, "(") {
		if all[open].kind == tokenName {
			k.Name = unquoteName(all[open].of(text))
		}
		open++
	}
	end := group(text, all, open)
	if end == open {
		return errShown
	}
	k.Head, k.Tail = text[:all[open].from], text[all[end-1].to:]
	for _, span := range split(text, all, open+1, end-1) {
		if span[0] == span[1] {
			return errShown
		}
		k.Parts = append(k.Parts, keyPart(text, all[span[0]:span[1]]))
	}
	s.Keys = append(s.Keys, k)
	return nil
}

// keyPart reads `a`, `a`(5), `a` DESC or (expression).
func keyPart(text string, all []token) shownPart {
	p := shownPart{Text: text[all[0].from:all[len(all)-1].to]}
	if all[0].kind != tokenName {
		return p
	}
	p.Name = unquoteName(all[0].of(text))
	for i, t := range all {
		switch {
		case t.is(text, "(") && i+1 < len(all):
			p.Prefix = all[i+1].of(text)
		case t.is(text, "DESC"):
			p.Desc = true
		}
	}
	return p
}

// split finds what stands between commas in all[from:to].
func split(text string, all []token, from, to int) (spans [][2]int) {
	start := from
	for i := from; i < to; i++ {
		if end := group(text, all, i); end > i {
			i = end - 1
		} else if all[i].is(text, ",") {
			spans = append(spans, [2]int{start, i})
			start = i + 1
		}
	}
	if start < to {
		spans = append(spans, [2]int{start, to})
	}
	return spans
}

func (s *shown) foreignKey(text string, all []token) error {
	k := shownForeignKey{Name: unquoteName(all[1].of(text))}
	var end int
	if k.Columns, end = names(text, all, 4); end == 4 || end+1 >= len(all) || !all[end].is(text, "REFERENCES") {
		return errShown
	}
	at := end + 1
	k.Table = unquoteName(all[at].of(text))
	if at+2 < len(all) && all[at+1].is(text, ".") {
		k.Schema, k.Table = k.Table, unquoteName(all[at+2].of(text))
		at += 2
	}
	if k.Referenced, end = names(text, all, at+1); end == at+1 {
		return errShown
	}
	k.Actions = text[all[end-1].to:]
	s.ForeignKeys = append(s.ForeignKeys, k)
	return nil
}

// names reads the names in parentheses at all[open].
func names(text string, all []token, open int) (list []string, end int) {
	end = group(text, all, open)
	for i := open; i < end; i++ {
		if all[i].kind == tokenName {
			list = append(list, unquoteName(all[i].of(text)))
		}
	}
	return list, end
}

// text writes the parts as SHOW CREATE TABLE does, for a table of that name.
func (s *shown) text(create, table string) string {
	items := make([]string, 0, len(s.Columns)+len(s.Keys)+len(s.ForeignKeys)+len(s.Checks))
	for i := range s.Columns {
		items = append(items, s.Columns[i].Text)
	}
	if s.Fence != "" {
		items = append(items, fenceText(s.Fence))
	}
	for i := range s.Keys {
		items = append(items, s.Keys[i].text())
	}
	for i := range s.ForeignKeys {
		items = append(items, s.ForeignKeys[i].text())
	}
	for i := range s.Checks {
		items = append(items, s.Checks[i].text())
	}
	return create + " " + table + " (\n  " + strings.Join(items, ",\n  ") + "\n)" + s.Options
}

func (k *shownKey) text() string {
	parts := make([]string, len(k.Parts))
	for i := range k.Parts {
		parts[i] = k.Parts[i].Text
	}
	return k.Head + "(" + strings.Join(parts, ",") + ")" + k.Tail
}

func (k *shownForeignKey) text() string {
	table := catalog.Quoted(k.Table)
	if k.Schema != "" {
		table = catalog.Quoted(k.Schema) + "." + table
	}
	return "CONSTRAINT " + catalog.Quoted(k.Name) + " FOREIGN KEY (" + commaSpaced(k.Columns) + ") REFERENCES " + table +
		" (" + commaSpaced(k.Referenced) + ")" + k.Actions
}

// commaSpaced lists names as foreign keys do.
func commaSpaced(names []string) string { return strings.ReplaceAll(quoteNames(names), "`,`", "`, `") }

func (c *shownCheck) text() string { return "CONSTRAINT " + catalog.Quoted(c.Name) + " " + c.Text }

// reads reports whether an expression of the table names a column: a CHECK, its own or another, what a
// column is computed from, or a part of a key. It may take a string for a name.
func (s *shown) reads(name string) bool {
	names := func(text string) bool {
		return strings.Contains(strings.ToLower(text), strings.ToLower(catalog.Quoted(name)))
	}
	return slices.ContainsFunc(s.Checks, func(k shownCheck) bool { return names(k.Text) }) ||
		slices.ContainsFunc(s.Columns, func(c shownColumn) bool { return names(columnBody(c.Text)) }) ||
		slices.ContainsFunc(s.Keys, func(k shownKey) bool {
			return slices.ContainsFunc(k.Parts, func(p shownPart) bool { return p.Name == "" && names(p.Text) })
		})
}

// sort brings constraints into the order in which servers show them: foreign keys
// by name, and CHECKs too, which MariaDB shows in the order of the definition.
func (s *shown) sort(flavor value.Flavor) {
	slices.SortStableFunc(s.ForeignKeys, func(a, b shownForeignKey) int { return strings.Compare(a.Name, b.Name) })
	if flavor != value.MariaDB {
		slices.SortStableFunc(s.Checks, func(a, b shownCheck) int { return strings.Compare(a.Name, b.Name) })
	}
}

// takeFence takes the fence of a stored table out of its columns. It is false if there is
// another one, or none.
func (s *shown) takeFence(fence string) bool {
	at := slices.IndexFunc(s.Columns, func(c shownColumn) bool { return catalog.IsFence(c.Name) })
	if at < 0 {
		return fence == ""
	}
	s.Fence = s.Columns[at].Name
	s.Columns = slices.Delete(s.Columns, at, at+1)
	return s.Fence == fence
}

// fenceText is the definition of a fence.
func fenceText(fence string) string {
	return catalog.Quoted(fence) + " tinyint GENERATED ALWAYS AS (NULL) VIRTUAL INVISIBLE"
}

// createWord is how a definition begins.
func createWord(definition string) string {
	before, _, _ := strings.Cut(definition, " `")
	return before
}
