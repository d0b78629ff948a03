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
// them in the order that the server gets. Where the query has not all columns of the key, whose client need not be
// allowed to read them, or there is no key, the rows of the others are fetched as if there were no LIMIT.

// limited is what the server sorts and counts of the rows of a leaf; nil for all of them.
type limited struct {
	by    ast.OrderBy
	limit *ast.Limit
	same  bool // they are the same rows each time
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
	if l.by, ok = t.sortedBy(from, sort); !ok {
		return
	}
	if len(t.fetched) > 1 {
		if len(from.leaves) > 1 {
			return
		}
		t.markUsed()
		l.by, l.same = from.leaves[0].inOneOrder(l.by)
	}
	if from.limited = l; oneEach {
		b.Steps = b.Steps[:len(b.Steps)-1]
		t.Run.Tree.Skipped = last.Of.Offset
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

// findsOne reports whether there is at most one row for each row to the left: the columns of a unique key are given, and
// compared as the key compares them.
func (t *treeBuilder) findsOne(right recipe.From) bool {
	f := t.fetchedOf(right)
	if f == nil || len(f.leaves) > 1 {
		return false
	}
	given := func(p catalog.Part) bool {
		return p.Prefix == 0 && slices.ContainsFunc(f.source.Keys, func(k *ast.ComparisonExpr) bool {
			name, ok := k.Left.(*ast.ColName)
			return ok && k.Operator == ast.EqualOp && strings.EqualFold(name.Name.String(), p.Column) && t.comparesAsKeys(k)
		})
	}
	return slices.ContainsFunc(f.leaves[0].table.Keys, func(k catalog.Key) bool {
		if k.Kind != catalog.Primary && k.Kind != catalog.Unique {
			return false
		}
		return !slices.ContainsFunc(k.Parts, func(p catalog.Part) bool { return !given(p) })
	})
}

// comparesAsKeys reports whether an equality is that of a key of its first column: a text in another collation, and a double, can
// equal several values of a unique key.
func (t *treeBuilder) comparesAsKeys(k *ast.ComparisonExpr) bool {
	var types [2]*value.Type
	for i, e := range [...]ast.Expr{k.Left, k.Right} {
		l, at := t.column(e)
		if l == nil {
			return false
		}
		types[i] = &l.table.Columns[at].Type
	}
	a, b := types[0], types[1]
	switch {
	case a.Kind.IsInteger():
		return b.Kind.IsInteger()
	case a.Kind.IsText():
		return b.Kind.IsText() && a.Collation == b.Collation
	case a.Kind == value.Decimal, a.Kind == value.Date, a.Kind == value.DateTime, a.Kind == value.Binary, a.Kind == value.VarBinary:
		return a.Kind == b.Kind
	}
	return false
}

// sortedBy is an ORDER BY as the server gets it; false if it cannot sort the rows so.
func (t *treeBuilder) sortedBy(f *fetched, sort *recipe.Sort) (order ast.OrderBy, ok bool) {
	if sort == nil {
		return nil, true
	}
	for _, k := range sort.By {
		l, i := t.column(k.Expr)
		if l == nil || !slices.Contains(f.leaves, l) || information.IsTold(l.table) {
			return nil, false
		}
		e := ast.Clone(k.Expr)
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

// inOneOrder adds the columns of the primary key to an order, so that there is one order of the rows; false, and the order as it
// is, if there is no key that the query has all columns of.
func (l *leaf) inOneOrder(by ast.OrderBy) (ast.OrderBy, bool) {
	var direction ast.OrderDirection
	if len(by) > 0 {
		direction = by[len(by)-1].Direction // so that a key serves all
	}
	at := slices.IndexFunc(l.table.Keys, func(k catalog.Key) bool { return k.Kind == catalog.Primary })
	if at < 0 {
		return by, false
	}
	k := &l.table.Keys[at]
	stored := storedParts(l.table, k)
	if len(stored) != len(k.Parts) {
		return by, false // of a part it has the beginning
	}
	if slices.ContainsFunc(k.Parts, func(p catalog.Part) bool { return !l.used[l.table.Column(p.Column)] }) {
		return by, false
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
