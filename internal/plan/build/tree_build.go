package build

import (
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/plan/twin"
	"tunic/internal/recipe"
	"tunic/internal/resolve"
	"tunic/internal/sql/ast"
)

// treeBuilder makes the Tree of a query.
type treeBuilder struct {
	*Builder
	tables     []*catalog.Table
	fetched    []*fetched
	names      int // unique ones that were made
	subqueries int
	numbers    map[string]int // of columns
	depth      int
	operands   int
	// writes are the leaves whose rows are read to be written; nil for a query.
	writes map[*leaf]bool
	// inserted says that the rows are read to insert others.
	inserted bool
}

// made is a relation and the names of its columns.
type made struct {
	relation recipe.Relation
	columns  []string
}

// depthMax bounds how deep queries may be in one another, operandsMax how many a statement may
// put together with UNION, INTERSECT and EXCEPT; each is a relation over the one before.
const (
	depthMax    = 60
	operandsMax = 1000
)

// needsTree reports whether a query is more than one over one table.
func needsTree(root ast.Statement) bool {
	q, ok := root.(*ast.Select)
	if !ok {
		_, ok = root.(*ast.Union)
		return ok
	}
	tables, inside := 0, false
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n.(type) {
		case *ast.AliasedTableExpr:
			tables++
		case *ast.Subquery, *ast.DerivedTable, *ast.With:
			inside = true
		}
		return true, nil
	}, q)
	return inside || tables != 1
}

// inTree reports whether a statement is planned as a query over several tables is: also one over a
// plain table alone, to which a view of tunic's has led.
func (b *Builder) inTree(root ast.Statement) bool {
	if needsTree(root) {
		return true
	}
	_, ok := root.(*ast.Select)
	return ok && (b.Kept || len(b.views) > 0) && b.firstOf(root) == nil
}

// treeQuery plans a query over several tables, or with queries in it.
func (b *Builder) treeQuery(root ast.Statement) error {
	_, err := b.treeOf(root, b.Asked.Root(), false)
	return err
}

// treeOf is treeQuery, of a query that the client has written as asked, and returns what
// it is made into. Where its rows are to be
// inserted, those that it reads are locked against changes.
func (b *Builder) treeOf(root, asked ast.Statement, inserted bool) (top *made, err error) {
	if err := b.nameable(root); err != nil {
		return nil, err
	}
	if err := b.knowsPlain(root); err != nil {
		return nil, err
	}
	if b.written != nil {
		b.Run.Table = b.firstOf(root)
	}
	if b.Run.Describe, err = b.describedTree(asked); err != nil {
		return nil, err
	}
	t := &treeBuilder{Builder: b, numbers: map[string]int{}, inserted: inserted}
	q, ok := root.(ast.TableStatement)
	if !ok {
		return nil, &resolve.Beyond{What: b.Tree.Kind().String()}
	}
	top, err = t.relation(q, nil)
	if err != nil {
		return nil, err
	}
	b.Run.Tree = &recipe.Tree{Root: top.relation}
	return top, t.remote()
}

// nameable refuses names that unique ones could be taken for.
func (b *Builder) nameable(root ast.Statement) error {
	return ast.Walk(func(n ast.Node) (bool, error) {
		if name, ok := n.(ast.IdentifierCS); ok && strings.Contains(name.String(), twin.Mark) {
			return false, &resolve.Beyond{What: "a name with # in a query over several tables"}
		}
		return true, nil
	}, root)
}

// relation plans a query; outer is what it is in.
func (t *treeBuilder) relation(q ast.TableStatement, outer *scope) (*made, error) {
	t.depth++
	defer func() { t.depth-- }()
	if t.depth > depthMax {
		return nil, &resolve.Beyond{What: "such a depth of queries"}
	}
	switch q := q.(type) {
	case *ast.Select:
		return t.block(q, outer)
	case *ast.Union:
		return t.union(q, outer)
	case *ast.ValuesStatement:
		rows, err := rowsAsUnion(q)
		if err != nil {
			return nil, err
		}
		return t.relation(rows, outer)
	}
	return nil, &resolve.Beyond{What: "a query of this form"}
}

// setKinds are what the operators of ast.SetOf do.
var setKinds = map[string]recipe.SetKind{"union": recipe.Union, "intersect": recipe.Intersect, "except": recipe.Except}

