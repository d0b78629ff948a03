package local

import (
	"bytes"

	"tunic/internal/arena"
	"tunic/internal/budget"
	"tunic/internal/eval"
	"tunic/internal/recipe"
	"tunic/internal/sqlerr"
)

// source is a compiled recipe.Source.
type source struct {
	leaf    int      // of a Scan; -1 for a query
	of      relation // of a query
	reads   []int    // where the outer columns of the query are in the block's row
	base    int      // of its columns in the block's row
	width   int
	where   *expression // of a row of the source; nil for all
	sifting *sifting    // of the rows of a leaf; nil for none
	// keys are those by which its rows are found, rest is what else has to be true of
	// the block's row.
	keys []joinKey
	rest []*expression
}

// source compiles a source.
func (c *compiler) source(f *recipe.Source, null bool) (from, error) {
	made := &source{leaf: -1, base: len(c.scope.Columns), width: len(f.Columns)}
	columns, err := c.rowsOf(f, made)
	if err != nil {
		return nil, err
	}
	if len(columns) < len(f.Columns) {
		return nil, sqlerr.StatementUnread()
	}
	own := &compiler{program: c.program, pipeline: &pipeline{}, query: c.query, tree: c.tree, scope: NewScope(c.query, c.tree.in, nil)}
	for i, name := range f.Columns {
		column := Column{
			Qualifier: f.Name, Name: name, Typ: columns[i].Typ,
			literal: columns[i].literal, rough: columns[i].rough, settled: columns[i].settled, uneven: columns[i].uneven, hidden: columns[i].hidden, zeroIsNull: columns[i].zeroIsNull,
			read: columns[i].read,
		}
		if f.Qualifiers != nil {
			column.Qualifier = f.Qualifiers[i]
		}
		own.scope.Add(column)
		if null {
			column.zeroIsNull = column.zeroIsNull || column.Typ.NotNull
			column.Typ = nullable(column.Typ)
		}
		c.scope.Add(column)
	}
	if f.Where != nil {
		if made.where, err = own.expression(f.Where); err != nil {
			return nil, err
		}
		made.sifting = c.sift(f, own)
	}
	c.sources = append(c.sources, made)
	return made, c.keysOf(f, own, made)
}

// rowsOf compiles what a source has the rows of.
func (c *compiler) rowsOf(f *recipe.Source, made *source) ([]Column, error) {
	if scan, ok := f.Of.(*recipe.Scan); ok {
		made.leaf = scan.Leaf
		leaf := &c.tree.tree.leaves[scan.Leaf]
		leaf.readers = append(leaf.readers, made)
		columns := c.query.leafColumns(scan.Leaf)
		if leaf.read == nil {
			leaf.read = make([]bool, len(columns))
		}
		for i := range columns {
			columns[i].read = &leaf.read[i]
		}
		return columns, nil
	}
	var outer []Column
	var err error
	if made.reads, outer, err = outerColumns(f.Of, c.scope); err != nil {
		return nil, err
	}
	of, err := c.tree.relation(f.Of, outer, false)
	made.of = of.relation
	return of.columns, err
}

// sourceRun is a source in one execution. Its rows are made when they are first asked
// for, and anew where they are of other outer values.
type sourceRun struct {
	*source
	x       *treeRun
	row     eval.Row // the block's
	query   relationRun
	working *rounds // what query is, if its rows change from round to round
	round   int     // that the rows are of
	where   *Running
	finder  *finder
	rest    []*Running
	account budget.Account // of what is kept of it
	made    bool
	outer   eval.Row // the values that its rows are of
	rows    []eval.Row
	columns []int    // that the rows of a leaf are kept with; nil for all
	whole   eval.Row // a row with those in their places
	index   *rowIndex
	kept    arena.Rows
}

