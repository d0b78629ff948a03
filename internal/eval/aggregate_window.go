package eval

import (
	"tunic/internal/sql/ast"

	"tunic/internal/eval/program"
)

// CompileWindowed compiles an aggregate function that has an OVER, which is not
// looked at: whoever adds rows decides which are in the frame. Its errors are those
// of Compile. Variances are refused: MySQL computes those of windows another way than
// those of groups, with other last digits, and MariaDB rounds them.
func CompileWindowed(e ast.AggrFunc, scope Scope, session program.Session) (*Aggregate, error) {
	switch e.(type) {
	case *ast.CountStar, *ast.Count, *ast.Sum, *ast.Avg, *ast.Min, *ast.Max, *ast.BitAnd, *ast.BitOr, *ast.BitXor:
		return (&compiler{scope: scope, session: session}).aggregateFunction(e)
	}
	return nil, refuse(upper(e.AggrName()) + " OVER")
}

// remover is a family that can take a row out of a group again, with a result as if
// it had never been there.
type remover interface {
	// remove takes out the row whose arguments are in acc.data.
	remove(acc *Accumulation, g *Group) error
}

// Removes reports whether Remove is exact.
func (a *Aggregate) Removes() bool {
	if f, ok := a.family.(*bitwise); ok {
		return f.name == "BIT_XOR"
	}
	_, ok := a.family.(remover)
	return ok && !a.distinct
}

// Rounds reports whether the result depends on the order in which rows are added, in
// its last digits: that of doubles.
func (a *Aggregate) Rounds() bool {
	_, ok := a.family.(*inexact)
	return ok
}

// Remove takes a row out of a group that it has been added to.
func (acc *Accumulation) Remove(g *Group, row program.Row) error {
	if counts, err := acc.take(row); err != nil || !counts {
		return err
	}
	g.count--
	f, ok := acc.of.family.(remover)
	if !ok {
		return refuse(acc.of.operation())
	}
	return f.remove(acc, g)
}

func (counting) remove(*Accumulation, *Group) error { return nil }

func (f *summing) remove(acc *Accumulation, g *Group) error {
	r := acc.args[0]
	x := exactDatum(r.X.Root, acc.data[0])
	sum := g.exact
	if !g.exact.Sub(&sum, &x) || !g.exact.IsExact() {
		r.Refuse(f.name)
	}
	return r.Fail()
}

// remove is exact for BIT_XOR alone.
func (f *bitwise) remove(acc *Accumulation, g *Group) error {
	r := acc.args[0]
	if d := f.integer(r); r.Err == nil {
		g.best.N ^= d.N
	}
	return r.Fail()
}
