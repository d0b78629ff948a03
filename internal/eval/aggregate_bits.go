package eval

import (
	"tunic/internal/eval/program"
)

// bitwise is BIT_AND, BIT_OR or BIT_XOR.
type bitwise struct {
	name    string
	integer program.Evaluator
}

func (f *bitwise) add(acc *Accumulation, g *Group) error {
	r := acc.args[0]
	d := f.integer(r)
	if r.Err != nil {
		return r.Fail()
	}
	switch {
	case g.count == 1:
		g.best.N = d.N
	case f.name == "BIT_AND":
		g.best.N &= d.N
	case f.name == "BIT_OR":
		g.best.N |= d.N
	default:
		g.best.N ^= d.N
	}
	return nil
}

func (f *bitwise) result(_ *Accumulation, g *Group, out *program.Datum) { out.SetUint(g.best.N) }

// empty is what changes nothing: all bits of BIT_AND, none of the others.
func (f *bitwise) empty() *program.Datum {
	if f.name == "BIT_AND" {
		return &program.Datum{N: ^uint64(0)}
	}
	return program.FalseDatum
}
