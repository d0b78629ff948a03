package show

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/value"
	"tunic/internal/wire"
)

// Charset converts between UTF-8 and the character set of results.
type Charset interface {
	Encode(text string) []byte
	Decode(text []byte) string
}

// Answer is what is done with one question and the server's answer to it. It is for
// one session.
type Answer struct {
	inquiry *plan.Inquiry
	flavor  value.Flavor
	charset Charset
	table   *table // of a SHOW about one
	columns map[string]int
	types   []wire.Type
	binary  bool
	cells   []wire.Cell
}

// ErrAnswer says that an answer is not what servers say to the question.
var ErrAnswer = errors.New("show: the server's answer cannot be read")

// New makes the answer to a question. The error is one of the catalog: a definition
// that cannot be read.
func New(q *plan.Inquiry, f value.Flavor, c Charset) (*Answer, error) {
	a := &Answer{inquiry: q, flavor: f, charset: c}
	if q.Table == nil {
		return a, nil
	}
	var err error
	a.table, err = read(q.Table, f)
	return a, err
}

// Text is what the server is sent in the place of the client's text.
func (a *Answer) Text(text []byte) []byte {
	var out []byte
	at := 0
	for i := range a.inquiry.Edits {
		e := &a.inquiry.Edits[i]
		out = append(out, text[at:e.From]...)
		out = append(out, a.edit(e)...)
		at = e.To
	}
	return append(out, text[at:]...)
}

// edit is what stands in the place of a part of the text.
func (a *Answer) edit(e *plan.Edit) string {
	if a.inquiry.Thing == sql.Indexes {
		return a.caseOf("Column_name", e.Column, func(yield func(name, fact string)) {
			for layer, i := range a.table.layers {
				yield(layer, a.table.Columns[i].Name)
			}
		})
	}
	return a.caseOf("Field", e.Column, func(yield func(name, fact string)) {
		for i := range a.table.fields {
			f := &a.table.fields[i]
			if !f.column.Protected() {
				continue
			}
			switch strings.ToLower(e.Column) {
			case "type":
				yield(f.column.Name, f.typeText())
			case "collation":
				yield(f.column.Name, f.column.CollationName)
			case "key":
				yield(f.column.Name, f.key)
			case "extra":
				yield(f.column.Name, f.extra())
			}
		}
	})
}

// caseOf is the expression that has the logical fact where a column of the answer
// has the stored one.
func (a *Answer) caseOf(of, column string, facts func(yield func(name, fact string))) string {
	var b strings.Builder
	b.WriteString("(CASE `" + of + "`")
	facts(func(name, fact string) {
		b.WriteString(" WHEN " + literal(name) + " THEN ")
		if strings.EqualFold(column, "collation") && fact == "" {
			b.WriteString("NULL")
			return
		}
		b.WriteString(literal(fact))
	})
	b.WriteString(" ELSE `" + column + "` END)")
	return b.String()
}

// literal is a string that reads alike in every session. Without an introducer it
// has the collation of the client's own literals.
func literal(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool { return !strings.ContainsRune(plainRunes, r) }) {
		return "_utf8mb4 X'" + hex.EncodeToString([]byte(s)) + "'"
	}
	return "'" + s + "'"
}

// plainRunes need no care within quotes.
const plainRunes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$ (),.+-"

// Columns takes the names and types of the answer's columns. Its rows are of the
// binary protocol, or of that of text.
func (a *Answer) Columns(names []string, types []wire.Type, binary bool) {
	a.types, a.binary = types, binary
	a.columns = make(map[string]int, len(names))
	for i, name := range names {
		a.columns[strings.ToLower(name)] = i
	}
}

// Row changes a row into what the client is to see; keep is false for one that it
// is not to see. The cells are the caller's.
func (a *Answer) Row(cells []wire.Cell) (keep bool, err error) {
	a.cells = cells
	switch a.inquiry.Thing {
	case sql.Columns:
		return a.columnRow()
	case sql.Indexes:
		return true, a.indexRow()
	case sql.TableDefinition:
		return true, a.createRow()
	case sql.TableStatus:
		return true, a.statusRow()
	case sql.Databases:
		return !a.hidden(cells[0]), nil
	case sql.OpenTables:
		return !a.hidden(cells[a.columns["database"]]), nil
	default:
		return false, ErrAnswer
	}
}

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
	if _, layer := a.table.layers[strings.ToLower(name)]; layer {
		return false, nil
	}
	f := a.table.protected(name)
	if f == nil {
		return true, nil
	}
	a.set("type", f.typeText(), true)
	a.set("collation", f.column.CollationName, f.column.CollationName != "")
	a.set("key", f.key, true)
	text, ok := f.defaultShown()
	a.set("default", text, ok)
	a.set("extra", f.extra(), true)
	a.set("comment", f.account.Comment, true)
	return true, nil
}

// indexRow changes a row of SHOW INDEX.
func (a *Answer) indexRow() error {
	name, err := a.cell("column_name")
	if err != nil {
		return err
	}
	key, err := a.cell("key_name")
	if err != nil {
		return err
	}
	at, layer := a.table.layers[strings.ToLower(name)]
	if !layer {
		return nil
	}
	column := &a.table.Columns[at]
	a.set("column_name", column.Name, true)
	a.set("sub_part", "", false)
	if n := a.table.prefix(key, column.Name); n > 0 {
		return a.setNumber("sub_part", n)
	}
	return nil
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

// statusRow changes a row of SHOW TABLE STATUS.
func (a *Answer) statusRow() error {
	name, err := a.cell("name")
	if err != nil {
		return err
	}
	found := a.inquiry.Catalog.Table(a.inquiry.Schema, name)
	if found == nil {
		return nil
	}
	t, err := read(found, a.flavor)
	if err != nil {
		return err
	}
	a.set("comment", t.account.Comment, true)
	return nil
}
