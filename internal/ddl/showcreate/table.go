package showcreate

import (
	"errors"
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/identifier"
	"tunic/internal/value"
)

// Table is what SHOW CREATE TABLE says, in its parts. Each part keeps its text, so
// that what is not understood in it is carried along and not lost.
type Table struct {
	Columns     []Column
	Keys        []Key
	ForeignKeys []ForeignKey
	Checks      []Check
	// Fence is the name of a stored table's fence, "" without one. It is none of Columns.
	Fence string
	// Options is everything behind the parenthesis: " ENGINE=InnoDB …", partitions
	// included.
	Options string
}

// Place is where a column stands; -1 if there is none of the name.
func (s *Table) Place(name string) int {
	return slices.IndexFunc(s.Columns, func(c Column) bool { return strings.EqualFold(c.Name, name) })
}

// MayBeImplicit reports whether a key may be one that the server has made by itself for a foreign
// key, which SHOW CREATE TABLE does not tell. The server drops such a one by itself as well, as soon as
// another key begins with its columns.
func (s *Table) MayBeImplicit(k *Key) bool {
	return k.Kind == "" && slices.ContainsFunc(s.ForeignKeys, func(f ForeignKey) bool {
		return slices.EqualFunc(f.Columns, k.Parts, func(name string, p Part) bool {
			return strings.EqualFold(name, p.Name) && p.Prefix == ""
		})
	})
}

// BeginsWith reports whether the first columns of a key are those of another one.
func (k *Key) BeginsWith(other *Key) bool {
	return len(k.Parts) >= len(other.Parts) && slices.EqualFunc(k.Parts[:len(other.Parts)], other.Parts, func(a, b Part) bool {
		return a.Name != "" && strings.EqualFold(a.Name, b.Name) && a.Prefix == b.Prefix
	})
}

// Column is `name` and what follows it.
type Column struct {
	Name string
	// Text is the definition with its name.
	Text string
}

// Key is PRIMARY KEY (…), UNIQUE KEY `k` (…) and the like.
type Key struct {
	Name string // PRIMARY of the primary key
	Kind string // "", PRIMARY, UNIQUE, FULLTEXT, SPATIAL
	// Head is the text before the parenthesis, Tail that behind it.
	Head, Tail string
	Parts      []Part
}

// Part is a column of a key. Text is all of it; Name is "" of an expression.
type Part struct {
	Text   string
	Name   string
	Prefix string // digits, or ""
	Desc   bool
}

// ForeignKey is CONSTRAINT `c` FOREIGN KEY (…) REFERENCES …
type ForeignKey struct {
	Name          string
	Columns       []string
	Schema, Table string // Schema is "" for the table's own
	Referenced    []string
	Actions       string // " ON DELETE CASCADE ON UPDATE …"
}

// Check is CONSTRAINT `c` CHECK (…).
type Check struct {
	Name string
	// Text is the definition behind its name.
	Text string
}

// ErrUnread is of a text that is none of SHOW CREATE TABLE.
var ErrUnread = errors.New("showcreate: the server's text of a table cannot be read")

// Read reads the text of SHOW CREATE TABLE.
func Read(text string) (*Table, error) {
	all := Tokens(text)
	open := 0
	for open < len(all) && !all[open].Is(text, "(") {
		open++
	}
	end := GroupEnd(text, all, open)
	if !whole(text) || open == len(all) || end == open || end > len(all) || !all[end-1].Is(text, ")") {
		return nil, ErrUnread
	}
	s := &Table{Options: text[all[end-1].To:]}
	from := open + 1
	for i := from; i < end; i++ {
		if all[i].Is(text, "(") {
			i = GroupEnd(text, all, i) - 1
			continue
		}
		if i != end-1 && !all[i].Is(text, ",") {
			continue
		}
		if i == from {
			return nil, ErrUnread
		}
		// What closes an executable comment belongs to the item.
		if err := s.item(strings.TrimSpace(text[all[from].From:all[i].From])); err != nil {
			return nil, err
		}
		from = i + 1
	}
	if len(s.Columns) == 0 {
		return nil, ErrUnread
	}
	return s, nil
}

