package sql

import (
	"bytes"
	"strings"

	"vitess.io/vitess/go/vt/sqlparser"
)

// followColumns notes the name of the column whose definition is read: the first word
// of an item of CREATE TABLE, or what stands behind ADD, MODIFY and CHANGE.
func (r *respeller) followColumns(t token, value []byte) {
	if t != tokenWord && t != tokenQuoted {
		return
	}
	switch {
	case r.kind == CreateTable && r.depth == 1 && (r.prev == tokenComma || r.prev == tokenOpen):
		r.noteColumn(t, value)
	case r.kind == AlterTable && r.depth == 0 && r.defines > 0:
		if t == tokenWord && (is(value, "COLUMN") || is(value, "IF") || is(value, "NOT") || is(value, "EXISTS")) {
			return
		}
		if r.defines--; r.defines == 0 {
			r.noteColumn(t, value)
		}
	case r.kind == AlterTable && r.depth == 0 && t == tokenWord && r.prev != tokenDot:
		switch {
		case is(value, "ADD"), is(value, "MODIFY"):
			r.defines = 1
		case is(value, "CHANGE"):
			r.defines = 2 // the old name and the new one
		}
	}
}

// noteColumn notes a column's name, if the word is none that begins a key.
func (r *respeller) noteColumn(t token, value []byte) {
	for _, word := range []string{"PRIMARY", "KEY", "INDEX", "UNIQUE", "FULLTEXT", "SPATIAL", "CONSTRAINT", "FOREIGN", "CHECK", "PERIOD"} {
		if t == tokenWord && is(value, word) {
			return
		}
	}
	c := cursor{lx: r.lx, t: t}
	r.column, r.named, r.typed = c.identifier(), false, true
}

// ownType spells a type of MariaDB's that the library does not know as a BINARY of a
// collation that is the type's name.
func (r *respeller) ownType(w []byte) bool {
	for _, name := range ownTypes {
		if is(w, name) {
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

// IfExists is a name that a statement drops, and whether it may be missing.
func IfExists(name string) (bare string, optional bool) {
	return strings.CutSuffix(name, ifExists)
}

// TableIfExists reports whether the table of an ALTER TABLE may be missing.
func TableIfExists(n *sqlparser.AlterTable) bool {
	return n.Comments != nil && len(n.Comments.GetComments()) == 1 && n.Comments.GetComments()[0] == tableIfExists
}

// mendOptional handles IF EXISTS in ALTER TABLE, which the library does not know.
func (r *respeller) mendOptional(t token, value []byte) bool {
	switch {
	case r.optional == optionalName && (t == tokenWord || t == tokenQuoted):
		c := cursor{lx: r.lx, t: t}
		r.out = append(r.out, ' ')
		r.quote([]byte(c.identifier() + ifExists))
		r.marked = true
		r.prev, r.optional = tokenQuoted, optionalNone
		return true
	case t != tokenWord || r.kind != AlterTable || r.depth > 0 || r.lx.modes&MariaDB == 0:
		return false
	case is(value, "IF") && r.after("TABLE") && len(r.out) > len("TABLE") && is(r.out[len(r.out)-len("TABLE"):], "TABLE"):
		r.out = append(append(r.out[:len(r.out)-len("TABLE")], tableIfExists...), " TABLE"...)
		r.optional = optionalTable
		return true
	case is(value, "IF") && r.dropping && r.after("DROP", "KEY", "CONSTRAINT", "INDEX", "COLUMN"):
		r.optional = optionalWord
		return true
	case is(value, "EXISTS") && r.optional == optionalTable:
		r.optional = optionalNone
		return true
	case is(value, "EXISTS") && r.optional == optionalWord:
		r.optional = optionalName
		return true
	case is(value, "DROP"):
		r.dropping = true
	case is(value, "ADD"), is(value, "MODIFY"), is(value, "CHANGE"), is(value, "ALTER"), is(value, "RENAME"):
		r.dropping = false
	}
	return false
}

// optional is how far an IF EXISTS has been read.
type optional uint8

// What comes next.
const (
	optionalNone  optional = iota
	optionalTable          // EXISTS, of the table
	optionalWord           // EXISTS, of what is dropped
	optionalName           // the name of what is dropped
)

// freeWords are words that MySQL and the library reserve and MariaDB does not: names,
// unless they are called.
var freeWords = []string{
	"RANK", "DENSE_RANK", "PERCENT_RANK", "ROW_NUMBER", "CUME_DIST", "NTILE", "LEAD", "LAG", "FIRST_VALUE", "LAST_VALUE", "NTH_VALUE", "SYSTEM",
}

// freeWord writes such a word as a name.
func (r *respeller) freeWord(w []byte) bool {
	rest := bytes.TrimLeft(r.lx.text[r.lx.pos:], " \t\r\n")
	if len(rest) > 0 && rest[0] == '(' {
		return false
	}
	for _, name := range freeWords {
		if is(w, name) {
			r.out = append(r.out, ' ')
			r.quote(w)
			r.prev = tokenQuoted
			return true
		}
	}
	return false
}
