package predicate

import (
	"slices"

	"tunic/internal/eval/class"
	"tunic/internal/eval/coercion"
	"tunic/internal/eval/comparison"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
	"tunic/internal/sql/ast"
)

// IN of rows compares a row with a list of rows of constants, column by column: it is
// true if one of them is the same, and unknown if one would be but for a NULL.

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
	from := slices.Clone(columns)
	for _, n := range columns {
		n.Ev = c.PerRow(n, n.Ev)
	}
	var members []comparison.RowMember
	for _, item := range list {
		m, err := rowMember(c, columns, item)
		if err != nil {
			return nil, err
		}
		if m.List || len(list) > 1 {
			if err := byLeft(c, columns, &m); err != nil {
				return nil, err
			}
		}
		for _, cell := range m.Cells {
			for i := range cell {
				if from = append(from, cell[i].Node); !cell[i].Node.Constant {
					return nil, refusal.Of("IN of rows that are not constant")
				}
			}
		}
		members = append(members, m)
	}
	ev := comparison.NegatedIf(e.Operator == ast.NotInOp, evalRows(c, columns, members))
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

// byLeft holds a row to how servers compare text with one of several rows: in the collation of the left side, whatever the row
// has, and in MariaDB byte for byte, without a conversion of character sets (sql/item_cmpfunc.cc, cmp_item_row). Of one row they
// make a comparison by =, which does neither.
func byLeft(c *compilation.Compilation, columns []*program.Node, m *comparison.RowMember) error {
	for i, cell := range m.Cells {
		left := columns[i]
		for k := range cell {
			item := &cell[k]
			switch {
			case item.By == class.Bytes && left.Class == class.Text:
				return refusal.Of("IN of rows with text and bytes")
			case item.By != class.Text:
				continue
			case item.Collation != coercion.TextCollation(c, left):
				return refusal.Of("IN of rows with text in two collations")
			case c.Session.IsMariaDB() && coercion.TextCollation(c, item.Node).Charset != item.Collation.Charset:
				item.Unconverted = item.Node.Ev
			}
		}
	}
	return nil
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
