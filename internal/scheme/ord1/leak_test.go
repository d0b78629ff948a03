package ord1

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"tunic/internal/scheme/schemetest"
)

// TestCarriesShow measures, through nothing but tokens, what the documents say
// that two tokens show beyond their order and the first differing bit: how often
// a carry into the cell where they differ gives away the bit after it. It fails
// if the scheme shows more than that, and also if it shows less, because then
// the documents are wrong.
func TestCarriesShow(t *testing.T) {
	const n, pairs = 32, 40000
	for _, c := range []struct {
		w           int
		low, high   float64 // of pairs whose next bit is 1, how many show it
		rightAtBest float64 // of what is shown, how much is true, at least
	}{
		{4, 0.11, 0.13, 0.95},
		{8, 0.006, 0.010, 0.95},
	} {
		random := rand.New(rand.NewPCG(1, 2)) // the same in every run
		var o *Order
		ones, shown, right := 0, 0, 0
		for pair := range pairs {
			if pair%20 == 0 { // the first bits of all values under a key share their cells
				o = newOrder(t, schemetest.Key(pair/20), n, c.w)
			}
			a, b, i := differing(random, n)
			next := a >> (n - 2 - i) & 1
			ones += int(next)
			// At the first differing cell the tokens differ by 2, by 3 if only
			// the larger has a carry, by 1 if only the smaller.
			if top := o.top(t, a, i) - o.top(t, b, i); top == 3 {
				shown++
				right += int(next)
			} else if top != 1 && top != 2 {
				t.Fatalf("w %d: cells of %x and %x differ by %d", c.w, a, b, top)
			}
		}
		if got := float64(right) / float64(ones); got < c.low || got > c.high {
			t.Errorf("w %d: %.4f of the ones show, documented as %v to %v", c.w, got, c.low, c.high)
		}
		if got := float64(right) / float64(shown); got < c.rightAtBest {
			t.Errorf("w %d: what is shown is right in %.4f of the cases, documented as more than %v", c.w, got, c.rightAtBest)
		}
	}
}

// differing returns two values that differ first in bit i, the larger one first.
func differing(random *rand.Rand, n int) (a, b uint64, i int) {
	i = random.IntN(n - 1)
	a, b = random.Uint64N(1<<n), random.Uint64N(1<<n)
	below := uint64(1)<<(n-i) - 1
	b = a&^below | b&below
	bit := uint64(1) << (n - 1 - i)
	return a | bit, b &^ bit, i
}

// top returns the token of m down to the cell of bit i, as a number of which only
// the difference to another's matters.
func (o *Order) top(t *testing.T, m uint64, i int) int64 {
	t.Helper()
	n := o.nibbles * nibbleBits
	token := new(big.Int).SetBytes(tokenOf(t, o, number(m, n)))
	token.Rsh(token, uint(o.cellBits*(n-1-i)))
	return token.And(token, big.NewInt(1<<32-1)).Int64()
}

// TestFirstCell measures what the first cell of a single token tells of the first
// bit: it never wraps, so its lowest and highest numbers belong to one bit each.
func TestFirstCell(t *testing.T) {
	for _, w := range []int{4, 8} {
		top := 1<<w - 1
		seen := [2]map[int]bool{{}, {}}
		for key := range 4000 {
			o := newOrder(t, schemetest.Key(key), 8, w)
			for bit, value := range []byte{0x00, 0xff} {
				token := tokenOf(t, o, []byte{value})
				seen[bit][int(token[0])>>(8-w)] = true
			}
		}
		if seen[0][top] || seen[0][top-1] || seen[1][0] || seen[1][1] {
			t.Errorf("w %d: a first cell that the formula does not allow: %v", w, seen)
		}
		if !seen[0][0] || !seen[1][top-1] || !seen[0][1] {
			t.Errorf("w %d: the first cell does not go as far as is documented", w)
		}
	}
}
