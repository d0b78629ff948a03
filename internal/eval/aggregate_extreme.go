package eval

import (
	"tunic/internal/eval/class"

	"tunic/internal/eval/program"
)

// extreme is MIN or MAX.
type extreme struct {
	nullOfNone
	compare comparator
	least   bool
	// column says that results are columns as they are.
	column bool
}

// extreme compiles MIN and MAX. They compare labels as text, whatever their order is
// in the type (MySQL manual, "Aggregate Function Descriptions").
func (c *compiler) extreme(a *Aggregate) (class.Shape, error) {
	x := a.args[0]
	if class.IsLabel(x.Root.Class) {
		if err := c.labelsAsText(x, a.name); err != nil {
			return class.Shape{}, err
		}
	}
	s := x.Root.Shape
	compare, ok := comparatorOf(s)
	if !ok {
		return s, refuse(a.name)
	}
	a.family = &extreme{compare: compare, least: a.name == "MIN", column: x.At >= 0}
	s.Nullable = true
	return s, nil
}

// labelsAsText makes an expression that is an ENUM or SET column one that is its
// text.
func (c *compiler) labelsAsText(x *program.Expression, operation string) (err error) {
	sub := c.argument()
	sub.slots, sub.consts = x.Slots, x.Consts
	n := &program.Node{Shape: x.Root.Shape}
	n.Class, n.Chars = class.Text, c.textChars(x.Root)
	if n.Ev, err = sub.text(x.Root, operation); err != nil {
		return err
	}
	x.Root, x.Slots, x.At = n, sub.slots, -1
	x.Result, err = c.resultType(n)
	return err
}

// add keeps the argument if it is beyond what the group has.
func (f *extreme) add(acc *Accumulation, g *Group) error {
	r, d := acc.args[0], acc.data[0]
	if g.count > 1 {
		c := f.compare(r, d, &g.best)
		if r.Err != nil {
			return r.Fail()
		}
		if f.least != (c < 0) || c == 0 {
			return nil
		}
	}
	g.best = *d
	g.bytes = append(g.bytes[:0], d.B...)
	g.best.B = g.bytes
	if f.column {
		g.row = append(g.row[:0], r.Row[r.X.At]...)
	}
	return nil
}

func (f *extreme) result(acc *Accumulation, g *Group, out *program.Datum) {
	*out = g.best
	acc.out.Row[0] = g.row
}
