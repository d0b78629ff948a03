package local

import (
	"slices"

	"tunic/internal/eval"
	"tunic/internal/recipe"
)

// Query is the local work of one statement: what is computed, and from what. Any number of executions
// may run it at once.
type Query struct {
	run *recipe.Run
	// fetched are the columns of the rows, by the run's Fetch, with name and type.
	fetched []Column
	// Inputs are what it computes with beside rows; programs are its steps as they have been compiled.
	Inputs   inputs
	programs programs
}

// NewQuery is the local work of a run whose rows have these columns.
func NewQuery(run *recipe.Run, fetched []Column) *Query {
	return &Query{run: run, fetched: fetched, Inputs: findInputs(localNodes(run))}
}

// Columns are those of the rows of a query over one table, and of the rows that a statement writes.
func (q *Query) Columns() []Column {
	n := len(q.fetched)
	if q.run.Tree != nil {
		n = q.run.Tree.Leaves[0].To
	}
	return slices.Clone(q.fetched[:n])
}

// leafColumns are the columns of the rows of a leaf.
func (q *Query) leafColumns(n int) []Column {
	leaf := &q.run.Tree.Leaves[n]
	var all []Column
	for _, f := range q.fetched[leaf.From:leaf.To] {
		all = append(all, Column{Typ: f.Typ})
	}
	return all
}

// Compiled is how many programs are kept, ProgramsMax at most.
func (q *Query) Compiled() int { return len(q.programs.all()) }

// Start begins an execution of the steps: what comes out of them goes to the sink that last makes.
func (q *Query) Start(x *Execution, session eval.Session, last func(*Program) (Sink, error)) (Sink, error) {
	for _, p := range q.programs.all() {
		if p.fits(&session, &x.Inputs) {
			return p.start(x, last)
		}
	}
	p, err := q.compile(&x.Inputs, session)
	if err != nil {
		return nil, err
	}
	q.programs.keep(p)
	return p.start(x, last)
}
