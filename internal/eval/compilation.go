package eval

import (
	"tunic/internal/eval/class"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
)

// compiler compiles one expression.
type compiler struct {
	scope   Scope
	session program.Session
	every   func(c *compiler, e ast.Expr) (*program.Node, error) // compiles an expression of any kind
	slots   int
	consts  []program.Constant
	lists   []program.ItemList
	eager   []program.Evaluator // what a run computes when it starts
	states  int                 // of what a run builds once: see Run.states
	refusal error               // found where an error cannot be returned
	denied  int                 // how many NOT are around what is compiled
	// observe is told every operation on its operands that is asked for, and lets
	// all of them pass: the differential test measures with it.
	observe func(operation, operands string)
}

// newCompiler begins to compile for a scope and a session. every compiles an expression of any kind: it knows
// all families.
func newCompiler(scope Scope, session program.Session, every func(c *compiler, e ast.Expr) (*program.Node, error)) *compiler {
	return &compiler{scope: scope, session: session, every: every}
}

// part is a compiler for a part that is evaluated on its own, and so has slots of its own.
func (c *compiler) part() *compiler {
	return &compiler{scope: c.scope, session: c.session, every: c.every, observe: c.observe}
}

// compile compiles an operand.
func (c *compiler) compile(e ast.Expr) (*program.Node, error) { return c.every(c, e) }

// all compiles several expressions.
func (c *compiler) all(list []ast.Expr) ([]*program.Node, error) {
	nodes := make([]*program.Node, len(list))
	for i, e := range list {
		n, err := c.compile(e)
		if err != nil {
			return nil, err
		}
		nodes[i] = n
	}
	return nodes, nil
}

func (c *compiler) slot() int {
	c.slots++
	return c.slots - 1
}

// state is the number of one more of what a run builds once.
func (c *compiler) state() int {
	c.states++
	return c.states - 1
}

// atStart has a run evaluate something when it starts.
func (c *compiler) atStart(ev program.Evaluator) { c.eager = append(c.eager, ev) }

// rules are those of the session.
func (c *compiler) rules() class.Rules {
	return class.Rules{MariaDB: c.session.IsMariaDB(), DivPrecision: c.session.DivPrecision}
}

// numberClass is what a node computes as.
func (c *compiler) numberClass(n *program.Node) class.Class { return n.Number(c.session.IsMariaDB()) }

// resultType is the type of the results of a node that is no column.
func (c *compiler) resultType(n *program.Node) (value.Type, error) {
	t, ok := n.Result(c.session.IsMariaDB())
	if !ok {
		return t, refusal.Of("a result of this type")
	}
	return t, nil
}

// refuseNumber is text as a number where that is another one to the servers. The
// whole expression is refused for it.
func (c *compiler) refuseNumber(operation string) program.Evaluator {
	c.refuse(refusal.Of(operation))
	return func(r *program.Run) *program.Datum { return r.Refuse(operation) }
}

// refuse refuses the whole expression, where no error can be returned.
func (c *compiler) refuse(err error) { c.refusal = err }

// refused is why the whole expression is refused, nil if it is not.
func (c *compiler) refused() error { return c.refusal }

// deny compiles the operand of a NOT, which is to know that it is one.
func (c *compiler) deny(e ast.Expr) (*program.Node, error) {
	c.denied++
	n, err := c.compile(e)
	c.denied--
	return n, err
}

// isDenied reports whether there is a NOT around what is compiled.
func (c *compiler) isDenied() bool { return c.denied > 0 }
