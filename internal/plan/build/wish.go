package build

import (
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/plan/explanation"
	"tunic/internal/policy"
	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
)

// wishFor is what the parts of a clause are.
var wishFor = map[string]recipe.WishFor{
	"where": recipe.ForWhere, "group by": recipe.ForGroup, "distinct": recipe.ForGroup, "having": recipe.ForGroup, "select": recipe.ForGroup, "order by": recipe.ForOrder,
}

// wishes finds the wishes of a statement over one table that is finished locally. Those of
// several tables are found where their conditions are given to leaves.
func (b *Builder) wishes() {
	if b.scope == nil || len(b.Run.Local) == 0 || b.Run.Tree != nil {
		return
	}
	asking := *b
	asking.Run = b.fresh()
	i := inspector{run: b.Run, b: &asking}
	i.inspect(b.Tree.Root())
	found := i.wished()
	for _, r := range []*recipe.Run{b.Run, b.Run.Alternatives[recipe.CountsChanged], b.Run.Alternatives[recipe.SecretVariable]} {
		if r != nil && r.Tree == nil {
			r.Wishes = found
		}
	}
}

// wished are the wishes of what was inspected, with their shares.
func (i *inspector) wished() []recipe.Wish {
	filters, others := 0, 0
	for _, w := range i.wishes {
		if w.For == recipe.ForWhere {
			filters++
		} else {
			others++
		}
	}
	grouped := slices.ContainsFunc(i.wishes, func(w recipe.Wish) bool { return w.For == recipe.ForGroup })
	whole := !i.unserved["where"] && !i.unserved["group by"] && !i.unserved["distinct"] && !i.unserved["having"] && !i.unserved["order by"]
	whole = whole && !(grouped && i.unserved["select"])
	for at := range i.wishes {
		w := &i.wishes[at]
		w.Table = i.b.scope.Table
		switch {
		case w.For == recipe.ForWhere && !i.unserved["where"]:
			w.Share = filters
		case w.For != recipe.ForWhere && whole:
			w.Share = others
		}
	}
	return i.wishes
}

// wish notes a layer that would serve a part of a clause, once for what it is wished for.
func (i *inspector) wish(clause string, a explanation.Advice) {
	w := recipe.Wish{Column: a.Column, Layer: a.Layer, Allowed: a.Allowed, Filling: a.Filling, For: wishFor[clause]}
	if !slices.Contains(i.wishes, w) {
		i.wishes = append(i.wishes, w)
	}
}

// unservedBy notes that no layer serves a part of a clause.
func (i *inspector) unservedBy(clause string) {
	if i.unserved == nil {
		i.unserved = map[string]bool{}
	}
	i.unserved[clause] = true
}

// wishesOf finds the wishes of what the server does not decide of the rows of a leaf.
func (t *treeBuilder) wishesOf(l *leaf, rest ast.Expr) {
	if rest == nil {
		return
	}
	i := inspector{run: t.Run, b: t.within(l)}
	i.b.Run = t.fresh()
	i.where(&ast.Where{Expr: rest})
	l.unserved = l.unserved || i.unserved["where"]
	for _, w := range i.wishes {
		w.Table = l.table
		if !slices.Contains(l.wishes, w) {
			l.wishes = append(l.wishes, w)
		}
	}
}

// joinWish notes that two columns of one domain are compared of which the server could
// compare tokens, had both a layer.
func (t *treeBuilder) joinWish(on *ast.ComparisonExpr) {
	left, right := t.leafColumn(on.Left), t.leafColumn(on.Right)
	if left.leaf == nil || right.leaf == nil || left.column().Domain != right.column().Domain {
		return
	}
	for _, side := range [...]leafColumn{left, right} {
		b := t.within(side.leaf)
		a, ok := b.candidate(side.at, policy.Equality)
		w := recipe.Wish{Table: side.leaf.table, Column: side.at, Layer: policy.Equality, Allowed: a.Allowed, Filling: a.Filling, For: recipe.ForJoin}
		if ok && !slices.Contains(side.leaf.wishes, w) {
			side.leaf.wishes = append(side.leaf.wishes, w)
		}
	}
}

// leafColumn is a protected column of a leaf; the leaf is nil if an expression is none.
type leafColumn struct {
	leaf *leaf
	at   int
}

func (c leafColumn) column() *catalog.Column { return &c.leaf.table.Columns[c.at] }

func (t *treeBuilder) leafColumn(e ast.Expr) (found leafColumn) {
	name, ok := e.(*ast.ColName)
	if !ok {
		return found
	}
	for _, f := range t.fetched {
		for _, l := range f.leaves {
			if l.unique != name.Qualifier.Name.String() {
				continue
			}
			if at := l.table.Column(name.Name.String()); at >= 0 && l.table.Columns[at].Protected() {
				return leafColumn{l, at}
			}
		}
	}
	return found
}

// gatherWishes gathers those of all leaves. Of tables that the server joins it is not known
// which of them leaves a row out.
func (t *treeBuilder) gatherWishes() {
	for i, f := range t.fetched {
		for _, l := range f.leaves {
			filters := 0
			for _, w := range l.wishes {
				if w.For == recipe.ForWhere {
					filters++
				}
			}
			for _, w := range l.wishes {
				w.Leaf = i
				if w.For == recipe.ForWhere && !l.unserved && len(f.leaves) == 1 {
					w.Share = filters
				}
				t.Run.Wishes = append(t.Run.Wishes, w)
			}
		}
	}
}
