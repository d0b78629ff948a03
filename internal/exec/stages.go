package exec

import (
	"bytes"
	"slices"

	"tunic/internal/eval"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// quiet refuses what has raised a condition where servers evaluate an unknown number
// of times.
func quiet(conditions []value.Condition) error {
	if len(conditions) == 0 {
		return nil
	}
	return sqlerr.ValueRefused("a condition or key that warns")
}

// filter compiles WHERE, which is of rows, and HAVING.
func (c *compiler) filter(where ast.Expr, ofRows bool) error {
	e, err := c.expression(where)
	if err != nil {
		return err
	}
	c.phases = append(c.phases, func(x *execution, next taker) (taker, error) {
		run, err := e.start(x)
		f := &filter{run: run, next: next}
		if ofRows && x.tree == nil && len(x.dropped) > 0 {
			f.dropped = &x.dropped[0]
		}
		return f, err
	})
	return nil
}

// filter lets rows pass for which a condition is true.
type filter struct {
	run     *running
	next    taker
	dropped *int64 // counts rows that do not pass; nil if nobody does
}

func (f *filter) row(r eval.Row) error {
	truth, err := f.run.Truth(r)
	if err == nil {
		err = quiet(f.run.Conditions())
	}
	if err != nil || truth != eval.True {
		if f.dropped != nil {
			*f.dropped++
		}
		return err
	}
	return f.next.row(r)
}

func (f *filter) end() error { return f.next.end() }

// limiter skips rows and stops.
type limiter struct {
	skip, left uint64
	next       taker
	counted    *uint64 // all rows, also those behind; nil if they are not counted
	skipped    *uint64 // nil if nobody asks
}

func (l *limiter) row(r eval.Row) error {
	if l.counted != nil {
		*l.counted++
	}
	switch {
	case l.left == 0 && l.counted != nil:
		return nil
	case l.left == 0:
		return l.enough()
	case l.skip > 0:
		l.skip--
		if l.skipped != nil {
			*l.skipped++
		}
		return nil
	}
	l.left--
	if err := l.next.row(r); err != nil || l.left > 0 || l.counted != nil {
		return err
	}
	return l.enough()
}

// enough ends what follows, which is not told of rows that are not wanted.
func (l *limiter) enough() error {
	if err := l.next.end(); err != nil {
		return err
	}
	return errEnough
}

func (l *limiter) end() error { return l.next.end() }

// projector makes rows of items.
type projector struct {
	cells   cells
	items   []item
	runs    []*running
	columns bool // all items are columns of the row, which are not copied
	next    taker
	// tally is told of a DECIMAL with fewer digits than its type, of a table that MySQL may not
	// make; nil for all others.
	tally *tally
	env   *value.Env
	room  []byte
}

func newProjector(x *execution, items []item, next taker) (*projector, error) {
	runs, err := startItems(x, items)
	columns := !slices.ContainsFunc(items, func(it item) bool { return it.expression != nil })
	return &projector{items: items, runs: runs, columns: columns, next: next}, err
}

// startItems begins the runs of items that are computed.
func startItems(x *execution, items []item) ([]*running, error) {
	runs := make([]*running, len(items))
	for i := range items {
		if items[i].expression == nil {
			continue
		}
		var err error
		if runs[i], err = items[i].expression.start(x); err != nil {
			return nil, err
		}
	}
	return runs, nil
}

func (p *projector) row(r eval.Row) error {
	if p.columns {
		p.cells.made = p.cells.made[:0]
		for i := range p.items {
			p.cells.made = append(p.cells.made, r[p.items[i].column])
		}
		return p.next.row(p.cells.made)
	}
	p.cells.begin()
	for i := range p.items {
		result, err := p.cells.computed(p.runs[i], p.items[i].column, r)
		if err == nil && p.tally != nil && p.items[i].rough {
			err = p.countDigits(&p.items[i], &result)
		}
		if err != nil {
			return err
		}
	}
	return p.next.row(p.cells.row())
}

// countDigits tells of a DECIMAL that is written with other digits than its type has.
func (p *projector) countDigits(it *item, result *eval.Result) error {
	if result.Null() || p.tally.uneven {
		return nil
	}
	own, err := result.AppendText(p.room[:0])
	if err != nil {
		return err
	}
	canonical := p.cells.buffer[len(p.cells.buffer)-value.FixedBytes(it.typ):]
	p.room = value.AppendText(own, it.typ, canonical, p.env)
	p.tally.uneven = !bytes.Equal(own, p.room[len(own):])
	return nil
}

func (p *projector) end() error { return p.next.end() }

// cells collects canonical forms and makes a row of them. Its buffers are used
// again for the next one.
type cells struct {
	buffer []byte
	ends   []int // -1 for NULL
	made   eval.Row
}

func (c *cells) begin() { c.buffer, c.ends = append(c.buffer[:0], 0), c.ends[:0] }

func (c *cells) null() { c.ends = append(c.ends, -1) }

func (c *cells) add(b []byte) {
	c.buffer = append(c.buffer, b...)
	c.ends = append(c.ends, len(c.buffer))
}

// compute adds what a run makes of a row, or a column of it if there is no run.
func (c *cells) compute(run *running, column int, r eval.Row) error {
	_, err := c.computed(run, column, r)
	return err
}

// computed is compute, with what has come of it; the zero Result of a column of the row.
func (c *cells) computed(run *running, column int, r eval.Row) (result eval.Result, err error) {
	if run == nil {
		if r[column] == nil {
			c.null()
		} else {
			c.add(r[column])
		}
		return result, nil
	}
	result, err = run.Eval(r)
	if err == nil {
		err = quiet(run.Conditions())
	}
	switch {
	case err != nil:
		return result, err
	case result.Null():
		c.null()
		return result, nil
	}
	if c.buffer, err = result.Append(c.buffer); err == nil {
		c.ends = append(c.ends, len(c.buffer))
	}
	return result, err
}

// row is what was collected. It is good until begin.
func (c *cells) row() eval.Row {
	c.made = c.made[:0]
	begin := 1 // one byte is before the first: what is empty is not nil
	for _, end := range c.ends {
		if end < 0 {
			c.made = append(c.made, nil)
			continue
		}
		c.made = append(c.made, c.buffer[begin:end:end])
		begin = end
	}
	return c.made
}

// valueBytes is what a value takes in a row beside its bytes.
const valueBytes = 24

// rowBytes is what a row takes that is kept.
func rowBytes(r eval.Row) int {
	n := valueBytes * (len(r) + 1)
	for _, v := range r {
		n += len(v)
	}
	return n
}

// keepRow copies a row into memory of its own.
func keepRow(r eval.Row) eval.Row {
	n := 1
	for _, v := range r {
		n += len(v)
	}
	kept := make(eval.Row, len(r))
	buffer := make([]byte, 1, n)
	for i, v := range r {
		if v == nil {
			continue
		}
		begin := len(buffer)
		buffer = append(buffer, v...)
		kept[i] = buffer[begin:len(buffer):len(buffer)]
	}
	return kept
}
