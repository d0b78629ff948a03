package local

import (
	"tunic/internal/eval"
	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
)

// from is a compiled recipe.From.
type from interface {
	// begin makes it ready for one execution. row is that of its block, into which its
	// columns go.
	begin(x *treeRun, row eval.Row) (fromRun, error)
}

// fromRun is a from in one execution.
type fromRun interface {
	// each puts its rows into the block's, one after the other, and calls emit for each
	// of them. What it reads of the block's row is there already. It stops at an error.
	each(emit func() error) error
	// clear makes its columns NULL.
	clear()
}

// from compiles what a block's rows come from. Its columns follow those of the scope;
// nullable says that they may be NULL for want of a row.
func (c *compiler) from(f recipe.From, null bool) (from, error) {
	switch f := f.(type) {
	case *recipe.Source:
		return c.source(f, null)
	case *recipe.Join:
		return c.join(f, null)
	}
	return nil, sqlerr.StatementUnread()
}

// join is a compiled recipe.Join.
type join struct {
	left, right from
	outer       bool
	on          *expression // nil for none
}

func (c *compiler) join(f *recipe.Join, null bool) (from, error) {
	made := &join{outer: f.Outer}
	var err error
	if made.left, err = c.from(f.Left, null); err != nil {
		return nil, err
	}
	if made.right, err = c.from(f.Right, null || f.Outer); err != nil {
		return nil, err
	}
	if f.On == nil {
		return made, nil
	}
	if made.on, err = c.expression(f.On); err != nil {
		return nil, err
	}
	return made, c.limitByCondition(f.On)
}

func (j *join) begin(x *treeRun, row eval.Row) (fromRun, error) {
	made := &joinRun{join: j, x: x, row: row}
	var err error
	if made.left, err = j.left.begin(x, row); err != nil {
		return nil, err
	}
	if made.right, err = j.right.begin(x, row); err != nil {
		return nil, err
	}
	if j.on != nil {
		made.on, err = j.on.begin(x)
	}
	made.onLeft, made.onRight = made.takeLeft, made.takeRight
	return made, err
}

// begin begins a run of an expression that lasts as long as the execution of a tree.
func (e *expression) begin(x *treeRun) (*Running, error) {
	return e.Begin(&Execution{Inputs: x.inputs})
}

// joinRun is a join in one execution: a loop over the left rows with one over the right
// ones in it, of which a source finds those that can go together.
type joinRun struct {
	*join
	x           *treeRun
	row         eval.Row
	left, right fromRun
	on          *Running
	emit        func() error
	matched     bool // the left row has a right one
	// onLeft and onRight are takeLeft and takeRight, made once.
	onLeft, onRight func() error
}

func (j *joinRun) each(emit func() error) error {
	j.emit = emit
	return j.left.each(j.onLeft)
}

// takeLeft goes on with a left row.
func (j *joinRun) takeLeft() error {
	j.matched = false
	if err := j.right.each(j.onRight); err != nil || j.matched || !j.outer {
		return err
	}
	j.right.clear()
	return j.emit()
}

// takeRight goes on with a right row.
func (j *joinRun) takeRight() error {
	if j.on != nil {
		if truth, err := j.on.decide(j.row); err != nil || truth != eval.True {
			return err
		}
	}
	j.matched = true
	return j.emit()
}

func (j *joinRun) clear() {
	j.left.clear()
	j.right.clear()
}

// decide is the truth of a condition that must not warn.
func (r *Running) decide(row eval.Row) (eval.Truth, error) {
	truth, err := r.Truth(row)
	if err == nil {
		err = Quiet(r.Conditions())
	}
	return truth, err
}

// attached reports whether a name is that of the result of a subquery.
func attached(n *ast.ColName) bool { return n.Qualifier.Name.String() == recipe.Attached }
