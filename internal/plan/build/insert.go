package build

import (
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/recipe"
	"tunic/internal/resolve"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// insert plans INSERT and REPLACE of rows of values: one stored statement, in
// which every value of a protected column is as many as the column has forms.
func (b *Builder) insert(n *ast.Insert) *ending {
	switch {
	case len(n.Partitions) > 0:
		return beyond("PARTITION")
	case n.RowAlias != nil && len(n.OnDup) == 0:
		return beyond("an alias of the new row")
	}
	rows, ok := n.Rows.(ast.Values)
	if !ok {
		return unknown()
	}
	if b.scope == nil {
		if end := b.over(n.Table); end != nil {
			return end
		}
	}
	b.Run.Ignore, b.inserts().Updates = bool(n.Ignore), len(n.OnDup) > 0
	if end := b.readGuards(); end != nil {
		return end
	}
	if n.Action == ast.ReplaceAct {
		if end := b.unreferred(nil, "REPLACE"); end != nil {
			return end
		}
	}
	b.drawn = sequences{}
	b.valueless = !slices.ContainsFunc(rows, func(row ast.ValTuple) bool { return len(row) > 0 })
	named, end := b.insertColumns(n.Columns)
	if end != nil {
		return end
	}
	left := b.leftOut(named)
	b.given = named
	stored := &ast.Insert{
		Action: n.Action, Comments: n.Comments, Ignore: n.Ignore, Table: n.Table,
		Columns: append(b.scope.StoredNames(append(append([]int(nil), named...), left...)), b.scope.FamilyNames()...),
	}
	if stored.Rows, end = b.rows(rows, named, left, n.OnDup); end != nil {
		return end
	}
	if end := b.give(rows, named); end != nil {
		return end
	}
	if b.updatesPlain(n, named) {
		return b.storePlain(n, stored, named, left)
	}
	if end := b.storeInsert(stored); end != nil {
		return end
	}
	if len(n.OnDup) == 0 {
		return b.returning(stored)
	}
	return b.upsert(n, stored, &newRows{named: named, left: left, cells: rows})
}

// inserts is what a Run of an INSERT does, as far as it is planned. Without others its rows are those of
// the text.
func (b *Builder) inserts() *recipe.Insert {
	insert, ok := b.Run.Does.(*recipe.Insert)
	if !ok {
		insert = &recipe.Insert{Rows: &recipe.TextRows{}}
		b.Run.Does = insert
	}
	return insert
}

// storePlain stores a statement whose ON DUPLICATE KEY UPDATE is the server's.
func (b *Builder) storePlain(n, stored *ast.Insert, named, left []int) (end *ending) {
	if stored.RowAlias, end = b.storedAlias(n, named, left); end != nil {
		return end
	}
	stored.OnDup = n.OnDup
	return b.storeInsert(stored)
}

// insertColumns are the columns that a row has values for, in its order.
func (b *Builder) insertColumns(names ast.Columns) ([]int, *ending) {
	var all []int
	if len(names) == 0 {
		if b.valueless {
			return nil, nil
		}
		for i := range b.scope.Table.Columns {
			if !b.scope.At(i).Invisible {
				all = append(all, i)
			}
		}
		return all, nil
	}
	for _, name := range names {
		i := b.scope.Table.Column(name.String())
		switch {
		case i < 0:
			return nil, unknown()
		case slices.Contains(all, i) && b.scope.At(i).Family != "":
			return nil, &ending{wrong: "a column is named twice"} // the form of its family is named once
		}
		all = append(all, i)
	}
	return all, nil
}

// leftOut are the protected columns that a row has no value for and that the server
// cannot fill: those whose default is not NULL, and those of families that are not in their form alone.
func (b *Builder) leftOut(named []int) []int {
	given := make([]bool, len(b.scope.Table.Columns))
	for _, i := range named {
		given[i] = true
		if copied := b.scope.Table.PlainShadow(i); copied >= 0 {
			given[copied] = true
		}
	}
	var left []int
	for i := range b.scope.Table.Columns {
		if b.scope.Table.ShadowOf(i) >= 0 {
			continue // it is written with the column that it copies
		}
		if c := b.scope.At(i); c.Protected() && !given[i] && !b.onlyInForm(i) && (c.Default.Kind != catalog.DefaultNull || b.inFamily(i) || b.held(i)) {
			left = append(left, i)
		}
	}
	return left
}

// onlyInForm reports whether a row that has no value for a column says so in the form of its family alone: its default is NULL,
// which its layers have from the server, so that nobody needs a privilege on them.
func (b *Builder) onlyInForm(i int) bool {
	c := b.scope.At(i)
	return c.Family != "" && c.Default.Kind == catalog.DefaultNull && c.Shadows == "" && b.scope.Table.Shadow(i) < 0 && !b.held(i)
}

// inFamily reports whether a column is in a family, or comes into one.
func (b *Builder) inFamily(i int) bool {
	next := b.scope.Table.Shadow(i)
	return b.scope.At(i).Family != "" || next >= 0 && b.scope.At(next).Family != ""
}

// rows are the stored forms of rows of values.
func (b *Builder) rows(rows ast.Values, named, left []int, updates ast.OnDup) (ast.Values, *ending) {
	values := make(ast.Values, 0, len(rows))
	for i, row := range rows {
		b.drawn.begin(i, row)
		r, end := b.row(row, named, left, updates)
		if end != nil {
			return nil, end
		}
		values = append(values, r)
	}
	return values, nil
}

// row is the stored form of a row of values.
func (b *Builder) row(row ast.ValTuple, named, left []int, updates ast.OnDup) (ast.ValTuple, *ending) {
	if len(row) != len(named) {
		return nil, &ending{wrong: "a row has not as many values as there are columns"}
	}
	stored := make(ast.ValTuple, 0, 2*len(row))
	b.rowGiven = nil
	first := len(b.Run.Slots)
	for at, e := range row {
		if cells, ok := b.ignored(named[at], e); ok {
			stored = append(stored, cells...)
			continue
		}
		if end := b.settable(named[at], e); end != nil {
			return nil, end
		}
		cells, end := b.cell(named[at], e, row)
		if end != nil {
			return nil, end
		}
		stored = append(stored, cells...)
	}
	for _, i := range left {
		o := recipe.Operand{Kind: recipe.FromDefault, Updated: b.updates(updates, i)}
		stored = append(stored, b.rowForms(i, o, repeatedWith(row))...)
	}
	for i := range b.scope.Table.Columns {
		if b.onlyInForm(i) && !slices.Contains(named, i) {
			b.rowGiven = append(b.rowGiven, recipe.Member{Column: i, Of: recipe.Operand{Kind: recipe.FromDefault}})
		}
	}
	records, ok := b.records().row(b.rowGiven, repeatedWith(row))
	if !ok {
		return nil, unknown()
	}
	if len(records) > 0 { // their slots are behind those of other columns
		b.Run.Slots[first].First = b.rowGiven
	}
	return append(stored, records...), nil
}

// records makes the slots of families.
func (b *Builder) records() records { return records{b.scope, b.slot} }

// updates reports whether ON DUPLICATE KEY UPDATE sets a column.
func (b *Builder) updates(all ast.OnDup, column int) bool {
	return slices.ContainsFunc(all, func(e *ast.UpdateExpr) bool {
		return b.scope.Table.Column(e.Name.Name.String()) == column
	})
}

// cell is the stored form of one value for a column. That of a plain column stays
// as the client wrote it, if it speaks of no other column.
func (b *Builder) cell(i int, written ast.Expr, row ast.ValTuple) (ast.ValTuple, *ending) {
	e, end := b.takeSequences(i, written)
	if end != nil {
		return nil, end
	}
	if !b.scope.At(i).Protected() {
		use, end := refusing(b.scope.UseOf(e))
		if end == nil && use == resolve.Protected {
			end = beyond("a value computed from a protected column")
		}
		copied := b.scope.Table.PlainShadow(i)
		if end != nil || copied < 0 {
			return ast.ValTuple{written}, end
		}
		i = copied
	}
	if _, end := refusing(b.scope.UseOf(e)); end != nil {
		return nil, end
	}
	o, arg, ok := b.assigned(i, e)
	if !ok {
		return nil, beyond("a value computed from another column")
	}
	if o.Computed != nil {
		o.Computed.OnceARow = true
	}
	if e != written {
		arg = repeatedWith(row)
	}
	return b.rowForms(i, o, arg), nil
}

// assigned is the value that a column is set to, if it does not depend on a row. arg
// is the bind variable that the value is repeated with.
func (b *Builder) assigned(i int, to ast.Expr) (recipe.Operand, *ast.Argument, bool) {
	if d, ok := to.(*ast.Default); ok {
		own := d.ColName == "" || strings.EqualFold(d.ColName, b.scope.At(i).Name) || strings.EqualFold(d.ColName, b.scope.At(i).Shadows)
		return recipe.Operand{Kind: recipe.FromDefault}, nil, own
	}
	if o, arg, ok := operand(to); ok {
		return o, arg, true
	}
	use, err := b.scope.UseOf(to)
	computed := err == nil && use == resolve.Constant && walk(func(n ast.Node) (bool, *ending) {
		switch n.(type) {
		case *ast.Default, *ast.ValuesFuncExpr:
			return false, unknown() // of a row
		}
		return true, nil
	}, to) == nil
	return recipe.Operand{Kind: recipe.FromComputed, Computed: &recipe.Computed{Expr: to}}, repeatedWith(to), computed
}

// repeatedWith is a bind variable of an expression, or of a row, that has a value for
// each element of a group, nil if none has.
func repeatedWith(e ast.Expr) (found *ast.Argument) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if a, ok := n.(*ast.Argument); ok {
			if p, ok := sql.PlaceOf(a); ok && p.Group >= 0 {
				found = a
			}
		}
		return found == nil, nil
	}, e)
	return found
}

