package record

import (
	"encoding/binary"
	"testing"
)

// orderLine is a row of TPC-C's table of that name.
func orderLine(t testing.TB) (*Layout, [][]byte) {
	t.Helper()
	number := func(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }
	l := mustNew(t, []Field{
		{Size: 8, Head: 4, Signed: true}, // ol_o_id INT
		tinyInt,                          // ol_d_id
		smallInt,                         // ol_w_id
		tinyInt,                          // ol_number
		{Size: 8, Head: 4, Signed: true}, // ol_i_id INT
		smallInt,                         // ol_supply_w_id
		{Size: 8, Tail: 3},               // ol_delivery_d DATETIME
		tinyInt,                          // ol_quantity
		amount,                           // ol_amount DECIMAL(6,2)
		name,                             // ol_dist_info CHAR(24)
	})
	return l, [][]byte{
		number(2101), number(7), number(12), number(3), number(77031), number(12),
		nil, number(5), number(712345), []byte("qTmvRhbYZsKdWcFgJnLpXaEu"),
	}
}

func BenchmarkAppend(b *testing.B) {
	b.ReportAllocs()
	l, values := orderLine(b)
	dst := make([]byte, 0, 128)
	for b.Loop() {
		dst, _ = l.Append(dst[:0], values)
	}
}

// BenchmarkRead reads a record and one value of it, the last or all of them.
func BenchmarkRead(b *testing.B) {
	l, values := orderLine(b)
	record, err := l.Append(nil, values)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("number", func(b *testing.B) { benchRead(b, l, record, 4, 5) })
	b.Run("text", func(b *testing.B) { benchRead(b, l, record, 9, 10) })
	b.Run("all", func(b *testing.B) { benchRead(b, l, record, 0, 10) })
}

func benchRead(b *testing.B, l *Layout, record []byte, from, to int) {
	b.ReportAllocs()
	buf := make([]byte, 0, 128)
	for b.Loop() {
		r, err := l.Read(record)
		if err != nil {
			b.Fatal(err)
		}
		all := buf
		for i := from; i < to; i++ {
			_, all = r.Value(all, i)
		}
	}
}
