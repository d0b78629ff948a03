package eval

import (
	"tunic/internal/eval/class"
	"tunic/internal/eval/program"
	"tunic/internal/sql/ast"
)

// CompileAggregate compiles an aggregate function. Its errors are those of
// Compile.
//
// Sums of DOUBLE depend on the order of the rows in their last digits, here as on
// the server; so does GROUP_CONCAT where its ORDER BY does not say which value is
// first.
func CompileAggregate(e ast.AggrFunc, scope Scope, session program.Session) (*Aggregate, error) {
	return (&compiler{scope: scope, session: session}).aggregate(e)
}

func (c *compiler) aggregate(e ast.AggrFunc) (*Aggregate, error) {
	if w, ok := e.(ast.WindowFunc); ok && w.GetOverClause() != nil {
		return nil, refuse(upper(e.AggrName()) + " OVER")
	}
	return c.aggregateFunction(e)
}

func (c *compiler) aggregateFunction(e ast.AggrFunc) (*Aggregate, error) {
	switch e := e.(type) {
	case *ast.CountStar:
		return c.aggregateOf(&Aggregate{name: "COUNT"})
	case *ast.Count:
		return c.aggregateOf(&Aggregate{name: "COUNT", distinct: e.Distinct}, e.Args...)
	case *ast.Sum:
		return c.aggregateOf(&Aggregate{name: "SUM", distinct: e.Distinct}, e.Arg)
	case *ast.Avg:
		return c.aggregateOf(&Aggregate{name: "AVG", distinct: e.Distinct}, e.Arg)
	case *ast.Min:
		return c.aggregateOf(&Aggregate{name: "MIN"}, e.Arg)
	case *ast.Max:
		return c.aggregateOf(&Aggregate{name: "MAX"}, e.Arg)
	case *ast.BitAnd:
		return c.aggregateOf(&Aggregate{name: "BIT_AND"}, e.Arg)
	case *ast.BitOr:
		return c.aggregateOf(&Aggregate{name: "BIT_OR"}, e.Arg)
	case *ast.BitXor:
		return c.aggregateOf(&Aggregate{name: "BIT_XOR"}, e.Arg)
	case *ast.Std, *ast.StdDev, *ast.StdPop:
		return c.aggregateOf(&Aggregate{name: "STDDEV_POP"}, e.GetArg())
	case *ast.StdSamp:
		return c.aggregateOf(&Aggregate{name: "STDDEV_SAMP"}, e.Arg)
	case *ast.VarPop, *ast.Variance:
		return c.aggregateOf(&Aggregate{name: "VAR_POP"}, e.GetArg())
	case *ast.VarSamp:
		return c.aggregateOf(&Aggregate{name: "VAR_SAMP"}, e.Arg)
	case *ast.GroupConcatExpr:
		return c.groupConcat(e)
	case *ast.JSONArrayAgg:
		return c.jsonArrayAgg(e)
	case *ast.JSONObjectAgg:
		return c.jsonObjectAgg(e)
	default:
		return nil, refuse("this aggregate")
	}
}

// argument is a compiler for one argument of an aggregate.
func (c *compiler) argument() *compiler {
	return &compiler{scope: c.scope, session: c.session, observe: c.observe}
}

// aggregateOf compiles the arguments of an aggregate function, and the function.
func (c *compiler) aggregateOf(a *Aggregate, list ...ast.Expr) (*Aggregate, error) {
	for _, e := range list {
		sub := c.argument()
		x, err := sub.expression(e)
		if err != nil {
			return nil, err
		}
		if err := c.allow(a.operation(), x.Root); err != nil {
			return nil, err
		}
		if a.distinct { // the servers compare what they have put into a table
			if err := tellsApart(a.operation(), x.Root); err != nil {
				return nil, err
			}
			x.Root.Ev = sub.withoutZeros(x.Root, x.Root.Ev, a.operation())
		}
		if a.distinct || a.name == "MIN" || a.name == "MAX" {
			x.Root.Ev = sub.momentOnce(x.Root, x.Root.Ev, comparedMoment)
		}
		a.args = append(a.args, x)
	}
	out, err := c.familyOf(a)
	if err != nil {
		return nil, err
	}
	return a, c.finishAggregate(a, out)
}

