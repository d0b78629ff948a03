package exec

import (
	"slices"

	"tunic/internal/eval"
	"tunic/internal/plan"
)

// query is the local work of one statement: what is computed, and from what. Any number of executions
// may run it at once.
type query struct {
	run *plan.Run
	// fetched are the columns of the rows, by the run's Fetch, with name and type.
	fetched []localColumn
	// inputs are what it computes with beside rows; programs are its steps as they have been compiled.
	inputs   inputs
	programs programs
}

func newQuery(run *plan.Run, fetched []localColumn) *query {
	return &query{run: run, fetched: fetched, inputs: findInputs(localNodes(run))}
}

// columns are those of the rows of a query over one table, and of the rows that a statement writes.
func (q *query) columns() []localColumn {
	n := len(q.fetched)
	if q.run.Tree != nil {
		n = q.run.Tree.Leaves[0].To
	}
	return slices.Clone(q.fetched[:n])
}

// leafColumns are the columns of the rows of a leaf.
func (q *query) leafColumns(n int) []localColumn {
	leaf := &q.run.Tree.Leaves[n]
	var all []localColumn
	for _, f := range q.fetched[leaf.From:leaf.To] {
		all = append(all, localColumn{typ: f.typ})
	}
	return all
}

// start begins an execution of the steps: what comes out of them goes to the sink that last makes.
func (q *query) start(x *execution, session eval.Session, last func(*program) (taker, error)) (taker, error) {
	for _, p := range q.programs.all() {
		if p.fits(&session, &x.inputs) {
			return p.start(x, last)
		}
	}
	p, err := q.compile(&x.inputs, session)
	if err != nil {
		return nil, err
	}
	q.programs.keep(p)
	return p.start(x, last)
}
