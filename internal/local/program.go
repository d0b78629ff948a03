package local

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"tunic/internal/budget"
	"tunic/internal/eval"
	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// Program is the local steps of a statement compiled for sessions of one kind, and
// for values of one form. It is not changed by its executions.
type Program struct {
	session eval.Session
	// compiled are all expressions and aggregate functions.
	compiled []fitting
	pipeline
	tree *treeProgram // of a query over several tables; nil for one table
}

// pipeline is what is done with the rows of one query.
type pipeline struct {
	phases []phase
	Items  []Item // of the answer, computed from what the last phase lets pass
	// whole says that the columns of the last phase's rows are the items.
	whole bool
	// Grouped says that rows have been grouped, or compared with each other.
	Grouped bool
}

// fitting is what is compiled for values of one form.
type fitting interface{ Fits(in *eval.Inputs) bool }

// fits reports whether the program is for executions like this one.
func (p *Program) fits(session *eval.Session, in *eval.Inputs) bool {
	if p.session != *session {
		return false
	}
	for _, e := range p.compiled {
		if !e.Fits(in) {
			return false
		}
	}
	return true
}

// phase makes what does a step's work in one execution. What it lets pass goes to
// next.
type phase func(x *Execution, next Sink) (Sink, error)

// Sink takes rows. A row is good only until row returns.
type Sink interface {
	// Row takes a row. ErrEnough says that no more are wanted.
	Row(r eval.Row) error
	// End is told that there are no more rows; not if ErrEnough was returned.
	End() error
}

// ErrEnough says that the rows there are decide the answer.
var ErrEnough = errors.New("enough rows")

// Execution is what the stages of one execution share.
type Execution struct {
	Inputs  eval.Inputs
	Account budget.Account
	tree    *treeRun // of a query over several tables
	// Sieve is asked of rows of leaves before they are read whole; nil for none. Whoever does not ask has it forgotten.
	Sieve *Sieve
	// Leaving reports whether nobody waits for the answer any more; nil if nobody
	// knows.
	Leaving  func() bool
	Rounds   uint64 // of a recursive common table expression, at most
	Borrowed []borrowed
	Counted  *Tally // by a LIMIT that counts the rows behind it
	Told     bool   // what comes out of it is the client's
	// Dropped is how many rows of each leaf conditions have left out; nil if nobody counts.
	Dropped []int64
}

// Tally is how many rows have come to a LIMIT, if that counts them, and how many it has skipped:
// FOUND_ROWS() has those as well.
type Tally struct {
	N, Skipped uint64
	Counts     bool
	// Uneven says that a DECIMAL of a table that MySQL may not have made had fewer digits than its
	// type, which are not known any more.
	Uneven bool
}

// Item is a column of the answer.
type Item struct {
	Expression *expression // nil for a column of the row
	Column     int
	Typ        *value.Type
	// Number says that it is a computed YEAR, which servers send without zeros in
	// front.
	Number   bool
	Constant bool // it is the same in all rows
	rough    bool // see digits
	settled  bool
	Uneven   bool // a column of the row that may have had fewer digits: see Tally
	// Source is what it is computed by, a column of the row as well.
	Source *expression
	// Rounds says of a column that a server may have it with more digits; nil if not.
	Rounds *Rounding
	// hidden says that servers may have digits of it that are not here, hidesKept that
	// they may where its value is that of a column; averages are those that it has some
	// of where they show.
	hidden, hidesKept bool
	averages          []*Rounding
	Guessed           bool // see eval.Expression
	MayFill           bool // see eval.Filler
	// zeroIsNull and unfilled are those of the column of the row that it is.
	zeroIsNull, unfilled bool
	Variable             int // 1 + the number of the user variable that it is; 0 for anything else
}

// programs are those of one statement.
type programs struct {
	mu    sync.Mutex
	known atomic.Pointer[[]*Program]
}

// ProgramsMax is how many programs of one statement are kept. Applications write
// the same numbers with more or less digits, and little else changes.
const ProgramsMax = 16

func (p *programs) all() []*Program {
	if known := p.known.Load(); known != nil {
		return *known
	}
	return nil
}

// keep adds a program in the place of the oldest.
func (p *programs) keep(made *Program) {
	p.mu.Lock()
	defer p.mu.Unlock()
	next := slices.Clone(p.all())
	if len(next) >= ProgramsMax {
		next = next[1:]
	}
	next = append(next, made)
	p.known.Store(&next)
}

// start begins an execution of the program.
func (p *Program) start(x *Execution, last func(*Program) (Sink, error)) (Sink, error) {
	next, err := last(p)
	if err != nil {
		return nil, err
	}
	if p.tree != nil {
		return p.startTree(x, next)
	}
	return p.pipeline.start(x, next)
}

