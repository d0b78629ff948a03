package exec

import (
	"slices"

	"tunic/internal/eval"
	"tunic/internal/plan"
	"tunic/internal/value"
)

// block is a compiled plan.Block.
type block struct {
	width int // of its rows, before the phases
	from  from
	pipeline
}

// block compiles a block but for its items. answers says that its rows are the answer.
func (t *treeCompiler) block(b *plan.Block, outer []localColumn, answers bool) (*block, *compiler, error) {
	made := &block{}
	c := &compiler{
		program: t.program, pipeline: &made.pipeline, query: t.query, tree: t, answers: answers,
		scope: newScope(t.query, t.in, slices.Clone(outer)),
	}
	if b.From != nil {
		var err error
		if made.from, err = c.from(b.From, false); err != nil {
			return nil, nil, err
		}
	}
	made.width = len(c.scope.columns)
	return made, c, c.steps(b.Steps)
}

// closedBlock compiles a block whose rows are its items. fine says that they are values
// in an expression.
func (t *treeCompiler) closedBlock(b *plan.Block, outer []localColumn, fine bool) (compiledRelation, error) {
	made, c, err := t.block(b, outer, false)
	if err != nil {
		return compiledRelation{}, err
	}
	columns := columnsOf(made.items)
	mayMerge := c.program.session.Flavor == value.MySQL && !fine && merges(b)
	for i := range columns {
		columns[i].rough = made.items[i].rough && (fine || merges(b))
		columns[i].uneven = made.items[i].uneven || mayMerge && made.items[i].rough
		columns[i].zeroIsNull = made.items[i].zeroIsNull
	}
	if !fine {
		inTable(columns, made.items)
	}
	if made.whole {
		return compiledRelation{made, columns}, nil
	}
	items := made.items
	for i := range columns {
		if !fine || items[i].expression != nil {
			continue
		}
		if finer := c.scope.columns[items[i].column].finer; finer > 0 {
			precise := c.scope.columns[finer]
			columns[i].finer, columns[i].hidden = len(columns), items[i].hidden
			columns = append(columns, localColumn{typ: precise.typ, digits: precise.digits})
			items = append(items, item{column: finer, typ: precise.typ})
		}
	}
	made.phases = append(made.phases, func(x *execution, next taker) (taker, error) {
		p, err := newProjector(x, items, next)
		if err == nil && mayMerge {
			p.env, p.tally = x.inputs.Env, x.counted
		}
		return p, err
	})
	return compiledRelation{made, columns}, nil
}

// columnsOf are the columns that items are.
func columnsOf(items []item) []localColumn {
	columns := make([]localColumn, len(items))
	for i := range items {
		columns[i] = localColumn{typ: items[i].typ, literal: items[i].constant, hidden: items[i].hidesKept}
	}
	return columns
}

// blockRun is a block in one execution.
type blockRun struct {
	*block
	x    *treeRun
	row  eval.Row
	from fromRun
	to   taker // of what is fed
	emit func() error
}

func (b *block) begin(x *treeRun) (relationRun, error) {
	r := &blockRun{block: b, x: x, row: make(eval.Row, b.width)}
	r.emit = func() error { return r.to.row(r.row) }
	if b.from == nil {
		return r, nil
	}
	var err error
	r.from, err = b.from.begin(x, r.row)
	return r, err
}

// feed implements relationRun. What the phases keep is given back when they are done.
func (r *blockRun) feed(outer eval.Row, to taker) error {
	x := execution{inputs: r.x.inputs, account: r.x.account.inner(), tree: r.x, counted: r.x.counted, told: isAnswer(to)}
	defer x.close()
	first, err := r.start(&x, to)
	if err != nil {
		return err
	}
	return ended(r.run(outer, first))
}

// isAnswer reports whether the rows that go to a taker are the client's: those of the root are.
func isAnswer(to taker) bool {
	_, last := to.(*shield)
	return last
}

// run passes the block's rows to the first of its phases.
func (r *blockRun) run(outer eval.Row, first taker) error {
	r.to = first
	copy(r.row, outer)
	var err error
	if r.from == nil {
		err = first.row(r.row)
	} else {
		err = r.from.each(r.emit)
	}
	if err != nil {
		return err
	}
	return first.end()
}

// ended is what is left of an error after rows were passed on: that the taker has
// had enough is none.
func ended(err error) error {
	if err == errEnough { //nolint:errorlint // it is never wrapped
		return nil
	}
	return err
}
