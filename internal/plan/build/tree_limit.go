package build

import (
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/plan/information"
	"tunic/internal/plan/shape"
	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
)

// A LIMIT behind joins is the server's if no row is lost behind what it fetches: each row of the first table comes at least
// once, whatever the tables behind it in LEFT JOIN have for it. So of the first table no more rows are fetched than the LIMIT
// wants, and of the others those that meet them (see reduce):
//
//	SELECT … FROM post LEFT JOIN person ON person.id = post.author ORDER BY post.id DESC LIMIT 20
//
//	remote   (select … from post order by post.id desc limit 20)
//	         union all select … from person
//	         where person.id$eq in (select post.author$eq from (select … from post order by post.id desc limit 20) as post)
//
// Both have to find the same rows. Where rows are equal in all keys of ORDER BY the key of the row decides, which is behind
// them in the order that the server gets.

// limited is what the server sorts and counts of the rows of a leaf; nil for all of them.
type limited struct {
	by    ast.OrderBy
	limit *ast.Limit
}

// limitFirst gives the LIMIT of the outermost query to the server, where it can.
func (t *treeBuilder) limitFirst(top recipe.Relation) {
	b, ok := top.(*recipe.Block)
	if !ok || t.secret || t.writes != nil || t.inserted {
		return
	}
	sort, last := b.SortedAndCut()
	if last == nil {
		return
	}
	from, oneEach := t.firstOfAll(b.From)
	if from == nil || from.source.Where != nil || len(from.source.Keys) > 0 || from.lock != ast.NoLock {
		return
	}
	if last.Of.Offset != nil && !oneEach { // it skips rows of the answer
		return
	}
	l := &limited{limit: ast.Clone(last.Of)}
	if l.by, ok = from.sortedBy(sort); !ok {
		return
	}
	if len(t.fetched) > 1 {
		if len(from.leaves) > 1 {
			return
		}
		if l.by, ok = from.leaves[0].inOneOrder(l.by); !ok {
			return
		}
	}
	if from.limited = l; oneEach {
		b.Steps = b.Steps[:len(b.Steps)-1]
	}
}

// firstOfAll are the rows of which each comes at least once in a FROM, nil if there are none; oneEach says that each comes once.
func (t *treeBuilder) firstOfAll(from recipe.From) (f *fetched, oneEach bool) {
	j, ok := from.(*recipe.Join)
	if !ok {
		return t.fetchedOf(from), true
	}
	if !j.Outer {
		return nil, false
	}
	f, oneEach = t.firstOfAll(j.Left)
	return f, oneEach && t.findsOne(j.Right)
}

// findsOne reports whether there is at most one row for each row to the left: the columns of a unique key are given.
func (t *treeBuilder) findsOne(right recipe.From) bool {
	f := t.fetchedOf(right)
	if f == nil || len(f.leaves) > 1 {
		return false
	}
	given := func(p catalog.Part) bool {
		return p.Prefix == 0 && slices.ContainsFunc(f.source.Keys, func(k *ast.ComparisonExpr) bool {
			name, ok := k.Left.(*ast.ColName)
			return ok && k.Operator == ast.EqualOp && strings.EqualFold(name.Name.String(), p.Column) && t.distinguishes(f.leaves[0], name, k.Right)
		})
	}
	return slices.ContainsFunc(f.leaves[0].table.Keys, func(k catalog.Key) bool {
		if k.Kind != catalog.Primary && k.Kind != catalog.Unique {
			return false
		}
		return !slices.ContainsFunc(k.Parts, func(p catalog.Part) bool { return !given(p) })
	})
}

