package local

import (
	"slices"

	"tunic/internal/arena"
	"tunic/internal/budget"
	"tunic/internal/eval"
	"tunic/internal/sqlerr"
)

// windower keeps all rows, computes window functions of them, and passes them on with
// the results behind, in the order of the last window.
type windower struct {
	of      *windows
	sorters []*sorter // of each order: they make the keys
	runs    [][]windowRun
	next    Sink
	account *budget.Account
	leaving func() bool
	kept    arena.Rows
	rows    []eval.Row
	results []eval.Row
}

func newWindower(x *Execution, of *windows, next Sink) (*windower, error) {
	w := &windower{of: of, next: next, account: &x.Account, leaving: x.Leaving}
	for i := range of.orders {
		o := &of.orders[i]
		s, err := newSorter(x, slices.Concat(o.partition, o.order), nil)
		if err != nil {
			return nil, err
		}
		w.sorters = append(w.sorters, s)
		runs := make([]windowRun, len(o.functions))
		for j := range o.functions {
			var err error
			if runs[j], err = o.functions[j].start(x); err != nil {
				return nil, err
			}
		}
		w.runs = append(w.runs, runs)
	}
	return w, nil
}

func (w *windower) Row(r eval.Row) error {
	w.rows = append(w.rows, w.kept.Keep(r))
	return w.account.Keep(arena.RowBytes(r) + (w.of.width+1)*arena.ValueBytes)
}

func (w *windower) End() error {
	cells := make(eval.Row, len(w.rows)*w.of.width)
	w.results = make([]eval.Row, len(w.rows))
	for i := range w.results {
		w.results[i] = cells[i*w.of.width : (i+1)*w.of.width]
	}
	var order []int
	for i := range w.of.orders {
		var err error
		if order, err = w.compute(i); err != nil {
			return err
		}
	}
	var out eval.Row
	for _, i := range order {
		out = append(append(out[:0], w.rows[i]...), w.results[i]...)
		if err := w.next.Row(out); err != nil {
			if err == ErrEnough { //nolint:errorlint // it is never wrapped
				return nil
			}
			return err
		}
	}
	return w.next.End()
}

// compute computes the functions of one order. It returns the numbers of the rows in
// that order.
func (w *windower) compute(number int) ([]int, error) {
	o, s := &w.of.orders[number], w.sorters[number]
	keys := make([]eval.Row, len(w.rows))
	var kept arena.Rows
	bytes := 0
	for i, r := range w.rows {
		made, err := s.keysOf(r)
		if err != nil {
			return nil, err
		}
		keys[i] = kept.Keep(made)
		n := arena.RowBytes(made) + arena.ValueBytes
		bytes += n
		if err := w.account.Keep(n); err != nil {
			return nil, err
		}
	}
	order := make([]int, len(w.rows))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return compareRows(s.keys, keys[a], keys[b]) })
	if err := o.knows(s.keys, order, keys); err != nil {
		return nil, err
	}
	same := s.keys[:len(o.partition)]
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && compareRows(same, keys[order[from]], keys[order[to]]) == 0 {
			to++
		}
		if err := w.partition(number, order[from:to], keys); err != nil {
			return nil, err
		}
		from = to
	}
	return order, w.account.Keep(-bytes)
}

// knows refuses averages that differ in digits alone that are not shown: servers differ in
// whether they are equal.
func (o *windowOrder) knows(by []sortKey, order []int, keys []eval.Row) error {
	if !slices.Contains(o.fine, true) {
		return nil
	}
	for i := 1; i < len(order); i++ {
		a, b := keys[order[i-1]], keys[order[i]]
		for j := range by {
			if d := compareKeys(&by[j], a[j], b[j]); d != 0 && o.fine[j] {
				return ErrAverage()
			} else if d != 0 {
				break
			}
		}
	}
	return nil
}

// compareRows compares the keys of two rows, as many as there are.
func compareRows(by []sortKey, a, b eval.Row) int {
	for i := range by {
		switch d := compareKeys(&by[i], a[i], b[i]); {
		case d == 0:
		case by[i].descending:
			return -d
		default:
			return d
		}
	}
	return 0
}

// partition computes the functions of one order for the rows of a partition.
func (w *windower) partition(number int, order []int, keys []eval.Row) error {
	o := &w.of.orders[number]
	p := &partition{windower: w, order: order, peers: make([]peers, len(order))}
	by := w.sorters[number].keys
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && compareRows(by, keys[order[from]], keys[order[to]]) == 0 {
			to++
		}
		for i := from; i < to; i++ {
			p.peers[i] = peers{from, to}
		}
		from = to
	}
	if len(o.order) == 1 {
		p.key = func(i int) []byte { return keys[order[i]][len(o.partition)] }
	}
	for j, run := range w.runs[number] {
		p.function = &o.functions[j]
		if err := run(p); err != nil {
			return err
		}
	}
	return nil
}

// again counts a row that is looked at again for a frame. They are bounded as the
// combinations of rows are that a join looks at: frames of all rows before each take as
// long.
func (w *windower) again() error {
	root := w.account
	for root.Within != nil {
		root = root.Within
	}
	root.Again++
	switch most := stepsOfRow * root.Budget.Rows; {
	case root.Again > most:
		return sqlerr.LocalCombinations(most, root.Hint())
	case root.Again%stepsBetween == 0 && w.leaving != nil && w.leaving():
		return errLeaving
	}
	return nil
}

// partition are the rows that a function is computed of, in their order.
type partition struct {
	*windower
	order    []int // their numbers
	peers    []peers
	key      func(i int) []byte // the key that they are sorted by, if it is one
	function *windowFunction
}

// peers are the rows with keys like one's: from the first to before the second number.
type peers struct{ from, to int }

func (p *partition) len() int { return len(p.order) }

// at is a row of the partition.
func (p *partition) at(i int) eval.Row { return p.rows[p.order[i]] }

// set sets the result of a row, which is copied; nil is NULL.
func (p *partition) set(i int, result []byte) error { return p.setAt(i, p.function.result, result) }

func (p *partition) setAt(i, column int, result []byte) error {
	if result == nil {
		return nil
	}
	p.results[p.order[i]][column] = p.kept.Keep(eval.Row{result})[0]
	return p.account.Keep(len(result))
}

// share gives a row the result of another, which is not copied.
func (p *partition) share(i, of int) {
	for _, column := range [...]int{p.function.result, p.function.precise} {
		if column >= 0 {
			p.results[p.order[i]][column] = p.results[p.order[of]][column]
		}
	}
}
