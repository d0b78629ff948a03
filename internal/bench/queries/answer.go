package queries

import (
	"context"
	"database/sql"
	"encoding/binary"
	"hash/maphash"
	"time"
)

// Answer is what a question was answered with, and how long that took from when it was
// sent to when its last row was read. The rows themselves are not kept, so that each of
// thousands of answers can be.
type Answer struct {
	Took time.Duration
	Rows int

	rows  uint64 // of all rows, in whatever order
	order uint64 // of the columns that they are sorted by, in the order they came in
}

// Alike reports whether all answers to a question have the same rows, in the same order
// as far as the question has one.
func Alike(answers []*Answer) bool {
	for _, a := range answers {
		first := answers[0]
		if a.Rows != first.Rows || a.rows != first.rows || a.order != first.order {
			return false
		}
	}
	return true
}

// Reader asks, and reads answers into memory that it uses again.
type Reader struct {
	data  []byte
	sizes []int // of the values one after the other; isNull of NULL
}

// isNull stands for the size of NULL.
const isNull = -1

// Ask asks a question. While time is counted, answers are only read: what they say is
// looked at afterwards.
func (r *Reader) Ask(ctx context.Context, conn *sql.Conn, q *Question) (*Answer, error) {
	begin := time.Now()
	columns, err := r.read(ctx, conn, q.Text)
	if err != nil {
		return nil, err
	}
	took := time.Since(begin)
	a := r.sum(columns, q.Order)
	a.Took = took
	return a, nil
}

// read asks and reads to the end. It returns how many columns there are.
func (r *Reader) read(ctx context.Context, conn *sql.Conn, text string) (int, error) {
	r.data, r.sizes = r.data[:0], r.sizes[:0]
	rows, err := conn.QueryContext(ctx, text)
	if err != nil {
		return 0, err
	}
	defer rows.Close() //nolint:errcheck // what matters is in rows.Err
	columns, err := rows.Columns()
	if err != nil {
		return 0, err
	}
	values := make([]sql.RawBytes, len(columns))
	into := make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return 0, err
		}
		for _, v := range values {
			r.data = append(r.data, v...)
			if v == nil {
				r.sizes = append(r.sizes, isNull)
			} else {
				r.sizes = append(r.sizes, len(v))
			}
		}
	}
	return len(columns), rows.Err()
}

// seed is of this process: its own answers are compared with each other only.
var seed = maphash.MakeSeed()

// sum says what the answer is that was read last.
func (r *Reader) sum(columns int, sorted []int) *Answer {
	a := &Answer{}
	if columns == 0 {
		return a
	}
	var row, order maphash.Hash
	row.SetSeed(seed)
	order.SetSeed(seed)
	values := make([][]byte, columns)
	data := r.data
	for at := 0; at < len(r.sizes); at += columns {
		sizes := r.sizes[at : at+columns]
		row.Reset()
		for i, size := range sizes {
			values[i], data = data[:max(size, 0)], data[max(size, 0):]
			write(&row, values[i], size)
		}
		a.rows += row.Sum64() // a sum has no order
		for _, column := range sorted {
			write(&order, values[column-1], sizes[column-1])
		}
		a.Rows++
	}
	a.order = order.Sum64()
	return a
}

// write adds a value to a hash, so that where it ends counts, and NULL is none that is empty.
func write(h *maphash.Hash, v []byte, size int) {
	var head [8]byte
	binary.LittleEndian.PutUint64(head[:], uint64(size))
	_, _ = h.Write(head[:])
	_, _ = h.Write(v)
}