// distinguishes reports whether values of a column that a unique key has for others are others to an equality as well: it compares
// them as the key does. A number equals '1', '01' and '1.0'.
func (t *treeBuilder) distinguishes(l *leaf, column *ast.ColName, to ast.Expr) bool {
	name, ok := to.(*ast.ColName)
	if !ok {
		return false
	}
	_, k := t.fetchedAs(name.Qualifier.Name.String())
	if k == nil {
		return false
	}
	own, other := l.table.Column(column.Name.String()), k.table.Column(name.Name.String())
	if own < 0 || other < 0 {
		return false
	}
	a, b := &l.table.Columns[own].Type, &k.table.Columns[other].Type
	switch a.Kind {
	case value.Float, value.Double, value.Timestamp: // of two of a key an equality may have both
		return false
	}
	return a.Kind.IsInteger() && b.Kind.IsInteger() || a.Kind == b.Kind && a.Collation == b.Collation
}

// sortedBy is an ORDER BY as the server gets it; false if it cannot sort the rows so.
func (f *fetched) sortedBy(sort *recipe.Sort) (order ast.OrderBy, ok bool) {
	if sort == nil {
		return nil, true
	}
	for _, k := range sort.By {
		name, ok := k.Expr.(*ast.ColName)
		if !ok {
			return nil, false
		}
		at := slices.IndexFunc(f.leaves, func(l *leaf) bool { return l.unique == name.Qualifier.Name.String() })
		if at < 0 || information.IsTold(f.leaves[at].table) {
			return nil, false
		}
		l := f.leaves[at]
		i := l.table.Column(name.Name.String())
		if i < 0 {
			return nil, false
		}
		e := ast.Expr(ast.Clone(name))
		if l.table.Columns[i].Protected() {
			layer := l.scope.LayerFor(i, recipe.Less)
			if layer == nil {
				return nil, false
			}
			e = shape.Column(layer.Stored)
		}
		shape.Qualify(e, l.unique)
		o := &ast.Order{Expr: e}
		if k.Descending {
			o.Direction = ast.DescOrder
		}
		order = append(order, o)
	}
	return order, true
}

// inOneOrder adds the columns of a unique key to an order, so that there is one order of the rows; false if there is no key.
func (l *leaf) inOneOrder(by ast.OrderBy) (ast.OrderBy, bool) {
	var direction ast.OrderDirection
	if len(by) > 0 {
		direction = by[len(by)-1].Direction // so that a key serves all
	}
	at := slices.IndexFunc(l.table.Keys, func(k catalog.Key) bool { return k.Kind == catalog.Primary })
	if at < 0 {
		return nil, false
	}
	k := &l.table.Keys[at]
	stored := storedParts(l.table, k)
	if len(stored) != len(k.Parts) {
		return nil, false // of a part it has the beginning
	}
	by = slices.Clone(by)
	for _, name := range stored {
		e := shape.Column(name)
		shape.Qualify(e, l.unique)
		if !slices.ContainsFunc(by, func(o *ast.Order) bool { return ast.Equal(o.Expr, e) }) {
			by = append(by, &ast.Order{Expr: e, Direction: direction})
		}
	}
	return by, true
}

// derived are the rows of a limited leaf as a table of the columns that a semi-join names.
func (f *fetched) derived(names []string) *ast.AliasedTableExpr {
	l := f.leaves[0]
	n := &ast.Select{SelectExprs: &ast.SelectExprs{}, From: ast.TableExprs{l.entry()}, Where: shape.Where(l.chosenBy())}
	for _, name := range names {
		e := shape.Column(name)
		shape.Qualify(e, l.unique)
		n.SelectExprs.Exprs = append(n.SelectExprs.Exprs, &ast.AliasedExpr{Expr: e})
	}
	f.limited.of(n)
	return &ast.AliasedTableExpr{Expr: &ast.DerivedTable{Select: n}, As: ast.Name(l.unique)}
}

// of has a stored query sort and count.
func (l *limited) of(n *ast.Select) {
	if l == nil {
		return
	}
	for _, o := range l.by {
		n.OrderBy = append(n.OrderBy, ast.Clone(o))
	}
	n.Limit = ast.Clone(l.limit)
}