// union plans a UNION, INTERSECT or EXCEPT.
func (t *treeBuilder) union(n *ast.Union, outer *scope) (*made, error) {
	operator, sifts := ast.SetOf(n)
	if n.Into != nil || n.Lock != ast.NoLock && !sifts {
		return nil, &resolve.Beyond{What: "INTO, or a lock, of a UNION"}
	}
	inside := &scope{parent: outer, tree: t}
	if err := t.with(n.With, inside); err != nil {
		return nil, err
	}
	left, err := t.leftOperand(n.Left, inside)
	if err != nil {
		return nil, err
	}
	right, err := t.relation(n.Right, inside)
	if err != nil {
		return nil, err
	}
	if len(left.columns) != len(right.columns) {
		return nil, &Wrong{"a UNION of different numbers of columns"}
	}
	set := &recipe.Set{Outer: inside.outer, Kind: setKinds[operator], Distinct: n.Distinct, Left: left.relation, Right: right.relation}
	sort, err := sortOfSet(n.OrderBy, left.columns)
	if err != nil {
		return nil, err
	}
	if sort != nil {
		set.Steps = append(set.Steps, sort)
	}
	if n.Limit != nil {
		set.Steps = append(set.Steps, &recipe.Limit{Of: n.Limit})
	}
	return &made{set, left.columns}, nil
}

// leftOperand plans what stands before the operator: in a UNION b UNION c, a UNION b, which is
// no deeper than c is.
func (t *treeBuilder) leftOperand(q ast.TableStatement, inside *scope) (*made, error) {
	if t.operands++; t.operands > operandsMax {
		return nil, &resolve.Beyond{What: "such a number of queries in a UNION"}
	}
	if _, before := q.(*ast.Union); before {
		t.depth--
		defer func() { t.depth++ }()
	}
	return t.relation(q, inside)
}

// sortOfSet is the ORDER BY of a UNION, whose keys are columns of it.
func sortOfSet(by ast.OrderBy, columns []string) (*recipe.Sort, error) {
	if len(by) == 0 {
		return nil, nil //nolint:nilnil // without ORDER BY there is no such step
	}
	items := make([]recipe.Item, len(columns))
	for i, name := range columns {
		items[i] = recipe.Item{Expr: &ast.ColName{Name: ast.Identifier(name)}, As: ast.Identifier(name), Column: -1}
	}
	s := &recipe.Sort{}
	for _, o := range by {
		at := -1
		var err error
		switch e := o.Expr.(type) {
		case *ast.Literal:
			at, err = position(e, items)
		case *ast.ColName:
			if e.Qualifier.Name.IsEmpty() {
				if at, err = aliased(e, items); err == nil && at < 0 {
					err = errUnknown
				}
			}
		}
		if err != nil {
			return nil, err
		}
		if at < 0 {
			return nil, &resolve.Beyond{What: "a UNION that is sorted by what is not one of its columns"}
		}
		s.By = append(s.By, recipe.Key{Expr: items[at].Expr, Item: at, Descending: o.Direction == ast.DescOrder})
	}
	return s, nil
}

// with plans the common table expressions of a query into its scope.
func (t *treeBuilder) with(w *ast.With, into *scope) error {
	if w == nil {
		return nil
	}
	into.shared = map[string]*shared{}
	for _, c := range w.CTEs {
		name := strings.ToLower(c.ID.String())
		if w.Recursive && namesTable(c.Subquery, c.ID.String()) {
			of, err := t.recursive(c, into)
			if err != nil {
				return err
			}
			into.shared[name] = &shared{relation: &recipe.Shared{Of: of.relation}, columns: of.columns}
			continue
		}
		of, err := t.relation(c.Subquery, &scope{parent: nil, shared: into.allShared(), tree: t})
		if err != nil {
			return err
		}
		columns := of.columns
		if len(c.Columns) > 0 {
			if columns, err = renamed(c.Columns, columns); err != nil {
				return err
			}
		}
		into.shared[name] = &shared{relation: &recipe.Shared{Of: of.relation}, columns: columns}
	}
	return nil
}

// allShared are the common table expressions that a query inside can name.
func (s *scope) allShared() map[string]*shared {
	all := map[string]*shared{}
	for at := s; at != nil; at = at.parent {
		for name, of := range at.shared {
			if all[name] == nil {
				all[name] = of
			}
		}
	}
	return all
}

// renamed are the names that a list behind an alias gives to columns.
func renamed(names ast.Columns, columns []string) ([]string, error) {
	if len(names) != len(columns) {
		return nil, &Wrong{"a list of columns of another length"}
	}
	all := make([]string, len(names))
	for i, n := range names {
		all[i] = n.String()
	}
	return all, nil
}

func namesTable(root ast.Node, name string) (found bool) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if t, ok := n.(ast.TableName); ok && t.Qualifier.IsEmpty() && strings.EqualFold(t.Name.String(), name) {
			found = true
		}
		return !found, nil
	}, root)
	return found
}
