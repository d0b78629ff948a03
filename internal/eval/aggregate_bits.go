package eval

import (
	"tunic/internal/eval/class"

	"tunic/internal/eval/program"
)

// bitwise is BIT_AND, BIT_OR or BIT_XOR.
type bitwise struct {
	name    string
	integer program.Evaluator
}

// bitwise compiles them. Of binary strings MySQL makes binary strings, which are not
// computed here.
func (c *compiler) bitwise(a *Aggregate) (class.Shape, error) {
	x := a.args[0]
	if x.Root.Class == class.Bytes || x.Root.Class == class.Hex {
		return class.Shape{}, refuse(a.name + " of a binary string")
	}
	sub := c.argument()
	sub.slots, sub.consts, sub.states = x.Slots, x.Consts, x.States
	a.family = &bitwise{name: a.name, integer: sub.integer(x.Root, a.name)}
	x.Slots, x.States, x.Eager = sub.slots, sub.states, append(x.Eager, sub.eager...)
	return class.Shape{Class: class.Uint, Digits: 20, Coercible: class.CoercibleNumber}, sub.refusal
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