// start begins an execution of the phases: what comes out of them goes to next.
func (p *pipeline) start(x *Execution, next Sink) (Sink, error) {
	var err error
	for i := len(p.phases) - 1; i >= 0 && err == nil; i-- {
		next, err = p.phases[i](x, next)
	}
	return next, err
}

// compiler compiles the steps of a query, one after the other.
type compiler struct {
	program *Program // what is compiled is added to it
	*pipeline
	query *Query
	scope *Scope
	group *recipe.Group // if there was one
	// results are where in the rows the results of its aggregate functions are.
	results []int
	// level is where the number of keys is that a row of a WITH ROLLUP is grouped by.
	level int
	// windowed are the results of window functions.
	windowed windowResults
	tree     *treeCompiler // nil for one table
	set      bool          // of a UNION
	sources  []*source     // of the block so far
	answers  bool          // the query's rows are the answer
}

// compile compiles the steps for executions like this one.
func (q *Query) compile(in *eval.Inputs, session eval.Session) (*Program, error) {
	if q.run.Tree != nil {
		return q.compileTree(in, session)
	}
	made := &Program{session: session}
	c := &compiler{program: made, pipeline: &made.pipeline, query: q, scope: NewScope(q, in, q.Columns())}
	return made, c.steps(q.run.Local)
}

// steps compiles steps.
func (c *compiler) steps(all []recipe.Step) error {
	for i, s := range all {
		if err := c.step(s, all[i+1:]); err != nil {
			return err
		}
	}
	return nil
}

func (c *compiler) step(s recipe.Step, rest []recipe.Step) error {
	switch s := s.(type) {
	case *recipe.Filter:
		return c.filter(s.Where, true)
	case *recipe.Having:
		return c.filter(s.Where, false)
	case *recipe.Group:
		return c.groups(s, rest)
	case *recipe.Attach:
		return c.attach(s, rest)
	case *recipe.Window:
		return c.window(s)
	case *recipe.Project:
		return c.project(s, rest)
	case *recipe.Distinct:
		return c.distinct()
	case *recipe.Sort:
		return c.sort(s, rest)
	case *recipe.Limit:
		return c.limit(s)
	}
	return sqlerr.StatementUnread()
}

// expression compiles an expression of a step.
func (c *compiler) expression(e ast.Expr) (*expression, error) {
	made := &expression{}
	computed, err := c.ofWindow(e)
	if err == nil {
		computed, err = c.ofGroup(computed)
	}
	if err != nil {
		return nil, err
	}
	if c.tree != nil {
		if err := c.checkAttached(computed); err != nil {
			return nil, err
		}
		if err := c.checkRough(computed); err != nil {
			return nil, err
		}
	}
	if made.Expression, err = c.evaluation(computed); err != nil {
		return nil, err
	}
	return made, c.average(computed, made)
}

// evaluation compiles an expression of columns.
func (c *compiler) evaluation(e ast.Expr) (*eval.Expression, error) {
	made, err := eval.Compile(e, c.scope, c.program.session)
	if err == nil {
		c.program.compiled = append(c.program.compiled, made)
	}
	return made, err
}

// ofGroup is an expression with names of results in the place of aggregate
// functions.
func (c *compiler) ofGroup(e ast.Expr) (ast.Expr, error) {
	if c.group == nil {
		return e, nil
	}
	if i := c.group.Aggregate(e); i >= 0 {
		return c.scope.named(c.results[i]), nil
	}
	var refusal error
	replaced, ok := ast.Rewrite(ast.CloneButNames(e), func(cursor *ast.Cursor) bool {
		if f, ok := isGrouping(cursor.Node()); ok && refusal == nil {
			var bits ast.Expr
			if bits, refusal = c.grouping(f); refusal == nil {
				cursor.Replace(bits)
			}
			return false
		}
		a, ok := cursor.Node().(ast.AggrFunc)
		if !ok {
			return true
		}
		i := c.group.Aggregate(a)
		if !computes(c.scope.Columns[c.results[i]].Typ) {
			refusal = sqlerr.ExpressionRefused(a.AggrName(), "such values, inside of an expression,")
		}
		cursor.Replace(c.scope.named(c.results[i]))
		return false
	}, nil).(ast.Expr)
	if !ok && refusal == nil {
		refusal = sqlerr.StatementUnread()
	}
	return replaced, refusal
}

// computes reports whether servers compute with the result of an aggregate function
// as with a column of its type.
func computes(t *value.Type) bool {
	switch k := t.Kind; {
	case k.IsInteger(), k == value.Decimal, k == value.Double, k.IsText(), k.IsBytes(),
		k == value.Date, k == value.DateTime, k == value.Time:
		return true
	}
	return false
}

