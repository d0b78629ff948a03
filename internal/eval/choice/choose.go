package choice

import (
	"bytes"

	"tunic/internal/eval/class"
	"tunic/internal/eval/coercion"
	"tunic/internal/eval/comparison"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/predicate"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
)

// compileWhich makes FIELD: which of the others the first one equals, 0 for none.
// All are compared in one way: as text if all are text, as integers if all are
// integers, and else as doubles.
func compileWhich(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	for _, n := range args[1:] {
		if err := c.Allow(name, args[0], n); err != nil {
			return nil, err
		}
	}
	comparisons := make([]comparison.Comparison, len(args)-1)
	for i, n := range args[1:] {
		k, err := fieldComparison(c, name, args[0], n)
		if err != nil {
			return nil, err
		}
		if i > 0 && (k.By != comparisons[0].By || k.Collation != comparisons[0].Collation) {
			return nil, refusal.Of(name + " of several types")
		}
		comparisons[i] = k
	}
	slot := c.Slot()
	return program.NotNullable(program.Derive(class.CountShape, func(r *program.Run) *program.Datum {
		for i := range comparisons {
			k := &comparisons[i]
			x := k.A(r)
			if x.Null {
				break
			}
			if y := k.B(r); !y.Null && k.Compare(r, x, y) == 0 {
				return r.Slots[slot].SetInt(int64(i + 1))
			}
		}
		return r.Slots[slot].SetInt(0)
	}, args...)), nil
}

// fieldComparison is how FIELD compares: without the rules that = has for dates.
func fieldComparison(c *compilation.Compilation, name string, a, b *program.Node) (k comparison.Comparison, err error) {
	switch k.By = class.ComparedAs(&a.Shape, &b.Shape, a.Constant, b.Constant); k.By {
	case class.Int:
		k.A, k.B = coercion.Integer(c, a, name), coercion.Integer(c, b, name)
		k.Compare = comparison.Integers(a.Class.IsUnsigned(), b.Class.IsUnsigned())
	case class.Decimal:
		k.A, k.B, k.Compare = coercion.Decimal(c, a, name), coercion.Decimal(c, b, name), comparison.Decimals
	case class.Double:
		k.A, k.B, k.Compare = coercion.Real(c, a, name), coercion.Real(c, b, name), comparison.Doubles
	case class.Text, class.Bytes:
		if k.By == class.Text && a.Coercible == b.Coercible && coercion.TextCollation(c, a) != coercion.TextCollation(c, b) {
			return k, refusal.Of(name + " of text in two collations") // servers differ in which one counts
		}
		k.A, k.B = a.Ev, b.Ev
		return predicate.CompareStrings(c, name, a, b, k)
	default:
		return k, refusal.Of(name)
	}
	return k, nil
}

// compileElt makes ELT: the n-th of the others.
func compileElt(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	for _, n := range args[1:] {
		if err := c.Allow(name, args[0], n); err != nil {
			return nil, err
		}
	}
	evs, s, err := coercion.Texts(c, name, args[1:]...)
	if err != nil {
		return nil, err
	}
	s.Chars, s.TextOnly = 0, true // as a number it has the digits of the others
	for _, n := range args[1:] {
		s.Chars = max(s.Chars, coercion.TextChars(n))
	}
	which := c.Quiet(coercion.ClampedInteger(c, args[0], name), name)
	return program.Castable(program.Derive(s, func(r *program.Run) *program.Datum {
		n := which(r)
		switch {
		case !n.Null && int64(n.N) != int64(int32(n.N)): // of which MariaDB takes the last 32 bits
			return r.Refuse(name)
		case n.Null, n.N-1 >= uint64(len(evs)):
			return program.NullDatum
		}
		return evs[n.N-1](r)
	}, args...)), nil
}

// compileExtreme compiles GREATEST and LEAST: NULL if one of them is.
func compileExtreme(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	s, evs, err := commonOf(c, name, args)
	if err != nil {
		return nil, err
	}
	if s.Class == class.Timestamp {
		for i := range evs {
			evs[i] = coercion.MomentOnce(c, args[i], evs[i], coercion.ComparedMoment)
		}
	}
	s.TextOnly, s.NumberOnly = true, !s.Class.IsInteger() // the servers compare as what is asked for
	probe := &program.Node{Shape: s}
	compare, ok := comparison.OfShape(s)
	if !ok || s.Class == class.Null && len(args) == 0 {
		return nil, refusal.Of(name)
	}
	want := 1
	if name == "LEAST" {
		want = -1
	}
	n := program.Derive(probe.Shape, func(r *program.Run) *program.Datum {
		best := evs[0](r)
		if best.Null {
			return program.NullDatum
		}
		for _, ev := range evs[1:] {
			d := ev(r)
			if d.Null {
				return program.NullDatum
			}
			switch got := compare(r, d, best); {
			case got == want:
				best = d
			case got == 0 && !bytes.Equal(d.B, best.B):
				return r.Refuse(name) // equal, and not the same: servers differ in which
			}
		}
		return best
	}, args...)
	if s.Class == class.Decimal && !c.Session.IsMariaDB() {
		extended(c, n, name)
	}
	return n, nil
}
