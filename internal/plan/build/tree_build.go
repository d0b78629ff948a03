package build

import (
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/plan/twin"
	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
)

// treeBuilder makes the Tree of a query.
type treeBuilder struct {
	*Builder
	tables     []*catalog.Table
	fetched    []*fetched
	held       []heldTo // rows that are left out as they come
	names      int      // unique ones that were made
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
func (b *Builder) treeQuery(root ast.Statement) *ending {
	_, end := b.treeOf(root, b.Asked.Root(), false)
	return end
}

// treeOf is treeQuery, of a query that the client has written as asked, and returns what
// it is made into. Where its rows are to be
// inserted, those that it reads are locked against changes.
func (b *Builder) treeOf(root, asked ast.Statement, inserted bool) (top *made, end *ending) {
	if end := b.nameable(root); end != nil {
		return nil, end
	}
	if end := b.knowsPlain(root); end != nil {
		return nil, end
	}
	if b.written != nil {
		b.Run.Table = b.firstOf(root)
	}
	if b.Run.Answer.Describe, end = b.describedTree(asked); end != nil {
		return nil, end
	}
	t := &treeBuilder{Builder: b, numbers: map[string]int{}, inserted: inserted}
	q, ok := root.(ast.TableStatement)
	if !ok {
		return nil, beyond(b.Tree.Kind().String())
	}
	top, end = t.relation(q, nil)
	if end != nil {
		return nil, end
	}
	b.asQuery()
	b.Run.Tree = &recipe.Tree{Root: top.relation}
	t.limitFirst(top.relation)
	return top, t.remote()
}

// nameable refuses names that unique ones could be taken for.
func (b *Builder) nameable(root ast.Statement) *ending {
	return walk(func(n ast.Node) (bool, *ending) {
		if name, ok := n.(ast.IdentifierCS); ok && strings.Contains(name.String(), twin.Mark) {
			return false, beyond("a name with # in a query over several tables")
		}
		return true, nil
	}, root)
}

// relation plans a query; outer is what it is in.
func (t *treeBuilder) relation(q ast.TableStatement, outer *scope) (*made, *ending) {
	t.depth++
	defer func() { t.depth-- }()
	if t.depth > depthMax {
		return nil, beyond("such a depth of queries")
	}
	switch q := q.(type) {
	case *ast.Select:
		return t.block(q, outer)
	case *ast.Union:
		return t.union(q, outer)
	case *ast.ValuesStatement:
		rows, end := rowsAsUnion(q)
		if end != nil {
			return nil, end
		}
		return t.relation(rows, outer)
	}
	return nil, beyond("a query of this form")
}

// setKinds are what the operators of ast.SetOf do.
var setKinds = map[string]recipe.SetKind{"union": recipe.Union, "intersect": recipe.Intersect, "except": recipe.Except}

// union plans a UNION, INTERSECT or EXCEPT.
func (t *treeBuilder) union(n *ast.Union, outer *scope) (*made, *ending) {
	operator, sifts := ast.SetOf(n)
	if n.Into != nil || n.Lock != ast.NoLock && !sifts {
		return nil, beyond("INTO, or a lock, of a UNION")
	}
	inside := &scope{parent: outer, tree: t}
	if end := t.with(n.With, inside); end != nil {
		return nil, end
	}
	left, end := t.leftOperand(n.Left, inside)
	if end != nil {
		return nil, end
	}
	right, end := t.relation(n.Right, inside)
	if end != nil {
		return nil, end
	}
	if len(left.columns) != len(right.columns) {
		return nil, &ending{wrong: "a UNION of different numbers of columns"}
	}
	kind, known := setKinds[operator]
	if !known {
		return nil, beyond("a set operation of this kind")
	}
	set := &recipe.Set{Outer: inside.outer, Kind: kind, Distinct: n.Distinct, Left: left.relation, Right: right.relation}
	sort, end := sortOfSet(n.OrderBy, left.columns)
	if end != nil {
		return nil, end
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
func (t *treeBuilder) leftOperand(q ast.TableStatement, inside *scope) (*made, *ending) {
	if t.operands++; t.operands > operandsMax {
		return nil, beyond("such a number of queries in a UNION")
	}
	if _, before := q.(*ast.Union); before {
		t.depth--
		defer func() { t.depth++ }()
	}
	return t.relation(q, inside)
}

// sortOfSet is the ORDER BY of a UNION, whose keys are columns of it.
func sortOfSet(by ast.OrderBy, columns []string) (*recipe.Sort, *ending) {
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
		var end *ending
		switch e := o.Expr.(type) {
		case *ast.Literal:
			at, end = position(e, items)
		case *ast.ColName:
			if e.Qualifier.Name.IsEmpty() {
				if at, end = aliased(e, items); end == nil && at < 0 {
					end = unknown()
				}
			}
		}
		if end != nil {
			return nil, end
		}
		if at < 0 {
			return nil, beyond("a UNION that is sorted by what is not one of its columns")
		}
		s.By = append(s.By, recipe.Key{Expr: items[at].Expr, Item: at, Descending: o.Direction == ast.DescOrder})
	}
	return s, nil
}

// with plans the common table expressions of a query into its scope.
func (t *treeBuilder) with(w *ast.With, into *scope) *ending {
	if w == nil {
		return nil
	}
	into.shared = map[string]*shared{}
	for _, c := range w.CTEs {
		name := strings.ToLower(c.ID.String())
		if w.Recursive && namesTable(c.Subquery, c.ID.String()) {
			of, end := t.recursive(c, into)
			if end != nil {
				return end
			}
			into.shared[name] = &shared{relation: &recipe.Shared{Of: of.relation}, columns: of.columns}
			continue
		}
		of, end := t.relation(c.Subquery, &scope{parent: nil, shared: into.allShared(), tree: t})
		if end != nil {
			return end
		}
		columns := of.columns
		if len(c.Columns) > 0 {
			if columns, end = renamed(c.Columns, columns); end != nil {
				return end
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
func renamed(names ast.Columns, columns []string) ([]string, *ending) {
	if len(names) != len(columns) {
		return nil, &ending{wrong: "a list of columns of another length"}
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
