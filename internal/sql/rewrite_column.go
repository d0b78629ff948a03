package sql

import (
	"bytes"
	"strings"

	"vitess.io/vitess/go/vt/sqlparser"

	"tunic/internal/identifier"
	"tunic/internal/sql/lex"
)

// followColumns notes the name of the column whose definition is read: the first word
// of an item of CREATE TABLE, or what stands behind ADD, MODIFY and CHANGE.
func (r *respeller) followColumns(t lex.Token, value []byte) {
	if t != lex.Word && t != lex.Quoted {
		return
	}
	switch {
	case r.kind == CreateTable && r.depth == 1 && (r.prev == lex.Comma || r.prev == lex.Open):
		r.noteColumn(t, value)
	case r.kind == AlterTable && r.depth == 0 && r.defines > 0:
		if t == lex.Word && (lex.Is(value, "COLUMN") || lex.Is(value, "IF") || lex.Is(value, "NOT") || lex.Is(value, "EXISTS")) {
			return
		}
		if r.defines--; r.defines == 0 {
			r.noteColumn(t, value)
		}
	case r.kind == AlterTable && r.depth == 0 && t == lex.Word && r.prev != lex.Dot:
		switch {
		case lex.Is(value, "ADD"), lex.Is(value, "MODIFY"):
			r.defines = 1
		case lex.Is(value, "CHANGE"):
			r.defines = 2 // the old name and the new one
		}
	}
}

// noteColumn notes a column's name, if the word is none that begins a key.
func (r *respeller) noteColumn(t lex.Token, value []byte) {
	for _, word := range []string{"PRIMARY", "KEY", "INDEX", "UNIQUE", "FULLTEXT", "SPATIAL", "CONSTRAINT", "FOREIGN", "CHECK", "PERIOD"} {
		if t == lex.Word && lex.Is(value, word) {
			return
		}
	}
	c := lex.Cursor{Lexer: r.lx, Token: t}
	r.column, r.named, r.typed = c.Identifier(), false, true
}

// ownType spells a type of MariaDB's that the library does not know as a BINARY of a
// collation that is the type's name.
func (r *respeller) ownType(w []byte) bool {
	for _, name := range ownTypes {
		if lex.Is(w, name) {
			return r.instead("BINARY COLLATE " + ownCollation + name)
		}
	}
	return false
}

var ownTypes = []string{"UUID", "INET4", "INET6"}

const ownCollation = "tunic_type_"

// nameTypes gives columns of these types their type.
func (t *Tree) nameTypes() {
	if t.kind != CreateTable && t.kind != AlterTable {
		return
	}
	_ = sqlparser.Walk(func(n sqlparser.SQLNode) (bool, error) {
		def, ok := n.(*sqlparser.ColumnDefinition)
		if !ok || def.Type.Options == nil {
			return true, nil
		}
		if name, own := strings.CutPrefix(def.Type.Options.Collate, ownCollation); own {
			def.Type.Type, def.Type.Options.Collate = strings.ToLower(name), ""
		}
		return true, nil
	}, nil, t.nodes()...)
}

// ifExists ends the name of what an ALTER TABLE of MariaDB's drops if it is there, in a
// tree. No server has a name that ends in a space.
const ifExists = " if exists "

// tableIfExists is the comment of an ALTER TABLE that MariaDB is to pass over where the
// table is not there.
const tableIfExists = "/*if exists*/"

// ifNotExists ends the name of what an ALTER TABLE of MariaDB's adds unless it is there,
// in a tree.
const ifNotExists = " if not exists "

// orReplace is the comment of a CREATE TABLE that MariaDB is to put in the place of a
// table that is there.
const orReplace = "/*or replace*/"

// IfExists is a name that a statement drops or changes, and whether it may be missing.
func IfExists(name string) (bare string, optional bool) {
	return strings.CutSuffix(name, ifExists)
}

// IfNotExists is a name that a statement adds, and whether it may be there.
func IfNotExists(name string) (bare string, optional bool) {
	return strings.CutSuffix(name, ifNotExists)
}

// Replaces reports whether a CREATE TABLE takes the place of a table that is there.
func Replaces(n *sqlparser.CreateTable) bool { return commented(n.Comments, orReplace) }

// commented reports whether comments are one that the respelling has put there.
func commented(c *sqlparser.ParsedComments, text string) bool {
	return c != nil && len(c.GetComments()) == 1 && c.GetComments()[0] == text
}

// TableIfExists reports whether the table of an ALTER TABLE may be missing.
func TableIfExists(n *sqlparser.AlterTable) bool { return commented(n.Comments, tableIfExists) }

