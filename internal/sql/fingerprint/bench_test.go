package fingerprint

import (
	"bytes"
	"fmt"
	"testing"

	"tunic/internal/sql/sqltest"
)

func BenchmarkFingerprint(b *testing.B) {
	for _, s := range sqltest.Statements {
		b.Run(s.Name, func(b *testing.B) { benchmarkFingerprint(b, []byte(s.Text)) })
	}
}

func BenchmarkFingerprintRows(b *testing.B) {
	for _, s := range []struct{ name, row string }{
		{"sysbench", "(4984, 5031, '04776570498-24146271262-87204329022-63812263486-54105063427-50226451459-18376450398-26388069426-10587812803-92446432471', '27590239742-20204899609-34345212327-79811525340-24267764271')"},
		{"numbers", "(1234,5678,90.5)"},
		{"dump", "(17,'O\\'Neill','Dublin',NULL,-3.25,'2026-01-31 12:00:00','a longer text, as a column of comments may hold, with ''quotes'' in it')"},
		{"calls", "(17,'x',NOW())"},
	} {
		b.Run(s.name, func(b *testing.B) {
			n := 1 << 20 / len(s.row)
			rows := bytes.Repeat([]byte(","+s.row), n)
			benchmarkFingerprint(b, fmt.Appendf(nil, "INSERT INTO t VALUES %s", rows[1:]))
		})
	}
}

func benchmarkFingerprint(b *testing.B, text []byte) {
	var f Fingerprinter
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		f.Fingerprint(text, 0)
	}
}

// BenchmarkRecord is BenchmarkFingerprint with literals recorded.
func BenchmarkRecord(b *testing.B) {
	for _, s := range sqltest.Statements {
		b.Run(s.Name, func(b *testing.B) {
			var f Fingerprinter
			f.Record(true)
			text := []byte(s.Text)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				f.Fingerprint(text, 0)
			}
		})
	}
	b.Run("rows", func(b *testing.B) {
		var f Fingerprinter
		f.Record(true)
		text := append([]byte("INSERT INTO t VALUES (1234,5678,90.5)"), bytes.Repeat([]byte(",(1234,5678,90.5)"), 60_000)...)
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			f.Fingerprint(text, 0)
		}
	})
}
