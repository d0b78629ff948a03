package local

import (
	"encoding/binary"
	"errors"

	"tunic/internal/arena"
	"tunic/internal/budget"
	"tunic/internal/eval"
	"tunic/internal/sqlerr"
)

// treeRun is one execution of a recipe.Tree.
type treeRun struct {
	program    *treeProgram
	inputs     eval.Inputs
	account    *budget.Account
	leaves     [][]eval.Row
	shared     []*sharedRun
	recursives []*rounds
	rounds     uint64 // that each of them may have
	subqueries map[*subquery]*subqueryRun
	steps      int64
	stepped    int64 // that may be
	leaving    func() bool
	counted    *Tally
	dropped    []int64 // see execution
	sieve      *Sieve  // that rows have come through; nil for none
}

// stepsOfRow is how many combinations of rows a statement may look at for each row
// that it may read: a bound for joins and subqueries that look at all pairs.
const stepsOfRow = 4

// stepsBetween is how many combinations are looked at before the session is asked
// whether anybody waits for the answer.
const stepsBetween = 1 << 14

// step counts a combination of rows.
func (x *treeRun) step() error {
	x.steps++
	switch {
	case x.steps > x.stepped:
		return sqlerr.LocalCombinations(x.stepped, x.account.Hint())
	case x.steps%stepsBetween == 0 && x.leaving != nil && x.leaving():
		return errLeaving
	}
	return nil
}

// sieved reports whether the condition of its leaf is known to be true of the row that has come.
func (x *treeRun) sieved() bool { return x.sieve != nil && x.sieve.passed }

// readOf are the columns that rows of a leaf are kept with, nil for all: those that anything reads, if the others have not come.
func (x *treeRun) readOf(leaf int) []int {
	if x.sieve == nil || !x.sieve.asked {
		return nil
	}
	return x.program.leaves[leaf].columns
}

// drop counts a row of a leaf that is left out.
func (x *treeRun) drop(leaf int) {
	if leaf < len(x.dropped) {
		x.dropped[leaf]++
	}
}

// errLeaving is the end of a statement whose answer nobody waits for.
var errLeaving = sqlerr.ShuttingDown()

// startTree begins an execution of the program's tree: rows of its leaves go in, and
// those of its root go to the last taker.
func (p *Program) startTree(x *Execution, last Sink) (Sink, error) {
	t := &treeRun{
		program: p.tree, inputs: x.Inputs, account: &x.Account, leaves: make([][]eval.Row, len(p.tree.leaves)),
		shared: make([]*sharedRun, p.tree.shared), recursives: make([]*rounds, p.tree.recursives), rounds: x.Rounds, stepped: stepsOfRow * x.Account.Budget.Rows, leaving: x.Leaving, counted: x.Counted, dropped: x.Dropped,
	}
	var err error
	if x.Sieve, err = p.newSieve(x, t); err != nil {
		return nil, err
	}
	t.sieve = x.Sieve
	if b := p.tree.streamed(); b != nil {
		return p.startStream(x, t, b, last)
	}
	g := &gatherer{treeRun: t, last: &Shield{To: last}, wheres: make([]*Running, len(p.tree.leaves)), limited: p.tree.leaves}
	for i := range p.tree.leaves {
		if where := p.tree.leaves[i].where; where != nil {
			if g.wheres[i], err = where.Begin(x); err != nil {
				return nil, err
			}
		}
	}
	g.root, err = p.tree.root.begin(t)
	return g, err
}

// gatherer keeps the rows of leaves. When they are all there, what is made of them
// goes to the last taker.
type gatherer struct {
	*treeRun
	root   relationRun
	wheres []*Running
	// limited are the leaves as they were compiled.
	limited []leafProgram
	kept    arena.Rows
	some    eval.Row // of a row, what is kept of it
	last    *Shield
}

// Row takes a row: the columns of a leaf, and the leaf's number.
func (g *gatherer) Row(r eval.Row) error {
	leaf, r := int(binary.BigEndian.Uint64(r[len(r)-1])), r[:len(r)-1]
	if where := g.wheres[leaf]; where != nil && !g.sieved() {
		truth, err := where.Truth(r)
		if err == nil {
			err = Quiet(where.Conditions())
		}
		if err != nil || truth != eval.True {
			g.drop(leaf)
			return g.last.hide(err)
		}
	}
	if err := g.limited[leaf].fit(r); err != nil {
		return g.last.hide(err)
	}
	if columns := g.readOf(leaf); columns != nil {
		g.some = g.some[:0]
		for _, i := range columns {
			g.some = append(g.some, r[i])
		}
		r = g.some
	}
	kept := g.kept.Keep(r)
	g.leaves[leaf] = append(g.leaves[leaf], kept)
	if err := g.keepMet(leaf); err != nil {
		return err
	}
	return g.account.Keep(arena.RowBytes(kept) + arena.ValueBytes)
}

func (g *gatherer) End() error { return g.last.hide(g.root.feed(nil, g.last)) }

// Shield stands before what takes the rows of a tree, and tells its errors from those
// of what makes them: conditions and subqueries are computed here whether or not the
// server would have come to them, so that an error of the server's that they raise is
// not known to be its answer.
type Shield struct {
	To     Sink
	failed error
}

// Row passes a row on.
func (s *Shield) Row(r eval.Row) error {
	err := s.To.Row(r)
	if err != ErrEnough { //nolint:errorlint // it is never wrapped
		s.failed = err
	}
	return err
}

// End passes it on.
func (s *Shield) End() error {
	s.failed = s.To.End()
	return s.failed
}

// hide makes a refusal of an error of the server's that nobody knows it to answer
// with.
func (s *Shield) hide(err error) error {
	if _, ok := errors.AsType[*SureError](err); ok {
		return err
	}
	own, ok := errors.AsType[*sqlerr.Error](err)
	if err == nil || s.failed != nil || !ok || own.Code != 0 {
		return err
	}
	return sqlerr.ValueRefused("a condition or a subquery")
}

// SureError is an error of the server's that is known to be its answer: it comes in the
// place of a row.
type SureError struct{ Of *sqlerr.Error }

// Error is the server's message.
func (e *SureError) Error() string { return e.Of.Message }

// Unwrap is the server's error.
func (e *SureError) Unwrap() error { return e.Of }
