package sql

import (
	"testing"

	"tunic/internal/sql/sqltest"
)

// BenchmarkHit is what a text of a known template costs with protected data:
// the fingerprint with its literals, and the stored statement filled with them.
func BenchmarkHit(b *testing.B) {
	for _, s := range sqltest.Statements {
		stored, _, err := storedStatement(s.Text, sqltest.ModelModes)
		if err != nil {
			continue // BEGIN, and the parameters of a prepared statement
		}
		b.Run(s.Name, func(b *testing.B) {
			text := []byte(s.Text)
			var f Fingerprinter
			f.Record(true)
			var out []byte
			fill := func(dst []byte, _ Hole, _ int) ([]byte, error) { return append(dst, '5'), nil }
			b.ReportAllocs()
			for b.Loop() {
				f.Fingerprint(text, sqltest.ModelModes)
				out, err = stored.fillLiterals(out[:0], text, f.Literals(), fill)
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkMiss is what a text of a new template costs: its tree with places,
// and the stored statement.
func BenchmarkMiss(b *testing.B) {
	for _, s := range sqltest.Statements[:9] {
		text := []byte(s.Text)
		var f Fingerprinter
		f.Record(true)
		f.Fingerprint(text, sqltest.ModelModes)
		all, err := Parse(text, sqltest.ModelModes)
		if err != nil {
			b.Fatal(err)
		}
		tree, err := all[0].TreeWithPlaces(f.Literals())
		if err != nil {
			b.Fatal(err)
		}
		b.Run(s.Name+"/tree", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := all[0].TreeWithPlaces(f.Literals()); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(s.Name+"/print", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := tree.Print(sqltest.ModelModes); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkAppendValue is what reading a literal costs.
func BenchmarkAppendValue(b *testing.B) {
	for _, literal := range []string{"4984", "-5.25", "'Dublin'", `'it''s \\ quoted'`, "0x4d5a", "NULL"} {
		b.Run(literal, func(b *testing.B) {
			text := []byte("INSERT INTO t VALUES (" + literal + ")")
			var f Fingerprinter
			f.Record(true)
			f.Fingerprint(text, sqltest.ModelModes)
			l := f.Literals().At(Place{Group: -1}, 0)
			var out []byte
			b.ReportAllocs()
			for b.Loop() {
				out, _ = l.AppendValue(out[:0], text, sqltest.ModelModes)
			}
		})
	}
}
