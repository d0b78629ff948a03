package grouping

import (
	"tunic/internal/eval/aggregate"
	"tunic/internal/eval/class"
	"tunic/internal/eval/coercion"
	"tunic/internal/eval/comparison"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
	"tunic/internal/sql/ast"
)

// aggregateOf compiles the arguments of an aggregate function, and the function.
func aggregateOf(c *compilation.Compilation, a *aggregate.Aggregate, list ...ast.Expr) (*aggregate.Aggregate, error) {
	for _, e := range list {
		sub := c.Part()
		x, err := coercion.Expression(sub, e)
		if err != nil {
			return nil, err
		}
		if err := c.Allow(a.Operation(), x.Root); err != nil {
			return nil, err
		}
		if a.Distinct { // the servers compare what they have put into a table
			if err := tellsApart(a.Operation(), x.Root); err != nil {
				return nil, err
			}
			x.Root.Ev = coercion.WithoutZeros(sub, x.Root, x.Root.Ev, a.Operation())
		}
		if a.Distinct || a.Name == "MIN" || a.Name == "MAX" {
			x.Root.Ev = coercion.MomentOnce(sub, x.Root, x.Root.Ev, coercion.ComparedMoment)
		}
		a.Args = append(a.Args, x)
	}
	out, err := familyOf(c, a)
	if err != nil {
		return nil, err
	}
	return a, finishAggregate(c, a, out)
}

// tellsApart refuses DISTINCT where it is not known which strings are equal.
func tellsApart(operation string, n *program.Node) error {
	if n.Class != class.Text {
		return nil
	}
	if exact, _ := n.Collation.Exact(); !exact {
		return refusal.Of(operation + " in " + n.Collation.Name)
	}
	return nil
}

// familyOf chooses what an aggregate function does, and the shape of its results
// (MySQL manual, "Aggregate Function Descriptions").
func familyOf(c *compilation.Compilation, a *aggregate.Aggregate) (class.Shape, error) {
	switch a.Name {
	case "COUNT":
		a.Family = aggregate.Count{}
		return class.Shape{Class: class.Int, Digits: 20, Coercible: class.CoercibleNumber}, nil
	case "MIN", "MAX":
		return extreme(c, a)
	case "SUM", "AVG":
		return sumOf(c, a)
	case "BIT_AND", "BIT_OR", "BIT_XOR":
		return bitwise(c, a)
	default:
		return varianceOf(c, a)
	}
}

// finishAggregate finds the type of the results.
func finishAggregate(c *compilation.Compilation, a *aggregate.Aggregate, s class.Shape) (err error) {
	out := &program.Node{Shape: s}
	a.Out = &program.Expression{Root: out, Session: c.Session, At: -1}
	if a.Out.Result, err = c.ResultType(out); err != nil {
		return err
	}
	if f, ok := a.Family.(*aggregate.Extreme); ok && f.Column {
		a.Out.Result, a.Out.At = a.Args[0].Result, 0
		a.Out.Result.NotNull = false
	}
	return nil
}

// bitwise compiles them. Of binary strings MySQL makes binary strings, which are not
// computed here.
func bitwise(c *compilation.Compilation, a *aggregate.Aggregate) (class.Shape, error) {
	x := a.Args[0]
	if x.Root.Class == class.Bytes || x.Root.Class == class.Hex {
		return class.Shape{}, refusal.Of(a.Name + " of a binary string")
	}
	sub := c.Part()
	sub.Resume(x)
	a.Family = &aggregate.Bits{Name: a.Name, Integer: coercion.Integer(sub, x.Root, a.Name)}
	sub.Extend(x)
	return class.Shape{Class: class.Uint, Digits: 20, Coercible: class.CoercibleNumber}, sub.Refused()
}

// extreme compiles MIN and MAX. They compare labels as text, whatever their order is
// in the type (MySQL manual, "Aggregate Function Descriptions").
func extreme(c *compilation.Compilation, a *aggregate.Aggregate) (class.Shape, error) {
	x := a.Args[0]
	if class.IsLabel(x.Root.Class) {
		if err := labelsAsText(c, x, a.Name); err != nil {
			return class.Shape{}, err
		}
	}
	s := x.Root.Shape
	compare, ok := comparison.OfShape(s)
	if !ok {
		return s, refusal.Of(a.Name)
	}
	a.Family = &aggregate.Extreme{Compare: compare, Least: a.Name == "MIN", Column: x.At >= 0}
	s.Nullable = true
	return s, nil
}

// labelsAsText makes an expression that is an ENUM or SET column one that is its
// text.
func labelsAsText(c *compilation.Compilation, x *program.Expression, operation string) (err error) {
	sub := c.Part()
	sub.Resume(x)
	n := &program.Node{Shape: x.Root.Shape}
	n.Class, n.Chars = class.Text, coercion.TextChars(x.Root)
	if n.Ev, err = coercion.Text(sub, x.Root, operation); err != nil {
		return err
	}
	sub.Extend(x)
	x.Root, x.At = n, -1
	x.Result, err = c.ResultType(n)
	return err
}

// sumOf compiles SUM and AVG.
func sumOf(c *compilation.Compilation, a *aggregate.Aggregate) (class.Shape, error) {
	x := a.Args[0]
	average := a.Name == "AVG"
	if x.Root.Class == class.Hex {
		return class.Shape{}, refusal.Of(a.Name + " of a hexadecimal literal")
	}
	if k := c.NumberClass(x.Root); k == class.Double || k == class.Null {
		sub := c.Part()
		sub.Resume(x)
		f := &aggregate.InexactSum{Name: a.Name, Average: average, Real: coercion.Real(sub, x.Root, a.Name)}
		sub.Extend(x)
		a.Family = f
		return c.Rules().InexactShape(&x.Root.Shape, average), sub.Refused()
	}
	if average && (x.Root.NumberOnly || x.Root.Uneven) && x.Root.Scale > coercion.WordScale && !c.Session.IsMariaDB() {
		return class.Shape{}, refusal.Of("AVG of numbers of several types")
	}
	s := c.Rules().SumShape(&x.Root.Shape, average)
	a.Family = &aggregate.Sum{Name: a.Name, Average: average, Scale: s.Scale}
	return s, nil
}

func varianceOf(c *compilation.Compilation, a *aggregate.Aggregate) (class.Shape, error) {
	x := a.Args[0]
	sub := c.Part()
	sub.Resume(x)
	f := &aggregate.Variance{Name: a.Name, Real: coercion.Real(sub, x.Root, a.Name)}
	sub.Extend(x)
	f.Root = a.Name == "STDDEV_POP" || a.Name == "STDDEV_SAMP"
	f.Sample = a.Name == "STDDEV_SAMP" || a.Name == "VAR_SAMP"
	a.Family = f
	return c.Rules().VarianceShape(&x.Root.Shape), sub.Refused()
}
