package local

import (
	"slices"

	"tunic/internal/eval"
	"tunic/internal/recipe"
	"tunic/internal/value"
)

// block is a compiled recipe.Block.
type block struct {
	width int // of its rows, before the phases
	from  from
	pipeline
}

// block compiles a block but for its items. answers says that its rows are the answer.
func (t *treeCompiler) block(b *recipe.Block, outer []Column, answers bool) (*block, *compiler, error) {
	made := &block{}
	c := &compiler{
		program: t.program, pipeline: &made.pipeline, query: t.query, tree: t, answers: answers,
		scope: NewScope(t.query, t.in, slices.Clone(outer)),
	}
	if b.From != nil {
		var err error
		if made.from, err = c.from(b.From, false); err != nil {
			return nil, nil, err
		}
	}
	made.width = len(c.scope.Columns)
	return made, c, c.steps(b.Steps)
}

// closedBlock compiles a block whose rows are its items. fine says that they are values
// in an expression.
func (t *treeCompiler) closedBlock(b *recipe.Block, outer []Column, fine bool) (compiledRelation, error) {
	made, c, err := t.block(b, outer, false)
	if err != nil {
		return compiledRelation{}, err
	}
	columns := columnsOf(made.Items)
	mayMerge := c.program.session.Flavor == value.MySQL && !fine && merges(b)
	for i := range columns {
		columns[i].rough, columns[i].settled = made.Items[i].rough && (fine || merges(b)), made.Items[i].settled
		columns[i].uneven = made.Items[i].Uneven || mayMerge && made.Items[i].rough
		columns[i].zeroIsNull = made.Items[i].zeroIsNull
	}
	if !fine {
		inTable(columns, made.Items)
	}
	if made.whole {
		return compiledRelation{made, columns}, nil
	}
	items := made.Items
	for i := range columns {
		if !fine || items[i].Expression != nil {
			continue
		}
		if finer := c.scope.Columns[items[i].Column].finer; finer > 0 {
			precise := c.scope.Columns[finer]
			columns[i].finer, columns[i].hidden = len(columns), items[i].hidden
			columns = append(columns, Column{Typ: precise.Typ, digits: precise.digits})
			items = append(items, Item{Column: finer, Typ: precise.Typ})
		}
	}
	made.phases = append(made.phases, func(x *Execution, next Sink) (Sink, error) {
		p, err := newProjector(x, items, next)
		if err == nil && mayMerge {
			p.env, p.tally = x.Inputs.Env, x.Counted
		}
		return p, err
	})
	return compiledRelation{made, columns}, nil
}

// columnsOf are the columns that items are.
func columnsOf(items []Item) []Column {
	columns := make([]Column, len(items))
	for i := range items {
		columns[i] = Column{Typ: items[i].Typ, literal: items[i].Constant, hidden: items[i].hidesKept}
	}
	return columns
}

// blockRun is a block in one execution.
type blockRun struct {
	*block
	x    *treeRun
	row  eval.Row
	from fromRun
	to   Sink // of what is fed
	emit func() error
}

func (b *block) begin(x *treeRun) (relationRun, error) {
	r := &blockRun{block: b, x: x, row: make(eval.Row, b.width)}
	r.emit = func() error { return r.to.Row(r.row) }
	if b.from == nil {
		return r, nil
	}
	var err error
	r.from, err = b.from.begin(x, r.row)
	return r, err
}

// feed implements relationRun. What the phases keep is given back when they are done.
func (r *blockRun) feed(outer eval.Row, to Sink) error {
	x := Execution{Inputs: r.x.inputs, Account: r.x.account.Inner(), tree: r.x, Counted: r.x.counted, Told: isAnswer(to)}
	defer x.Close()
	first, err := r.start(&x, to)
	if err != nil {
		return err
	}
	return ended(r.run(outer, first))
}

// isAnswer reports whether the rows that go to a taker are the client's: those of the root are.
func isAnswer(to Sink) bool {
	_, last := to.(*Shield)
	return last
}

// run passes the block's rows to the first of its phases.
func (r *blockRun) run(outer eval.Row, first Sink) error {
	r.to = first
	copy(r.row, outer)
	var err error
	if r.from == nil {
		err = first.Row(r.row)
	} else {
		err = r.from.each(r.emit)
	}
	if err != nil {
		return err
	}
	return first.End()
}

// ended is what is left of an error after rows were passed on: that the taker has
// had enough is none.
func ended(err error) error {
	if err == ErrEnough { //nolint:errorlint // it is never wrapped
		return nil
	}
	return err
}