// rowForms are the slots that a row has for a column, and for the one that is to take its
// place. What a column copies is written as the value that was sealed: the two are one,
// whatever the client has written.
func (b *Builder) rowForms(i int, o recipe.Operand, arg *ast.Argument) ast.ValTuple {
	if b.scope.At(i).Shadows == "" {
		forms := b.forms(i, o, arg)
		if next := b.scope.Table.Shadow(i); next >= 0 {
			forms = append(forms, b.forms(next, o, arg)...)
		}
		return forms
	}
	value := b.slot(recipe.Slot{Column: i, Form: recipe.Value, Of: o}, arg)
	return append(ast.ValTuple{value}, b.forms(i, o, arg)...)
}

// forms are the slots of all forms that a protected column has by itself, of one value. Of a column of a family, which has
// none with the value, the row's form is given it.
func (b *Builder) forms(i int, o recipe.Operand, arg *ast.Argument) (slots ast.ValTuple) {
	c := b.scope.At(i)
	b.rowGiven = append(b.rowGiven, recipe.Member{Column: i, Of: o})
	if c.Family == "" {
		slots = append(slots, b.slot(recipe.Slot{Column: i, Form: recipe.Sealed, Of: o}, arg))
	}
	for _, l := range c.Layers {
		slots = append(slots, b.slot(recipe.Slot{Column: i, Form: recipe.FormOf(&l), Layer: l.Capability, Of: o}, arg))
	}
	return slots
}