// project compiles the items. Where DISTINCT follows, rows become those of the
// items.
func (c *compiler) project(s *recipe.Project, rest []recipe.Step) error {
	for _, it := range s.Items {
		x, err := c.expression(it.Expr)
		if err != nil {
			return err
		}
		made := Item{Expression: x, Typ: x.Type(), Number: x.Type().Kind == value.Year, Constant: x.Constant(), Source: x}
		if i, ok := x.Column(); ok {
			made.Expression, made.Column = nil, i
			made.Number = made.Number && c.scope.Columns[i].result // of MIN or MAX
			made.Rounds, made.MayFill = c.scope.rounding(i), c.scope.MayFill(i)
			made.zeroIsNull, made.unfilled, made.Uneven = c.scope.ZeroIsNull(i), c.scope.Columns[i].unfilled, c.scope.Columns[i].uneven
		}
		c.digits(&made, it.Expr)
		made.Variable = 1 + recipe.Variable(it.Expr)
		made.Guessed = x.Guessed() && made.Variable == 0
		if err := c.hiding(&made, it.Expr); err != nil {
			return err
		}
		c.Items = append(c.Items, made)
	}
	distinct := slices.ContainsFunc(rest, func(s recipe.Step) bool { _, ok := s.(*recipe.Distinct); return ok })
	if !distinct {
		return nil
	}
	items := c.Items
	c.phases = append(c.phases, func(x *Execution, next Sink) (Sink, error) { return newProjector(x, items, next) })
	c.Items, c.whole, c.Grouped = make([]Item, len(items)), true, true
	for i := range items {
		c.Items[i] = Item{
			Column: i, Typ: items[i].Typ, Number: items[i].Number, Constant: items[i].Constant,
			hidden: items[i].hidesKept, hidesKept: items[i].hidesKept, MayFill: items[i].MayFill,
			zeroIsNull: items[i].zeroIsNull, unfilled: items[i].unfilled, Uneven: items[i].Uneven,
		}
	}
	return nil
}

// countsBehind reports whether FOUND_ROWS() has the rows behind a LIMIT as well: on MariaDB those of
// a UNION.
func (c *compiler) countsBehind() bool { return c.set && c.program.session.Flavor == value.MariaDB }

// limit compiles LIMIT, whose numbers are those of the execution.
func (c *compiler) limit(s *recipe.Limit) error {
	operands := [2]ast.Expr{s.Of.Offset, s.Of.Rowcount}
	c.phases = append(c.phases, func(x *Execution, next Sink) (Sink, error) {
		l := &Limiter{Next: next}
		if x.Counted != nil && x.Told {
			l.skipped, l.skipsForNone = &x.Counted.Skipped, c.program.session.Flavor == value.MySQL
		}
		if x.Counted != nil && (s.All || x.Told && c.countsBehind()) {
			l.counted, x.Counted.Counts = &x.Counted.N, true
		}
		for i, to := range [...]*uint64{&l.Skip, &l.Left} {
			n, err := c.number(x, operands[i])
			if err != nil {
				return nil, err
			}
			*to = n
		}
		return l, nil
	})
	return nil
}

// number is an operand of LIMIT, 0 if there is none.
func (c *compiler) number(x *Execution, e ast.Expr) (uint64, error) {
	refusal := sqlerr.ExpressionRefused("LIMIT", "what is no number")
	switch e := e.(type) {
	case nil:
		return 0, nil
	case *ast.Literal:
		if n, ok := parseUint(e.Val); ok {
			return n, nil
		}
	case *ast.Argument:
		o := OperandOf(e)
		i := c.query.Inputs.single(&o)
		if i < 0 {
			return 0, refusal
		}
		if n, ok := limitOf(&x.Inputs.Binds[i], c.program.session.Flavor); ok {
			return n, nil
		}
	}
	return 0, refusal
}

// limitOf is the number of rows that a value means behind LIMIT. Drivers whose language has one type
// of numbers send a DOUBLE, which MySQL has an error for, others a text.
func limitOf(s *value.Source, flavor value.Flavor) (n uint64, ok bool) {
	switch s.Form {
	case value.FormUint:
		return s.Number, true
	case value.FormInt:
		return s.Number, int64(s.Number) >= 0
	case value.FormDouble:
		const exact = 1 << 53
		f := math.RoundToEven(math.Float64frombits(s.Number))
		return uint64(max(f, 0)), f >= 0 && f < exact && flavor == value.MariaDB
	case value.FormString, value.FormDecimal:
		return parseUint(string(s.Bytes))
	}
	return 0, false
}

// parseUint reads an unsigned number of 64 bits.
func parseUint(digits string) (n uint64, ok bool) {
	n, err := strconv.ParseUint(digits, 10, 64)
	return n, err == nil
}
