package local

import (
	"bytes"
	"slices"

	"tunic/internal/eval"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// Quiet refuses what has raised a condition where servers evaluate an unknown number
// of times.
func Quiet(conditions []value.Condition) error {
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
	c.phases = append(c.phases, func(x *Execution, next Sink) (Sink, error) {
		run, err := e.Begin(x)
		f := &filter{run: run, next: next}
		if ofRows && x.tree == nil && len(x.Dropped) > 0 {
			f.dropped = &x.Dropped[0]
		}
		return f, err
	})
	return nil
}

// filter lets rows pass for which a condition is true.
type filter struct {
	run     *Running
	next    Sink
	dropped *int64 // counts rows that do not pass; nil if nobody does
}

func (f *filter) Row(r eval.Row) error {
	truth, err := f.run.Truth(r)
	if err == nil {
		err = Quiet(f.run.Conditions())
	}
	if err != nil || truth != eval.True {
		if f.dropped != nil {
			*f.dropped++
		}
		return err
	}
	return f.next.Row(r)
}

func (f *filter) End() error { return f.next.End() }

// Limiter skips rows and stops.
type Limiter struct {
	Skip, Left uint64
	Next       Sink
	counted    *uint64 // all rows, also those behind; nil if they are not counted
	skipped    *uint64 // nil if nobody asks
	// skipsForNone says that rows are skipped, and counted, also if none is wanted behind them: MySQL's
	// FOUND_ROWS() has them, MariaDB's does not.
	skipsForNone bool
}

func (l *Limiter) Row(r eval.Row) error {
	if l.counted != nil {
		*l.counted++
	}
	switch {
	case l.Left == 0 && l.counted != nil:
		return nil
	case l.Left == 0 && (l.Skip == 0 || !l.skipsForNone):
		return l.enough()
	case l.Skip > 0:
		l.Skip--
		if l.skipped != nil {
			*l.skipped++
		}
		return nil
	}
	l.Left--
	if err := l.Next.Row(r); err != nil || l.Left > 0 || l.counted != nil {
		return err
	}
	return l.enough()
}

// enough ends what follows, which is not told of rows that are not wanted.
func (l *Limiter) enough() error {
	if err := l.Next.End(); err != nil {
		return err
	}
	return ErrEnough
}

func (l *Limiter) End() error { return l.Next.End() }

// projector makes rows of items.
type projector struct {
	cells   Cells
	items   []Item
	runs    []*Running
	columns bool // all items are columns of the row, which are not copied
	next    Sink
	// tally is told of a DECIMAL with fewer digits than its type, of a table that MySQL may not
	// make; nil for all others.
	tally *Tally
	env   *value.Env
	room  []byte
}

func newProjector(x *Execution, items []Item, next Sink) (*projector, error) {
	runs, err := StartItems(x, items)
	columns := !slices.ContainsFunc(items, func(it Item) bool { return it.Expression != nil })
	return &projector{items: items, runs: runs, columns: columns, next: next}, err
}

// StartItems begins the runs of items that are computed.
func StartItems(x *Execution, items []Item) ([]*Running, error) {
	runs := make([]*Running, len(items))
	for i := range items {
		if items[i].Expression == nil {
			continue
		}
		var err error
		if runs[i], err = items[i].Expression.Begin(x); err != nil {
			return nil, err
		}
	}
	return runs, nil
}

func (p *projector) Row(r eval.Row) error {
	if p.columns {
		p.cells.made = p.cells.made[:0]
		for i := range p.items {
			p.cells.made = append(p.cells.made, r[p.items[i].Column])
		}
		return p.next.Row(p.cells.made)
	}
	p.cells.begin()
	for i := range p.items {
		result, err := p.cells.computed(p.runs[i], p.items[i].Column, r)
		if err == nil && p.tally != nil && p.items[i].rough {
			err = p.countDigits(&p.items[i], &result)
		}
		if err != nil {
			return err
		}
	}
	return p.next.Row(p.cells.row())
}

// countDigits tells of a DECIMAL that is written with other digits than its type has.
func (p *projector) countDigits(it *Item, result *eval.Result) error {
	if result.Null() || p.tally.Uneven {
		return nil
	}
	own, err := result.AppendText(p.room[:0])
	if err != nil {
		return err
	}
	canonical := p.cells.buffer[len(p.cells.buffer)-value.FixedBytes(it.Typ):]
	p.room = value.AppendText(own, it.Typ, canonical, p.env)
	p.tally.Uneven = !bytes.Equal(own, p.room[len(own):])
	return nil
}

func (p *projector) End() error { return p.next.End() }

// Cells collects canonical forms and makes a row of them. Its buffers are used
// again for the next one.
type Cells struct {
	buffer []byte
	ends   []int // -1 for NULL
	made   eval.Row
}

func (c *Cells) begin() { c.buffer, c.ends = append(c.buffer[:0], 0), c.ends[:0] }

func (c *Cells) null() { c.ends = append(c.ends, -1) }

func (c *Cells) add(b []byte) {
	c.buffer = append(c.buffer, b...)
	c.ends = append(c.ends, len(c.buffer))
}

// compute adds what a run makes of a row, or a column of it if there is no run.
func (c *Cells) compute(run *Running, column int, r eval.Row) error {
	_, err := c.computed(run, column, r)
	return err
}

// computed is compute, with what has come of it; the zero Result of a column of the row.
func (c *Cells) computed(run *Running, column int, r eval.Row) (result eval.Result, err error) {
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
		err = Quiet(run.Conditions())
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
func (c *Cells) row() eval.Row {
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
