package eval

import (
	"encoding/binary"
	"math"

	"tunic/internal/sql/ast"
	"tunic/internal/value"
)

// Aggregate is a compiled aggregate function: COUNT, SUM, AVG, MIN or MAX, with or
// without DISTINCT. It may be shared.
type Aggregate struct {
	name     string
	distinct bool
	args     []*Expression
	out      *Expression // what the results are of
	compare  comparator  // of MIN and MAX
	sumBy    class       // classDecimal or classDouble
}

// CompileAggregate compiles an aggregate function. Its errors are those of
// Compile.
//
// Sums of DOUBLE depend on the order of the rows in their last digits, here as on
// the server.
func CompileAggregate(e ast.AggrFunc, scope Scope, session Session) (*Aggregate, error) {
	return (&compiler{scope: scope, session: session}).aggregate(e)
}

func (c *compiler) aggregate(e ast.AggrFunc) (*Aggregate, error) {
	a := &Aggregate{}
	var list []ast.Expr
	switch e := e.(type) {
	case *ast.CountStar:
		a.name = "COUNT"
		return a, c.windowless(e.OverClause == nil, a, nil)
	case *ast.Count:
		a.name, a.distinct, list = "COUNT", e.Distinct, e.Args
		return a, c.windowless(e.OverClause == nil, a, list)
	case *ast.Sum:
		a.name, a.distinct, list = "SUM", e.Distinct, []ast.Expr{e.Arg}
		return a, c.windowless(e.OverClause == nil, a, list)
	case *ast.Avg:
		a.name, a.distinct, list = "AVG", e.Distinct, []ast.Expr{e.Arg}
		return a, c.windowless(e.OverClause == nil, a, list)
	case *ast.Min:
		a.name, list = "MIN", []ast.Expr{e.Arg}
		return a, c.windowless(e.OverClause == nil, a, list)
	case *ast.Max:
		a.name, list = "MAX", []ast.Expr{e.Arg}
		return a, c.windowless(e.OverClause == nil, a, list)
	default:
		return nil, refuse("this aggregate")
	}
}

// windowless compiles the arguments of an aggregate that has no OVER.
func (c *compiler) windowless(is bool, a *Aggregate, list []ast.Expr) error {
	if !is {
		return refuse(a.name + " OVER")
	}
	for _, e := range list {
		sub := &compiler{scope: c.scope, session: c.session, observe: c.observe}
		x, err := sub.expression(e)
		if err != nil {
			return err
		}
		operation := a.name
		if a.distinct {
			operation += " DISTINCT"
		}
		if err := c.allow(operation, x.root); err != nil {
			return err
		}
		a.args = append(a.args, x)
	}
	return c.finishAggregate(a)
}

// finishAggregate finds the type of the result (MySQL manual, "Aggregate Function
// Descriptions").
func (c *compiler) finishAggregate(a *Aggregate) error {
	out := &node{shape: shape{class: classInt, digits: 20, coercible: coercibleNumber}}
	var err error
	switch a.name {
	case "COUNT":
	case "MIN", "MAX":
		out.shape = a.args[0].root.shape
		var ok bool
		if a.compare, ok = comparatorOf(out.shape); !ok {
			return refuse(a.name)
		}
		out.nullable = true
	default:
		out.shape = c.sumShape(a)
	}
	a.out = &Expression{root: out, session: c.session, column: -1}
	if a.out.result, err = c.resultType(out); err != nil {
		return err
	}
	if a.compare != nil && a.args[0].column >= 0 {
		a.out.result, a.out.column = a.args[0].result, 0
		a.out.result.NotNull = false
	}
	return nil
}

// sumDigits are the digits that a sum may have more than what is summed.
const sumDigits = 22

func (c *compiler) sumShape(a *Aggregate) shape {
	arg := a.args[0].root
	s := shape{class: classDecimal, nullable: true, coercible: coercibleNumber}
	a.sumBy = classDecimal
	if k := c.numberClass(arg); k == classDouble || k == classNull {
		a.sumBy, s.class, s.scale = classDouble, classDouble, scaleFree
		if arg.class.isReal() && arg.scale != scaleFree {
			s.scale = arg.scale
		}
		if a.name == "AVG" && s.scale != scaleFree {
			s.scale = min(s.scale+c.session.DivPrecision, scaleFree)
		}
		return s
	}
	whole, scale := exactShape(arg)
	s.scale = scale
	if a.name == "AVG" {
		s.scale = min(scale+c.session.DivPrecision, c.scaleMax())
		s.digits = min(whole+s.scale, digitsMax)
		return s
	}
	s.digits = min(whole+sumDigits+s.scale, digitsMax)
	return s
}

// Type is the type of the results, as Expression.Type.
func (a *Aggregate) Type() *value.Type { return &a.out.result }

// Fits is Expression.Fits for the arguments.
func (a *Aggregate) Fits(in *Inputs) bool {
	for _, x := range a.args {
		if !x.Fits(in) {
			return false
		}
	}
	return true
}

// Accumulation is one execution of an aggregate, for one goroutine and any number
// of groups.
type Accumulation struct {
	of   *Aggregate
	args []*Run
	out  *Run
	key  []byte
}

// Group is what has been accumulated of the rows of one group. The zero Group has
// seen none.
type Group struct {
	count    int64
	exact    decimal
	inexact  float64
	best     datum
	bytes    []byte // of best
	row      []byte // best's canonical form, if the argument is a column
	distinct map[string]struct{}
	keys     int // bytes of distinct
}

// distinctBytes is about what a map takes for an entry beside its key.
const distinctBytes = 48

// Bytes is about how much memory the group holds beside itself, for a budget.
func (g *Group) Bytes() int { return cap(g.bytes) + cap(g.row) + g.keys }

