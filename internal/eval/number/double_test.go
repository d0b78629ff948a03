package number

import (
	"math"
	"testing"
)

func TestExactPower(t *testing.T) {
	for _, c := range []struct {
		x, y, want float64
		ok         bool
	}{
		{2, 10, 1024, true},
		{2, -3, 0.125, true},
		{-3, 3, -27, true},
		{-3, 2, 9, true},
		{10, 22, 1e22, true},
		{10, 23, 0, false}, // 1e23 is no double
		{10, -1, 0, false},
		{1.5, 3, 3.375, true},
		{1.05, 2, 0, false},
		{7, 0, 1, true},
		{0, 0, 1, true},
		{0, 5, 0, true},
		{0, -1, 0, false},
		{1, 0.3, 1, true},
		{4, 0.5, 0, false},
		{2, 1023, 0x1p1023, true},
		{2, 1024, 0, false},
		{2, -1022, 0x1p-1022, true},
		{2, -1023, 0, false},
		{3, 33, 5559060566555523, true},
		{3, 34, 0, false},
		{-1, 2047, -1, true},
		{1e308, 2, 0, false},
		{math.Inf(1), 1, 0, false},
		{math.NaN(), 0, 0, false},
		{math.MaxFloat64, 1, math.MaxFloat64, true},
		{0.1, 1, 0.1, true},
		{0x1p32 + 1, 2, 0, false},
		{0x1.8p40, 3, 0x1.bp121, true},
	} {
		if got, ok := Power(c.x, c.y); ok != c.ok || ok && got != c.want {
			t.Errorf("exactPower(%v, %v) = %v, %t; want %v, %t", c.x, c.y, got, ok, c.want, c.ok)
		}
	}
}
