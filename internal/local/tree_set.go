package local

import (
	"slices"

	"tunic/internal/arena"
	"tunic/internal/budget"
	"tunic/internal/eval"
	"tunic/internal/recipe"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// set is a compiled recipe.Set.
type set struct {
	kind        recipe.SetKind
	distinct    bool
	sorted      bool
	types       []*value.Type
	left, right setPart
	pipeline
}

// setPart is one of the two relations of a set.
type setPart struct {
	relation
	reads []int // where its outer columns are among the set's
	casts []cast
}

// set compiles UNION, INTERSECT and EXCEPT.
func (t *treeCompiler) set(s *recipe.Set, outer []Column) (compiledRelation, error) {
	left, l, err := t.setPart(s.Left, outer)
	if err != nil {
		return compiledRelation{}, err
	}
	right, r, err := t.setPart(s.Right, outer)
	if err != nil {
		return compiledRelation{}, err
	}
	if len(l) != len(r) {
		return compiledRelation{}, sqlerr.StatementUnread()
	}
	made := &set{kind: s.Kind, distinct: s.Distinct, sorted: slices.ContainsFunc(s.Steps, isSort), left: left, right: right}
	columns := make([]Column, len(l))
	for i := range l {
		m, err := t.merge(l[i], r[i])
		if err != nil {
			return compiledRelation{}, err
		}
		if (s.Distinct || s.Kind != recipe.Union) && !value.Ordered(m.typ) {
			return compiledRelation{}, sqlerr.ExpressionRefused("UNION", m.typ.Kind.String())
		}
		if l[i].Typ.Collation != m.typ.Collation && dropsEqual(s.Left) {
			return compiledRelation{}, sqlerr.ExpressionRefused("UNION", "text of several collations")
		}
		columns[i] = Column{Typ: m.typ, literal: l[i].literal && r[i].literal, hidden: l[i].hidden || r[i].hidden}
		made.types = append(made.types, m.typ)
		made.left.casts, made.right.casts = append(made.left.casts, m.left), append(made.right.casts, m.right)
	}
	c := &compiler{program: t.program, pipeline: &made.pipeline, query: t.query, tree: t, set: true, scope: NewScope(t.query, t.in, columns)}
	made.Items, made.whole = itemsOf(columns), true
	return compiledRelation{made, columns}, c.steps(s.Steps)
}

// dropsEqual reports whether a relation is a set that drops equal rows, or the first of
// its parts does: servers compare them as the columns of the outermost one are.
func dropsEqual(r recipe.Relation) bool {
	s, ok := r.(*recipe.Set)
	return ok && (s.Distinct || dropsEqual(s.Left))
}

// setPart compiles one of the relations of a set.
func (t *treeCompiler) setPart(r recipe.Relation, outer []Column) (setPart, []Column, error) {
	reads, inner, err := outerColumns(r, NewScope(t.query, t.in, outer))
	if err != nil {
		return setPart{}, nil, err
	}
	of, err := t.relation(r, inner, false)
	return setPart{relation: of.relation, reads: reads}, of.columns, err
}

// setRun is a set in one execution.
type setRun struct {
	*set
	x           *treeRun
	left, right relationRun
}

func (s *set) begin(x *treeRun) (relationRun, error) {
	made := &setRun{set: s, x: x}
	var err error
	if made.left, err = s.left.begin(x); err != nil {
		return nil, err
	}
	made.right, err = s.right.begin(x)
	return made, err
}

// feed implements relationRun.
func (s *setRun) feed(outer eval.Row, to Sink) error {
	x := Execution{Inputs: s.x.inputs, Account: s.x.account.Inner(), tree: s.x, Counted: s.x.counted, Told: isAnswer(to)}
	defer x.Close()
	first, err := s.start(&x, to)
	if err != nil {
		return err
	}
	if s.kind == recipe.Union {
		err = s.union(&x, outer, first)
	} else {
		err = s.sift(&x, outer, first)
	}
	return ended(err)
}

// union passes on the rows of both relations.
func (s *setRun) union(x *Execution, outer eval.Row, first Sink) error {
	if s.distinct {
		first = newDistinct(x, s.types, first)
	}
	if err := s.pass(&s.set.left, s.left, outer, first); err != nil {
		return err
	}
	if err := s.pass(&s.set.right, s.right, outer, first); err != nil {
		return err
	}
	return first.End()
}

// sift passes on the rows of the left relation that the right one has, or has not.
func (s *setRun) sift(x *Execution, outer eval.Row, first Sink) error {
	f := &sieve{set: s.set, account: &x.Account, counts: map[string]int{}, next: first}
	if err := s.pass(&s.set.right, s.right, outer, (*counter)(f)); err != nil {
		return err
	}
	if err := s.pass(&s.set.left, s.left, outer, f); err != nil {
		return err
	}
	return first.End()
}

// pass passes on the rows of one of the relations, but not that there are no more.
// ErrEnough says that the taker has had enough.
func (s *setRun) pass(part *setPart, of relationRun, outer eval.Row, to Sink) error {
	p := &passing{x: s.x, part: part, to: to}
	inner := make(eval.Row, len(part.reads))
	for i, at := range part.reads {
		inner[i] = outer[at]
	}
	if err := of.feed(inner, p); err != nil {
		return err
	}
	return p.enough
}

// passing passes on the rows of a part, as what the whole has.
type passing struct {
	x      *treeRun
	part   *setPart
	to     Sink
	cells  Cells
	enough error // ErrEnough if the taker has said so
}

func (p *passing) Row(r eval.Row) error {
	if err := p.x.step(); err != nil {
		return err
	}
	p.cells.begin()
	for i, v := range r[:len(p.part.casts)] {
		if v == nil {
			p.cells.null()
			continue
		}
		var err error
		if p.cells.buffer, err = p.part.casts[i].append(p.cells.buffer, v, p.x.inputs.Env); err != nil {
			return err
		}
		p.cells.ends = append(p.cells.ends, len(p.cells.buffer))
	}
	err := p.to.Row(p.cells.row())
	if err == ErrEnough { //nolint:errorlint // it is never wrapped
		p.enough = err
	}
	return err
}

func (p *passing) End() error { return nil }

// sieve passes on the rows of INTERSECT and EXCEPT. counts are how often the right
// relation has a row: of a distinct set they become -1 when it is decided on.
type sieve struct {
	set     *set
	account *budget.Account
	counts  map[string]int
	key     []byte
	next    Sink
}

// keyOf makes the key of a row.
func (s *sieve) keyOf(r eval.Row) {
	s.key = s.key[:0]
	for i, v := range r {
		s.key = AppendKey(s.key, s.set.types[i], v)
	}
}

// put sets the count of the row whose key was made.
func (s *sieve) put(n int, known bool) error {
	s.counts[string(s.key)] = n
	if known {
		return nil
	}
	return s.account.Keep(len(s.key) + arena.MapEntryBytes)
}

// decided is the count of a row that is dropped from now on.
const decided = -1

func (s *sieve) Row(r eval.Row) error {
	s.keyOf(r)
	n, known := s.counts[string(s.key)]
	intersect := s.set.kind == recipe.Intersect
	pass := n != decided && (n > 0) == intersect
	switch {
	case s.set.distinct:
		if n != decided {
			if err := s.put(decided, known); err != nil {
				return err
			}
		}
	case n > 0:
		s.counts[string(s.key)] = n - 1
	}
	if !pass {
		return nil
	}
	return s.next.Row(r)
}

func (s *sieve) End() error { return nil }

// counter counts the rows of the right relation.
type counter sieve

func (c *counter) Row(r eval.Row) error {
	s := (*sieve)(c)
	s.keyOf(r)
	n, known := s.counts[string(s.key)]
	return s.put(n+1, known)
}

func (c *counter) End() error { return nil }

// SetAnswer says which set an answer is, if it is one.
type SetAnswer uint8

const (
	NoSet SetAnswer = iota
	someSet
	PlainUnion // UNION ALL whose rows need no table of the server's
	Sifted     // INTERSECT or EXCEPT
)

// Set says which set the program's answer is.
func (p *Program) Set() SetAnswer {
	if p.tree == nil {
		return NoSet
	}
	s, ok := p.tree.root.(*set)
	switch {
	case !ok:
		return NoSet
	case s.kind != recipe.Union:
		return Sifted
	case s.plain():
		return PlainUnion
	}
	return someSet
}

// plain reports whether it is UNION ALL and nothing else. INTERSECT and EXCEPT to the
// right of it are in tables of their own.
func (s *set) plain() bool {
	for i, part := range [...]relation{s.left.relation, s.right.relation} {
		if inner, ok := part.(*set); ok && !inner.plain() && (i == 0 || inner.kind == recipe.Union) {
			return false
		}
	}
	return s.kind == recipe.Union && !s.distinct && !s.sorted
}

func isSort(s recipe.Step) bool {
	_, ok := s.(*recipe.Sort)
	return ok
}
