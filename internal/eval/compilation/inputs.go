package compilation

import (
	"tunic/internal/eval/program"
)

// Pin makes a literal's value part of what the expression is compiled for: a bind
// of another value is one of another shape.
func (c *Compilation) Pin(n *program.Node) {
	if n.Fixed > 0 {
		c.consts[n.Fixed-1].Pinned = true
	}
}

// Fix has a run make a datum of a constant when it starts, and returns the constant's number for
// its node.
func (c *Compilation) Fix(k program.Constant) int {
	c.consts = append(c.consts, k)
	return len(c.consts)
}

// TakeBytes has literals that are compared as bytes be any bytes, and not only such as
// their character set has: what drivers send for a BLOB that they write as text.
func (c *Compilation) TakeBytes(args []*program.Node) {
	for _, n := range args {
		if n.Fixed > 0 {
			c.consts[n.Fixed-1].Shape.Collation = nil
		}
	}
}

// List is the number of the next list of items.
func (c *Compilation) List() int { return len(c.lists) }

// AddList adds the list of that number.
func (c *Compilation) AddList(l program.ItemList) { c.lists = append(c.lists, l) }

// Eagerly is what a run is to evaluate when it starts, as far as it is known.
func (c *Compilation) Eagerly() []program.Evaluator { return c.eager }

// Write notes in an expression what its runs need.
func (c *Compilation) Write(x *program.Expression) {
	x.Slots, x.Consts, x.Lists, x.States = c.slots, c.consts, c.lists, c.states
}

// Resume goes on where an expression ended, so that more can be compiled for its runs.
func (c *Compilation) Resume(x *program.Expression) {
	c.slots, c.consts, c.states = x.Slots, x.Consts, x.States
}

// Extend notes in an expression what its runs need for what was compiled since resume.
func (c *Compilation) Extend(x *program.Expression) {
	x.Slots, x.States, x.Eager = c.slots, c.states, append(x.Eager, c.eager...)
}

// Leave leaves the slots of an expression to it, where several have one numbering.
func (c *Compilation) Leave(x *program.Expression) { c.slots = max(c.slots, x.Slots) }

// Share gives an expression all slots of the numbering.
func (c *Compilation) Share(x *program.Expression) { x.Slots = c.slots }
