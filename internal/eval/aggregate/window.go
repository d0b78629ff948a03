package aggregate

import (
	"tunic/internal/eval/program"
	"tunic/internal/sqlerr"
)

// remover is a family that can take a row out of a group again, with a result as if
// it had never been there.
type remover interface {
	// remove takes out the row whose arguments are in acc.data.
	remove(acc *Accumulation, g *Group) error
}

// Removes reports whether Remove is exact.
func (a *Aggregate) Removes() bool {
	if f, ok := a.Family.(*Bits); ok {
		return f.Name == "BIT_XOR"
	}
	_, ok := a.Family.(remover)
	return ok && !a.Distinct
}

// Rounds reports whether the result depends on the order in which rows are added, in
// its last digits: that of doubles.
func (a *Aggregate) Rounds() bool {
	_, ok := a.Family.(*InexactSum)
	return ok
}

// Remove takes a row out of a group that it has been added to.
func (acc *Accumulation) Remove(g *Group, row program.Row) error {
	if counts, err := acc.take(row); err != nil || !counts {
		return err
	}
	g.count--
	f, ok := acc.of.Family.(remover)
	if !ok {
		return sqlerr.ExpressionRefused(acc.of.Operation(), "")
	}
	return f.remove(acc, g)
}

func (Count) remove(*Accumulation, *Group) error { return nil }

func (f *Sum) remove(acc *Accumulation, g *Group) error {
	r := acc.args[0]
	x := exactDatum(r.X.Root, acc.data[0])
	sum := g.exact
	if !g.exact.Sub(&sum, &x) || !g.exact.IsExact() {
		r.Refuse(f.Name)
	}
	return r.Fail()
}

// remove is exact for BIT_XOR alone.
func (f *Bits) remove(acc *Accumulation, g *Group) error {
	r := acc.args[0]
	if d := f.Integer(r); r.Err == nil {
		g.best.N ^= d.N
	}
	return r.Fail()
}
