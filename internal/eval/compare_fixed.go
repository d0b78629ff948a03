package eval

import (
	"cmp"
	"math"
)

// tolerant has a comparison of doubles take two for equal that are less than half a digit
// apart, where both sides have a fixed number of decimals: so the servers compare a sum of
// DOUBLE(8,2) with 0. A hexadecimal literal has no decimals; a parameter beside a double MySQL
// makes one without a fixed number of them. Lists of IN and CASE compare exactly on both of them.
func (c *compiler) tolerant(k *comparison, a, b *node) {
	free := func(n *node) bool {
		return n.param && !c.session.isMariaDB() || n.class != classHex && n.isFree()
	}
	if k.by != classDouble || !a.class.isReal() && !b.class.isReal() || free(a) || free(b) {
		return
	}
	half := 5 / math.Pow10(max(a.scale, b.scale)+1)
	k.compare = func(_ *Run, x, y *datum) int {
		p, q := x.double(), y.double()
		if math.Abs(p-q) < half {
			return 0
		}
		return cmp.Compare(p, q)
	}
}