// tellsApart refuses DISTINCT where it is not known which strings are equal.
func tellsApart(operation string, n *program.Node) error {
	if n.Class != class.Text {
		return nil
	}
	if exact, _ := n.Collation.Exact(); !exact {
		return refuse(operation + " in " + n.Collation.Name)
	}
	return nil
}

// familyOf chooses what an aggregate function does, and the shape of its results
// (MySQL manual, "Aggregate Function Descriptions").
func (c *compiler) familyOf(a *Aggregate) (class.Shape, error) {
	switch a.name {
	case "COUNT":
		a.family = counting{}
		return class.Shape{Class: class.Int, Digits: 20, Coercible: class.CoercibleNumber}, nil
	case "MIN", "MAX":
		return c.extreme(a)
	case "SUM", "AVG":
		return c.sum(a)
	case "BIT_AND", "BIT_OR", "BIT_XOR":
		return c.bitwise(a)
	default:
		return c.variance(a)
	}
}

// finishAggregate finds the type of the results.
func (c *compiler) finishAggregate(a *Aggregate, s class.Shape) (err error) {
	out := &program.Node{Shape: s}
	a.out = &program.Expression{Root: out, Session: c.session, At: -1}
	if a.out.Result, err = c.resultType(out); err != nil {
		return err
	}
	if f, ok := a.family.(*extreme); ok && f.column {
		a.out.Result, a.out.At = a.args[0].Result, 0
		a.out.Result.NotNull = false
	}
	return nil
}

// bitwise compiles them. Of binary strings MySQL makes binary strings, which are not
// computed here.
func (c *compiler) bitwise(a *Aggregate) (class.Shape, error) {
	x := a.args[0]
	if x.Root.Class == class.Bytes || x.Root.Class == class.Hex {
		return class.Shape{}, refuse(a.name + " of a binary string")
	}
	sub := c.argument()
	sub.slots, sub.consts, sub.states = x.Slots, x.Consts, x.States
	a.family = &bitwise{name: a.name, integer: sub.integer(x.Root, a.name)}
	x.Slots, x.States, x.Eager = sub.slots, sub.states, append(x.Eager, sub.eager...)
	return class.Shape{Class: class.Uint, Digits: 20, Coercible: class.CoercibleNumber}, sub.refusal
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

// sum compiles SUM and AVG.
func (c *compiler) sum(a *Aggregate) (class.Shape, error) {
	x := a.args[0]
	average := a.name == "AVG"
	if x.Root.Class == class.Hex {
		return class.Shape{}, refuse(a.name + " of a hexadecimal literal")
	}
	if k := c.numberClass(x.Root); k == class.Double || k == class.Null {
		sub := c.argument()
		sub.slots, sub.consts, sub.states = x.Slots, x.Consts, x.States
		f := &inexact{name: a.name, average: average, real: sub.real(x.Root, a.name)}
		x.Slots, x.States, x.Eager = sub.slots, sub.states, append(x.Eager, sub.eager...)
		a.family = f
		return c.rules().InexactShape(&x.Root.Shape, average), sub.refusal
	}
	if average && (x.Root.NumberOnly || x.Root.Uneven) && x.Root.Scale > wordScale && !c.session.IsMariaDB() {
		return class.Shape{}, refuse("AVG of numbers of several types")
	}
	s := c.rules().SumShape(&x.Root.Shape, average)
	a.family = &summing{name: a.name, average: average, scale: s.Scale}
	return s, nil
}

func (c *compiler) variance(a *Aggregate) (class.Shape, error) {
	x := a.args[0]
	sub := c.argument()
	sub.slots, sub.consts, sub.states = x.Slots, x.Consts, x.States
	f := &variance{name: a.name, real: sub.real(x.Root, a.name)}
	x.Slots, x.States, x.Eager = sub.slots, sub.states, append(x.Eager, sub.eager...)
	f.root = a.name == "STDDEV_POP" || a.name == "STDDEV_SAMP"
	f.sample = a.name == "STDDEV_SAMP" || a.name == "VAR_SAMP"
	a.family = f
	return c.rules().VarianceShape(&x.Root.Shape), sub.refusal
}

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
