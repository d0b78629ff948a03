package migrate

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/form"
	"tunic/internal/identifier"
)

// Room is how much a table takes of the disk, in bytes. All of it is estimated.
type Room struct {
	// Now is what the server's dictionary says.
	Now int64
	// After is when the table is protected, Peak the most while it comes to be.
	After, Peak int64
}

// roomSample is how many rows are asked for the lengths of their values.
const roomSample = 1000

// lengths are those of the values of a column, by how many of the sampled rows have it. NULL is in
// none.
type lengths struct {
	rows   int64
	counts map[int]int64
}

// average is the average length of a value that is none of NULL.
func (l *lengths) average() int {
	var n, sum int64
	for length, count := range l.counts {
		n, sum = n+count, sum+int64(length)*count
	}
	if n == 0 {
		return 0
	}
	return int(sum / n)
}

// each is what a row takes on average, where a value takes what of says.
func (l *lengths) each(of func(length int) int) float64 {
	if l.rows == 0 {
		return 0
	}
	var sum int64
	for length, count := range l.counts {
		sum += int64(of(length)) * count
	}
	return float64(sum) / float64(l.rows)
}

// lengthsOf asks the server for the lengths of the values of a column in the first rows. The values do
// not leave it.
func (s *subject) lengthsOf(ctx context.Context, column string) (l *lengths, err error) {
	rows, err := s.DB.QueryContext(ctx, fmt.Sprintf("SELECT LENGTH(v), COUNT(*) FROM (SELECT %s AS v FROM %s.%s LIMIT %d) AS s GROUP BY 1",
		identifier.Quoted(column), identifier.Quoted(s.Schema), identifier.Quoted(s.Table), roomSample))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	l = &lengths{counts: map[int]int64{}}
	for rows.Next() {
		var length sql.NullInt64
		var count int64
		if err := rows.Scan(&length, &count); err != nil {
			return nil, err
		}
		l.rows += count
		if length.Valid {
			l.counts[int(length.Int64)] += count
		}
	}
	return l, rows.Err()
}

// A table that is made anew has pages that are nearly full; rows that grow split the pages that they are
// in, so that more than half of them is empty for a while, and files grow by several pages.
const (
	backfilledPage = 1.1
	splitPage      = 3
)

// room estimates it, and how long values are. It is what rows get beyond what the dictionary says
// that the table has: sealed forms and tokens for values, and tokens for values in keys.
func (s *subject) room(ctx context.Context) (r Room, average map[string]int, err error) {
	r, average = Room{s.bytes, s.bytes, s.bytes}, map[string]int{}
	if s.planned == nil {
		return r, average, nil
	}
	var gone, come, keysGone, keysCome float64
	for _, planned := range columnsOf(s.planned) {
		c := &s.planned.Columns[s.planned.Column(planned.Name)]
		l, err := s.lengthsOf(ctx, c.Name)
		if err != nil {
			return r, average, err
		}
		average[c.Name] = l.average()
		value := l.each(func(n int) int { return form.ValueBytes(&c.Type, n) })
		gone += value
		come += l.each(func(n int) int { return form.FormBytes(c, n) })
		for i := range c.Layers {
			token := l.each(func(int) int { return form.TokenBytes(&c.Layers[i], &c.Type) })
			come += token
			for range keysOver(s.planned, c, &c.Layers[i]) {
				keysGone, keysCome = keysGone+value, keysCome+token
			}
		}
	}
	come += float64(form.FamilyBytes * len(s.planned.Families))
	rows := float64(s.rows)
	r.After = max(s.bytes+int64(rows*backfilledPage*(come+keysCome-gone-keysGone)), 0)
	meanwhile := float64(s.bytes) + rows*come
	r.Peak = int64(meanwhile*splitPage+rows*keysCome) + r.After
	return r, average, nil
}

// keysOver is how many keys are over a layer of a column.
func keysOver(t *catalog.Table, c *catalog.Column, l *catalog.Layer) (n int) {
	for i := range t.Keys {
		for _, p := range t.Keys[i].Parts {
			if p.Layer == l.Capability && strings.EqualFold(p.Column, c.Name) {
				n++
			}
		}
	}
	return n
}
