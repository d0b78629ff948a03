package description

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"tunic/internal/binding"
	"tunic/internal/environment"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/value/charset"
	"tunic/internal/wire"
)

// Columns that nobody has named have the text of their expression as their name, or the value of a
// literal. What is described has other literals, and may be written otherwise: such names are those of
// the client's text.

// unnamed is a column that is named by the text of its expression, and which item
// of the list that is.
type unnamed struct{ column, item int }

// findUnnamed compares the names of the columns with what was described. stars are how many columns each
// * of the list stands for.
func (d *Description) findUnnamed(text []byte, env *environment.Environment, stars []int) {
	items := sql.AppendItems(nil, text, env.Modes)
	stars = starsOf(items, text, stars, len(d.Columns))
	column := 0
	for i, item := range items {
		if isStar(text[item.From:item.To]) {
			column, stars = column+stars[0], stars[1:]
			continue
		}
		if column >= len(d.Columns) {
			break
		}
		if bytes.Equal(d.Columns[column].Name, columnName(env, nameOfItem(env, text, item))) {
			d.unnamed = append(d.unnamed, unnamed{column: column, item: i})
		}
		column++
	}
	if column != len(d.Columns) {
		d.unnamed = nil
	}
}

// starsOf are the stars, if they are known. They are not of a view that has become a part of the
// query, which is over nothing else: each stands for as many columns.
func starsOf(items []sql.Item, text []byte, known []int, columns int) []int {
	n := 0
	for _, item := range items {
		if isStar(text[item.From:item.To]) {
			n++
		}
	}
	if n == len(known) || n == 0 {
		return known
	}
	return slices.Repeat([]int{(columns - len(items) + n) / n}, n)
}

// isStar reports whether an item is * or t.*: nothing else ends so.
func isStar(item []byte) bool { return len(item) > 0 && item[len(item)-1] == '*' }

// stars are how many columns each * of the list stands for that names the columns.
func stars(st *binding.Statement) []int {
	if st.Run.Tree == nil {
		return st.Run.Answer.Stars
	}
	of := st.Run.Tree.Root
	for {
		switch r := of.(type) {
		case *recipe.Block:
			return r.Stars
		case *recipe.Set:
			of = r.Left
		default:
			return nil
		}
	}
}

// A Namer names the columns that nobody has named by the words of a client. It is for one statement at a
// time, and keeps its memory.
type Namer struct {
	items   []sql.Item
	columns []wire.ColumnDefinition
}

// End lets go of a statement's text.
func (n *Namer) End() { clear(n.columns) }

// Named are the definitions for a statement that the client has written as text:
// those of the description, but for names that are its own words. They are good until the next call.
func (n *Namer) Named(d *Description, text []byte, env *environment.Environment) []wire.ColumnDefinition {
	if len(d.unnamed) == 0 {
		return d.Columns
	}
	n.items = sql.AppendItems(n.items[:0], text, env.Modes)
	n.columns = append(n.columns[:0], d.Columns...)
	for _, u := range d.unnamed {
		if u.item < len(n.items) {
			c := &n.columns[u.column]
			same := bytes.Equal(c.OrgName, c.Name)
			c.Name = columnName(env, nameOfItem(env, text, n.items[u.item]))
			if same { // of a table that the server has made
				c.OrgName = c.Name
			}
		}
	}
	return n.columns
}

// nameOfItem is how servers name the column of an item without an alias: by its text,
// or by a literal.
func nameOfItem(env *environment.Environment, text []byte, item sql.Item) []byte {
	name := text[item.From:item.To]
	if !mayBeLiteral(name) {
		return name
	}
	if last := len(name) - 1; last > 1 && name[0] == '\'' && name[last] == '\'' && name[1] > ' ' {
		if inside := name[1:last]; !bytes.ContainsAny(inside, "'\\\x00") {
			return inside
		}
	}
	if literal, ok := sql.AppendLiteralName(nil, name, env.Modes); ok {
		return literal
	}
	return name
}

// mayBeLiteral reports whether an item begins as a literal does that is not named by its text.
func mayBeLiteral(item []byte) bool {
	return len(item) > 1 && bytes.IndexByte([]byte("'\"_nN(+"), item[0]) >= 0
}

// columnNameMax is how many bytes of a column's name servers keep where it is a text that
// nobody has named.
const columnNameMax = 255

// columnName is how servers send a name that is a text of the client's: they keep it in
// utf8mb3, which has no characters of four bytes, and cut it there.
func columnName(env *environment.Environment, name []byte) []byte {
	from, to := env.Client, env.Results
	if charset.IsASCII(name) {
		name = name[:min(len(name), columnNameMax)]
	} else if kept, ok := charset.CharsetByName(env.Value.Flavor, "utf8mb3"); ok {
		name, _ = charset.Convert(nil, kept, from, name)
		if len(name) > columnNameMax {
			end := columnNameMax
			for !utf8.RuneStart(name[end]) {
				end--
			}
			name = name[:end]
		}
		from = kept
	}
	if to == nil || from == to {
		return name
	}
	converted, _ := charset.Convert(nil, to, from, name)
	return converted
}
