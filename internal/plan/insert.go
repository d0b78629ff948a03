package plan

import (
	"tunic/internal/catalog"
	"tunic/internal/resolve"
	"tunic/internal/sql/ast"
)

// insert plans INSERT and REPLACE of rows of values: one stored statement, in
// which every value of a protected column is as many as the column has forms.
func (b *builder) insert(n *ast.Insert) error {
	switch {
	case len(n.Partitions) > 0:
		return &resolve.Beyond{What: "PARTITION"}
	case len(n.OnDup) > 0:
		return &resolve.Beyond{What: "ON DUPLICATE KEY UPDATE"}
	case n.RowAlias != nil:
		return &resolve.Beyond{What: "an alias of the new row"}
	}
	rows, ok := n.Rows.(ast.Values)
	if !ok {
		return &resolve.Beyond{What: "INSERT of the rows of a query"}
	}
	if err := b.over(n.Table); err != nil {
		return err
	}
	b.run.Ignore = bool(n.Ignore)
	named, err := b.insertColumns(n.Columns)
	if err != nil {
		return err
	}
	left := b.leftOut(named)
	stored := &ast.Insert{
		Action: n.Action, Comments: n.Comments, Ignore: n.Ignore, Table: n.Table,
		Columns: b.storedColumns(append(append([]int(nil), named...), left...)),
	}
	values := make(ast.Values, 0, len(rows))
	for _, row := range rows {
		r, err := b.row(row, named, left)
		if err != nil {
			return err
		}
		values = append(values, r)
	}
	stored.Rows = values
	b.run.Remote, err = b.store(stored)
	return err
}

// insertColumns are the columns that a row has values for, in its order.
func (b *builder) insertColumns(names ast.Columns) ([]int, error) {
	var all []int
	if len(names) == 0 {
		for i := range b.scope.Table.Columns {
			if !b.column(i).Invisible {
				all = append(all, i)
			}
		}
		return all, nil
	}
	for _, name := range names {
		i := b.scope.Table.Column(name.String())
		if i < 0 {
			return nil, errUnknown
		}
		all = append(all, i)
	}
	return all, nil
}

// leftOut are the protected columns that a row has no value for and that the server
// cannot fill: those whose default is not NULL.
func (b *builder) leftOut(named []int) []int {
	given := make([]bool, len(b.scope.Table.Columns))
	for _, i := range named {
		given[i] = true
	}
	var left []int
	for i := range b.scope.Table.Columns {
		if c := b.column(i); c.Protected() && !given[i] && c.Default.Kind != catalog.DefaultNull {
			left = append(left, i)
		}
	}
	return left
}

// storedColumns are the names of all forms of these columns.
func (b *builder) storedColumns(columns []int) ast.Columns {
	var names ast.Columns
	for _, i := range columns {
		c := b.column(i)
		names = append(names, ast.Identifier(c.Name))
		for _, l := range c.Layers {
			names = append(names, ast.Identifier(l.Stored))
		}
	}
	return names
}

// row is the stored form of a row of values.
func (b *builder) row(row ast.ValTuple, named, left []int) (ast.ValTuple, error) {
	if len(row) == 0 && len(named) == len(b.scope.Table.Columns) {
		return nil, &resolve.Beyond{What: "a row without values"}
	}
	if len(row) != len(named) {
		return nil, &Wrong{"a row has not as many values as there are columns"}
	}
	stored := make(ast.ValTuple, 0, 2*len(row))
	for at, e := range row {
		cells, err := b.cell(named[at], e)
		if err != nil {
			return nil, err
		}
		stored = append(stored, cells...)
	}
	for _, i := range left {
		stored = append(stored, b.forms(i, Operand{Kind: FromDefault}, anyArgument(row))...)
	}
	return stored, nil
}

// cell is the stored form of one value for a column. That of a plain column stays
// as the client wrote it, if it speaks of no other column.
func (b *builder) cell(i int, e ast.Expr) (ast.ValTuple, error) {
	if !b.column(i).Protected() {
		use, err := b.scope.UseOf(e)
		if err == nil && use == resolve.Protected {
			err = &resolve.Beyond{What: "a value computed from a protected column"}
		}
		return ast.ValTuple{e}, err
	}
	if d, ok := e.(*ast.Default); ok && d.ColName == "" {
		return b.forms(i, Operand{Kind: FromDefault}, nil), nil
	}
	o, arg, ok := operand(e)
	if !ok {
		return nil, &resolve.Beyond{What: "an expression as a value"}
	}
	return b.forms(i, o, arg), nil
}

// forms are the slots of all forms of one value of a protected column.
func (b *builder) forms(i int, o Operand, arg *ast.Argument) ast.ValTuple {
	c := b.column(i)
	slots := ast.ValTuple{b.slot(Slot{Column: i, Form: Sealed, Of: o}, arg)}
	for _, l := range c.Layers {
		slots = append(slots, b.slot(Slot{Column: i, Form: Token, Layer: l.Capability, Of: o}, arg))
	}
	return slots
}

// anyArgument is a bind variable of a row: what a value that the row does not have
// is repeated with, where the row stands for many.
func anyArgument(row ast.ValTuple) *ast.Argument {
	for _, e := range row {
		if _, arg, ok := operand(e); ok && arg != nil {
			return arg
		}
	}
	return nil
}
