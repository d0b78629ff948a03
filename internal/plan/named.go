package plan

import (
	"bytes"
	"strings"

	"tunic/internal/plan/information"
	"tunic/internal/plan/shape"
	"tunic/internal/resolve"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// readsTables are the kinds of statements that hold values of an application's.
var readsTables = map[sql.Kind]bool{
	sql.Select: true, sql.SetOperation: true, sql.Insert: true, sql.Replace: true, sql.Update: true, sql.Delete: true,
}

// name notes which tables a plan of statements that are forwarded names, as far as
// they can be read. One that does not exist might have been meant to be protected.
// A name that a common table expression has is not noted.
func (k *knowledge) name(p *Plan, read []sql.Statement, text []byte, m sql.Modes) {
	f, ok := p.Action.(*Forward)
	if !ok || k.catalog == nil {
		return
	}
	k.inTurn(read, func(in *knowledge, s *sql.Statement) {
		before := len(f.Words)
		in.nameOne(p, f, s, m)
		if len(f.Words) > before && in.schema != k.schema {
			f.Words = append(f.Words, strings.ToLower(in.schema))
		}
	})
	f.noteForOthers(text, m)
}

// inTurn calls do with the statements of a text, and with what is known where they stand: names behind a USE are of another
// schema.
func (k *knowledge) inTurn(read []sql.Statement, do func(in *knowledge, s *sql.Statement)) {
	in := *k
	for i := range read {
		do(&in, &read[i])
		if read[i].Kind == sql.Use {
			in.schema = read[i].Effects.Schema
		}
	}
}

// nameOne is name for one statement.
func (k *knowledge) nameOne(p *Plan, f *Forward, s *sql.Statement, m sql.Modes) {
	if load, ok := s.FileLoad(); ok {
		k.noteName(p, resolve.Name{Schema: load.Table.Schema, Table: load.Table.Name})
	}
	if e, ok := s.Explained(); ok {
		s = &e.Of
	}
	if !readsTables[s.Kind] {
		f.note(s, false)
		return
	}
	tree, err := s.Tree()
	if err != nil {
		f.note(s, true)
		return
	}
	mariadb := m&sql.MariaDB != 0
	sight := shape.Sight{Mutual: mariadb, Folds: mariadb || k.catalog.Folds()}
	for _, t := range shape.RealTables(sight, rootsOf(tree)...) {
		k.noteName(p, resolve.Name{Schema: t.Qualifier.String(), Table: t.Name.String()})
	}
}

// rootsOf are the trees of a statement: RETURNING has one of its own.
func rootsOf(tree *sql.Tree) []ast.Node {
	roots := []ast.Node{tree.Root()}
	if tree.Returning() != nil {
		roots = append(roots, tree.Returning())
	}
	return roots
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
	s := &read[0]
	switch a := p.Action.(type) {
	case *Define:
		a.note(s, a.Made != nil || a.Statement == nil && s.Mentions(isSelect))
	case *DefineView:
		a.note(s, false)
	}
}

// isSelect reports whether a word is one that a query begins with.
func isSelect(word []byte) bool { return bytes.EqualFold(word, []byte("SELECT")) }

// note adds what is said in a statement that names tables otherwise than Names can be told: a query is in it, or may be, or it
// is a program, or runs a text, or query says that it is one that cannot be read.
func (w *Wording) note(s *sql.Statement, query bool) {
	if !mayHoldQuery[s.Kind] && !s.Kind.IsProgram() && !query && !s.HasQuery() && !(s.Kind == sql.AnalyzeTable && s.HasString()) {
		return
	}
	words, tables, whole := wordsOf(s.Mentions)
	s.NamesByString(func(name []byte) bool {
		words = append(words, strings.ToLower(string(name)))
		return false
	})
	if tables || whole && mayDoAnything[s.Kind] { // else it is letUnread's
		w.Words = append(w.Words, words...)
		w.Unnamed = w.Unnamed || s.Unnamed()
	}
}

// noteForOthers adds what is said in comments that only other servers execute.
func (w *Wording) noteForOthers(text []byte, m sql.Modes) {
	words, tables, _ := wordsOf(func(match func(name []byte) bool) bool { return sql.Noted(text, m, match) })
	if tables {
		w.Words, w.Unnamed = append(w.Words, words...), true
	}
}

// wordsOf are the names that mentions has, in lower case. tables says that one is there without which none is that of a table,
// whole that there is nothing that cannot be read.
func wordsOf(mentions func(match func(name []byte) bool) bool) (words []string, tables, whole bool) {
	seen := map[string]bool{}
	whole = true
	mentions(func(name []byte) bool {
		word := strings.ToLower(string(name))
		whole = whole && word != ""
		if word != "" && !seen[word] {
			seen[word] = true
			words = append(words, word)
			tables = tables || namesBehind[word]
		}
		return false
	})
	return words, tables, whole
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
	sql.CreateView: true, sql.AlterView: true, sql.Explain: true,
}

// mayDoAnything are the kinds of statements of which nothing is known, so that a table may be named behind any word.
var mayDoAnything = map[sql.Kind]bool{sql.Unknown: true, sql.TiDBStatement: true, sql.VitessStatement: true}
