package build

import (
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// flow finds out which columns of a query have values of protected columns in them, or
// values computed from those. What only decides which rows there are, or how many, is
// not one of them: the server sees which rows are written in any case.
//
// Names in a Tree are unique, so one map serves for all of its relations.
type flow struct {
	run *recipe.Run
	// protects says that one of the tables is protected.
	protects bool
	named    map[string]bool // by qualifier, a dot and the name in lower case
	shared   map[*recipe.Shared][]bool
}

// ProtectedColumns says of each column of a Run with a Tree whether it has such values.
func ProtectedColumns(run *recipe.Run) []bool {
	f := &flow{run: run, named: map[string]bool{}, shared: map[*recipe.Shared][]bool{}}
	f.protects = slices.ContainsFunc(run.Tree.Tables, func(t *catalog.Table) bool { return !t.Plain() })
	return f.relation(run.Tree.Root)
}

func (f *flow) relation(r recipe.Relation) []bool {
	switch r := r.(type) {
	case *recipe.Block:
		return f.block(r)
	case *recipe.Set:
		left, right := f.relation(r.Left), f.relation(r.Right)
		for i := range left {
			left[i] = left[i] || right[i]
		}
		return left
	case *recipe.Shared:
		if _, known := f.shared[r]; !known {
			f.shared[r] = f.relation(r.Of)
		}
		return append([]bool(nil), f.shared[r]...)
	}
	return nil
}

func (f *flow) block(b *recipe.Block) (columns []bool) {
	f.from(b.From)
	for _, s := range b.Steps {
		switch s := s.(type) {
		case *recipe.Attach:
			for _, q := range s.Subqueries {
				f.name(recipe.Attached, attached(q).Name.String(), f.subquery(q))
			}
		case *recipe.Project:
			for _, it := range s.Items {
				columns = append(columns, f.in(it.Expr))
			}
		}
	}
	return columns
}

// subquery reports whether the result of a query in an expression is such a value:
// whether there are rows of a protected table, or equal ones, may tell one.
func (f *flow) subquery(q *recipe.Subquery) bool {
	columns := f.relation(q.Of)
	if q.Kind == recipe.Scalar {
		return len(columns) != 1 || columns[0]
	}
	inside, reads := &recipe.Tree{Root: q.Of}, false
	inside.Walk(func(s *recipe.Source) {
		_, scan := s.Of.(*recipe.Scan)
		reads = reads || scan && f.protects
	}, func(ast.Node) {})
	return reads || slices.ContainsFunc(q.Operands, func(e ast.Expr) bool { return f.in(e) })
}

func (f *flow) from(from recipe.From) {
	switch from := from.(type) {
	case *recipe.Source:
		f.source(from)
	case *recipe.Join:
		f.from(from.Left)
		f.from(from.Right)
	}
}

func (f *flow) source(s *recipe.Source) {
	var columns []bool
	if scan, ok := s.Of.(*recipe.Scan); ok {
		leaf := f.run.Tree.Leaves[scan.Leaf]
		for _, fetched := range f.run.Fetch[leaf.From:leaf.To] {
			columns = append(columns, fetched.Opened)
		}
	} else {
		columns = f.relation(s.Of)
	}
	for i, name := range s.Columns {
		qualifier := s.Name
		if s.Qualifiers != nil {
			qualifier = s.Qualifiers[i]
		}
		f.name(qualifier, name, i >= len(columns) || columns[i])
	}
}

func (f *flow) name(qualifier, name string, protected bool) {
	key := qualifier + "." + strings.ToLower(name)
	f.named[key] = f.named[key] || protected
}

// in reports whether an expression names such a column, one that is not known, or a user
// variable, which may have been set to such a value.
func (f *flow) in(e ast.Node) (found bool) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if a, ok := n.(*ast.Argument); ok {
			param, is := sql.ParamOf(a)
			found = found || is && param >= sql.FirstVariable && !f.run.IsTold(param)
		}
		if name, ok := n.(*ast.ColName); ok {
			protected, known := f.named[name.Qualifier.Name.String()+"."+name.Name.Lowered()]
			found = found || protected || !known
		}
		return !found, nil
	}, e)
	return found
}
