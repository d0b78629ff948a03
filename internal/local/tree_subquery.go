package local

import (
	"encoding/binary"
	"slices"

	"tunic/internal/arena"
	"tunic/internal/budget"
	"tunic/internal/eval"
	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// subquery is a compiled recipe.Subquery.
type subquery struct {
	kind    recipe.SubqueryKind
	of      relation
	reads   []int // where its outer columns are in the rows that it is attached to
	columns []Column
	sure    bool // a server computes it for every row
	compared
}

// compared is what is compared with the rows of a subquery.
type compared struct {
	width    int    // of the rows before those of the subquery are put behind them
	operands []Item // that are compared
	// comparisons are those of each operand with its column, all of which are to be
	// true; negated says that they are not to.
	comparisons []*expression
	negated     bool
	every       bool
	keys        []joinKey // by which equal rows are found; nil if they cannot be
	narrow      bool      // MariaDB, and the types of numbers on both sides are not the same
	// fits is how many digits before the point numbers of each comparison may have, 0
	// for any: of others MySQL warns, or not.
	fits []int
	// lost says of each column that MySQL loses a NULL of it that it puts into a table of
	// its own, if it makes one: those of BIT.
	lost []bool
}

// subquery compiles a subquery.
func (c *compiler) subquery(q *recipe.Subquery) (*subquery, error) {
	reads, outer, err := outerColumns(q.Of, c.scope)
	if err != nil {
		return nil, err
	}
	relation := q.Of
	if q.Kind == recipe.Exists {
		relation = withoutItems(q.Of)
	}
	of, err := c.tree.relation(relation, outer, q.Kind != recipe.Exists)
	if err != nil {
		return nil, err
	}
	made := &subquery{kind: q.Kind, of: of.relation, reads: reads, columns: of.columns}
	switch {
	case q.Kind == recipe.Compared:
		err = c.compared(q, made)
	case q.Kind == recipe.Scalar && of.columns[0].Typ.Kind == value.Bit && c.program.session.Flavor == value.MariaDB:
		err = sqlerr.ExpressionRefused("a subquery", "bit") // it is a number, or bits
	}
	return made, err
}

// withoutItems is a query of which only is asked whether it has rows, without the columns that it selects: no server reads
// them. It is as it was if it is not certain that its rows are the same without.
func withoutItems(r recipe.Relation) recipe.Relation {
	b, ok := r.(*recipe.Block)
	if !ok {
		return r
	}
	made := *b
	made.Steps = nil
	for _, s := range b.Steps {
		switch s := s.(type) {
		case *recipe.Filter, *recipe.Attach, *recipe.Limit:
			made.Steps = append(made.Steps, s)
		case *recipe.Project:
			if slices.ContainsFunc(s.Items, func(it recipe.Item) bool { _, ok := it.Expr.(*ast.ColName); return !ok }) {
				return r
			}
			made.Steps = append(made.Steps, &recipe.Project{})
		default:
			return r
		}
	}
	return &made
}

// compared compiles the comparisons of a subquery.
func (c *compiler) compared(q *recipe.Subquery, made *subquery) error {
	if len(q.Operands) == 0 || len(made.columns) < len(q.Operands) {
		return sqlerr.StatementUnread()
	}
	operator := q.Operator
	if made.every = q.Every; len(q.Operands) > 1 && operator == ast.NotEqualOp {
		operator, made.negated = ast.EqualOp, true
	}
	before := c.scope.Columns
	made.width = len(before)
	for _, column := range made.columns {
		if column.finer > 0 {
			column.finer += made.width
		}
		c.scope.Add(column)
	}
	defer func() { c.scope.Columns = before }()
	for i, e := range q.Operands {
		if err := c.comparedColumn(made, i, e, operator); err != nil {
			return err
		}
	}
	equal := q.Operator == ast.EqualOp && !q.Every || q.Operator == ast.NotEqualOp && q.Every
	if !equal || len(made.reads) > 0 || len(made.keys) < len(q.Operands) {
		made.keys = nil
	}
	return nil
}

// comparedColumn compiles the comparison of an operand with a column.
func (c *compiler) comparedColumn(made *subquery, i int, e ast.Expr, operator ast.ComparisonExprOperator) error {
	of, err := c.keySide(e)
	if err != nil {
		return err
	}
	made.operands = append(made.operands, Item{Expression: of.expression, Column: of.column, Typ: of.typ})
	if of.column >= 0 {
		made.operands[i].Expression = nil
	}
	column := c.scope.named(made.width + i)
	if t := made.columns[i].Typ; t.Kind == value.BigInt && t.Unsigned && orders(operator) {
		return sqlerr.ExpressionRefused("ANY or ALL", "bigint unsigned") // servers take the greatest for negative
	}
	lost := made.columns[i].Typ.Kind == value.Bit && c.program.session.Flavor == value.MySQL
	made.lost = append(made.lost, lost)
	x, err := c.expression(&ast.ComparisonExpr{Operator: operator, Left: e, Right: column})
	if err != nil {
		return err
	}
	made.comparisons = append(made.comparisons, x)
	own := keySide{column: i, typ: made.columns[i].Typ}
	made.fits = append(made.fits, c.fitting(own.typ, of.typ))
	made.narrow = made.narrow || c.program.session.Flavor == value.MariaDB && (own.typ.Kind != of.typ.Kind || own.typ.Kind == value.Decimal)
	if key := c.keyOfSides(own, of, ast.EqualOp); key != nil && made.columns[i].finer == 0 {
		made.keys = append(made.keys, *key)
	}
	return nil
}

// orders reports whether an operator asks which of two is greater.
func orders(operator ast.ComparisonExprOperator) bool {
	switch operator {
	case ast.LessThanOp, ast.LessEqualOp, ast.GreaterThanOp, ast.GreaterEqualOp:
		return true
	default:
		return false
	}
}

// subqueryRun is a subquery in one execution. It is computed once for each of the
// values that its result depends on, as long as there is memory for them.
type subqueryRun struct {
	*subquery
	x       *treeRun
	query   relationRun
	account budget.Account // of what is remembered
	outer   eval.Row
	key     []byte
	known   arena.Keys
	results []eval.Row // of the known keys, by their numbers
	comparer
}

// subquery is a subquery in this execution.
func (x *treeRun) subquery(q *subquery) (*subqueryRun, error) {
	if run := x.subqueries[q]; run != nil {
		return run, nil
	}
	r := &subqueryRun{subquery: q, x: x, account: x.account.Inner(), outer: make(eval.Row, len(q.reads))}
	var err error
	if r.query, err = q.of.begin(x); err == nil && q.kind == recipe.Compared {
		err = r.comparer.begin(x, &q.compared, len(q.columns))
	}
	if err != nil {
		return nil, err
	}
	if x.subqueries == nil {
		x.subqueries = map[*subquery]*subqueryRun{}
	}
	x.subqueries[q] = r
	return r, nil
}

// rememberedBytes is how much memory the results of one subquery may take until they
// are forgotten.
const rememberedBytes = 8 << 20

// result is the result for a row, good until the next one.
func (r *subqueryRun) result(row eval.Row) (eval.Row, error) {
	for i, at := range r.reads {
		r.outer[i] = row[at]
	}
	if r.keys != nil {
		return r.find(row)
	}
	if err := r.makeKey(row); err != nil {
		return nil, err
	}
	if n := r.known.Number(r.key); n >= 0 {
		return r.results[n], nil
	}
	made, err := r.compute(row)
	if err != nil {
		return nil, err
	}
	if r.account.Kept > rememberedBytes {
		r.known.Clear()
		clear(r.results)
		r.results = r.results[:0]
		r.account.Close()
	}
	more := len(r.key) + arena.KeyBytes + arena.ValueBytes
	if r.kind == recipe.Scalar { // others are one of truthRows
		made = arena.CopyOf(made)
		more += arena.RowBytes(made)
	}
	r.known.Add(r.key)
	r.results = append(r.results, made)
	return made, r.account.Keep(more)
}

// makeKey makes the key of what the result for a row depends on.
func (r *subqueryRun) makeKey(row eval.Row) error {
	r.key = appendCells(r.key[:0], r.outer)
	if r.kind != recipe.Compared {
		return nil
	}
	operands, err := r.operandsOf(row)
	r.key = appendCells(r.key, operands)
	return err
}

// appendCells appends values, so that no others look the same.
func appendCells(dst []byte, row eval.Row) []byte {
	for _, v := range row {
		if v == nil {
			dst = append(dst, 0)
			continue
		}
		dst = binary.AppendUvarint(append(dst, 1), uint64(len(v)))
		dst = append(dst, v...)
	}
	return dst
}

// compute makes the result for a row.
func (r *subqueryRun) compute(row eval.Row) (eval.Row, error) {
	switch r.kind {
	case recipe.Exists:
		var found existing
		err := r.query.feed(r.outer, &found)
		return truthRows[truthOf(bool(found))], err
	case recipe.Compared:
		truth, err := r.compare(row)
		if err == nil {
			err = r.sureOf(row, truth)
		}
		return truthRows[truth], err
	default:
		return r.scalar()
	}
}

// truthRows are the results that are truths.
var truthRows = [...]eval.Row{
	eval.False:   {{0, 0, 0, 0, 0, 0, 0, 0}},
	eval.True:    {{0, 0, 0, 0, 0, 0, 0, 1}},
	eval.Unknown: {nil},
}

func truthOf(is bool) eval.Truth {
	if is {
		return eval.True
	}
	return eval.False
}

// existing takes one row.
type existing bool

func (e *existing) Row(eval.Row) error {
	*e = true
	return ErrEnough
}

func (e *existing) End() error { return nil }

// scalar is the value of the only row.
func (r *subqueryRun) scalar() (eval.Row, error) {
	value := &single{made: make(eval.Row, len(r.columns))}
	if err := r.query.feed(r.outer, value); err != nil {
		return nil, err
	}
	switch {
	case !value.several:
		return value.made, nil
	case r.sure:
		return nil, &SureError{severalRows()}
	}
	return nil, sqlerr.ValueRefused("a subquery of more than one row")
}

// severalRows is what servers say of a value that is a query of several rows.
func severalRows() *sqlerr.Error {
	return &sqlerr.Error{Number: 1242, State: "21000", Message: "Subquery returns more than 1 row"}
}

// single takes one row; a second one is too many.
type single struct {
	made         eval.Row
	one, several bool
}

func (s *single) Row(r eval.Row) error {
	if s.several = s.one; s.several {
		return ErrEnough
	}
	s.made, s.one = arena.CopyOf(r), true
	return nil
}

func (s *single) End() error { return nil }
