package local

import (
	"encoding/binary"
	"slices"
	"strconv"

	"tunic/internal/eval"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// roller groups and rolls up: it has a grouper for all keys, for all but the last, and
// so on to that for none, and every row goes into a group of each. Groups come out in
// the order of their keys, and behind those that agree in the first keys the one of
// all of them, in whose row the other keys are NULL.
type roller struct {
	levels []*grouper // by how many keys they group by
	keys   []Item
	next   Sink
	// always says that there is a row of all rows even if there are none.
	always bool
	out    eval.Row
}

func (r *roller) Row(row eval.Row) error {
	for _, g := range r.levels {
		if err := g.Row(row); err != nil {
			return err
		}
	}
	return nil
}

func (r *roller) End() error {
	finest := r.levels[len(r.levels)-1]
	slices.SortStableFunc(finest.order, r.compare)
	err := r.pass(finest)
	if err == ErrEnough { //nolint:errorlint // it is never wrapped
		return nil
	}
	if err != nil {
		return err
	}
	return r.next.End()
}

// pass passes the groups on.
func (r *roller) pass(finest *grouper) error {
	for i, of := range finest.order {
		if i > 0 {
			if err := r.close(finest.order[i-1], r.agree(finest.order[i-1], of)); err != nil {
				return err
			}
		}
		if err := r.emit(len(r.keys), of); err != nil {
			return err
		}
	}
	switch n := len(finest.order); {
	case n > 0:
		return r.close(finest.order[n-1], -1)
	case r.always:
		none := &group{first: make(eval.Row, finest.width), results: make([]eval.Group, len(finest.results))}
		return r.emit(0, none)
	}
	return nil
}

// close passes on the rows of all groups that end with a group: those of more keys
// than the next one agrees in.
func (r *roller) close(last *group, agree int) error {
	for level := len(r.keys) - 1; level > agree; level-- {
		of, err := r.levels[level].groupOf(last.first)
		if err != nil {
			return err
		}
		if err := r.emit(level, of); err != nil {
			return err
		}
	}
	return nil
}

// emit passes on the row of a group of so many keys.
func (r *roller) emit(level int, of *group) error {
	row, err := r.levels[level].resultsOf(of)
	if err != nil {
		return err
	}
	r.out = append(append(r.out[:0], row...), binary.BigEndian.AppendUint64(nil, uint64(level)))
	for _, k := range r.keys[level:] {
		r.out[k.Column] = nil
	}
	return r.next.Row(r.out)
}

// agree is in how many of their first keys two groups agree.
func (r *roller) agree(a, b *group) int {
	for i := range r.keys {
		if r.compareKey(i, a, b) != 0 {
			return i
		}
	}
	return len(r.keys)
}

func (r *roller) compare(a, b *group) int {
	for i := range r.keys {
		if d := r.compareKey(i, a, b); d != 0 {
			return d
		}
	}
	return 0
}

// compareKey compares a key of two groups. NULL is less than all others.
func (r *roller) compareKey(i int, a, b *group) int {
	k := &r.keys[i]
	x, y := a.first[k.Column], b.first[k.Column]
	switch {
	case x == nil && y == nil:
		return 0
	case x == nil:
		return -1
	case y == nil:
		return 1
	}
	return value.Compare(k.Typ, x, y)
}

// newRoller makes the groupers of all levels.
func newRoller(x *Execution, keys []Item, aggregates []*eval.Aggregate, next Sink, with func(*grouper)) (*roller, error) {
	r := &roller{keys: keys, next: next, always: x.Inputs.Env.Flavor != value.MariaDB}
	for n := range len(keys) + 1 {
		g, err := newGrouper(x, keys[:n], aggregates, next)
		if err != nil {
			return nil, err
		}
		with(g)
		r.levels = append(r.levels, g)
	}
	return r, nil
}

// grouping is GROUPING(a, b) over the rows that are rolled up: a bit for each argument,
// 1 if it is not among the keys of the row (MySQL manual, "GROUP BY Modifiers").
func (c *compiler) grouping(f *ast.FuncExpr) (ast.Expr, error) {
	var all ast.Expr
	for _, e := range f.Exprs {
		key := slices.IndexFunc(c.group.By, func(by ast.Expr) bool { return ast.Equal(by, e) })
		if key < 0 || !c.group.Rollup {
			return nil, sqlerr.ExpressionRefused("GROUPING", "what is no key")
		}
		number := func(n int) ast.Expr { return &ast.Literal{Type: ast.IntVal, Val: strconv.Itoa(n)} }
		var bit ast.Expr = &ast.ComparisonExpr{Operator: ast.LessEqualOp, Left: c.scope.named(c.level), Right: number(key)}
		if all != nil {
			twice := &ast.BinaryExpr{Operator: ast.MultOp, Left: all, Right: number(2)}
			bit = &ast.BinaryExpr{Operator: ast.PlusOp, Left: twice, Right: bit}
		}
		all = bit
	}
	if all == nil {
		return nil, sqlerr.StatementUnread()
	}
	return all, nil
}

func isGrouping(n ast.Node) (*ast.FuncExpr, bool) {
	f, ok := n.(*ast.FuncExpr)
	return f, ok && f.Qualifier.IsEmpty() && f.Name.EqualString("grouping")
}