// item reads one definition.
func (s *Table) item(text string) error {
	all := Tokens(text)
	switch {
	case len(all) == 0:
		return ErrUnread
	case all[0].Kind == TokenName:
		s.Columns = append(s.Columns, Column{Name: identifier.Unquoted(all[0].Of(text)), Text: text})
		return nil
	case all[0].Is(text, "CONSTRAINT") && len(all) > 3 && all[2].Is(text, "FOREIGN"):
		return s.foreignKey(text, all)
	case all[0].Is(text, "CONSTRAINT") && len(all) > 3 && all[2].Is(text, "CHECK"):
		s.Checks = append(s.Checks, Check{Name: identifier.Unquoted(all[1].Of(text)), Text: text[all[2].From:]})
		return nil
	case all[0].Is(text, "PRIMARY", "UNIQUE", "KEY", "FULLTEXT", "SPATIAL"):
		return s.key(text, all)
	}
	return ErrUnread
}

func (s *Table) key(text string, all []Token) error {
	k := Key{Kind: strings.ToUpper(all[0].Of(text)), Name: "PRIMARY"}
	if k.Kind == "KEY" {
		k.Kind = ""
	}
	open := 0
	for open < len(all) && !all[open].Is(text, "(") {
		if all[open].Kind == TokenName {
			k.Name = identifier.Unquoted(all[open].Of(text))
		}
		open++
	}
	end := GroupEnd(text, all, open)
	if end == open {
		return ErrUnread
	}
	k.Head, k.Tail = text[:all[open].From], text[all[end-1].To:]
	for _, span := range split(text, all, open+1, end-1) {
		if span[0] == span[1] {
			return ErrUnread
		}
		k.Parts = append(k.Parts, keyPart(text, all[span[0]:span[1]]))
	}
	s.Keys = append(s.Keys, k)
	return nil
}

// keyPart reads `a`, `a`(5), `a` DESC or (expression).
func keyPart(text string, all []Token) Part {
	p := Part{Text: text[all[0].From:all[len(all)-1].To]}
	if all[0].Kind != TokenName {
		return p
	}
	p.Name = identifier.Unquoted(all[0].Of(text))
	for i, t := range all {
		switch {
		case t.Is(text, "(") && i+1 < len(all):
			p.Prefix = all[i+1].Of(text)
		case t.Is(text, "DESC"):
			p.Desc = true
		}
	}
	return p
}

// split finds what stands between commas in all[from:to].
func split(text string, all []Token, from, to int) (spans [][2]int) {
	start := from
	for i := from; i < to; i++ {
		if end := GroupEnd(text, all, i); end > i {
			i = end - 1
		} else if all[i].Is(text, ",") {
			spans = append(spans, [2]int{start, i})
			start = i + 1
		}
	}
	if start < to {
		spans = append(spans, [2]int{start, to})
	}
	return spans
}

func (s *Table) foreignKey(text string, all []Token) error {
	k := ForeignKey{Name: identifier.Unquoted(all[1].Of(text))}
	var end int
	if k.Columns, end = names(text, all, 4); end == 4 || end+1 >= len(all) || !all[end].Is(text, "REFERENCES") {
		return ErrUnread
	}
	at := end + 1
	k.Table = identifier.Unquoted(all[at].Of(text))
	if at+2 < len(all) && all[at+1].Is(text, ".") {
		k.Schema, k.Table = k.Table, identifier.Unquoted(all[at+2].Of(text))
		at += 2
	}
	if k.Referenced, end = names(text, all, at+1); end == at+1 {
		return ErrUnread
	}
	k.Actions = text[all[end-1].To:]
	s.ForeignKeys = append(s.ForeignKeys, k)
	return nil
}

// names reads the names in parentheses at all[open].
func names(text string, all []Token, open int) (list []string, end int) {
	end = GroupEnd(text, all, open)
	for i := open; i < end; i++ {
		if all[i].Kind == TokenName {
			list = append(list, identifier.Unquoted(all[i].Of(text)))
		}
	}
	return list, end
}

// SQL writes the parts as SHOW CREATE TABLE does, for a table of that name.
func (s *Table) SQL(create, table string) string {
	items := make([]string, 0, len(s.Columns)+len(s.Keys)+len(s.ForeignKeys)+len(s.Checks))
	for i := range s.Columns {
		items = append(items, s.Columns[i].Text)
	}
	if s.Fence != "" {
		items = append(items, WithoutValue(s.Fence))
	}
	for i := range s.Keys {
		items = append(items, s.Keys[i].SQL())
	}
	for i := range s.ForeignKeys {
		items = append(items, s.ForeignKeys[i].SQL())
	}
	for i := range s.Checks {
		items = append(items, s.Checks[i].SQL())
	}
	return create + " " + table + " (\n  " + strings.Join(items, ",\n  ") + "\n)" + s.Options
}

