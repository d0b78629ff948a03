package plan

import (
	"slices"
	"strings"

	"tunic/internal/plan/information"
	"tunic/internal/plan/shape"
	"tunic/internal/resolve"
	"tunic/internal/sql"
)

// readsTables are the kinds of statements that hold values of an application's.
var readsTables = map[sql.Kind]bool{
	sql.Select: true, sql.SetOperation: true, sql.Insert: true, sql.Replace: true, sql.Update: true, sql.Delete: true,
}

// name notes which tables a plan of statements that are forwarded names, as far as
// they can be read. One that does not exist might have been meant to be protected.
// A name that a common table expression has is not noted.
func (k *knowledge) name(p *Plan, read []sql.Statement) {
	f, ok := p.Action.(*Forward)
	if !ok || k.catalog == nil {
		return
	}
	moves := len(read) > 1 && slices.ContainsFunc(read, func(s sql.Statement) bool { return s.Kind == sql.Use })
	for i := range read {
		s := &read[i]
		if moves { // names behind it are of another schema
			f.Unread = noteWords(f.Unread, s, true)
		}
		if load, ok := s.FileLoad(); ok {
			k.noteName(p, resolve.Name{Schema: load.Table.Schema, Table: load.Table.Name})
		}
		if e, ok := s.Explained(); ok {
			s = &e.Of
		}
		if !readsTables[s.Kind] {
			f.Words = noteWords(f.Words, s, false)
			continue
		}
		tree, err := s.Tree()
		if err != nil || s.Mentions(isReturning) {
			f.Unread = noteWords(f.Unread, s, true)
		}
		if err != nil {
			continue
		}
		common, shared := shape.CommonNames(tree.Root()), false
		for _, t := range resolve.Tables(tree.Root()) {
			if t.Qualifier.IsEmpty() && common[strings.ToLower(t.Name.String())] {
				shared = true
				continue
			}
			k.noteName(p, resolve.Name{Schema: t.Qualifier.String(), Table: t.Name.String()})
		}
		if shared { // one of them may be a table all the same, as of an INSERT, or where the other is not to be seen
			f.Unread = noteWords(f.Unread, s, true)
		}
	}
}

// noteName notes a name.
func (k *knowledge) noteName(p *Plan, n resolve.Name) {
	if n.Schema == "" {
		n.Schema, p.OfSchema = k.schema, true
	}
	if n.Schema != "" && !information.OfServer(n.Schema) && !strings.EqualFold(n.Table, "dual") {
		p.Names = append(p.Names, n)
	}
}

// nameDefined notes the words of a definition that has a query.
func (k *knowledge) nameDefined(p *Plan, read []sql.Statement) {
	if k.catalog == nil || len(read) != 1 {
		return
	}
	switch a := p.Action.(type) {
	case *Define:
		if a.Made != nil {
			a.Words = noteWords(nil, &read[0], true)
		}
	case *DefineView:
		a.Words = noteWords(nil, &read[0], false)
	}
}

// noteWords adds the words of a statement that names tables otherwise than Names can be told:
// a query is in it, or may be, or it is a program, or runs a text.
func noteWords(words []string, s *sql.Statement, query bool) []string {
	if !mayHoldQuery[s.Kind] && !s.Kind.IsProgram() && !query && !s.HasQuery() {
		return words
	}
	before, seen, tables := words, map[string]bool{}, false
	s.Mentions(func(name []byte) bool {
		if word := strings.ToLower(string(name)); word != "" && !seen[word] {
			seen[word] = true
			words = append(words, word)
			tables = tables || namesBehind[word]
		}
		return false
	})
	if !tables {
		return before
	}
	return words
}

// namesBehind are words without one of which nothing in a statement reads or writes a table.
var namesBehind = map[string]bool{
	"from": true, "join": true, "straight_join": true, "into": true, "update": true, "insert": true, "replace": true, "delete": true,
	"table": true, "tables": true, "handler": true,
}

// mayHoldQuery are the kinds of statements that read or write tables but have no SELECT in them
// by which one could tell.
var mayHoldQuery = map[sql.Kind]bool{
	sql.Table: true, sql.Values: true, sql.LoadData: true, sql.LoadXML: true, sql.Handler: true, sql.ChecksumTable: true,
	sql.Prepare: true, sql.ExecuteImmediate: true, sql.Unknown: true, sql.TiDBStatement: true, sql.VitessStatement: true,
	sql.CreateView: true, sql.AlterView: true,
}
