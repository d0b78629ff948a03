package local

import (
	"bytes"
	"slices"
	"strings"

	"tunic/internal/eval"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// An average of exact numbers is shown with fewer digits than servers compute it
// with, and they differ in when they round: MariaDB compares 2/3 as 0.6667, MySQL as
// 0.666666666. As an operand of arithmetic it has all digits on both, and what comes of
// that is rounded by package eval where the server does. Of what else is done with an
// average it is not known: then it is computed with both, and its answer is known where
// both agree; if something is computed from it, where the average needs no rounding.

// expression is a compiled expression of a step.
type expression struct {
	*eval.Expression
	// twin is the same of averages with more digits, nil if it has none in it.
	twin *eval.Expression
	// whole are conditions that averages need no rounding.
	whole []*eval.Expression
	// averaged says that there are averages in arithmetic in it, whose results MariaDB
	// does not round.
	averaged bool
}

// Running is a run of an expression.
type Running struct {
	*eval.Run
	twin  *eval.Run
	whole []*eval.Run
	a, b  []byte
}

// Begin begins a run. What a constant in it warns of, servers say at one time or
// another, and once or more.
func (e *expression) Begin(x *Execution) (*Running, error) {
	r := &Running{}
	var err error
	if r.Run, err = e.Start(x.Inputs); err != nil {
		return nil, err
	}
	if e.twin != nil {
		if r.twin, err = e.twin.Start(x.Inputs); err != nil {
			return nil, err
		}
	}
	for _, condition := range e.whole {
		run, err := condition.Start(x.Inputs)
		if err != nil {
			return nil, err
		}
		r.whole = append(r.whole, run)
	}
	return r, Quiet(r.Conditions())
}

// ErrAverage is the refusal of an average whose rounding would show.
func ErrAverage() error { return sqlerr.ValueRefused("AVG, inside of an expression,") }

// ErrRounding is the refusal of an average, a quotient or a choice of a subquery whose digits would show.
func ErrRounding() error {
	return sqlerr.ValueRefused("AVG, a quotient, or a choice of numbers, of a subquery, of which servers may have other digits,")
}

// rounded fails if an average in arithmetic needs rounding.
func (r *Running) rounded(row eval.Row) error {
	for _, run := range r.whole {
		if truth, err := run.Truth(row); err != nil || truth == eval.False {
			return ErrAverage()
		}
	}
	return nil
}

// Truth is eval.Run.Truth, where it is known.
func (r *Running) Truth(row eval.Row) (eval.Truth, error) {
	truth, err := r.Run.Truth(row)
	if err != nil || r.twin == nil {
		return truth, err
	}
	if other, err := r.twin.Truth(row); err != nil || other != truth {
		return truth, ErrAverage()
	}
	return truth, r.rounded(row)
}

// Eval is eval.Run.Eval, where it is known.
func (r *Running) Eval(row eval.Row) (eval.Result, error) {
	result, err := r.Run.Eval(row)
	if err != nil || r.twin == nil {
		return result, err
	}
	other, err := r.twin.Eval(row)
	switch {
	case err != nil || other.Null() != result.Null():
		return result, ErrAverage()
	case !result.Null():
		if r.a, err = result.Append(r.a[:0]); err != nil {
			return result, err
		}
		if r.b, err = other.Append(r.b[:0]); err != nil || !bytes.Equal(r.a, r.b) {
			return result, ErrAverage()
		}
	}
	return result, r.rounded(row)
}

// average compiles what an expression of columns needs beside itself, if any of them
// are averages.
func (c *compiler) average(e ast.Expr, x *expression) error {
	averages, computed := c.averagesIn(e)
	if len(averages) == 0 {
		return nil
	}
	if _, ok := x.Column(); ok {
		return nil
	}
	c.scope.fine = true
	twin, err := c.evaluation(e)
	c.scope.fine = false
	if err == nil && computed && c.isOperand(e, averages) {
		x.Expression, x.averaged = twin, c.program.session.Flavor == value.MariaDB
		return nil
	}
	if x.twin = twin; err != nil || !computed {
		return err
	}
	for _, i := range averages {
		same := &ast.ComparisonExpr{
			Operator: ast.EqualOp, Left: c.scope.named(i), Right: c.scope.named(c.scope.Columns[i].finer),
		}
		condition, err := eval.Compile(same, c.scope, c.program.session)
		if err != nil {
			return err
		}
		x.whole = append(x.whole, condition)
	}
	return nil
}

// Rounding says of a column that a server may have it with more digits than its type
// says: as another column has it, or, if that is negative, as nobody knows. A settled one is
// the same number with them.
type Rounding struct {
	column, finer int
	types         [2]*value.Type
	settled       bool
}

// rounding is what is known of a column's digits, nil if it has all of them.
func (s *Scope) rounding(i int) *Rounding {
	c := &s.Columns[i]
	switch {
	case c.finer > 0:
		all := *s.Columns[c.finer].Typ
		all.Decimals = s.Columns[c.finer].digits
		return &Rounding{column: i, finer: c.finer, types: [2]*value.Type{c.Typ, &all}}
	case c.rough:
		return &Rounding{column: i, finer: -1, settled: c.settled}
	}
	return nil
}

// Shows reports whether it would show in what is made of the column in a row that it is
// rounded. asText says that zeros at its end are digits, too.
func (r *Rounding) Shows(row eval.Row, env *value.Env, asText bool) bool {
	switch {
	case r.finer < 0:
		return asText || !r.settled
	case row[r.column] == nil || row[r.finer] == nil:
		return (row[r.column] == nil) != (row[r.finer] == nil)
	}
	a := value.AppendText(nil, r.types[0], row[r.column], env)
	b := value.AppendText(nil, r.types[1], row[r.finer], env)
	return !bytes.Equal(withoutZeros(a), withoutZeros(b))
}

// withoutZeros is a decimal without zeros at its end.
func withoutZeros(text []byte) []byte {
	if !bytes.Contains(text, []byte(".")) {
		return text
	}
	return bytes.TrimRight(bytes.TrimRight(text, "0"), ".")
}

// averagesIn are the columns in an expression that are averages with more digits than
// they show; computed says that something is computed from one, other than comparing,
// rounding and choosing.
func (c *compiler) averagesIn(e ast.Expr) (all []int, computed bool) {
	if !slices.ContainsFunc(c.scope.Columns, func(of Column) bool { return of.finer > 0 }) {
		return nil, false
	}
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.ColName:
			if i := c.scope.find(n); i >= 0 && c.scope.Columns[i].finer > 0 {
				all = append(all, i)
			}
			return false, nil
		case *ast.ComparisonExpr, *ast.BetweenExpr, *ast.IsExpr, *ast.AndExpr, *ast.OrExpr, *ast.NotExpr,
			*ast.CaseExpr, *ast.When, *ast.Literal, *ast.Argument, *ast.NullVal, ast.ValTuple, ast.IdentifierCI,
			ast.IdentifierCS:
		case *ast.FuncExpr:
			computed = computed || !choosing[strings.ToLower(n.Name.String())] && c.namesAverage(n)
		default:
			if e, ok := n.(ast.Expr); ok && !computed {
				computed = c.namesAverage(e)
			}
		}
		return true, nil
	}, e)
	return all, computed
}