// SQL writes a key as SHOW CREATE TABLE does.
func (k *Key) SQL() string {
	parts := make([]string, len(k.Parts))
	for i := range k.Parts {
		parts[i] = k.Parts[i].Text
	}
	return k.Head + "(" + strings.Join(parts, ",") + ")" + k.Tail
}

// SQL writes a foreign key as SHOW CREATE TABLE does.
func (k *ForeignKey) SQL() string {
	table := identifier.Quoted(k.Table)
	if k.Schema != "" {
		table = identifier.Quoted(k.Schema) + "." + table
	}
	return "CONSTRAINT " + identifier.Quoted(k.Name) + " FOREIGN KEY (" + commaSpaced(k.Columns) + ") REFERENCES " + table +
		" (" + commaSpaced(k.Referenced) + ")" + k.Actions
}

// commaSpaced lists names as foreign keys do.
func commaSpaced(names []string) string { return strings.ReplaceAll(QuoteNames(names), "`,`", "`, `") }

// SQL writes a CHECK as SHOW CREATE TABLE does.
func (c *Check) SQL() string { return "CONSTRAINT " + identifier.Quoted(c.Name) + " " + c.Text }

// Reads reports whether an expression of the table names a column: a CHECK, its own or another, what a
// column is computed from, or a part of a key. It may take a string for a name.
func (s *Table) Reads(name string) bool {
	names := func(text string) bool {
		return strings.Contains(strings.ToLower(text), strings.ToLower(identifier.Quoted(name)))
	}
	return slices.ContainsFunc(s.Checks, func(k Check) bool { return names(k.Text) }) ||
		slices.ContainsFunc(s.Columns, func(c Column) bool { return names(BodyOf(c.Text)) }) ||
		slices.ContainsFunc(s.Keys, func(k Key) bool {
			return slices.ContainsFunc(k.Parts, func(p Part) bool { return p.Name == "" && names(p.Text) })
		})
}

// Sort brings constraints into the order in which servers show them: foreign keys
// by name, and CHECKs too, which MariaDB shows in the order of the definition.
func (s *Table) Sort(flavor value.Flavor) {
	slices.SortStableFunc(s.ForeignKeys, func(a, b ForeignKey) int { return strings.Compare(a.Name, b.Name) })
	if flavor != value.MariaDB {
		slices.SortStableFunc(s.Checks, func(a, b Check) int { return strings.Compare(a.Name, b.Name) })
	}
}

// TakeFence takes the fence of a stored table out of its columns. It is false if there is
// another one, or none.
func (s *Table) TakeFence(fence string) bool {
	at := slices.IndexFunc(s.Columns, func(c Column) bool { return catalog.IsFence(c.Name) })
	if at < 0 {
		return fence == ""
	}
	s.Fence = s.Columns[at].Name
	s.Columns = slices.Delete(s.Columns, at, at+1)
	return s.Fence == fence
}

// WithoutValue is the definition of a column that has no value, and no byte in any row: of a fence, and of what a
// table has of a member of a family.
func WithoutValue(column string) string {
	return identifier.Quoted(column) + " tinyint GENERATED ALWAYS AS (NULL) VIRTUAL INVISIBLE"
}

// HasNoValue reports whether the definition of a column is what WithoutValue says, as either flavor shows it.
func HasNoValue(text string) bool {
	all, c := Tokens(text), PartsOf(text)
	return len(all) > 1 && all[1].Is(text, "TINYINT") && c.Generated && !c.Stored && c.Invisible && !c.NotNull &&
		c.Comment.Empty() && c.Check.Empty() && strings.EqualFold(text[c.As.From:c.As.To], "NULL")
}

// IsUnwritten reports whether the definition of a column is that of one which nobody gives a value, though it is not computed.
func IsUnwritten(text string) bool {
	all, c := Tokens(text), PartsOf(text)
	return len(all) > 1 && all[1].Is(text, "TINYINT") && !c.Generated && c.Invisible && !c.NotNull && c.Comment.Empty() && c.Check.Empty() &&
		strings.EqualFold(text[c.Value.From:c.Value.To], "NULL")
}

// BeginOf is how a definition begins.
func BeginOf(definition string) string {
	before, _, _ := strings.Cut(definition, " `")
	return before
}
