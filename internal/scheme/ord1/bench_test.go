package ord1

import (
	"fmt"
	"testing"

	"tunic/internal/scheme/schemetest"
)

func BenchmarkToken(b *testing.B) {
	for _, n := range []int{8, 32, 64, 128} {
		for _, w := range []int{4, 8} {
			b.Run(fmt.Sprintf("bits=%d/cell=%d", n, w), func(b *testing.B) {
				o := newOrder(b, schemetest.Key(1), n, w)
				b.ReportAllocs()
				value, dst := make([]byte, n/8), make([]byte, 0, o.TokenSize())
				for b.Loop() {
					if _, err := o.AppendToken(dst, value); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkTokenBatch(b *testing.B) {
	o := newOrder(b, schemetest.Key(1), 64, 4)
	b.ReportAllocs()
	const count = 100
	list := make([][]byte, count)
	for i := range list {
		list[i] = make([]byte, 8)
	}
	dst := make([]byte, 0, count*o.TokenSize())
	for b.Loop() {
		if _, err := o.AppendTokenBatch(dst, list); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*count), "ns/value")
}
