package local

import (
	"tunic/internal/arena"
	"tunic/internal/budget"
	"tunic/internal/eval"
	"tunic/internal/recipe"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// groups compiles GROUP BY and the aggregate functions of all steps behind it.
func (c *compiler) groups(g *recipe.Group, rest []recipe.Step) error {
	var keys []Item
	for _, e := range g.By {
		x, err := c.expression(e)
		if err != nil {
			return err
		}
		if x.Constant() {
			continue
		}
		if !value.Ordered(x.Type()) {
			return sqlerr.ExpressionRefused("GROUP BY", x.Type().Kind.String())
		}
		k := Item{Expression: x, Typ: x.Type()}
		if i, ok := x.Column(); ok {
			k.Expression, k.Column = nil, i
		}
		keys = append(keys, k)
	}
	if g.Rollup {
		if err := c.rolledUp(keys); err != nil {
			return err
		}
	}
	var aggregates []*eval.Aggregate
	var hidden []bool
	for _, a := range g.Aggregates {
		made, err := eval.CompileAggregate(a, c.scope, c.program.session)
		if err != nil {
			return err
		}
		aggregates, hidden = append(aggregates, made), append(hidden, c.hidesIn(a, made.Type()))
		c.program.compiled = append(c.program.compiled, made)
	}
	width, all := len(c.scope.Columns), len(g.By) == 0
	c.results = nil
	for i, a := range aggregates {
		c.results = append(c.results, c.scope.Add(c.aggregateColumn(a, hidden[i], g, rest)))
	}
	averages := c.averages(aggregates)
	if g.Rollup {
		c.level = c.scope.Add(Column{Typ: truthType})
	}
	with := func(g *grouper) { g.averages, g.width, g.all = averages, width, all }
	c.phases = append(c.phases, func(x *Execution, next Sink) (Sink, error) {
		if g.Rollup {
			return newRoller(x, keys, aggregates, next, with)
		}
		made, err := newGrouper(x, keys, aggregates, next)
		if err == nil {
			with(made)
		}
		return made, err
	})
	c.group, c.Grouped = g, true
	return nil
}

// averages are the aggregate functions whose results rows have twice: as they are
// shown, and behind all of those with the digits that servers compute with.
func (c *compiler) averages(aggregates []*eval.Aggregate) (all []int) {
	for i, a := range aggregates {
		if digits, ok := a.Digits(); ok {
			c.scope.Columns[c.results[i]].finer = c.scope.Add(Column{Typ: a.Type(), digits: digits})
			all = append(all, i)
		}
	}
	return all
}

// grouper makes one row of those with equal keys: the first of them, with the
// results of aggregate functions behind it.
type grouper struct {
	keys    []Item
	runs    []*Running
	results []*eval.Accumulation
	holds   bool // results hold memory beside themselves
	next    Sink
	account *budget.Account
	// averages are those of the results that are there twice.
	averages []int
	width    int
	all      bool // there are no keys: there is one group, of no row if there are none
	cells    Cells
	key      []byte
	groups   arena.Keys // of the numbers in order
	order    []*group
	dates    partDates
	kept     arena.Rows // of the first rows
	// spare are groups that are made already, and results for them.
	spare        []group
	spareResults []eval.Group
}

// group is a group of rows.
type group struct {
	first   eval.Row
	results []eval.Group
	bytes   int // that the results hold
}

// groupBytes is about what a group takes beside its row, key and results; a result
// takes as much again.
const groupBytes = 256

func newGrouper(x *Execution, keys []Item, aggregates []*eval.Aggregate, next Sink) (*grouper, error) {
	g := &grouper{keys: keys, next: next, account: &x.Account}
	types := make([]*value.Type, len(keys))
	for i := range keys {
		types[i] = keys[i].Typ
	}
	g.dates = partDatesOf(x.Inputs.Env, types)
	var err error
	if g.runs, err = StartItems(x, keys); err != nil {
		return nil, err
	}
	for _, a := range aggregates {
		acc, err := a.Start(x.Inputs)
		if err == nil {
			err = Quiet(acc.Conditions())
		}
		if err != nil {
			return nil, err
		}
		g.results = append(g.results, acc)
		g.holds = g.holds || a.Holds()
	}
	return g, nil
}

func (g *grouper) Row(r eval.Row) error {
	of, err := g.groupOf(r)
	if err != nil {
		return err
	}
	for i, acc := range g.results {
		if err := acc.Add(&of.results[i], r); err != nil {
			return err
		}
		if err := Quiet(acc.Conditions()); err != nil {
			return err
		}
	}
	if !g.holds {
		return nil
	}
	return g.keepHeld(of)
}

// keepHeld accounts for what the results of a group hold.
func (g *grouper) keepHeld(of *group) error {
	held := 0
	for i := range of.results {
		held += of.results[i].Bytes()
	}
	more := held - of.bytes
	of.bytes = held
	return g.account.Keep(more)
}

// groupOf is the group of a row.
func (g *grouper) groupOf(r eval.Row) (*group, error) {
	if len(g.keys) == 0 && len(g.order) == 1 {
		return g.order[0], nil
	}
	g.cells.begin()
	for i := range g.keys {
		if err := g.cells.compute(g.runs[i], g.keys[i].Column, r); err != nil {
			return nil, err
		}
	}
	if err := g.dates.allow(g.cells.row()); err != nil {
		return nil, err
	}
	g.key = g.key[:0]
	for i, v := range g.cells.row() {
		g.key = AppendKey(g.key, g.keys[i].Typ, v)
	}
	number, added := g.groups.Add(g.key)
	if !added {
		return g.order[number], nil
	}
	made := g.newGroup(r)
	g.order = append(g.order, made)
	return made, g.account.Keep(len(g.key) + arena.RowBytes(made.first) + groupBytes*(1+len(g.results)))
}

// spareMost is how many groups are made at once.
const spareMost = 256

// newGroup is a group that begins with a row.
func (g *grouper) newGroup(r eval.Row) *group {
	if len(g.spare) == 0 {
		n := min(len(g.order)+1, spareMost)
		g.spare, g.spareResults = make([]group, n), make([]eval.Group, n*len(g.results))
	}
	made, width := &g.spare[0], len(g.results)
	made.first, made.results = g.kept.Keep(r), g.spareResults[:width:width]
	g.spare, g.spareResults = g.spare[1:], g.spareResults[width:]
	return made
}

// AppendKey appends bytes that are the same for equal values, and of which none are
// the beginning of another's.
func AppendKey(dst []byte, t *value.Type, v []byte) []byte {
	if v == nil {
		return append(dst, 0)
	}
	dst = append(dst, 1, 0, 0, 0, 0)
	begin := len(dst)
	dst = value.AppendEquality(dst, t, v)
	n := len(dst) - begin
	dst[begin-4], dst[begin-3], dst[begin-2], dst[begin-1] = byte(n>>24), byte(n>>16), byte(n>>8), byte(n)
	return dst
}

func (g *grouper) End() error {
	if g.all && len(g.order) == 0 {
		none := make(eval.Row, g.width)
		g.order = append(g.order, &group{first: none, results: make([]eval.Group, len(g.results))})
	}
	for _, of := range g.order {
		row, err := g.resultsOf(of)
		if err != nil {
			return err
		}
		if err := g.next.Row(row); err != nil {
			if err == ErrEnough { //nolint:errorlint // it is never wrapped
				return nil
			}
			return err
		}
	}
	return g.next.End()
}

// resultsOf is the row of a group.
func (g *grouper) resultsOf(of *group) (eval.Row, error) {
	g.cells.begin()
	for _, v := range of.first {
		if v == nil {
			g.cells.null()
		} else {
			g.cells.add(v)
		}
	}
	for i, acc := range g.results {
		result, err := acc.Result(&of.results[i])
		if err != nil {
			return nil, err
		}
		if result.Null() {
			g.cells.null()
			continue
		}
		if g.cells.buffer, err = result.Append(g.cells.buffer); err != nil {
			return nil, err
		}
		g.cells.ends = append(g.cells.ends, len(g.cells.buffer))
	}
	for _, i := range g.averages {
		before := len(g.cells.buffer)
		if g.cells.buffer = g.results[i].AppendPrecise(g.cells.buffer, &of.results[i]); len(g.cells.buffer) == before {
			g.cells.null()
		} else {
			g.cells.ends = append(g.cells.ends, len(g.cells.buffer))
		}
	}
	return g.cells.row(), nil
}
