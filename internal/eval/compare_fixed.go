package eval

import (
	"cmp"
	"math"

	"tunic/internal/eval/class"
)

// tolerant has a comparison of doubles take two for equal that are less than half a digit
// apart, where both sides have a fixed number of decimals: so the servers compare a sum of
// DOUBLE(8,2) with 0. A hexadecimal literal has no decimals; a parameter beside a double MySQL
// makes one without a fixed number of them. Lists of IN and CASE compare exactly on both of them.
func (c *compiler) tolerant(k *comparison, a, b *node) {
	free := func(n *node) bool {
		return n.param && !c.session.isMariaDB() || n.Class != class.Hex && n.IsFree()
	}
	if k.by != class.Double || !a.Class.IsReal() && !b.Class.IsReal() || free(a) || free(b) {
		return
	}
	half := 5 / math.Pow10(max(a.Scale, b.Scale)+1)
	k.compare = func(_ *Run, x, y *datum) int {
		p, q := x.double(), y.double()
		if math.Abs(p-q) < half {
			return 0
		}
		return cmp.Compare(p, q)
	}
}
