package build

import (
	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
)

// meetings finds out which rows have to meet which.
type meetings struct {
	tree  *treeBuilder
	all   []meeting
	known map[*recipe.Shared]bool
}

func (m *meetings) relation(r recipe.Relation) {
	switch r := r.(type) {
	case *recipe.Block:
		m.block(r)
	case *recipe.Set:
		m.relation(r.Left)
		m.relation(r.Right)
	case *recipe.Shared:
		if !m.known[r] {
			m.known[r] = true
			m.relation(r.Of)
		}
	case *recipe.Recursive:
		m.relation(r.Seed)
		for _, s := range r.Steps {
			m.relation(s)
		}
	}
}

func (m *meetings) block(b *recipe.Block) {
	own := map[string]bool{}
	m.namesOf(b.From, own)
	m.from(b.From, own)
	subqueries := map[string]*recipe.Subquery{}
	for _, s := range b.Steps {
		switch s := s.(type) {
		case *recipe.Attach:
			for _, q := range s.Subqueries {
				m.relation(q.Of)
				subqueries[attached(q).Name.String()] = q
			}
		case *recipe.Filter:
			m.filter(s, subqueries, own)
		}
	}
}

// from are the keys by which rows of sources are found: rows that equal none of those to the left, or outside, are of no use.
// Nor are, in an inner join, rows to the left that find none; own are the tables of the block.
func (m *meetings) from(f recipe.From, own map[string]bool) {
	switch f := f.(type) {
	case *recipe.Source:
		m.relation(f.Of)
		for _, k := range f.Keys {
			if k.Operator == ast.EqualOp { // and not <=>: a NULL of an outer join is none of a row's
				m.meets(k.Left, k.Right, false)
			}
		}
	case *recipe.Join:
		m.from(f.Left, own)
		m.from(f.Right, own)
		if right, ok := f.Right.(*recipe.Source); ok && !f.Outer {
			m.exists(right, own)
		}
	}
}

// filter are the subqueries that have to find something, so that a row of the block stays.
func (m *meetings) filter(s *recipe.Filter, subqueries map[string]*recipe.Subquery, own map[string]bool) {
	for _, c := range conjuncts(s.Where, nil) {
		name, ok := c.(*ast.ColName)
		if !ok || name.Qualifier.Name.String() != recipe.Attached {
			continue
		}
		q := subqueries[name.Name.String()]
		if q == nil {
			continue
		}
		of, ok := q.Of.(*recipe.Block)
		switch {
		case !ok:
		case q.Kind == recipe.Compared && q.Operator == ast.EqualOp && !q.Every:
			m.compared(q, of, own)
		case q.Kind == recipe.Exists && onlyChooses(of.Steps):
			m.exists(of.From, own)
		}
	}
}

// compared are columns of the block that are to equal what a subquery selects.
func (m *meetings) compared(q *recipe.Subquery, of *recipe.Block, own map[string]bool) {
	for _, s := range of.Steps {
		p, ok := s.(*recipe.Project)
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
func (m *meetings) exists(from recipe.From, own map[string]bool) {
	switch f := from.(type) {
	case *recipe.Source:
		for _, k := range f.Keys {
			if k.Operator == ast.EqualOp && among(k.Right, own) {
				m.meets(k.Right, k.Left, true)
			}
		}
	case *recipe.Join:
		m.exists(f.Left, own)
		if !f.Outer {
			m.exists(f.Right, own)
		}
	}
}

// onlyChooses reports whether steps make no row where there is none.
func onlyChooses(all []recipe.Step) bool {
	for _, s := range all {
		switch s.(type) {
		case *recipe.Filter, *recipe.Attach, *recipe.Project, *recipe.Distinct, *recipe.Sort, *recipe.Limit:
		default:
			return false
		}
	}
	return true
}

// namesOf are the unique names of the tables of a FROM.
func (m *meetings) namesOf(from recipe.From, to map[string]bool) {
	if j, ok := from.(*recipe.Join); ok {
		m.namesOf(j.Left, to)
		m.namesOf(j.Right, to)
		return
	}
	if f := m.tree.fetchedOf(from); f != nil {
		for _, l := range f.leaves {
			to[l.unique] = true
		}
	}
}

// among reports whether an expression is a column of one of these tables.
func among(e ast.Expr, unique map[string]bool) bool {
	n, ok := e.(*ast.ColName)
	return ok && unique[n.Qualifier.Name.String()]
}
