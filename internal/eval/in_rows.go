package eval

import (
	"slices"

	"tunic/internal/eval/class"
	"tunic/internal/eval/program"
	"tunic/internal/sql/ast"
)

// IN of rows compares a row with a list of rows of constants, column by column: it is
// true if one of them is the same, and unknown if one would be but for a NULL.

// inRows compiles IN and NOT IN of rows.
func (c *compiler) inRows(e *ast.ComparisonExpr, left ast.ValTuple) (*program.Node, error) {
	list, ok := e.Right.(ast.ValTuple)
	if !ok {
		return nil, refuse("IN of this kind")
	}
	columns, err := c.all(left)
	if err != nil {
		return nil, err
	}
	from := slices.Clone(columns)
	for _, n := range columns {
		n.Ev = c.perRow(n, n.Ev)
	}
	var members []rowMember
	for _, item := range list {
		m, err := c.rowMember(columns, item)
		if err != nil {
			return nil, err
		}
		for _, cell := range m.cells {
			for i := range cell {
				if from = append(from, cell[i].node); !cell[i].node.Constant {
					return nil, refuse("IN of rows that are not constant")
				}
			}
		}
		members = append(members, m)
	}
	ev := negatedIf(e.Operator == ast.NotInOp, c.evalRows(columns, members))
	return program.Derive(class.BoolShape, ev, from...), nil
}

// rowMember compiles a row of the list.
func (c *compiler) rowMember(columns []*program.Node, item ast.Expr) (rowMember, error) {
	row, ok := item.(ast.ValTuple)
	if !ok || len(row) != len(columns) {
		return rowMember{}, refuse("rows of different numbers of columns")
	}
	m := rowMember{}
	for i, e := range row {
		a, ok := e.(*ast.Argument)
		isList := ok && groupOfItems(a)
		if i > 0 && isList != m.list {
			return m, refuse("IN of rows that are repeated in part")
		}
		m.list = isList
		cell, err := c.members(columns[i], ast.ValTuple{e})
		if err != nil {
			return m, err
		}
		m.cells = append(m.cells, cell)
	}
	return m, nil
}

// evalRows compares with rows that are read once a run.
func (c *compiler) evalRows(columns []*program.Node, members []rowMember) program.Evaluator {
	state := c.states
	c.states++
	c.eager = append(c.eager, func(r *program.Run) *program.Datum {
		r.States[state] = rowsOf(r, members)
		return program.NullDatum
	})
	return func(r *program.Run) *program.Datum {
		rows, _ := r.States[state].([][]rowCell)
		return findRow(r, columns, rows)
	}
}
