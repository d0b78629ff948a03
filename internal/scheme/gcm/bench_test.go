package gcm

import (
	"fmt"
	"testing"

	"tunic/internal/scheme/schemetest"
)

var (
	sizes    = []int{8, 120, 4096}
	benchAAD = make([]byte, 40) // project, column domain, type
)

func BenchmarkSeal(b *testing.B) {
	s := newSealer(b, schemetest.Key(1), 1)
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			plaintext, dst := make([]byte, n), make([]byte, 0, n+Overhead)
			for b.Loop() {
				dst = s.AppendSeal(dst[:0], benchAAD, plaintext)
			}
		})
	}
}

func BenchmarkOpen(b *testing.B) {
	s := newSealer(b, schemetest.Key(1), 1)
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			sealed, dst := s.AppendSeal(nil, benchAAD, make([]byte, n)), make([]byte, 0, n)
			for b.Loop() {
				if _, err := s.AppendOpen(dst, benchAAD, sealed); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// The batches are of 100 values; ns/value is what to compare.
const batchValues = 100

func BenchmarkSealBatch(b *testing.B) {
	s := newSealer(b, schemetest.Key(1), 1)
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			list := make([][]byte, batchValues)
			for i := range list {
				list[i] = make([]byte, n)
			}
			var dst []byte
			for b.Loop() {
				dst = s.AppendSealBatch(dst[:0], benchAAD, list)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*batchValues), "ns/value")
		})
	}
}

func BenchmarkOpenBatch(b *testing.B) {
	s := newSealer(b, schemetest.Key(1), 1)
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			forms := make([][]byte, batchValues)
			for i := range forms {
				forms[i] = s.AppendSeal(nil, benchAAD, make([]byte, n))
			}
			dst := make([]byte, 0, n*batchValues)
			for b.Loop() {
				if _, err := s.AppendOpenBatch(dst, benchAAD, forms); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*batchValues), "ns/value")
		})
	}
}

func BenchmarkSealParallel(b *testing.B) {
	s := newSealer(b, schemetest.Key(1), 1)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		plaintext, dst := make([]byte, 8), make([]byte, 0, 8+Overhead)
		for pb.Next() {
			dst = s.AppendSeal(dst[:0], benchAAD, plaintext)
		}
	})
}