func (s *source) begin(x *treeRun, row eval.Row) (fromRun, error) {
	r := &sourceRun{source: s, x: x, row: row, account: x.account.Inner(), outer: make(eval.Row, len(s.reads))}
	var err error
	if s.of != nil {
		if r.query, err = s.of.begin(x); err != nil {
			return nil, err
		}
		r.working, _ = r.query.(*rounds)
	}
	if s.where != nil {
		if r.where, err = s.where.begin(x); err != nil {
			return nil, err
		}
	}
	if r.finder, err = newFinder(x, s.keys); err != nil {
		return nil, err
	}
	for _, e := range s.rest {
		run, err := e.begin(x)
		if err != nil {
			return nil, err
		}
		r.rest = append(r.rest, run)
	}
	return r, nil
}

func (s *sourceRun) each(emit func() error) error {
	rows, err := s.candidates()
	if err != nil {
		return err
	}
	into := s.row[s.base : s.base+s.width]
	for _, r := range rows {
		if err := s.x.step(); err != nil {
			return err
		}
		copy(into, s.spread(r))
		goes, err := s.goes()
		if err == nil && goes {
			err = emit()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// goes reports whether what is in the block's row goes together.
func (s *sourceRun) goes() (bool, error) {
	for _, run := range s.rest {
		if truth, err := run.decide(s.row); err != nil || truth != eval.True {
			return false, err
		}
	}
	return true, nil
}

func (s *sourceRun) clear() { clear(s.row[s.base : s.base+s.width]) }

// candidates are the rows that may go together with what is to the left.
func (s *sourceRun) candidates() ([]eval.Row, error) {
	if err := s.make(); err != nil || len(s.keys) == 0 {
		return s.rows, err
	}
	if s.index == nil {
		if err := s.makeIndex(); err != nil {
			return nil, err
		}
	}
	ok, err := s.finder.keyOf(otherSide, s.row)
	if err != nil || !ok {
		return nil, err
	}
	return s.index.of(s.finder.key), nil
}

// make makes the rows, unless they are there.
func (s *sourceRun) make() error {
	if s.made && s.sameOuter() && (s.working == nil || s.working.round == s.round) {
		return nil
	}
	if s.working != nil {
		s.round = s.working.round
	}
	s.account.Close()
	s.rows, s.index, s.kept, s.made = nil, nil, arena.Rows{}, true
	if s.query == nil {
		return s.scan()
	}
	for i, at := range s.reads {
		s.outer[i] = bytes.Clone(s.row[at])
		if s.row[at] != nil && s.outer[i] == nil {
			s.outer[i] = []byte{}
		}
	}
	return s.query.feed(s.outer, collector{s})
}

// sameOuter reports whether the outer values are those that the rows are of.
func (s *sourceRun) sameOuter() bool {
	for i, at := range s.reads {
		if (s.outer[i] == nil) != (s.row[at] == nil) || !bytes.Equal(s.outer[i], s.row[at]) {
			return false
		}
	}
	return true
}

// spread is a row of a leaf with its columns in their places, good until the next one.
func (s *sourceRun) spread(r eval.Row) eval.Row {
	if s.columns == nil {
		return r
	}
	for i, column := range s.columns {
		s.whole[column] = r[i]
	}
	return s.whole
}

// scan takes the rows of a leaf.
func (s *sourceRun) scan() error {
	if s.columns = s.x.readOf(s.leaf); s.columns != nil && s.whole == nil {
		s.whole = make(eval.Row, len(s.x.program.leaves[s.leaf].read))
	}
	if s.where == nil {
		s.rows = s.x.leaves[s.leaf]
		return nil
	}
	for _, r := range s.x.leaves[s.leaf] {
		if err := s.x.step(); err != nil {
			return err
		}
		truth, err := s.where.decide(s.spread(r))
		if err != nil {
			return err
		}
		if truth == eval.True {
			s.rows = append(s.rows, r)
		}
	}
	return s.account.Keep(arena.ValueBytes * len(s.rows))
}

// collector keeps the rows of a source's query.
type collector struct{ *sourceRun }

func (c collector) Row(r eval.Row) error {
	r = r[:c.width]
	if c.where != nil {
		if truth, err := c.where.decide(r); err != nil || truth != eval.True {
			return err
		}
	}
	kept := c.kept.Keep(r)
	c.rows = append(c.rows, kept)
	return c.account.Keep(arena.RowBytes(kept) + arena.ValueBytes)
}

func (c collector) End() error { return nil }
