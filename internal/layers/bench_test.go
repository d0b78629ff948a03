package layers

import (
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/crypt"
	"tunic/internal/keys/keystest"
)

// BenchmarkRow is what a row costs that gets its tokens: one of a column that is sealed by itself, and those of two members of
// a family of three.
func BenchmarkRow(b *testing.B) {
	alone := backfilling(b)
	alone.Columns[1].Layers[0].Job = 7
	for name, table := range map[string]*catalog.Table{"column": alone, "family": familyTable(b)} {
		w, r := lackingRow(b, table)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			u := update{worker: w}
			for b.Loop() {
				if lacks, err := w.lacking(r); err != nil || !lacks {
					b.Fatal(lacks, err)
				}
				if err := u.add(r); err != nil {
					b.Fatal(err)
				}
				u.reset()
			}
		})
	}
}

// lackingRow is a row that lacks what job 7 backfills, and the work on it.
func lackingRow(b *testing.B, table *catalog.Table) (*worker, *row) {
	b.Helper()
	from := &sources{table: table, ring: crypt.NewRing(keystest.Tree(b))}
	all, err := targetsOf(from, nil, 7, nil, nil)
	if err != nil {
		b.Fatal(err)
	}
	w, err := newWorker(from, all)
	if err != nil {
		b.Fatal(err)
	}
	r := &row{key: [][]byte{[]byte("1")}}
	for range all {
		r.have = append(r.have, []byte("1"))
	}
	var form []byte
	if s := from.all[0]; s.family != nil {
		form, err = s.family.AppendSealed(nil, [][]byte{number(1), number(2), []byte("a name")})
	} else {
		form, err = s.column.AppendSealed(nil, number(1))
	}
	if err != nil {
		b.Fatal(err)
	}
	r.read = [][]byte{form}
	return w, r
}
