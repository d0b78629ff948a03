package local

import (
	"slices"
	"strings"

	"tunic/internal/eval"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// Servers give some answers about windows that depend on how they go about them, and
// MariaDB some that are not those of SQL. They are refused.

// confuses refuses windows that MariaDB sorts once for all of them though they differ:
// where the keys of one are the first of those of two others, and these are not alike.
// It compares each with the next, and so PARTITION BY b is computed of rows sorted by
// a if OVER () stands between OVER (ORDER BY a) and it.
func (c *compiler) confuses(of []*ast.WindowSpecification) error {
	if c.program.session.Flavor != value.MariaDB {
		return nil
	}
	keys := make([][]*ast.Order, len(of))
	for i, spec := range of {
		for _, e := range spec.PartitionClause {
			keys[i] = append(keys[i], &ast.Order{Expr: e})
		}
		keys[i] = append(keys[i], spec.OrderClause...)
	}
	for i, a := range keys {
		for _, b := range keys[:i] {
			if begins(a, b) || begins(b, a) {
				continue
			}
			if slices.ContainsFunc(keys, func(first []*ast.Order) bool { return begins(first, a) && begins(first, b) }) {
				return sqlerr.ExpressionRefused("OVER", "several windows that MariaDB takes for one,")
			}
		}
	}
	return nil
}

// begins reports whether keys are the first of others, or all of them.
func begins(first, all []*ast.Order) bool {
	if len(first) > len(all) {
		return false
	}
	for i, k := range first {
		if !ast.Equal(k, all[i]) {
			return false
		}
	}
	return true
}

// slides refuses aggregate functions whose results depend on how a server goes about
// frames. Doubles depend on the order in which they are added and taken out, where the
// frame begins at other rows than the first. MariaDB counts the bits of BIT_AND and its
// kin, and miscounts them.
func (c *compiler) slides(f ast.AggrFunc, a *eval.Aggregate, of *frame) error {
	if a.Rounds() && !of.fixedStart() {
		return sqlerr.ExpressionRefused(f.AggrName(), "DOUBLE, over such a frame,")
	}
	switch f.(type) {
	case *ast.BitAnd, *ast.BitOr, *ast.BitXor:
		if c.program.session.Flavor == value.MariaDB {
			return sqlerr.ExpressionRefused(strings.ToUpper(f.AggrName())+" OVER", "")
		}
	}
	return fixedPoint(a.Type())
}

// fixedPoint refuses results that are doubles with a number of digits after the point:
// MariaDB rounds them when it puts them into its temporary table.
func fixedPoint(t *value.Type) error {
	if (t.Kind == value.Double || t.Kind == value.Float) && t.Length > 0 {
		return sqlerr.ExpressionRefused("OVER", "DOUBLE with a number of digits")
	}
	return nil
}

// backward compiles the condition that a frame ends before it begins: MariaDB puts rows
// into some of them. nil if it cannot.
func (c *compiler) backward(start, end *ast.FramePoint) (*expression, error) {
	switch {
	case c.program.session.Flavor != value.MariaDB || start.Expr == nil || end.Expr == nil:
		return nil, nil //nolint:nilnil // there is no such condition
	case start.Type == ast.ExprFollowingType && end.Type == ast.ExprPrecedingType:
		return nil, errBackward()
	case start.Type != end.Type:
		return nil, nil //nolint:nilnil // it ends behind the row, and begins before it
	}
	before, behind := start.Expr, end.Expr
	if start.Type == ast.ExprPrecedingType {
		before, behind = behind, before
	}
	return c.expression(&ast.ComparisonExpr{Operator: ast.GreaterThanOp, Left: before, Right: behind})
}

// forward refuses an execution of which the condition is true.
func (f *frame) forward(x *Execution) error {
	if f.backward == nil {
		return nil
	}
	run, err := f.backward.Begin(x)
	if err != nil {
		return err
	}
	if truth, err := run.Truth(nil); err != nil || truth != eval.False {
		return errBackward()
	}
	return nil
}

func errBackward() error {
	return sqlerr.ExpressionRefused("OVER", "a frame that ends before it begins")
}
