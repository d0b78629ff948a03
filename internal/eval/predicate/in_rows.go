package predicate

import (
	"slices"

	"tunic/internal/eval/class"
	"tunic/internal/eval/comparison"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
	"tunic/internal/sql/ast"
)

// IN of rows compares a row with a list of rows, column by column: it is true if one of
// them is the same, and unknown if one would be but for a NULL.

// inRows compiles IN and NOT IN of rows.
func inRows(c *compilation.Compilation, e *ast.ComparisonExpr, left ast.ValTuple) (*program.Node, error) {
	list, ok := e.Right.(ast.ValTuple)
	if !ok {
		return nil, refusal.Of("IN of this kind")
	}
	columns, err := c.All(left)
	if err != nil {
		return nil, err
	}
	from, constant := slices.Clone(columns), true
	for _, n := range columns {
		n.Ev = c.PerRow(n, n.Ev)
	}
	var members []comparison.RowMember
	for _, item := range list {
		m, err := rowMember(c, columns, item)
		if err != nil {
			return nil, err
		}
		for _, cell := range m.Cells {
			for i := range cell {
				from = append(from, cell[i].Node)
				constant = constant && cell[i].Node.Constant
			}
		}
		members = append(members, m)
	}
	if len(members) > 1 || len(members) == 1 && members[0].List {
		if err := amongSeveral(c, columns, members); err != nil {
			return nil, err
		}
	}
	ev := anyRow(columns, members)
	if constant {
		ev = evalRows(c, columns, members)
	}
	ev = comparison.NegatedIf(e.Operator == ast.NotInOp, ev)
	return program.Derive(class.BoolShape, ev, from...), nil
}

// rowMember compiles a row of the list.
func rowMember(c *compilation.Compilation, columns []*program.Node, item ast.Expr) (comparison.RowMember, error) {
	row, ok := item.(ast.ValTuple)
	if !ok || len(row) != len(columns) {
		return comparison.RowMember{}, refusal.Of("rows of different numbers of columns")
	}
	m := comparison.RowMember{}
	for i, e := range row {
		a, ok := e.(*ast.Argument)
		isList := ok && groupOfItems(a)
		if i > 0 && isList != m.List {
			return m, refusal.Of("IN of rows that are repeated in part")
		}
		m.List = isList
		cell, err := membersOf(c, columns[i], ast.ValTuple{e})
		if err != nil {
			return m, err
		}
		m.Cells = append(m.Cells, cell)
	}
	return m, nil
}

// anyRow compares with rows of which a column is part: they are read for each row of the left side.
func anyRow(columns []*program.Node, members []comparison.RowMember) program.Evaluator {
	return func(r *program.Run) *program.Datum {
		return comparison.FindRow(r, columns, comparison.RowsOf(r, members))
	}
}

// evalRows compares with rows that are read once a run.
func evalRows(c *compilation.Compilation, columns []*program.Node, members []comparison.RowMember) program.Evaluator {
	state := c.State()
	c.AtStart(func(r *program.Run) *program.Datum {
		r.States[state] = comparison.RowsOf(r, members)
		return program.NullDatum
	})
	return func(r *program.Run) *program.Datum {
		rows, _ := r.States[state].([][]comparison.RowCell)
		return comparison.FindRow(r, columns, rows)
	}
}
