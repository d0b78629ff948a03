package compilation

import (
	"tunic/internal/eval/class"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
)

// Compilation is that of one expression.
type Compilation struct {
	Scope   Scope
	Session program.Session
	every   func(c *Compilation, e ast.Expr) (*program.Node, error) // compiles an expression of any kind
	slots   int
	consts  []program.Constant
	lists   []program.ItemList
	eager   []program.Evaluator // what a run computes when it starts
	states  int                 // of what a run builds once: see Run.states
	refusal error               // found where an error cannot be returned
	denied  int                 // how many NOT are around what is compiled
	// Observe is told every operation on its operands that is asked for, and lets
	// all of them pass: the differential test measures with it.
	Observe func(operation, operands string)
}

// New begins to compile for a scope and a session. every compiles an expression of any kind: it knows
// all families.
func New(scope Scope, session program.Session, every func(c *Compilation, e ast.Expr) (*program.Node, error)) *Compilation {
	return &Compilation{Scope: scope, Session: session, every: every}
}

// Part is a compilation of a part that is evaluated on its own, and so has slots of its own.
func (c *Compilation) Part() *Compilation {
	return &Compilation{Scope: c.Scope, Session: c.Session, every: c.every, Observe: c.Observe}
}

// Compile compiles an operand.
func (c *Compilation) Compile(e ast.Expr) (*program.Node, error) { return c.every(c, e) }

// All compiles several expressions.
func (c *Compilation) All(list []ast.Expr) ([]*program.Node, error) {
	nodes := make([]*program.Node, len(list))
	for i, e := range list {
		n, err := c.Compile(e)
		if err != nil {
			return nil, err
		}
		nodes[i] = n
	}
	return nodes, nil
}

// Slot is the number of one more datum that a run has room for.
func (c *Compilation) Slot() int {
	c.slots++
	return c.slots - 1
}

// State is the number of one more of what a run builds once.
func (c *Compilation) State() int {
	c.states++
	return c.states - 1
}

// AtStart has a run evaluate something when it starts.
func (c *Compilation) AtStart(ev program.Evaluator) { c.eager = append(c.eager, ev) }

// Rules are those of the session.
func (c *Compilation) Rules() class.Rules {
	return class.Rules{MariaDB: c.Session.IsMariaDB(), DivPrecision: c.Session.DivPrecision}
}

// NumberClass is what a node computes as.
func (c *Compilation) NumberClass(n *program.Node) class.Class {
	return n.Number(c.Session.IsMariaDB())
}

// ResultType is the type of the results of a node that is no column.
func (c *Compilation) ResultType(n *program.Node) (value.Type, error) {
	t, ok := n.Result(c.Session.IsMariaDB())
	if !ok {
		return t, refusal.Of("a result of this type")
	}
	return t, nil
}

// RefuseNumber is text as a number where that is another one to the servers. The
// whole expression is refused for it.
func (c *Compilation) RefuseNumber(operation string) program.Evaluator {
	c.Refuse(refusal.Of(operation))
	return func(r *program.Run) *program.Datum { return r.Refuse(operation) }
}

// Refuse refuses the whole expression, where no error can be returned.
func (c *Compilation) Refuse(err error) { c.refusal = err }

// Refused is why the whole expression is refused, nil if it is not.
func (c *Compilation) Refused() error { return c.refusal }

// Deny compiles the operand of a NOT, which is to know that it is one.
func (c *Compilation) Deny(e ast.Expr) (*program.Node, error) {
	c.denied++
	n, err := c.Compile(e)
	c.denied--
	return n, err
}

// IsDenied reports whether there is a NOT around what is compiled.
func (c *Compilation) IsDenied() bool { return c.denied > 0 }