// Start begins an execution.
func (a *Aggregate) Start(in Inputs) (*Accumulation, error) {
	acc := &Accumulation{of: a, out: &Run{x: a.out, in: in, row: Row{nil}}}
	for _, x := range a.args {
		r, err := x.Start(in)
		if err != nil {
			return nil, err
		}
		acc.args = append(acc.args, r)
	}
	return acc, nil
}

// Conditions returns the warnings so far.
func (acc *Accumulation) Conditions() (all []value.Condition) {
	for _, r := range acc.args {
		all = append(all, r.Conditions()...)
	}
	return all
}

// Add adds a row to a group.
func (acc *Accumulation) Add(g *Group, row Row) error {
	for _, r := range acc.args {
		res, err := r.Eval(row)
		if err != nil {
			return err
		}
		if res.Null() {
			return nil
		}
	}
	if acc.of.distinct {
		if known, err := acc.seen(g, row); known || err != nil {
			return err
		}
	}
	g.count++
	switch {
	case acc.of.compare != nil:
		return acc.keep(g)
	case acc.of.name == "SUM" || acc.of.name == "AVG":
		return acc.add(g)
	}
	return nil
}

// seen reports whether the group has had a row with equal arguments, and notes
// that it has.
func (acc *Accumulation) seen(g *Group, row Row) (bool, error) {
	acc.key = acc.key[:0]
	for _, r := range acc.args {
		res, err := r.Eval(row)
		if err != nil {
			return false, err
		}
		start := len(acc.key)
		acc.key = binary.BigEndian.AppendUint32(acc.key, 0)
		acc.key = appendDistinct(acc.key, r.x, res.d)
		binary.BigEndian.PutUint32(acc.key[start:], uint32(len(acc.key)-start))
	}
	if _, ok := g.distinct[string(acc.key)]; ok {
		return true, nil
	}
	if g.distinct == nil {
		g.distinct = map[string]struct{}{}
	}
	g.distinct[string(acc.key)] = struct{}{}
	g.keys += len(acc.key) + distinctBytes
	return false, nil
}

// appendDistinct appends bytes that are the same for equal data of one type.
func appendDistinct(dst []byte, x *Expression, d *datum) []byte {
	switch k := x.root.class; {
	case k == classText:
		return x.root.collation.AppendWeights(dst, d.b)
	case k.isString():
		return append(dst, d.b...)
	case k == classDecimal:
		n := d.d
		n.round(x.result.Decimals)
		return n.appendCanonical(dst, 8*decimalWords)
	case k.isReal() && d.double() == 0:
		return binary.BigEndian.AppendUint64(dst, 0)
	default:
		return binary.BigEndian.AppendUint64(dst, d.n)
	}
}

// keep keeps the argument if it is beyond what the group has.
func (acc *Accumulation) keep(g *Group) error {
	r := acc.args[0]
	d := r.x.root.ev(r)
	if g.count > 1 {
		c := acc.of.compare(r, d, &g.best)
		if r.err != nil {
			return r.fail()
		}
		if (acc.of.name == "MIN") != (c < 0) || c == 0 {
			return nil
		}
	}
	g.best = *d
	g.bytes = append(g.bytes[:0], d.b...)
	g.best.b = g.bytes
	if r.x.column >= 0 {
		g.row = append(g.row[:0], r.row[r.x.column]...)
	}
	return nil
}

// add adds the argument to the group's sum.
func (acc *Accumulation) add(g *Group) error {
	r := acc.args[0]
	root := r.x.root
	d := root.ev(r)
	if acc.of.sumBy == classDouble {
		f := realDatum(root, d)
		if g.inexact += f; math.IsInf(g.inexact, 0) {
			r.refuse(acc.of.name)
		}
		return r.fail()
	}
	x := exactDatum(root, d)
	sum := g.exact
	if !g.exact.add(&sum, &x) || !g.exact.isExact() {
		r.refuse(acc.of.name)
	}
	return r.fail()
}

// Result is the group's result so far. It is good until the next one is asked
// for.
func (acc *Accumulation) Result(g *Group) Result {
	out := &datum{}
	switch {
	case acc.of.name == "COUNT":
		out.setInt(g.count)
	case g.count == 0:
		out = nullDatum
	case acc.of.compare != nil:
		*out = g.best
		acc.out.row[0] = g.row
	case acc.of.sumBy == classDouble:
		out.setDouble(g.inexact)
		if acc.of.name == "AVG" {
			out.setDouble(g.inexact / float64(g.count))
		}
	default:
		out.d = g.exact
		out.d.extend(acc.of.out.root.scale)
		if acc.of.name == "AVG" {
			acc.divide(&out.d, g.count)
		}
	}
	return Result{run: acc.out, d: out}
}

// divide makes an average of a sum.
func (acc *Accumulation) divide(d *decimal, count int64) {
	x, n := *d, decimalOfInt(count)
	d.quotient(&x, &n, quotientScale(int(x.scale), 0, acc.out.x.session.DivPrecision))
	d.round(acc.of.out.root.scale)
}

// exactDatum is a datum of an exact class, or a date, as a decimal.
func exactDatum(n *node, d *datum) decimal {
	switch k := n.class; {
	case k == classDecimal:
		return d.d
	case k == classInt:
		return decimalOfInt(int64(d.n))
	case k.isTemporal():
		var out datum
		temporalAsDecimal(k, n.scale, d, &out)
		return out.d
	default:
		return decimalOfUint(d.n)
	}
}

// realDatum is a datum as a double.
func realDatum(n *node, d *datum) float64 {
	if n.class.isReal() {
		return d.double()
	}
	x := exactDatum(n, d)
	return x.double()
}