// rewriteReplace handles OR REPLACE in CREATE TABLE, which the library does not know.
func (r *respeller) rewriteReplace(t lex.Token, value []byte) bool {
	switch {
	case r.kind != CreateTable || t != lex.Word || r.lx.Modes&MariaDB == 0:
	case lex.Is(value, "OR") && r.after("CREATE") && r.tokens == 2:
		r.out = append(append(r.out, ' '), orReplace...)
		r.optional = optionalReplace
		return true
	case lex.Is(value, "REPLACE") && r.optional == optionalReplace:
		r.optional = optionalNone
		return true
	}
	return false
}

// rewriteOptional handles IF EXISTS and IF NOT EXISTS in ALTER TABLE, CREATE INDEX and DROP
// INDEX, which the library does not know.
func (r *respeller) rewriteOptional(t lex.Token, value []byte) bool {
	switch {
	case (r.optional == optionalName || r.optional == optionalAdded) && (t == lex.Word || t == lex.Quoted):
		mark := ifExists
		if r.optional == optionalAdded {
			mark = ifNotExists
		}
		c := lex.Cursor{Lexer: r.lx, Token: t}
		r.out = append(r.out, ' ')
		r.out = identifier.Append(r.out, c.Identifier()+mark)
		r.marked = true
		r.prev, r.optional = lex.Quoted, optionalNone
		return true
	case t != lex.Word || r.depth > 0 || r.lx.Modes&MariaDB == 0 || r.kind != AlterTable && r.kind != CreateIndex && r.kind != DropIndex:
		return false
	case lex.Is(value, "IF") && r.kind == AlterTable && r.after("TABLE") && len(r.out) > len("TABLE") && lex.Is(r.out[len(r.out)-len("TABLE"):], "TABLE"):
		r.out = append(append(r.out[:len(r.out)-len("TABLE")], tableIfExists...), " TABLE"...)
		r.optional = optionalTable
		return true
	case lex.Is(value, "IF") && r.dropping && r.after("DROP", "KEY", "CONSTRAINT", "INDEX", "COLUMN"),
		lex.Is(value, "IF") && r.changing && r.after("MODIFY", "CHANGE", "COLUMN"):
		r.optional = optionalWord
		return true
	case lex.Is(value, "IF") && r.adding && r.after("ADD", "COLUMN", "KEY", "INDEX"):
		r.optional = optionalNot
		return true
	case lex.Is(value, "NOT") && r.optional == optionalNot:
		r.optional = optionalExists
		return true
	case lex.Is(value, "EXISTS") && r.optional == optionalExists:
		r.optional = optionalAdded
		return true
	case lex.Is(value, "EXISTS") && r.optional == optionalTable:
		r.optional = optionalNone
		return true
	case lex.Is(value, "EXISTS") && r.optional == optionalWord:
		r.optional = optionalName
		return true
	case r.kind != AlterTable:
		r.dropping, r.adding = r.kind == DropIndex, r.kind == CreateIndex
	case lex.Is(value, "DROP"), lex.Is(value, "ADD"), lex.Is(value, "MODIFY"), lex.Is(value, "CHANGE"), lex.Is(value, "ALTER"), lex.Is(value, "RENAME"):
		r.dropping, r.adding = lex.Is(value, "DROP"), lex.Is(value, "ADD")
		r.changing = lex.Is(value, "MODIFY") || lex.Is(value, "CHANGE")
	}
	return false
}

// optional is how far an IF EXISTS, IF NOT EXISTS or OR REPLACE has been read.
type optional uint8

// What comes next.
const (
	optionalNone    optional = iota
	optionalTable            // EXISTS, of the table
	optionalWord             // EXISTS, of what is dropped
	optionalName             // the name of what is dropped
	optionalNot              // NOT EXISTS, of what is added
	optionalExists           // EXISTS
	optionalAdded            // the name of what is added
	optionalReplace          // REPLACE, of a table
)

// freeWords are words that MySQL and the library reserve and MariaDB does not: names,
// unless they are called.
var freeWords = []string{
	"RANK", "DENSE_RANK", "PERCENT_RANK", "ROW_NUMBER", "CUME_DIST", "NTILE", "LEAD", "LAG", "FIRST_VALUE", "LAST_VALUE", "NTH_VALUE", "SYSTEM",
}

// freeWord writes such a word as a name.
func (r *respeller) freeWord(w []byte) bool {
	rest := bytes.TrimLeft(r.lx.Text[r.lx.Pos:], " \t\r\n")
	if len(rest) > 0 && rest[0] == '(' {
		return false
	}
	for _, name := range freeWords {
		if lex.Is(w, name) {
			r.out = append(r.out, ' ')
			r.out = identifier.Append(r.out, w)
			r.prev = lex.Quoted
			return true
		}
	}
	return false
}
