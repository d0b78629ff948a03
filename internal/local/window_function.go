package local

import (
	"encoding/binary"
	"math"

	"tunic/internal/eval"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// windowFunction compiles a window function (MySQL manual, "Window Function
// Descriptions").
func (c *compiler) windowFunction(f ast.WindowFunc, o *windowOrder) (made madeWindow, t *value.Type, err error) {
	spec := f.GetOverClause().WindowSpec
	switch f := f.(type) {
	case *ast.ArgumentLessWindowExpr:
		made.start, t, err = c.ranking(f.Type)
	case *ast.NtileExpr:
		made.start, t = c.tiles(f.N), c.rankType(false)
	case *ast.LagLeadExpr:
		made.start, t, err = c.lagging(f)
	case *ast.FirstOrLastValueExpr:
		place := func(from, _ int) int { return from }
		if f.Type == ast.LastValueExprType {
			place = func(_, to int) int { return to - 1 }
		}
		made.start, t, err = c.placed(f.Expr, spec, o, func(*Execution) (func(from, to int) int, error) { return place, nil })
	case *ast.NTHValueExpr:
		made.start, t, err = c.placed(f.Expr, spec, o, func(x *Execution) (func(from, to int) int, error) {
			n, err := c.rowCount(x, f.N, "NTH_VALUE", 1)
			return func(from, _ int) int { return from + n - 1 }, err
		})
	case ast.AggrFunc:
		made, t, err = c.aggregated(f, spec, o)
	default:
		err = sqlerr.ExpressionRefused(f.WindowFuncName(), "")
	}
	return made, t, err
}

// rowCount is a number of rows that is an argument.
func (c *compiler) rowCount(x *Execution, e ast.Expr, of string, least uint64) (int, error) {
	n, err := c.number(x, e)
	if err != nil || n < least {
		return 0, sqlerr.ExpressionRefused(of, "such a number")
	}
	return int(min(n, math.MaxInt32)), nil // more rows than a budget lets there be
}

// ranking compiles ROW_NUMBER, RANK, DENSE_RANK, PERCENT_RANK and CUME_DIST.
func (c *compiler) ranking(of ast.ArgumentLessWindowExprType) (windowStarter, *value.Type, error) {
	t := c.rankType(true)
	var compute func(p *partition, i int) uint64
	switch of {
	case ast.RowNumberExprType:
		compute = func(_ *partition, i int) uint64 { return uint64(i) + 1 }
	case ast.RankExprType:
		compute = func(p *partition, i int) uint64 { return uint64(p.peers[i].from) + 1 }
	case ast.DenseRankExprType:
		return always(denseRank), t, nil
	case ast.PercentRankExprType:
		t = c.fractionType()
		compute = func(p *partition, i int) uint64 { return fraction(p.peers[i].from, p.len()-1, t) }
	case ast.CumeDistExprType:
		t = c.fractionType()
		compute = func(p *partition, i int) uint64 { return fraction(p.peers[i].to, p.len(), t) }
	default:
		return nil, nil, sqlerr.ExpressionRefused("OVER", "")
	}
	return always(func(p *partition) error {
		for i := range p.order {
			if err := p.setNumber(i, compute(p, i)); err != nil {
				return err
			}
		}
		return nil
	}), t, nil
}

// always is a function that is the same in every execution.
func always(run windowRun) windowStarter {
	return func(*Execution) (windowRun, error) { return run, nil }
}

func denseRank(p *partition) error {
	rank := uint64(0)
	for i := range p.order {
		if p.peers[i].from == i {
			rank++
		}
		if err := p.setNumber(i, rank); err != nil {
			return err
		}
	}
	return nil
}

// fraction is a part of a whole as the bits of a DOUBLE, rounded as MariaDB stores one
// of so many digits: what is behind the point by itself.
func fraction(part, of int, t *value.Type) uint64 {
	if of == 0 {
		return 0
	}
	f := float64(part) / float64(of)
	if t.Decimals > 0 {
		scale := math.Pow10(t.Decimals)
		f = math.Floor(f) + math.RoundToEven((f-math.Floor(f))*scale)/scale
	}
	return math.Float64bits(f)
}

// setNumber sets a result that is a number.
func (p *partition) setNumber(i int, n uint64) error {
	var room [8]byte
	binary.BigEndian.PutUint64(room[:], n)
	return p.set(i, room[:])
}

// tiles compiles NTILE: the first tiles have a row more where rows do not come out
// even.
func (c *compiler) tiles(number ast.Expr) windowStarter {
	return func(x *Execution) (windowRun, error) {
		n, err := c.rowCount(x, number, "NTILE", 1)
		return func(p *partition) error {
			small, large := p.len()/n, p.len()%n // rows of a tile, and tiles with one more
			for i := range p.order {
				tile := i / (small + 1)
				if i >= large*(small+1) {
					tile = large + (i-large*(small+1))/small
				}
				if err := p.setNumber(i, uint64(tile)+1); err != nil {
					return err
				}
			}
			return nil
		}, err
	}
}

// picked is an argument that is computed of another row of the partition.
type picked struct {
	run    *Running
	column int
	cells  Cells
}

// argument compiles an argument that is computed of other rows. Its type is that of
// the results.
func (c *compiler) argument(e ast.Expr) (it Item, err error) {
	x, err := c.expression(e)
	if err != nil {
		return it, err
	}
	t := *x.Type()
	t.NotNull, t.Zerofill = false, false
	it = Item{Expression: x, Typ: &t}
	if i, ok := x.Column(); ok {
		it.Expression, it.Column = nil, i
		return it, nil
	}
	return it, fixedPoint(&t)
}

func (it *Item) pick(x *Execution) (*picked, error) {
	p := &picked{column: it.Column}
	if it.Expression == nil {
		return p, nil
	}
	var err error
	p.run, err = it.Expression.Begin(x)
	return p, err
}

// of is the argument of a row; it is good until the next.
func (a *picked) of(r eval.Row) ([]byte, error) {
	a.cells.begin()
	if err := a.cells.compute(a.run, a.column, r); err != nil {
		return nil, err
	}
	return a.cells.row()[0], nil
}

// placed compiles FIRST_VALUE, LAST_VALUE and NTH_VALUE: which row of a frame it is
// says a function that is made for an execution.
func (c *compiler) placed(e ast.Expr, spec *ast.WindowSpecification, o *windowOrder, place func(*Execution) (func(from, to int) int, error)) (windowStarter, *value.Type, error) {
	arg, err := c.argument(e)
	if err != nil {
		return nil, nil, err
	}
	f, err := c.frame(spec, o)
	if err != nil {
		return nil, nil, err
	}
	return func(x *Execution) (windowRun, error) {
		a, err := arg.pick(x)
		if err != nil {
			return nil, err
		}
		at, err := place(x)
		if err != nil {
			return nil, err
		}
		g, err := f.begin(c, x)
		return func(p *partition) error { return pickFrom(p, g, a, at) }, err
	}, arg.Typ, nil
}

func pickFrom(p *partition, g *framing, a *picked, at func(from, to int) int) error {
	g.reset()
	for i := range p.order {
		from, to, err := g.of(p, i)
		if err != nil {
			return err
		}
		row := at(from, to)
		if row < from || row >= to {
			continue
		}
		v, err := a.of(p.at(row))
		if err == nil {
			err = p.set(i, v)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// lagging compiles LAG and LEAD.
func (c *compiler) lagging(f *ast.LagLeadExpr) (windowStarter, *value.Type, error) {
	arg, err := c.argument(f.Expr)
	if err != nil {
		return nil, nil, err
	}
	t := arg.Typ
	var otherwise *Item
	if _, null := f.Default.(*ast.NullVal); f.Default != nil && !null {
		if otherwise, err = c.otherwise(&arg, f.Default); err != nil {
			return nil, nil, err
		}
		t = otherwise.Typ
	}
	sign := 1
	if f.Type == ast.LagExprType {
		sign = -1
	}
	return func(x *Execution) (windowRun, error) {
		a, err := arg.pick(x)
		if err != nil {
			return nil, err
		}
		n := 1
		if f.N != nil {
			if n, err = c.rowCount(x, f.N, f.WindowFuncName(), 0); err != nil {
				return nil, err
			}
		}
		var other *picked
		if otherwise != nil {
			other, err = otherwise.pick(x)
		}
		return func(p *partition) error { return pickBeside(p, a, other, sign*n) }, err
	}, t, nil
}

// otherwise compiles what a LAG or LEAD with a default is: IF of whether the row is
// there, of the value, which both stand behind the columns of the row, and of the
// default. It makes one type of both.
func (c *compiler) otherwise(arg *Item, of ast.Expr) (*Item, error) {
	inside := *c
	scope := *c.scope
	scope.Columns = append(append([]Column(nil), scope.Columns...), Column{Typ: truthType}, Column{Typ: arg.Typ})
	inside.scope = &scope
	n := len(scope.Columns)
	made, err := inside.argument(&ast.FuncExpr{
		Name: ast.Identifier("if"), Exprs: []ast.Expr{scope.named(n - 2), scope.named(n - 1), of},
	})
	return &made, err
}

func pickBeside(p *partition, a, otherwise *picked, distance int) error {
	var with eval.Row
	for i := range p.order {
		var v []byte
		var err error
		row := i + distance
		there := row >= 0 && row < p.len()
		if there {
			v, err = a.of(p.at(row))
		}
		if err == nil && otherwise != nil {
			truth := make([]byte, 8)
			if there {
				truth[7] = 1
			}
			with = append(append(with[:0], p.at(i)...), truth, v)
			v, err = otherwise.of(with)
		}
		if err == nil {
			err = p.set(i, v)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
