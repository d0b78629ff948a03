package eval

import "tunic/internal/eval/class"

// bitwise is BIT_AND, BIT_OR or BIT_XOR.
type bitwise struct {
	name    string
	integer evaluator
}

// bitwise compiles them. Of binary strings MySQL makes binary strings, which are not
// computed here.
func (c *compiler) bitwise(a *Aggregate) (class.Shape, error) {
	x := a.args[0]
	if x.root.Class == class.Bytes || x.root.Class == class.Hex {
		return class.Shape{}, refuse(a.name + " of a binary string")
	}
	sub := c.argument()
	sub.slots, sub.consts, sub.states = x.slots, x.consts, x.states
	a.family = &bitwise{name: a.name, integer: sub.integer(x.root, a.name)}
	x.slots, x.states, x.eager = sub.slots, sub.states, append(x.eager, sub.eager...)
	return class.Shape{Class: class.Uint, Digits: 20, Coercible: class.CoercibleNumber}, sub.refusal
}

func (f *bitwise) add(acc *Accumulation, g *Group) error {
	r := acc.args[0]
	d := f.integer(r)
	if r.err != nil {
		return r.fail()
	}
	switch {
	case g.count == 1:
		g.best.n = d.n
	case f.name == "BIT_AND":
		g.best.n &= d.n
	case f.name == "BIT_OR":
		g.best.n |= d.n
	default:
		g.best.n ^= d.n
	}
	return nil
}

func (f *bitwise) result(_ *Accumulation, g *Group, out *datum) { out.setUint(g.best.n) }

// empty is what changes nothing: all bits of BIT_AND, none of the others.
func (f *bitwise) empty() *datum {
	if f.name == "BIT_AND" {
		return &datum{n: ^uint64(0)}
	}
	return falseDatum
}
