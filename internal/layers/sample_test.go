package layers

import (
	"math"
	"strconv"
	"testing"
)

// TestSample: a part of a table's values, from all of it, or all if there are few.
func TestSample(t *testing.T) {
	onServers(t, func(b *bench) {
		const rows = 3000
		b.rows(rows)
		const valued = rows - rows/10 // the others are NULL
		sample := Sample{DB: b.db, Ring: b.ring, Table: b.table, Column: &b.table.Columns[b.table.Column("k")], Rows: 500, Bytes: math.MaxInt64}
		seen, upper := map[string]bool{}, 0
		with, err := sample.Run(b.t.Context(), func(canonical []byte) {
			seen[string(canonical)] = true
			if n, err := strconv.Atoi(string(canonical)); err != nil {
				b.t.Error(err)
			} else if n > rows/2 {
				upper++
			}
		})
		if err != nil || with != valued || len(seen) < 350 || len(seen) > 500 || upper < 100 {
			b.t.Errorf("%d of %d values, %d of the upper half: %v", len(seen), with, upper, err)
		}
		sample.Rows, seen = rows, map[string]bool{}
		if _, err = sample.Run(b.t.Context(), func(canonical []byte) { seen[string(canonical)] = true }); err != nil || len(seen) != valued {
			b.t.Errorf("%d of all values: %v", len(seen), err)
		}
		few := 0
		sample.Bytes = 1
		if _, err = sample.Run(b.t.Context(), func([]byte) { few++ }); err != nil || few != 1 {
			b.t.Errorf("%d values of a byte: %v", few, err)
		}
	})
}
