package layers

import (
	"strconv"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/identifier"
)

// pages are the queries of all rows of a table that nobody else uses.
type pages struct {
	head, tail string
	rows       int // that a query asks for
	before     int // columns that stand before those that were asked for
	// key is what finds the rows behind the last one. Without it they are counted, and the
	// server reads all that come before, again for each page.
	key     *rowKey
	last    [][]byte // the values of key in the last row
	counted int
}

// pagesOf makes the queries of all rows of a table, some at a time, by the key that tells rows apart, or else by what is read of them:
// two rows in which that is the same are the same to who looks. The table is locked, so that they have one order.
func pagesOf(t *catalog.Table, from *sources) *pages {
	by := t.RowKey()
	p := &pages{rows: rowsLooked, before: 1}
	names := []string{"1"} // there may be no column that is looked at
	if key := keyFrom(t, by); key != nil {
		p.key, names = key, nil
		for i := range key.parts {
			names = append(names, key.parts[i].selected())
		}
		p.before = len(names)
	}
	var read []string
	for _, s := range from.all {
		read = append(read, s.selected)
		if s.long {
			p.rows = rowsLong
		}
	}
	if p.key == nil { // few at a time would be counted too often
		p.rows = max(p.rows, rowsBackfilled)
	}
	order := strings.Join(read, ", ")
	if by != nil {
		order = orderBy(t, by)
	}
	p.head = "SELECT " + strings.Join(append(names, read...), ", ") + " FROM " + identifier.Quoted(t.Schema) + "." + identifier.Quoted(t.Name)
	p.tail = " ORDER BY " + order + " LIMIT " + strconv.Itoa(p.rows)
	return p
}

// keyFrom is rowKeyFrom of a table that may have no such key.
func keyFrom(t *catalog.Table, by *catalog.Key) *rowKey {
	if by == nil {
		return nil
	}
	return rowKeyFrom(t, by)
}

// orderBy is the list of ORDER BY of a key.
func orderBy(t *catalog.Table, by *catalog.Key) string {
	key := rowKey{}
	for i := range by.Parts {
		key.parts = append(key.parts, keyPartOf(&t.Columns[t.Column(by.Parts[i].Column)], &by.Parts[i]))
	}
	return key.order()
}

// query is the query of the next rows.
func (p *pages) query() string {
	b := []byte(p.head)
	if p.last != nil {
		b = p.key.appendAfter(append(b, " WHERE "...), p.last)
	}
	b = append(b, p.tail...)
	if p.key == nil {
		b = strconv.AppendInt(append(b, " OFFSET "...), int64(p.counted), 10)
	}
	return string(b)
}

// follow goes on behind rows, one at least.
func (p *pages) follow(rows [][]*string) {
	p.counted += len(rows)
	if p.key == nil {
		return
	}
	p.last = make([][]byte, len(p.key.parts))
	for i, cell := range rows[len(rows)-1][:len(p.last)] {
		if cell != nil { // no part of a key is NULL
			p.last[i] = []byte(*cell)
		}
	}
}
