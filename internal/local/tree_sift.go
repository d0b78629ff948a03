package local

import (
	"slices"

	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
)

// A row of a leaf may have come in several cells, each with a form of its own: that of a join has one of each table. Where
// a part of the leaf's condition reads columns of some cells only, the others are not opened for a row that it is false of.

// sifting are the parts of a leaf's condition, in their order.
type sifting struct {
	parts []sieved
	// quiet says that no part warns of a row, so that it does not matter which of them are computed.
	quiet bool
}

// sieved is a part of a condition.
type sieved struct {
	*expression
	columns []int // of the leaf's row, that it reads
}

// sift finds the parts of the condition of a leaf's rows, nil if they would spare nothing: the rows are in one cell, or
// have no condition. own compiles what is computed from the columns of the leaf.
func (c *compiler) sift(f *recipe.Source, own *compiler) *sifting {
	scan, ok := f.Of.(*recipe.Scan)
	if !ok || f.Where == nil {
		return nil
	}
	cells, several := c.query.formsOf(scan.Leaf)
	if !several {
		return nil
	}
	parts := ast.Conjuncts(f.Where, nil)
	made := &sifting{quiet: !slices.ContainsFunc(parts, func(e ast.Expr) bool { return !own.isQuiet(e) })}
	if made.quiet {
		parts = append(own.implied(parts, cells), parts...)
	}
	for _, part := range parts {
		x, err := own.expression(part)
		if err != nil || x.twin != nil {
			return nil
		}
		made.parts = append(made.parts, sieved{expression: x, columns: own.columnsIn(part)})
	}
	return made
}

// formsOf are the cells that columns of a leaf's rows have to be opened of, -1 for others, and whether there are several.
func (q *Query) formsOf(leaf int) (cells []int, several bool) {
	of, first := &q.run.Tree.Leaves[leaf], -1
	for _, f := range q.run.Fetch[of.From:of.To] {
		switch {
		case !f.Opened:
			cells = append(cells, -1)
			continue
		case first < 0:
			first = f.Cell
		}
		several = several || f.Cell != first
		cells = append(cells, f.Cell)
	}
	return cells, several
}

// implied are conditions of columns in one cell each that conditions of several cells cannot be true without:
// p = 1 OR p = 2 of p = 1 AND q = 1 OR p = 2 AND q = 2.
func (c *compiler) implied(parts []ast.Expr, cells []int) (all []ast.Expr) {
	for _, part := range parts {
		branches := disjuncts(part, nil)
		of := c.cellsOf(part, cells)
		if len(branches) < 2 || len(of) < 2 {
			continue
		}
		for _, cell := range of {
			if e := c.impliedOf(branches, cell, cells); e != nil {
				all = append(all, e)
			}
		}
	}
	return all
}

// impliedOf is what branches, one of which is true, say of a cell; nil if one of them says nothing.
func (c *compiler) impliedOf(branches []ast.Expr, cell int, cells []int) (any ast.Expr) {
	for _, branch := range branches {
		var both ast.Expr
		for _, part := range ast.Conjuncts(branch, nil) {
			switch of := c.cellsOf(part, cells); {
			case len(of) != 1 || of[0] != cell:
			case both == nil:
				both = part
			default:
				both = &ast.AndExpr{Left: both, Right: part}
			}
		}
		switch {
		case both == nil:
			return nil
		case any == nil:
			any = both
		default:
			any = &ast.OrExpr{Left: any, Right: both}
		}
	}
	return any
}

// cellsOf are the cells that columns of an expression are in.
func (c *compiler) cellsOf(e ast.Expr, cells []int) (all []int) {
	for _, i := range c.columnsIn(e) {
		if cell := cells[i]; !slices.Contains(all, cell) {
			all = append(all, cell)
		}
	}
	return all
}

// disjuncts appends the parts of a condition of which one has to be true.
func disjuncts(e ast.Expr, all []ast.Expr) []ast.Expr {
	if or, ok := e.(*ast.OrExpr); ok {
		return disjuncts(or.Right, disjuncts(or.Left, all))
	}
	return append(all, e)
}

// columnsIn are the columns of the row that an expression reads.
func (c *compiler) columnsIn(e ast.Expr) (all []int) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if name, ok := n.(*ast.ColName); ok {
			if i := c.scope.find(name); i >= 0 && !slices.Contains(all, i) {
				all = append(all, i)
			}
		}
		return true, nil
	}, e)
	return all
}
