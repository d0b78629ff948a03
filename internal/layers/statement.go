package layers

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"strconv"
	"strings"
)

// errDiscard makes database/sql close a connection instead of pooling it.
var errDiscard = driver.ErrBadConn

// row is a row of the stored table as it was read: its key, the sealed form of each
// target, and the tokens of the layers if they were asked for.
type row struct{ key, sealed, have [][]byte }

// selectLacking reads the next rows that lack something, and locks them. Those that
// somebody else has locked are left out.
func (w *worker) selectLacking(after [][]byte) string {
	return w.selectRows(w.lacks(), after, false, rowsFilled) + " FOR UPDATE SKIP LOCKED"
}

// selectAll reads the next rows with their tokens.
func (w *worker) selectAll(after [][]byte) string { return w.selectRows("", after, true, rowsLooked) }

func (w *worker) selectRows(condition string, after [][]byte, tokens bool, rows int) string {
	b := append([]byte("SELECT "), strings.Join(w.selected(tokens), ", ")...)
	b = append(append(append(b, " FROM "...), w.name()...), " FORCE INDEX ("+quoteName(w.key.name)+")"...)
	word := " WHERE "
	if condition != "" {
		b = append(append(b, word...), condition...)
		word = " AND "
	}
	if after != nil {
		b = w.key.appendAfter(append(b, word...), after)
	}
	return string(b) + " ORDER BY " + w.key.order() + " LIMIT " + strconv.Itoa(w.atATime(rows))
}

// selected are the columns that are read.
func (w *worker) selected(tokens bool) []string {
	var list []string
	for i := range w.key.parts {
		list = append(list, w.key.parts[i].selected())
	}
	for i := range w.targets {
		list = append(list, quoteName(w.targets[i].column.Name))
	}
	for i := range w.targets {
		for _, l := range w.targets[i].layers {
			if tokens {
				list = append(list, quoteName(w.targets[i].column.Layer(l).Stored))
			}
		}
	}
	return list
}

// querier runs a query: a connection or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// read reads rows.
func (w *worker) read(ctx context.Context, q querier, statement string) (all []row, err error) {
	rows, err := q.QueryContext(ctx, statement)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	keys, targets := len(w.key.parts), len(w.targets)
	for rows.Next() {
		cells, into := make([][]byte, len(columns)), make([]any, len(columns))
		for i := range cells {
			into[i] = &cells[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		all = append(all, row{key: cells[:keys], sealed: cells[keys : keys+targets], have: cells[keys+targets:]})
	}
	return all, rows.Err()
}

// update is the statement that fills rows: a join with a list of them, which finds
// each by its key.
//
//	UPDATE (SELECT 7 AS a0, x'…' AS b0 UNION ALL SELECT 8, x'…') v
//	  STRAIGHT_JOIN t ON t.id = v.a0 SET t.`k$eq` = v.b0
//
// Every server has this form, and it costs 10 to 12 µs a row on both. A list of VALUES
// is no faster; a CASE over the keys is, but names each key for every row.
type update struct {
	*worker
	values []byte
	rows   int
}

func (u *update) reset() { u.values, u.rows = u.values[:0], 0 }

// add adds a row.
func (u *update) add(r *row) error {
	if u.rows > 0 {
		u.values = append(u.values, " UNION ALL "...)
	}
	u.values = append(u.values, "SELECT "...)
	for i := range u.key.parts {
		u.values = u.key.parts[i].appendLiteral(u.values, r.key[i])
		u.label("a", i)
		u.values = append(u.values, ", "...)
	}
	n := 0
	for i := range u.targets {
		cells, err := u.targets[i].cells(r.sealed[i])
		if err != nil {
			return err
		}
		for _, cell := range cells {
			u.values = appendHex(u.values, cell)
			u.label("b", n)
			if n++; n < u.cells {
				u.values = append(u.values, ", "...)
			}
		}
	}
	u.rows++
	return nil
}

// label names a column of the list, which its first row does.
func (u *update) label(prefix string, i int) {
	if u.rows == 0 {
		u.values = strconv.AppendInt(append(append(u.values, " AS "...), prefix...), int64(i), 10)
	}
}

func (u *update) statement() string {
	b := append([]byte("UPDATE ("), u.values...)
	b = append(append(b, ") AS v STRAIGHT_JOIN "...), u.name()...)
	b = append(b, " AS t ON "...)
	for i := range u.key.parts {
		if i > 0 {
			b = append(b, " AND "...)
		}
		b = append(append(append(b, "t."...), quoteName(u.key.parts[i].stored)...), " = v.a"+strconv.Itoa(i)...)
	}
	b = append(b, " SET "...)
	n := 0
	for i := range u.targets {
		for _, stored := range u.targets[i].stored() {
			if n > 0 {
				b = append(b, ", "...)
			}
			b = append(append(append(b, "t."...), quoteName(stored)...), " = v.b"+strconv.Itoa(n)...)
			n++
		}
	}
	return string(u.appendKept(b))
}

// appendKept keeps the time of plain columns that the server would set to now.
func (u *update) appendKept(b []byte) []byte {
	for i := range u.table.Columns {
		if c := &u.table.Columns[i]; c.OnUpdateNow && !c.Protected() {
			name := "t." + quoteName(c.Name)
			b = append(b, ", "+name+" = "+name...)
		}
	}
	return b
}
