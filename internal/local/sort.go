package local

import (
	"bytes"
	"cmp"
	"sync"

	"tunic/internal/arena"
	"tunic/internal/budget"
	"tunic/internal/eval"
	"tunic/internal/recipe"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// sortKey is a key that rows are sorted by.
type sortKey struct {
	expression *expression // nil for a column of the row
	column     int
	typ        *value.Type
	descending bool
}

// sort compiles ORDER BY. A LIMIT right behind it says how many rows are kept.
func (c *compiler) sort(s *recipe.Sort, rest []recipe.Step) error {
	var keys []sortKey
	for _, k := range s.By {
		key := sortKey{descending: k.Descending, column: k.Item}
		if c.whole {
			key.typ = c.Items[k.Item].Typ
		} else {
			c.scope.draws = true // a key is computed once for each row
			e, err := c.expression(k.Expr)
			c.scope.draws = false
			if err != nil {
				return err
			}
			if e.Constant() {
				continue
			}
			key.expression, key.typ = e, e.Type()
			if i, ok := e.Column(); ok {
				key.expression, key.column = nil, i
			}
		}
		if !value.Ordered(key.typ) {
			return sqlerr.ExpressionRefused("ORDER BY", key.typ.Kind.String())
		}
		keys = append(keys, key)
	}
	limit := limitBehind(rest)
	if c.countsBehind() {
		limit = nil
	}
	c.phases = append(c.phases, func(x *Execution, next Sink) (Sink, error) {
		made, err := newSorter(x, keys, next)
		if err == nil && limit != nil {
			err = made.keepFirst(c, x, limit)
		}
		return made, err
	})
	return nil
}

// limitBehind is the LIMIT that follows a step with nothing in between that drops
// or adds rows, unless it counts those that it drops.
func limitBehind(rest []recipe.Step) *recipe.Limit {
	for _, s := range rest {
		switch s := s.(type) {
		case *recipe.Limit:
			if s.All {
				return nil
			}
			return s
		case *recipe.Project:
		default:
			return nil
		}
	}
	return nil
}

// sorter keeps rows and passes them on in their order: all of them, or those that
// come first.
type sorter struct {
	keys    []sortKey
	runs    []*Running
	columns bool // all keys are columns of the row
	late    bool // and are made only of rows that their heads do not tell apart
	next    Sink
	account *budget.Account
	most    int // rows that are kept; -1 for all
	arrived uint64
	failed  error // of making keys while rows were compared
	*sorting
}

// sorting is the memory of a sorter, which another one has after it.
type sorting struct {
	cells   Cells
	rows    []sorted
	kept    arena.Rows // of rows that stay: all of them
	weights []byte
	ends    []int // of the keys in weights
	order   []uint64
}

// sorted is a row with its keys: canonical forms, weight strings of text. They are nil as
// long as nobody has asked for them.
type sorted struct {
	row, keys eval.Row
	arrived   uint64 // equal rows stay in their order
	head      head
}

// sortings are those that nobody has.
var sortings = sync.Pool{New: func() any { return new(sorting) }}

func (s *sorting) giveBack() {
	clear(s.rows)
	clear(s.cells.made)
	s.rows, s.order = arena.Bounded(s.rows, sortedBytes)[:0], arena.Bounded(s.order, rankedBytes)[:0]
	s.cells.buffer, s.weights = arena.Bounded(s.cells.buffer, 1), arena.Bounded(s.weights, 1)
	s.kept.Reset()
	sortings.Put(s)
}

// newSorter is a sorter for all rows.
func newSorter(x *Execution, keys []sortKey, next Sink) (*sorter, error) {
	s := &sorter{keys: keys, next: next, account: &x.Account, most: -1, columns: true, sorting: borrow[*sorting](x, &sortings)}
	for i := range keys {
		var run *Running
		if keys[i].expression != nil {
			s.columns = false
			var err error
			if run, err = keys[i].expression.Begin(x); err != nil {
				return nil, err
			}
		}
		s.runs = append(s.runs, run)
	}
	s.late = s.columns && len(keys) > 0 && hasHeads(keys[0].typ)
	return s, nil
}

// keepFirst says how many rows are asked for.
func (s *sorter) keepFirst(c *compiler, x *Execution, l *recipe.Limit) error {
	offset, err := c.number(x, l.Of.Offset)
	if err != nil {
		return err
	}
	count, err := c.number(x, l.Of.Rowcount)
	const sortMost = 1 << 40
	if err == nil && offset < sortMost && count < sortMost {
		s.most = int(offset + count)
	}
	return err
}

func (s *sorter) Row(r eval.Row) error {
	s.arrived++
	one := sorted{row: r, arrived: s.arrived}
	if !s.late || !s.headOfColumn(&one) {
		keys, err := s.keysOf(r)
		if err != nil {
			return err
		}
		one.keys, one.head = keys, s.headOf(keys[:min(len(keys), 1)])
	}
	switch {
	case s.most == 0:
		return nil
	case len(s.rows) == s.most:
		if before, err := s.beforeLast(&one); err != nil || !before {
			return err
		}
		return s.replaceLast(one)
	}
	if err := s.keep(&one); err != nil {
		return err
	}
	s.rows = append(s.rows, one)
	if len(s.rows) == s.most {
		for i := len(s.rows)/2 - 1; i >= 0; i-- {
			s.sink(i)
		}
	}
	return s.failed
}

// beforeLast reports whether a row comes before the last of those that are kept, and gives
// it keys if that takes them. It has come later.
func (s *sorter) beforeLast(one *sorted) (bool, error) {
	last := &s.rows[0]
	if d := one.head.compare(last.head); d != 0 {
		return d < 0, nil
	}
	if one.keys == nil || last.keys == nil {
		s.makeKeys(last) // where those of the row are that is not kept
		var err error
		if one.keys, err = s.keysOf(one.row); err != nil {
			return false, err
		}
	}
	return compareRows(s.keys, one.keys, last.keys) < 0, s.failed
}

// keep copies a row, and its keys if there are any.
func (s *sorter) keep(one *sorted) error {
	one.row, one.keys = s.copied(one.row), s.copied(one.keys)
	return s.account.Keep(s.bytesOf(one))
}

// copied is a copy of a row, or of keys, that are kept.
func (s *sorter) copied(r eval.Row) eval.Row {
	switch {
	case r == nil:
		return nil
	case s.most < 0:
		return s.kept.Keep(r)
	}
	return arena.CopyOf(r)
}

// makeKeys makes the keys of a row that is kept, if it has none.
func (s *sorter) makeKeys(one *sorted) {
	if one.keys != nil {
		return
	}
	keys, err := s.keysOf(one.row)
	if err == nil {
		one.keys = s.copied(keys)
		err = s.account.Keep(arena.RowBytes(one.keys))
	}
	if err != nil && s.failed == nil {
		s.failed = err
	}
}

// bytesOf is what a row takes that is kept.
func (s *sorter) bytesOf(one *sorted) int {
	n := arena.RowBytes(one.row) + sortedBytes + rankedBytes
	if one.keys != nil {
		n += arena.RowBytes(one.keys)
	}
	return n
}

// replaceLast puts a row into the place of the last of those that are kept, which
// is at the top of a heap.
func (s *sorter) replaceLast(one sorted) error {
	last := &s.rows[0]
	if err := s.account.Keep(-s.bytesOf(last)); err != nil {
		return err
	}
	if err := s.keep(&one); err != nil {
		return err
	}
	s.rows[0] = one
	s.sink(0)
	return s.failed
}

// sink moves a row down the heap to where it belongs.
func (s *sorter) sink(i int) {
	for {
		last := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(s.rows); child++ {
			if s.compare(&s.rows[child], &s.rows[last]) > 0 {
				last = child
			}
		}
		if last == i {
			return
		}
		s.rows[i], s.rows[last] = s.rows[last], s.rows[i]
		i = last
	}
}

// valuesOf are the values that a row is sorted by.
func (s *sorter) valuesOf(r eval.Row) (eval.Row, error) {
	if s.columns {
		s.cells.made = s.cells.made[:0]
		for i := range s.keys {
			s.cells.made = append(s.cells.made, r[s.keys[i].column])
		}
		return s.cells.made, nil
	}
	s.cells.begin()
	for i := range s.keys {
		if err := s.cells.compute(s.runs[i], s.keys[i].column, r); err != nil {
			return nil, err
		}
	}
	return s.cells.row(), nil
}

// keysOf are the keys of a row, which are good until the next one's.
func (s *sorter) keysOf(r eval.Row) (eval.Row, error) {
	keys, err := s.valuesOf(r)
	if err != nil {
		return nil, err
	}
	s.weights = append(s.weights[:0], 0)
	s.ends = s.ends[:0]
	for i := range s.keys {
		if t := s.keys[i].typ; t.Kind.IsText() && keys[i] != nil {
			s.weights = t.Collation.AppendWeights(s.weights, keys[i])
		}
		s.ends = append(s.ends, len(s.weights))
	}
	begin := 1
	for i, end := range s.ends {
		if s.keys[i].typ.Kind.IsText() && keys[i] != nil {
			keys[i] = s.weights[begin:end:end]
		}
		begin = end
	}
	return keys, nil
}

// compare compares two rows that are kept by their keys, and by which has come first.
func (s *sorter) compare(a, b *sorted) int {
	if d := a.head.compare(b.head); d != 0 {
		return d
	}
	s.makeKeys(a)
	s.makeKeys(b)
	if s.failed != nil {
		return 0 // whatever their order is, nobody gets it
	}
	if d := compareRows(s.keys, a.keys, b.keys); d != 0 {
		return d
	}
	return cmp.Compare(a.arrived, b.arrived)
}

// compareKeys compares values of a key; NULL is less than all others (MySQL manual,
// "Working with NULL Values").
func compareKeys(k *sortKey, a, b []byte) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return -1
	case b == nil:
		return 1
	case k.typ.Kind.IsText():
		return k.typ.Collation.CompareWeights(a, b)
	case k.typ.Kind.IsBytes():
		return bytes.Compare(a, b)
	}
	return value.Compare(k.typ, a, b)
}

func (s *sorter) End() error {
	s.sort()
	if s.failed != nil {
		return s.failed
	}
	for _, number := range s.order {
		if err := s.next.Row(s.rows[number].row); err != nil {
			if err == ErrEnough { //nolint:errorlint // it is never wrapped
				return nil
			}
			return err
		}
	}
	return s.next.End()
}
