package eval

import (
	"cmp"
	"math"

	"tunic/internal/eval/class"
	"tunic/internal/eval/comparison"
	"tunic/internal/eval/program"
)

// tolerant has a comparison of doubles take two for equal that are less than half a digit
// apart, where both sides have a fixed number of decimals: so the servers compare a sum of
// DOUBLE(8,2) with 0. A hexadecimal literal has no decimals; a parameter beside a double MySQL
// makes one without a fixed number of them. Lists of IN and CASE compare exactly on both of them.
func (c *compiler) tolerant(k *comparison.Comparison, a, b *program.Node) {
	free := func(n *program.Node) bool {
		return n.Param && !c.session.IsMariaDB() || n.Class != class.Hex && n.IsFree()
	}
	if k.By != class.Double || !a.Class.IsReal() && !b.Class.IsReal() || free(a) || free(b) {
		return
	}
	half := 5 / math.Pow10(max(a.Scale, b.Scale)+1)
	k.Compare = func(_ *program.Run, x, y *program.Datum) int {
		p, q := x.Double(), y.Double()
		if math.Abs(p-q) < half {
			return 0
		}
		return cmp.Compare(p, q)
	}
}
