package aggregate

import (
	"tunic/internal/eval/program"
)

// Bits is BIT_AND, BIT_OR or BIT_XOR.
type Bits struct {
	Name    string
	Integer program.Evaluator
}

func (f *Bits) add(acc *Accumulation, g *Group) error {
	r := acc.args[0]
	d := f.Integer(r)
	if r.Err != nil {
		return r.Fail()
	}
	switch {
	case g.count == 1:
		g.best.N = d.N
	case f.Name == "BIT_AND":
		g.best.N &= d.N
	case f.Name == "BIT_OR":
		g.best.N |= d.N
	default:
		g.best.N ^= d.N
	}
	return nil
}

func (f *Bits) result(_ *Accumulation, g *Group, out *program.Datum) { out.SetUint(g.best.N) }

// empty is what changes nothing: all bits of BIT_AND, none of the others.
func (f *Bits) empty() *program.Datum {
	if f.Name == "BIT_AND" {
		return &program.Datum{N: ^uint64(0)}
	}
	return program.FalseDatum
}
