package exec

import (
	"tunic/internal/advice"
	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/description"
	"tunic/internal/exec/apart"
	"tunic/internal/exec/change"
	"tunic/internal/exec/first"
	"tunic/internal/exec/trial"
	"tunic/internal/local"
	"tunic/internal/recipe"
	"tunic/internal/sql"
)

// Statement is a Run made ready: its columns have their cryptography, and it is
// known which slots are forms of one value. Any number of sessions may run it at
// once.
type Statement struct {
	binding.Statement
	beside       map[*catalog.Table][]*binding.Column   // of tables whose rows are written beside others
	alternatives [len(recipe.Alternatives{})]*Statement // of Run.Alternatives: see alternative
	// sent is Run.Sent, and plain are those of sent that are computed here, for plain columns only;
	// limits are Run.Limits.
	sent, plain, limits []int
	query               *local.Query // what is computed locally
	params              int
	whole               *Statement     // that this is the alternative for CountsChanged of, if it may be run outright
	upsert              *change.Upsert // nil without ON DUPLICATE KEY UPDATE
	write               *change.Write  // nil if no rows are read to be written
	targets             []*target      // of a statement that writes rows that it finds in several tables
	from                *Statement     // of Run.From; nil if no rows of a query are inserted
	returns             *Statement     // of Rewrite.Returns or Upsert.Returns; nil if nothing is returned of rows that are read

	described description.Known
	first     first.Level  // of a query that asks for its first rows
	page      *advice.Page // of what it misses; nil for nothing
	apart     apart.Known  // of one whose rows may come apart
	trial     trial.Trial  // of one that writes a row without a transaction
	cached    trial.Trial  // and without reading it
	// buffered and constants are what buffers says of it.
	buffered, constants bool
}

// ready makes a Statement of a Run.
func (e *Engine) ready(run *recipe.Run) (*Statement, error) {
	st := &Statement{Statement: binding.Statement{Run: *run}, page: e.options.Advice.Open(run)}
	if err := st.TakeColumns(e.options.Forms); err != nil {
		return nil, err
	}
	var err error
	if st.beside, err = change.Columns(&st.Statement, e.options.Forms); err != nil {
		return nil, err
	}
	if err := st.TakeValues(); err != nil {
		return nil, err
	}
	if err := st.takeWrites(); err != nil {
		return nil, err
	}
	st.query = local.NewQuery(&st.Run, st.FetchedColumns())
	if returns := returnsOf(run); returns != nil {
		if st.returns, err = e.ready(returns); err != nil {
			return nil, err
		}
	}
	if from := run.From(); from != nil {
		if st.from, err = e.ready(from); err != nil {
			return nil, err
		}
	}
	st.countParams()
	st.FindListed()
	if err := e.readyAlternatives(st, run); err != nil {
		return nil, err
	}
	st.takeFacts()
	return st, nil
}

// takeWrites makes the second halves ready.
func (st *Statement) takeWrites() (err error) {
	of := change.Of{Statement: &st.Statement, Rows: &st.Statement, Beside: st.beside}
	if rewrite := st.Run.Rewrite(); rewrite != nil {
		if st.write, err = of.Ready(rewrite.Write); err != nil {
			return err
		}
	} else if err := st.takeTargets(); err != nil {
		return err
	}
	st.upsert, err = of.ReadyUpsert()
	return err
}

// takeFacts finds out what every execution would find out of the run again. The text of an
// INSERT may be long, and no rows of it are finished here.
func (st *Statement) takeFacts() {
	st.sent, st.plain, st.limits = st.Run.Sent(), st.Run.ComputedPlain(), st.Run.Limits()
	if !st.Inserts() {
		st.buffered, st.constants = local.Buffers(&st.Run)
	}
}

// returnsOf is what a statement returns of rows that are read for it, nil for nothing.
func returnsOf(run *recipe.Run) *recipe.Run {
	if rewrite := run.Rewrite(); rewrite != nil {
		return rewrite.Returns
	}
	if upsert := run.Upsert(); upsert != nil {
		return upsert.Returns
	}
	return nil
}

