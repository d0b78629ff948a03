package eval

import (
	"tunic/internal/eval/class"
	"tunic/internal/eval/program"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
)

// Aggregate is a compiled aggregate function, with or without DISTINCT. It may be
// shared.
type Aggregate struct {
	name     string
	distinct bool
	nulls    bool // rows are taken whose arguments are NULL
	args     []*program.Expression
	out      *program.Expression // what the results are of
	family   family
	sorting  *sorting // of GROUP_CONCAT; nil for the order in which rows come
}

// family is what one aggregate function does with the rows of a group. It keeps
// nothing of its own: what is accumulated is the Group's.
type family interface {
	// add adds the row whose arguments are in acc.data.
	add(acc *Accumulation, g *Group) error
	// result makes a datum of a group that has had a row, or says that there is none.
	result(acc *Accumulation, g *Group, out *program.Datum)
	// empty is the result of a group without rows.
	empty() *program.Datum
}

// nullOfNone is a family whose result is NULL where there are no rows.
type nullOfNone struct{}

func (nullOfNone) empty() *program.Datum { return program.NullDatum }

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

// operation is the aggregate as the list of what is supported has it.
func (a *Aggregate) operation() string {
	if a.distinct {
		return a.name + " DISTINCT"
	}
	return a.name
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

// Type is the type of the results, as Expression.Type.
func (a *Aggregate) Type() *value.Type { return &a.out.Result }

// Fits is Expression.Fits for the arguments.
func (a *Aggregate) Fits(in *program.Inputs) bool {
	for _, x := range a.args {
		if !x.Fits(in) {
			return false
		}
	}
	return a.sorting.fits(in)
}
