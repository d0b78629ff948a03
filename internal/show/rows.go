package show

import (
	"encoding/binary"
	"strconv"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/account"
	"tunic/internal/sql"
	"tunic/internal/wire"
)

// holders are the columns of a result that may have words in them: by their place, or,
// if columns is nil, those that have the names of columns with secrets.
type holders struct{ columns []bool }

// replaceWords puts texts in the place of words where the statement has selected
// them. A word in another place is not ours: a client that has seen one, in the text of
// its own statement, is not to get the text for it.
func (a *Answer) replaceWords(cells []wire.Cell) {
	if a.holders == nil {
		return
	}
	for i := range a.holders.columns {
		if a.holders.columns[i] && i < len(cells) {
			a.words.replace(&cells[i], a.charset)
		}
	}
	if a.holders.columns != nil {
		return
	}
	for i, name := range a.names {
		if _, secret := secretColumns[strings.ToLower(name)]; secret && i < len(cells) {
			a.words.replace(&cells[i], a.charset)
		}
	}
}

// Replace puts a text in the place of a word, in a cell of a table of information_schema
// that a query has read. The cell is in UTF-8.
func (a *Answer) Replace(cell *wire.Cell) { a.words.replace(cell, asUTF8{}) }

// asUTF8 is the Charset of texts that are in UTF-8.
type asUTF8 struct{}

func (asUTF8) Encode(text string) []byte { return []byte(text) }
func (asUTF8) Decode(text []byte) string { return string(text) }

// hidden says that a cell is the name of tunic's own schema.
func (a *Answer) hidden(c wire.Cell) bool {
	return strings.EqualFold(string(c.Bytes), catalog.Schema)
}

// cell is the text of a column of the row.
func (a *Answer) cell(column string) (text string, err error) {
	i, ok := a.columns[column]
	if !ok || i >= len(a.cells) {
		return "", ErrAnswer
	}
	return a.charset.Decode(a.cells[i].Bytes), nil
}

// setNumber replaces a cell that is a number.
func (a *Answer) setNumber(column string, n int) error {
	i, there := a.columns[column]
	switch {
	case !there:
	case !a.binary:
		a.cells[i] = wire.Cell{Bytes: strconv.AppendInt(nil, int64(n), 10)}
	case a.types[i] == wire.TypeLongLong:
		a.cells[i] = wire.Cell{Bytes: binary.LittleEndian.AppendUint64(nil, uint64(n))}
	case a.types[i] == wire.TypeLong:
		a.cells[i] = wire.Cell{Bytes: binary.LittleEndian.AppendUint32(nil, uint32(n))}
	default:
		return ErrAnswer
	}
	return nil
}

// set replaces a cell; columns that the answer does not have are passed over.
func (a *Answer) set(column, text string, ok bool) {
	i, there := a.columns[column]
	switch {
	case !there:
	case !ok:
		a.cells[i] = wire.Cell{Null: true}
	default:
		a.cells[i] = wire.Cell{Bytes: a.charset.Encode(text)}
	}
}

// columnRow changes a row of SHOW COLUMNS.
func (a *Answer) columnRow() (keep bool, err error) {
	name, err := a.cell("field")
	if err != nil {
		return false, err
	}
	if a.table.hides(name) {
		return false, nil
	}
	if a.table.View != nil {
		return true, a.viewRow(name)
	}
	f := a.table.protected(name)
	if f == nil {
		return true, nil
	}
	a.set("type", f.typeText(), true)
	a.set("null", f.nullable(), true)
	a.set("collation", f.column.CollationName, f.column.CollationName != "")
	a.set("key", f.key, true)
	text, ok := f.defaultShown()
	a.set("default", text, ok)
	// MySQL has another word for nothing in a temporary table, and there are no families in one.
	if extra := f.extra(); extra != "" || f.column.Family != "" {
		a.set("extra", extra, true)
	}
	a.set("comment", f.account.Comment, true)
	return true, nil
}

// Placed reports whether the rows of the answer are to come by their Place: the server has them
// in the order of the stored columns, which may be another one.
func (a *Answer) Placed() bool { return a.inquiry.Thing == sql.Columns && a.table.View == nil }

// Place is that of the last row: of the logical columns, in their order.
func (a *Answer) Place() int {
	name, err := a.cell("field")
	if err != nil {
		return len(a.table.Columns)
	}
	return a.table.place(name)
}

// indexRow changes a row of SHOW INDEX.
func (a *Answer) indexRow() (keep bool, err error) {
	name, err := a.cell("column_name")
	if err != nil {
		return false, err
	}
	key, err := a.cell("key_name")
	if err != nil || catalog.KeyAside(key) {
		return false, err
	}
	at, layer := a.table.layers[strings.ToLower(name)]
	switch {
	case !layer:
		return true, nil
	case at < 0: // a key that somebody has made around tunic
		return false, nil
	}
	column := &a.table.Columns[at]
	a.set("column_name", column.Name, true)
	a.set("null", nullable(column), true) // a layer that came to rows takes NULL for good
	a.set("sub_part", "", false)
	if n := a.table.prefix(key, column.Name); n > 0 {
		return true, a.setNumber("sub_part", n)
	}
	return true, nil
}

// nullable is what is told of a column of a key.
func nullable(c *catalog.Column) string {
	if c.Type.NotNull {
		return ""
	}
	return "YES"
}

// prefix is how much of a column a key is over, 0 for all of it.
func (t *table) prefix(key, column string) int {
	for i := range t.Keys {
		if !strings.EqualFold(t.Keys[i].Name, key) {
			continue
		}
		for _, p := range t.Keys[i].Parts {
			if strings.EqualFold(p.Column, column) {
				return p.Prefix
			}
		}
	}
	return 0
}

// createRow changes the row of SHOW CREATE TABLE.
func (a *Answer) createRow() error {
	if a.table.View != nil {
		text, err := a.cell("create view")
		if err != nil {
			return err
		}
		logical, err := viewDefinition(a.table.Table, text)
		if err != nil {
			return err
		}
		a.set("create view", logical, true)
		return nil
	}
	text, err := a.cell("create table")
	if err != nil {
		return err
	}
	logical, err := definition(a.table.Table, text)
	if err != nil {
		return err
	}
	a.set("create table", logical, true)
	return nil
}

// Lengths changes the lengths of the answer's columns, in the bytes that servers tell. That
// of SHOW CREATE TABLE is as long as the text that is shown, but for its counter, and never
// shorter than 1024 characters; that of the table's name says how many bytes a character has.
func (a *Answer) Lengths(lengths []uint32) {
	const nameChars, leastChars = 64, 1024
	if a.table == nil || a.table.View != nil || a.inquiry.Thing != sql.TableDefinition {
		return
	}
	name, named := a.columns["table"]
	text, shown := a.columns["create table"]
	if named && shown {
		lengths[text] = lengths[name] / nameChars * uint32(max(leastChars, len(account.ShowCreate(a.table.Table, 0))))
	}
}

// statusRow changes a row of SHOW TABLE STATUS.
func (a *Answer) statusRow() (keep bool, err error) {
	name, err := a.cell("name")
	if err != nil {
		return false, err
	}
	found := a.inquiry.Catalog.Table(a.inquiry.Schema, name)
	switch {
	case a.session.PlainOnly:
		return found == nil && a.inquiry.Catalog.View(a.inquiry.Schema, name) == nil, nil
	case found == nil:
		return true, nil
	}
	t, err := read(found, a.session.Env.Flavor)
	if err != nil {
		return false, err
	}
	a.set("comment", t.account.Comment, true)
	return true, nil
}
