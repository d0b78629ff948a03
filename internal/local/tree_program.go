package local

import (
	"slices"

	"tunic/internal/eval"
	"tunic/internal/recipe"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// A recipe.Tree is finished in three stages. It is compiled once for sessions of one
// kind, into relations that nothing changes; an execution gathers the rows of all
// leaves, which come as those of one result; then the relations, begun for this
// execution, pass rows on to what takes them: the block around, a subquery, the
// answer.
//
//	rows ── gatherer ──► leaves ──► sources, joins ──► phases ──► result
//	                                     ▲               │ attach
//	                                     └── relations ◄─┘

// relation is a compiled recipe.Relation.
type relation interface {
	// begin makes it ready for one execution.
	begin(x *treeRun) (relationRun, error)
}

// relationRun is a relation in one execution.
type relationRun interface {
	// feed passes the relation's rows to a taker, and tells it that there are no more
	// unless it has had enough. outer are the values of the relation's outer columns.
	feed(outer eval.Row, to Sink) error
}

// compiledRelation is a relation and what is known of its columns.
type compiledRelation struct {
	relation
	columns []Column
}

// treeProgram is a compiled recipe.Tree.
type treeProgram struct {
	leaves     []leafProgram
	planned    []recipe.Leaf // they say what rows have to meet
	root       relation
	shared     int // how many relations are shared
	recursives int // and how many name themselves
}

// leafProgram is what is done with the rows of a leaf when they arrive.
type leafProgram struct {
	where   *expression // of those that are kept; nil for all
	sifting *sifting    // the same in parts; nil for none
	readers []*source
	read    []bool // by the column of its rows, whether anything reads it
	columns []int  // that are read; nil for all
	// limits are columns of numbers that servers look for among those of another type.
	limits []limit
}

// limit is how many digits before the point the numbers of a column may have. Servers may
// warn of others, be it in rows that go together with none.
type limit struct {
	column int
	typ    *value.Type
	most   int
}

// fit refuses a row with a number that is beyond a limit.
func (l *leafProgram) fit(row eval.Row) error {
	for _, one := range l.limits {
		if !short(row[one.column], one.typ, one.most) {
			return errTwoTypes
		}
	}
	return nil
}

// treeCompiler compiles the relations of a tree.
type treeCompiler struct {
	program *Program
	tree    *treeProgram
	query   *Query
	in      *eval.Inputs
	shared  map[*recipe.Shared]compiledRelation
	working map[*recipe.Recursive]compiledRelation // what they have of themselves
	depth   int
}

// relationDepthMax bounds how deep relations may be in one another: the planner's bounds leave
// sets of a thousand operands, each over the one before.
const relationDepthMax = 1100

// compileTree compiles the query's Tree for executions like this one. The rows of
// its root are those that the program's items are of.
func (q *Query) compileTree(in *eval.Inputs, session eval.Session) (*Program, error) {
	made := &Program{session: session, tree: &treeProgram{leaves: make([]leafProgram, len(q.run.Tree.Leaves)), planned: q.run.Tree.Leaves}}
	t := &treeCompiler{program: made, tree: made.tree, query: q, in: in, shared: map[*recipe.Shared]compiledRelation{}, working: map[*recipe.Recursive]compiledRelation{}}
	if err := t.root(q.run.Tree.Root); err != nil {
		return nil, err
	}
	for i := range made.tree.leaves {
		made.tree.leaves[i].filterEarly()
		made.tree.leaves[i].findRead()
	}
	return made, nil
}

// filterEarly has the rows of a leaf that one source reads filtered as they arrive:
// those that it drops are not kept.
func (l *leafProgram) filterEarly() {
	if len(l.readers) == 1 {
		l.where, l.readers[0].where = l.readers[0].where, nil
		l.sifting = l.readers[0].sifting
	}
}

// findRead finds the columns that are read.
func (l *leafProgram) findRead() {
	if !slices.Contains(l.read, false) {
		return
	}
	l.columns = []int{}
	for i, read := range l.read {
		if read {
			l.columns = append(l.columns, i)
		}
	}
}

// root compiles the relation whose rows are the answer. Those of a block are not yet
// its items: these are computed as they are written.
func (t *treeCompiler) root(r recipe.Relation) error {
	b, ok := r.(*recipe.Block)
	if !ok {
		made, err := t.relation(r, nil, false)
		if err != nil {
			return err
		}
		t.tree.root = made.relation
		t.program.pipeline = pipeline{Items: itemsOf(made.columns), whole: true, Grouped: true}
		return nil
	}
	made, _, err := t.block(b, nil, true)
	if err != nil {
		return err
	}
	t.tree.root, t.program.pipeline = made, made.pipeline
	if !isPlainBlock(b) { // the server may have put its rows into a table meanwhile
		t.program.Grouped = true
	}
	return nil
}

// isPlainBlock reports whether a block has one table, and nothing else.
func isPlainBlock(b *recipe.Block) bool {
	source, ok := b.From.(*recipe.Source)
	if !ok {
		return b.From == nil
	}
	_, scan := source.Of.(*recipe.Scan)
	return scan && !slices.ContainsFunc(b.Steps, func(s recipe.Step) bool { _, ok := s.(*recipe.Attach); return ok })
}

// itemsOf are items that are the columns of a row.
func itemsOf(columns []Column) []Item {
	items := make([]Item, len(columns))
	for i := range columns {
		items[i] = Item{Column: i, Typ: columns[i].Typ, hidden: columns[i].hidden, hidesKept: columns[i].hidden}
	}
	return items
}

// relation compiles a relation whose outer columns are these. fine asks for averages
// with all digits, behind the others, where the servers have them.
func (t *treeCompiler) relation(r recipe.Relation, outer []Column, fine bool) (compiledRelation, error) {
	t.depth++
	defer func() { t.depth-- }()
	if t.depth > relationDepthMax {
		return compiledRelation{}, sqlerr.StatementRefused("such a depth of queries")
	}
	switch r := r.(type) {
	case *recipe.Block:
		return t.closedBlock(r, outer, fine)
	case *recipe.Set:
		return t.set(r, outer)
	case *recipe.Shared:
		return t.sharedRelation(r)
	case *recipe.Recursive:
		return t.recursive(r)
	case *recipe.Working:
		if made, ok := t.working[r.Of]; ok {
			return made, nil
		}
	}
	return compiledRelation{}, sqlerr.StatementUnread()
}

// outerColumns are the outer columns of a relation, and where they are in the rows of
// the scope around it.
func outerColumns(r recipe.Relation, around *Scope) (at []int, columns []Column, err error) {
	for _, name := range recipe.OuterOf(r) {
		i := around.find(name)
		if i < 0 {
			return nil, nil, sqlerr.StatementUnread()
		}
		at = append(at, i)
		of := &around.Columns[i]
		columns = append(columns, Column{
			Qualifier: name.Qualifier.Name.String(), Name: name.Name.String(), Typ: of.Typ, literal: of.literal, rough: of.rough, settled: of.settled, uneven: of.uneven,
			hidden: of.hidden || of.finer > 0, zeroIsNull: of.zeroIsNull,
		})
	}
	return at, columns, nil
}

// nullable is a type whose values may be NULL.
func nullable(t *value.Type) *value.Type {
	if t == nil || !t.NotNull {
		return t
	}
	other := *t
	other.NotNull = false
	return &other
}
