package layers

import "strconv"

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
