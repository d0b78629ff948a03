package recipe

import "tunic/internal/sql/ast"

// treeWalk visits all sources and expressions of a Tree, those of a shared relation once.
type treeWalk struct {
	source func(*Source)
	// value is for expressions whose values may be those of a relation's columns, expression
	// for those that decide which rows there are.
	value, expression func(ast.Node)
	known             map[*Shared]bool
}

// Walk visits all sources and expressions.
func (t *Tree) Walk(source func(*Source), expression func(ast.Node)) {
	w := &treeWalk{source: source, value: expression, expression: expression, known: map[*Shared]bool{}}
	w.relation(t.Root)
}

// walkNested visits the expressions whose values may be those of columns, but for the list
// of the outermost query.
func (t *Tree) walkNested(value func(ast.Node)) {
	w := &treeWalk{source: func(*Source) {}, value: value, expression: func(ast.Node) {}, known: map[*Shared]bool{}}
	if top, ok := t.Root.(*Block); ok {
		w.from(top.From)
		w.attached(top.Steps)
		return
	}
	w.relation(t.Root)
}

func (w *treeWalk) relation(r Relation) {
	switch r := r.(type) {
	case *Block:
		w.from(r.From)
		for _, o := range r.Outer {
			w.expression(o)
		}
		w.steps(r.Steps)
	case *Set:
		w.madeOf(r)
		w.steps(r.Steps)
	case *Recursive:
		w.madeOf(r)
		if r.Limit != nil {
			w.expression(r.Limit.Rowcount)
		}
	default:
		w.madeOf(r)
	}
}

func (w *treeWalk) madeOf(r Relation) {
	for _, of := range madeOf(r, w.known) {
		w.relation(of)
	}
}

// madeOf are the relations that one is made of that is no Block, each shared one for the first time only.
func madeOf(r Relation, known map[*Shared]bool) []Relation {
	switch r := r.(type) {
	case *Set:
		return []Relation{r.Left, r.Right}
	case *Recursive:
		return append([]Relation{r.Seed}, r.Steps...)
	case *Shared:
		if !known[r] {
			known[r] = true
			return []Relation{r.Of}
		}
	}
	return nil
}

func (w *treeWalk) from(f From) {
	switch f := f.(type) {
	case *Source:
		w.source(f)
		if f.Where != nil {
			w.expression(f.Where)
		}
		for _, k := range f.Keys {
			w.expression(k)
		}
		w.relation(f.Of)
	case *Join:
		w.from(f.Left)
		w.from(f.Right)
		if f.On != nil {
			w.expression(f.On)
		}
	}
}

func (w *treeWalk) steps(all []Step) {
	w.attached(all)
	for _, s := range all {
		visit := w.expression
		if _, ok := s.(*Project); ok {
			visit = w.value
		}
		for _, e := range Expressions([]Step{s}) {
			visit(e)
		}
	}
}

// attached visits the queries that stand in expressions.
func (w *treeWalk) attached(all []Step) {
	for _, s := range all {
		a, ok := s.(*Attach)
		if !ok {
			continue
		}
		for _, q := range a.Subqueries {
			for _, e := range q.Operands {
				w.value(e)
			}
			w.relation(q.Of)
		}
	}
}

// Expressions are all expressions of the tree.
func (t *Tree) Expressions() (all []ast.Node) {
	t.Walk(func(*Source) {}, func(n ast.Node) { all = append(all, n) })
	return all
}
