package local

import (
	"tunic/internal/eval"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// frame is which rows of its partition a function sees for a row (MySQL manual,
// "Window Function Frame Specification").
type frame struct {
	rows       bool // ROWS; RANGE counts by the key
	start, end frameBound
	// backward is whether it ends before it begins, of one that might; nil for others.
	backward *expression
}

// frameBound is where a frame begins or ends.
type frameBound struct {
	kind   ast.FramePointType
	number ast.Expr // of ROWS
	// outside is a condition on the key of the row that the frame is of, and that of
	// another: whether that one is before the start, or behind the end, of RANGE.
	outside *expression
	// nullOutside is the same of another whose key is NULL.
	nullOutside bool
}

// frame compiles the frame of a window.
func (c *compiler) frame(spec *ast.WindowSpecification, o *windowOrder) (*frame, error) {
	f := &frame{start: frameBound{kind: ast.UnboundedPrecedingType}, end: frameBound{kind: ast.CurrentRowType}}
	clause := spec.FrameClause
	switch {
	case clause == nil && len(spec.OrderClause) == 0:
		f.end.kind = ast.UnboundedFollowingType
		return f, nil
	case clause == nil:
		return f, nil
	}
	f.rows = clause.Unit == ast.FrameRowsType
	var err error
	if f.start, err = c.frameBound(clause.Start, f.rows, o, true); err == nil && clause.End != nil {
		f.end, err = c.frameBound(clause.End, f.rows, o, false)
	}
	if err == nil && clause.End != nil {
		f.backward, err = c.backward(clause.Start, clause.End)
	}
	return f, err
}

func (c *compiler) frameBound(p *ast.FramePoint, rows bool, o *windowOrder, start bool) (b frameBound, err error) {
	b.kind = p.Type
	switch {
	case p.Expr == nil:
		return b, nil
	case rows:
		b.number = p.Expr
		return b, nil
	case len(o.order) != 1:
		return b, sqlerr.ExpressionRefused("RANGE", "what is not one key")
	}
	key := &o.order[0]
	if k := key.typ.Kind; k == value.Timestamp || !k.IsNumber() && !k.IsTemporal() {
		return b, sqlerr.ExpressionRefused("RANGE", k.String())
	}
	b.nullOutside = start != key.descending // NULLs are less than all others
	b.outside, err = c.outside(p, key, start)
	return b, err
}

// outside compiles the condition that the key of another row is outside of a frame.
// It computes with keys as the server would.
func (c *compiler) outside(p *ast.FramePoint, key *sortKey, start bool) (*expression, error) {
	typ := *key.typ
	typ.NotNull = false
	scope := NewScope(c.query, c.scope.in, []Column{{Name: "key", Typ: &typ}, {Name: "other", Typ: &typ}})
	add := (p.Type == ast.ExprFollowingType) != key.descending
	var bound ast.Expr = &ast.BinaryExpr{Operator: ast.MinusOp, Left: scope.named(0), Right: p.Expr}
	switch {
	case p.Unit != 0 && add:
		bound = &ast.IntervalDateExpr{Syntax: ast.IntervalDateExprDateAdd, Date: scope.named(0), Interval: p.Expr, Unit: p.Unit}
	case p.Unit != 0:
		bound = &ast.IntervalDateExpr{Syntax: ast.IntervalDateExprDateSub, Date: scope.named(0), Interval: p.Expr, Unit: p.Unit}
	case add:
		bound = &ast.BinaryExpr{Operator: ast.PlusOp, Left: scope.named(0), Right: p.Expr}
	}
	operator := ast.GreaterThanOp
	if start != key.descending {
		operator = ast.LessThanOp
	}
	made, err := eval.Compile(&ast.ComparisonExpr{Operator: operator, Left: scope.named(1), Right: bound}, scope, c.program.session)
	if err != nil {
		return nil, err
	}
	c.program.compiled = append(c.program.compiled, made)
	return &expression{Expression: made}, nil
}

// fixedStart reports whether a frame begins where its partition does.
func (f *frame) fixedStart() bool { return f.start.kind == ast.UnboundedPrecedingType }

// fixedEnd reports whether a frame ends where its partition does.
func (f *frame) fixedEnd() bool { return f.end.kind == ast.UnboundedFollowingType }

// framing is an execution of a frame, of one partition after the other. Bounds of
// RANGE are looked for from those of the row before.
type framing struct {
	*frame
	numbers [2]uint64
	outside [2]*Running
	found   [2]int
	pair    eval.Row
}

func (f *frame) begin(c *compiler, x *Execution) (*framing, error) {
	if err := f.forward(x); err != nil {
		return nil, err
	}
	g := &framing{frame: f, pair: make(eval.Row, 2)}
	for i, b := range [...]*frameBound{&f.start, &f.end} {
		var err error
		if b.number != nil {
			g.numbers[i], err = c.number(x, b.number)
		}
		if b.outside != nil && err == nil {
			g.outside[i], err = b.outside.Begin(x)
		}
		if err != nil {
			return nil, err
		}
	}
	return g, nil
}

// reset begins a partition.
func (g *framing) reset() { g.found = [2]int{} }

// of is the frame of a row: from the first to before the second number. Rows have to
// be asked for in their order. An empty frame has both the same.
func (g *framing) of(p *partition, i int) (from, to int, err error) {
	if from, err = g.bound(p, i, 0, &g.start); err == nil {
		to, err = g.bound(p, i, 1, &g.end)
	}
	return from, max(from, to), err
}

// bound is where the frame of a row starts (which is 0), or the row behind its end.
func (g *framing) bound(p *partition, i, which int, b *frameBound) (int, error) {
	switch {
	case b.kind == ast.UnboundedPrecedingType:
		return 0, nil
	case b.kind == ast.UnboundedFollowingType:
		return p.len(), nil
	case g.rows:
		return g.row(p, i, which, b.kind), nil
	case b.kind == ast.CurrentRowType || p.key(i) == nil:
		if which == 0 {
			return p.peers[i].from, nil
		}
		return p.peers[i].to, nil
	}
	return g.search(p, i, which, b)
}

// row is bound for ROWS.
func (g *framing) row(p *partition, i, which int, kind ast.FramePointType) int {
	n := int(min(g.numbers[which], uint64(p.len()))) // more rows than there are make no difference
	switch kind {
	case ast.ExprPrecedingType:
		i -= n
	case ast.ExprFollowingType:
		i += n
	default:
	}
	return min(max(i+which, 0), p.len())
}

// search is bound for RANGE with a number or an interval. The bound of each row is
// computed, whether another is compared with it or not: it may be none of its type.
func (g *framing) search(p *partition, i, which int, b *frameBound) (int, error) {
	key := p.key(i)
	if _, err := g.isOutside(which, key, key); err != nil {
		return 0, err
	}
	at := &g.found[which]
	for *at < p.len() {
		out := b.nullOutside
		if other := p.key(*at); other != nil {
			var err error
			if out, err = g.isOutside(which, key, other); err != nil {
				return 0, err
			}
		}
		if out == (which == 1) { // the first that is not before the start, or is behind the end
			break
		}
		*at++
	}
	return *at, nil
}

// isOutside reports whether a key is before the start of the frame of another, or
// behind its end. How often servers compute it, and with which error, nobody knows.
func (g *framing) isOutside(which int, key, other []byte) (bool, error) {
	g.pair[0], g.pair[1] = key, other
	truth, err := g.outside[which].Truth(g.pair)
	if err != nil {
		return false, sqlerr.ValueRefused("RANGE of a key at the end of its type")
	}
	return truth == eval.True, Quiet(g.outside[which].Conditions())
}

// rankType is the type of numbers of rows; fractionType that of PERCENT_RANK and
// CUME_DIST, which MariaDB has with ten digits.
func (c *compiler) rankType(notNull bool) *value.Type {
	return &value.Type{Kind: value.BigInt, Length: 21, Unsigned: c.program.session.Flavor != value.MariaDB, NotNull: notNull}
}

func (c *compiler) fractionType() *value.Type {
	t := &value.Type{Kind: value.Double, NotNull: true}
	if c.program.session.Flavor == value.MariaDB {
		t.Length, t.Decimals = 255, fractionDigits
	}
	return t
}

// fractionDigits are those that MariaDB keeps of PERCENT_RANK and CUME_DIST.
const fractionDigits = 10
