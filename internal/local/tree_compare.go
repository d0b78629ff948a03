package local

import (
	"bytes"
	"slices"

	"tunic/internal/arena"
	"tunic/internal/eval"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// comparer compares operands with the rows of a subquery.
type comparer struct {
	runs     []*Running // of operands
	compares []*Running
	cells    Cells
	finder   *finder
	both     eval.Row // a row, and one of the subquery's behind it
	set      *rowSet  // the rows of a subquery without outer columns
}

func (c *comparer) begin(x *treeRun, of *compared, columns int) error {
	var err error
	if c.runs, err = StartItems(&Execution{Inputs: x.inputs}, of.operands); err != nil {
		return err
	}
	for _, e := range of.comparisons {
		run, err := e.begin(x)
		if err != nil {
			return err
		}
		c.compares = append(c.compares, run)
	}
	c.both = make(eval.Row, of.width+columns)
	c.finder, err = newFinder(x, of.keys)
	return err
}

// operandsOf are the operands of a row.
func (r *subqueryRun) operandsOf(row eval.Row) (eval.Row, error) {
	r.cells.begin()
	for i := range r.operands {
		if err := r.cells.compute(r.runs[i], r.operands[i].Column, row); err != nil {
			return nil, err
		}
	}
	return r.cells.row(), nil
}

// rowSet are the rows of a subquery that is the same for every row.
type rowSet struct {
	kept arena.Rows
	rows []eval.Row
	// found are the keys of rows without NULL, nulls the other rows; nil where rows
	// cannot be found by keys.
	found map[string]struct{}
	nulls []eval.Row
}

// compare compares a row's operands with the rows of the subquery.
func (r *subqueryRun) compare(row eval.Row) (eval.Truth, error) {
	all := &comparing{run: r, truth: truthOf(r.every)}
	copy(r.both, row)
	if err := r.fitOperands(row); err != nil {
		return eval.Unknown, err
	}
	if len(r.reads) > 0 {
		err := r.query.feed(r.outer, all)
		return all.truth, err
	}
	if err := r.makeSet(); err != nil {
		return eval.Unknown, err
	}
	return all.with(r.set.rows)
}

// comparing compares one row after the other.
type comparing struct {
	run   *subqueryRun
	truth eval.Truth
}

// with compares several rows.
func (c *comparing) with(rows []eval.Row) (eval.Truth, error) {
	for _, r := range rows {
		if err := c.run.x.step(); err != nil {
			return eval.Unknown, err
		}
		if err := c.Row(r); err != nil {
			return c.truth, ended(err)
		}
	}
	return c.truth, nil
}

func (c *comparing) Row(r eval.Row) error {
	copy(c.run.both[c.run.width:], r)
	if err := c.run.fit(r); err != nil {
		return err
	}
	truth, err := c.run.truth()
	switch {
	case err != nil:
		return err
	case truth == eval.Unknown:
		c.truth = eval.Unknown
	case truth != truthOf(c.run.every):
		c.truth = truth
		return ErrEnough
	}
	return nil
}

func (c *comparing) End() error { return nil }

// truth is whether the comparison of both rows is true.
func (r *subqueryRun) truth() (eval.Truth, error) {
	all := eval.True
	for _, run := range r.compares {
		truth, err := run.decide(r.both)
		switch {
		case err != nil:
			return truth, err
		case truth == eval.False:
			return truthOf(r.negated), nil
		case truth == eval.Unknown:
			all = eval.Unknown
		}
	}
	if all == eval.True {
		return truthOf(!r.negated), nil
	}
	return all, nil
}

// makeSet keeps the rows of the subquery.
func (r *subqueryRun) makeSet() error {
	if r.set != nil {
		return nil
	}
	r.set = &rowSet{}
	if r.keys != nil {
		r.set.found = map[string]struct{}{}
	}
	return r.query.feed(nil, (*setKeeper)(r))
}

// setKeeper keeps rows in the set of a subquery.
type setKeeper subqueryRun

func (k *setKeeper) Row(row eval.Row) error {
	kept := k.set.kept.Keep(row)
	k.set.rows = append(k.set.rows, kept)
	if err := k.account.Keep(arena.RowBytes(kept) + arena.ValueBytes); err != nil || k.set.found == nil {
		return err
	}
	whole, err := k.finder.keyOf(ownSide, kept)
	switch {
	case err != nil:
		return err
	case !whole:
		k.set.nulls = append(k.set.nulls, kept)
		return k.account.Keep(arena.ValueBytes)
	}
	if _, there := k.set.found[string(k.finder.key)]; there {
		return nil
	}
	k.set.found[string(k.finder.key)] = struct{}{}
	return k.account.Keep(len(k.finder.key) + arena.MapEntryBytes)
}

func (k *setKeeper) End() error { return nil }

// find compares a row's operands for equality with rows that are found by it.
func (r *subqueryRun) find(row eval.Row) (eval.Row, error) {
	truth, err := r.findTruth(row)
	if err == nil && truth == eval.Unknown && r.narrow {
		err = r.lookedUp(row)
	}
	if err == nil {
		err = r.sureOf(row, truth)
	}
	return truthRows[truth], err
}

func (r *subqueryRun) findTruth(row eval.Row) (eval.Truth, error) {
	if err := r.makeSet(); err != nil {
		return eval.Unknown, err
	}
	whole, err := r.finder.keyOf(otherSide, row)
	if err != nil {
		return eval.Unknown, err
	}
	rows := r.set.nulls
	if whole {
		if _, ok := r.set.found[string(r.finder.key)]; ok {
			return truthOf(!r.every), nil
		}
	} else {
		rows = r.set.rows
	}
	if len(r.operands) == 1 && len(rows) > 0 {
		return eval.Unknown, nil
	}
	copy(r.both, row)
	return (&comparing{run: r, truth: truthOf(r.every)}).with(rows)
}

// lookedUp refuses a row of which it is unknown whether it is among others, if one of
// its numbers is none of the others' type: MariaDB, which looks for it in a table of
// them, says that it is not among them, whatever NULLs there are.
func (r *subqueryRun) lookedUp(row eval.Row) error {
	operands, err := r.operandsOf(row)
	if err != nil {
		return err
	}
	for i, v := range operands {
		if from, to := r.operands[i].Typ, r.columns[i].Typ; v != nil && isExactNumber(from) && isExactNumber(to) && !holds(to, from, v) {
			return sqlerr.ValueRefused("IN of numbers of two types")
		}
	}
	return nil
}

// sureDigits is how many digits before the point a type has room for, whichever they
// are.
func sureDigits(t *value.Type) int {
	switch t.Kind {
	case value.TinyInt:
		return 2
	case value.SmallInt:
		return 4
	case value.MediumInt:
		return 6
	case value.Int:
		return 9
	case value.BigInt:
		return 18
	case value.Year:
		return 0
	default:
		return wholeDigits(t)
	}
}

// fit refuses a row of the subquery with a number that MySQL might warn of.
func (r *subqueryRun) fit(row eval.Row) error {
	for i, most := range r.fits {
		if most > 0 && !short(row[i], r.columns[i].Typ, most) {
			return errTwoTypes
		}
	}
	return nil
}

// fitOperands is fit for what a row's operands are.
func (r *subqueryRun) fitOperands(row eval.Row) error {
	if !slices.ContainsFunc(r.fits, func(most int) bool { return most > 0 }) {
		return nil
	}
	operands, err := r.operandsOf(row)
	if err != nil {
		return err
	}
	for i, most := range r.fits {
		if most > 0 && !short(operands[i], r.operands[i].Typ, most) {
			return errTwoTypes
		}
	}
	return nil
}

// sureOf refuses a row of which a NULL of the subquery leaves unknown whether it is among
// the others, where MySQL may have lost that NULL.
func (r *subqueryRun) sureOf(row eval.Row, truth eval.Truth) error {
	if truth != eval.Unknown || !slices.Contains(r.lost, true) {
		return nil
	}
	operands, err := r.operandsOf(row)
	if err != nil || slices.ContainsFunc(operands, func(v []byte) bool { return v == nil }) {
		return err
	}
	return errBitLost
}

var errBitLost = sqlerr.ExpressionRefused("a subquery", "bit")

var errTwoTypes = sqlerr.ValueRefused("a comparison of numbers of two types")

// short reports whether a number has no more than so many digits before the point.
func short(v []byte, t *value.Type, most int) bool {
	return v == nil || wholeLength(keyNumber.append(nil, t, v)[keyHead:]) <= most
}

func isExactNumber(t *value.Type) bool { return isWhole(t) || t.Kind == value.Decimal }

// holds reports whether a type surely holds a number of another one.
func holds(to, from *value.Type, v []byte) bool {
	digits := keyNumber.append(nil, from, v)[keyHead:]
	_, fraction, _ := bytes.Cut(digits, []byte("."))
	return wholeLength(digits) <= sureDigits(to) && len(fraction) <= to.Decimals && (digits[0] != '-' || !to.Unsigned)
}
