package predicate

import (
	"tunic/internal/eval/class"
	"tunic/internal/eval/comparison"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/program"
	"tunic/internal/sql/ast"
)

// inList compiles IN and NOT IN.
func inList(c *compilation.Compilation, e *ast.ComparisonExpr) (*program.Node, error) {
	if row, ok := e.Left.(ast.ValTuple); ok {
		return inRows(c, e, row)
	}
	left, err := c.Compile(e.Left)
	if err != nil {
		return nil, err
	}
	left.Ev = c.PerRow(left, left.Ev)
	members, err := membersOf(c, left, e.Right)
	if err != nil {
		return nil, err
	}
	from := []*program.Node{left}
	constant := true
	for i := range members {
		from = append(from, members[i].Node)
		constant = constant && members[i].Node.Constant
	}
	ev := comparison.Any(left.Ev, members)
	if constant {
		ev = evalSet(c, left.Ev, members)
	}
	return program.Derive(class.BoolShape, comparison.NegatedIf(e.Operator == ast.NotInOp, ev), from...), nil
}

// evalSet looks the left side up among constants, which are read once a run.
func evalSet(c *compilation.Compilation, left program.Evaluator, members []comparison.Member) program.Evaluator {
	state := c.State()
	c.AtStart(func(r *program.Run) *program.Datum {
		r.States[state] = comparison.ReadItems(r, members)
		return program.NullDatum
	})
	return func(r *program.Run) *program.Datum {
		if left(r).Null {
			return program.NullDatum
		}
		set, _ := r.States[state].(*comparison.ItemSet)
		return set.Find(r)
	}
}