// namesAverage reports whether there is an average in an expression.
func (c *compiler) namesAverage(e ast.Expr) (found bool) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if name, ok := n.(*ast.ColName); ok {
			i := c.scope.find(name)
			found = found || i >= 0 && c.scope.Columns[i].finer > 0
		}
		return !found, nil
	}, e)
	return found
}

// choosing are functions whose results are their arguments, or these rounded.
var choosing = map[string]bool{
	"round": true, "floor": true, "ceil": true, "ceiling": true, "truncate": true,
	"if": true, "ifnull": true, "coalesce": true,
}

// isOperand reports whether all averages of an expression are those of the query's own
// groups, and operands of arithmetic whose result is the expression's, or is compared or
// rounded. Those of subqueries a server may have put into a table.
func (c *compiler) isOperand(e ast.Expr, averages []int) bool {
	for _, i := range averages {
		if !slices.Contains(c.results, i) {
			return false
		}
	}
	return c.inArithmetic(e, false) || c.settles(e)
}

// inArithmetic reports whether an expression is arithmetic, and every average in it an
// operand; inside says that it is itself an operand.
func (c *compiler) inArithmetic(e ast.Expr, inside bool) bool {
	switch e := e.(type) {
	case *ast.ColName:
		return inside
	case *ast.BinaryExpr:
		switch e.Operator {
		case ast.PlusOp, ast.MinusOp, ast.MultOp, ast.DivOp:
			return c.operands(e.Left, e.Right)
		default:
			return false
		}
	case *ast.UnaryExpr:
		return e.Operator == ast.UMinusOp && c.operands(e.Expr)
	}
	return false
}

func (c *compiler) operands(all ...ast.Expr) bool {
	for _, e := range all {
		if c.namesAverage(e) && !c.inArithmetic(e, true) {
			return false
		}
	}
	return true
}

// settles reports whether what an expression makes of averages has the digits of its
// type: a truth, or a number that is rounded.
func (c *compiler) settles(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.ComparisonExpr:
		return comparesRounded(e.Operator) && c.operands(e.Left, e.Right)
	case *ast.FuncExpr:
		if name := e.Name.Lowered(); (name == "round" || name == "truncate") && len(e.Exprs) > 0 && c.namesAverage(e.Exprs[0]) {
			return c.inArithmetic(e.Exprs[0], false)
		}
	case *ast.ColName, *ast.BinaryExpr, *ast.UnaryExpr:
		return false
	}
	settled := true
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		inner, ok := n.(ast.Expr)
		if ok && n != ast.Node(e) && c.namesAverage(inner) {
			settled = settled && c.settles(inner)
			return false, nil
		}
		return settled, nil
	}, e)
	return settled
}
