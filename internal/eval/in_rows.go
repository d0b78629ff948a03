package eval

import (
	"slices"

	"tunic/internal/eval/class"
	"tunic/internal/eval/program"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
)

// IN of rows compares a row with a list of rows of constants, column by column: it is
// true if one of them is the same, and unknown if one would be but for a NULL.

// rowMember is a row of the list, or all of those that the statement's text repeats:
// then it has, for each column, the members of the forms that there are.
type rowMember struct {
	cells [][]member
	list  bool
}

// rowCell is a cell of a row of constants: how it is compared, and its value.
type rowCell struct {
	of   *comparison // nil for NULL
	item program.Datum
}

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
		unknown := false
		for _, row := range rows {
			same, known := sameRow(r, columns, row)
			if same && known {
				return program.TrueDatum
			}
			unknown = unknown || same
		}
		if unknown {
			return program.NullDatum
		}
		return program.FalseDatum
	}
}

// sameRow reports whether no column differs from that of a row, and whether that is
// known of all of them.
func sameRow(r *program.Run, columns []*program.Node, row []rowCell) (same, known bool) {
	known = true
	for i := range row {
		k := row[i].of
		switch {
		case k == nil || columns[i].Ev(r).Null:
			known = false
		case k.compare(r, k.a(r), &row[i].item) != 0:
			return false, true
		}
	}
	return true, known
}

// rowsOf reads the constants.
func rowsOf(r *program.Run, members []rowMember) (rows [][]rowCell) {
	for i := range members {
		m := &members[i]
		if !m.list {
			row := make([]rowCell, len(m.cells))
			for k, cell := range m.cells {
				row[k] = readCell(r, &cell[0])
			}
			rows = append(rows, row)
			continue
		}
		for n := range r.In.Lists[r.X.Lists[m.listOf()].Index] {
			row := make([]rowCell, len(m.cells))
			for k, cell := range m.cells {
				row[k] = listCell(r, cell, n)
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// listOf is one of the lists of the columns, which are all as long.
func (m *rowMember) listOf() int { return m.cells[0][0].list }

// readCell reads a constant.
func readCell(r *program.Run, m *member) rowCell {
	d := m.b(r)
	if d.Null {
		return rowCell{}
	}
	cell := rowCell{of: &m.comparison, item: *d}
	cell.item.B = append([]byte(nil), d.B...)
	return cell
}

// listCell reads the n-th constant of a list.
func listCell(r *program.Run, members []member, n int) rowCell {
	list := &r.X.Lists[members[0].list]
	s := &r.In.Lists[list.Index][n]
	proto := list.Proto(s.Form)
	switch {
	case s.Form == value.FormNull:
		return rowCell{}
	case proto == nil:
		r.Err = program.ErrShape
		return rowCell{}
	}
	for i := range members {
		if m := &members[i]; m.form == s.Form {
			if err := program.SetSource(&r.Slots[m.slot], s, proto.Shape); err != nil {
				r.Err = err
			}
			return readCell(r, m)
		}
	}
	return rowCell{}
}