// countParams counts the parameters that an execution has.
func (st *Statement) countParams() {
	for i := range st.Run.Slots {
		for o := range st.Run.Slots[i].Operands() {
			st.params = max(st.params, binding.ParamsOf(o))
			st.NeedsNow = st.NeedsNow || o.Kind == recipe.FromComputed
		}
	}
	for _, w := range st.writings() {
		st.params = max(st.params, w.Params)
	}
	if st.from != nil {
		st.params, st.NeedsNow = max(st.params, st.from.params), true
	}
	for i := range st.query.Inputs.Singles {
		st.params = max(st.params, binding.ParamsOf(&st.query.Inputs.Singles[i]))
	}
	for _, p := range [...]*sql.Printed{st.Run.Remote, st.Run.Answer.Describe} {
		if p == nil {
			continue
		}
		for _, h := range p.Holes() {
			if h.Kind == sql.HoleParam && h.Number < sql.FirstVariable {
				st.params = max(st.params, h.Number+1)
			}
		}
	}
}

// returning reports whether the statement writes rows and returns them.
func (st *Statement) returning() bool {
	return len(st.Run.Fetch) > 0 && !st.Reads() && !st.rewrites() && st.upsert == nil
}

// rewrites reports whether the statement reads rows to write them.
func (st *Statement) rewrites() bool { return st.write != nil || st.targets != nil }

// local reports whether the statement's rows are finished by tunic.
func (st *Statement) local() bool { return len(st.Run.Local) > 0 || st.Run.Tree != nil }

// written is how many values the rows have that a statement writes: those of the
// first leaf.
func (st *Statement) written() int {
	if st.Run.Tree != nil {
		return st.Run.Tree.Leaves[0].To
	}
	return len(st.Run.Fetch)
}

// fetched is how many columns the rows have that Remote returns.
func (st *Statement) fetched() int {
	if st.Run.Tree != nil {
		return len(st.Run.Cells) + 1 // the number of the leaf
	}
	return len(st.Run.Cells)
}

// columnsOfRemote is how many columns the stored statement returns.
func (st *Statement) columnsOfRemote() int {
	if st.upsert != nil || st.Adds() || st.Run.Fails != nil {
		return 0 // what is fetched is of the rows that are there already
	}
	return st.fetched()
}

// writings are all second halves of the statement.
func (st *Statement) writings() []*change.Write {
	var all []*change.Write
	if st.write != nil {
		all = append(all, st.write)
	}
	for _, t := range st.targets {
		all = append(all, t.writing)
	}
	if st.upsert != nil {
		for i := range st.upsert.Rows {
			all = append(all, st.upsert.Rows[i].Write)
		}
	}
	return all
}

// target is a recipe.Target made ready.
type target struct {
	*recipe.Target
	writing *change.Write
	// words is a statement over the table alone, whose rows are the target's columns: in
	// its words the server's errors are told.
	words *Statement
}

// takeTargets makes the tables ready that are written.
func (st *Statement) takeTargets() error {
	for _, t := range st.Run.Targets() {
		words := &Statement{Statement: binding.Statement{
			Run:     recipe.Run{Kind: st.Run.Kind, Table: t.Table, Tables: []*catalog.Table{t.Table}, Ignore: st.Run.Ignore},
			Columns: st.Columns[t.Base : t.Base+len(t.Table.Columns)],
		}}
		for _, c := range t.Columns {
			words.Run.AddFetch(recipe.CellOf(t.Table, c), recipe.Fetch{Column: c})
		}
		made := &target{Target: t, words: words}
		var err error
		if made.writing, err = (&change.Of{Statement: &st.Statement, Rows: &words.Statement, Beside: st.beside}).Ready(t.Write); err != nil {
			return err
		}
		st.targets = append(st.targets, made)
	}
	return nil
}
