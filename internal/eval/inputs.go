package eval

import (
	"tunic/internal/eval/program"
)

// pin makes a literal's value part of what the expression is compiled for: a bind
// of another value is one of another shape.
func (c *compiler) pin(n *program.Node) {
	if n.Fixed > 0 {
		c.consts[n.Fixed-1].Pinned = true
	}
}

// fix has a run make a datum of a constant when it starts, and returns the constant's number for
// its node.
func (c *compiler) fix(k program.Constant) int {
	c.consts = append(c.consts, k)
	return len(c.consts)
}

// takeBytes has literals that are compared as bytes be any bytes, and not only such as
// their character set has: what drivers send for a BLOB that they write as text.
func (c *compiler) takeBytes(args []*program.Node) {
	for _, n := range args {
		if n.Fixed > 0 {
			c.consts[n.Fixed-1].Shape.Collation = nil
		}
	}
}

// list is the number of the next list of items.
func (c *compiler) list() int { return len(c.lists) }

// addList adds the list of that number.
func (c *compiler) addList(l program.ItemList) { c.lists = append(c.lists, l) }

// eagerly is what a run is to evaluate when it starts, as far as it is known.
func (c *compiler) eagerly() []program.Evaluator { return c.eager }

// write notes in an expression what its runs need.
func (c *compiler) write(x *program.Expression) {
	x.Slots, x.Consts, x.Lists, x.States = c.slots, c.consts, c.lists, c.states
}

// resume goes on where an expression ended, so that more can be compiled for its runs.
func (c *compiler) resume(x *program.Expression) {
	c.slots, c.consts, c.states = x.Slots, x.Consts, x.States
}

// extend notes in an expression what its runs need for what was compiled since resume.
func (c *compiler) extend(x *program.Expression) {
	x.Slots, x.States, x.Eager = c.slots, c.states, append(x.Eager, c.eager...)
}

// leave leaves the slots of an expression to it, where several have one numbering.
func (c *compiler) leave(x *program.Expression) { c.slots = max(c.slots, x.Slots) }

// share gives an expression all slots of the numbering.
func (c *compiler) share(x *program.Expression) { x.Slots = c.slots }
