package recipe

import (
	"strconv"

	"tunic/internal/sql/ast"
)

// Meeting says that rows with the column Of are of no use to a query if they equal none of the rows with the column By, of
// another table. Backward says that it follows from what is behind them: a subquery that has to find something, or an inner join.
type Meeting struct {
	Of, By   *ast.ColName
	Backward bool
}

// Meetings are those of the rows that a Tree reads. named are the unique names of the tables of a source, none of what is a query.
func (t *Tree) Meetings(named func(From) []string) []Meeting {
	m := meetings{named: named, known: map[*Shared]bool{}}
	m.relation(t.Root)
	return m.all
}

// meetings finds out which rows have to meet which.
type meetings struct {
	named func(From) []string
	all   []Meeting
	known map[*Shared]bool
}

func (m *meetings) relation(r Relation) {
	if b, ok := r.(*Block); ok {
		m.block(b)
	}
	for _, of := range madeOf(r, m.known) {
		m.relation(of)
	}
}

func (m *meetings) block(b *Block) {
	own := map[string]bool{}
	m.namesOf(b.From, own)
	m.from(b.From, own)
	subqueries := map[string]*Subquery{}
	for _, s := range b.Steps {
		switch s := s.(type) {
		case *Attach:
			for _, q := range s.Subqueries {
				m.relation(q.Of)
				subqueries[strconv.Itoa(q.Number)] = q
			}
		case *Filter:
			m.filter(s, subqueries, own)
		}
	}
}

// from are the keys by which rows of sources are found: rows that equal none of those to the left, or outside, are of no use.
// Nor are, in an inner join, rows to the left that find none; own are the tables of the block.
func (m *meetings) from(f From, own map[string]bool) {
	switch f := f.(type) {
	case *Source:
		m.relation(f.Of)
		for _, k := range f.Keys {
			if k.Operator == ast.EqualOp { // and not <=>: a NULL of an outer join is none of a row's
				m.meets(k.Left, k.Right, false)
			}
		}
	case *Join:
		m.from(f.Left, own)
		m.from(f.Right, own)
		if right, ok := f.Right.(*Source); ok && !f.Outer {
			m.exists(right, own)
		}
	}
}

// filter are the subqueries that have to find something, so that a row of the block stays.
func (m *meetings) filter(s *Filter, subqueries map[string]*Subquery, own map[string]bool) {
	for _, c := range ast.Conjuncts(s.Where, nil) {
		name, ok := c.(*ast.ColName)
		if !ok || name.Qualifier.Name.String() != Attached {
			continue
		}
		q := subqueries[name.Name.String()]
		if q == nil {
			continue
		}
		of, ok := q.Of.(*Block)
		switch {
		case !ok:
		case q.Kind == Compared && q.Operator == ast.EqualOp && !q.Every:
			m.compared(q, of, own)
		case q.Kind == Exists && onlyChooses(of.Steps):
			m.exists(of.From, own)
		}
	}
}

// compared are columns of the block that are to equal what a subquery selects.
func (m *meetings) compared(q *Subquery, of *Block, own map[string]bool) {
	for _, s := range of.Steps {
		p, ok := s.(*Project)
		if !ok || len(p.Items) < len(q.Operands) {
			continue
		}
		for i, e := range q.Operands {
			if among(e, own) {
				m.meets(e, p.Items[i].Expr, true)
			}
		}
	}
}

// exists are columns of the block that those of a row of a subquery are to equal.
func (m *meetings) exists(from From, own map[string]bool) {
	switch f := from.(type) {
	case *Source:
		for _, k := range f.Keys {
			if k.Operator == ast.EqualOp && among(k.Right, own) {
				m.meets(k.Right, k.Left, true)
			}
		}
	case *Join:
		m.exists(f.Left, own)
		if !f.Outer {
			m.exists(f.Right, own)
		}
	}
}

// onlyChooses reports whether steps make no row where there is none.
func onlyChooses(all []Step) bool {
	for _, s := range all {
		switch s.(type) {
		case *Filter, *Attach, *Project, *Distinct, *Sort, *Limit:
		default:
			return false
		}
	}
	return true
}

// namesOf are the unique names of the tables of a FROM.
func (m *meetings) namesOf(from From, to map[string]bool) {
	if j, ok := from.(*Join); ok {
		m.namesOf(j.Left, to)
		m.namesOf(j.Right, to)
		return
	}
	for _, name := range m.named(from) {
		to[name] = true
	}
}

// among reports whether an expression is a column of one of these tables.
func among(e ast.Expr, unique map[string]bool) bool {
	n, ok := e.(*ast.ColName)
	return ok && unique[n.Qualifier.Name.String()]
}

func (m *meetings) meets(of, by ast.Expr, backward bool) {
	a, isA := of.(*ast.ColName)
	b, isB := by.(*ast.ColName)
	if isA && isB {
		m.all = append(m.all, Meeting{a, b, backward})
	}
}

// SortedAndCut are the steps of a block that sort and limit, where it does nothing else that drops rows or makes others; nil
// where it does, or has no LIMIT.
func (b *Block) SortedAndCut() (sort *Sort, last *Limit) {
	for i, s := range b.Steps {
		switch s := s.(type) {
		case *Sort:
			sort = s
		case *Limit:
			if i == len(b.Steps)-1 && !s.All {
				return sort, s
			}
			return nil, nil
		case *Attach, *Project:
		default:
			return nil, nil
		}
	}
	return nil, nil
}
