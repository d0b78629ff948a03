package build

import (
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/plan/explanation"
	"tunic/internal/policy"
	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
)

// layerUses is what the parts of a clause are.
var layerUses = map[explanation.Clause]recipe.LayerUse{
	explanation.Where: recipe.ForWhere, explanation.GroupBy: recipe.ForGroup, explanation.Distinct: recipe.ForGroup, explanation.Having: recipe.ForGroup,
	explanation.Select: recipe.ForGroup, explanation.OrderBy: recipe.ForOrder,
}

// findMissing finds the layers missed by a statement over one table that is finished locally. Those of
// several tables are found where their conditions are given to leaves.
func (b *Builder) findMissing() {
	if b.scope == nil || len(b.Run.Local) == 0 || b.Run.Tree != nil {
		return
	}
	asking := *b
	asking.Run = b.fresh()
	i := inspector{run: b.Run, b: &asking}
	i.inspect(b.Tree.Root())
	found := i.missingLayers()
	for _, r := range []*recipe.Run{b.Run, b.Run.Alternatives[recipe.CountsChanged], b.Run.Alternatives[recipe.SecretVariable]} {
		if r != nil && r.Tree == nil {
			r.Missing = found
		}
	}
}

// missingLayers are the layers missed by what was inspected, with their shares.
func (i *inspector) missingLayers() []recipe.MissingLayer {
	filters, others := 0, 0
	for _, w := range i.missing {
		if w.For == recipe.ForWhere {
			filters++
		} else {
			others++
		}
	}
	grouped := slices.ContainsFunc(i.missing, func(w recipe.MissingLayer) bool { return w.For == recipe.ForGroup })
	whole := !slices.ContainsFunc([]explanation.Clause{
		explanation.Where, explanation.GroupBy, explanation.Distinct, explanation.Having, explanation.OrderBy,
	}, func(c explanation.Clause) bool { return i.unserved[c] })
	whole = whole && !(grouped && i.unserved[explanation.Select])
	for at := range i.missing {
		w := &i.missing[at]
		w.Table = i.b.scope.Table
		switch {
		case w.For == recipe.ForWhere && !i.unserved[explanation.Where]:
			w.Share = filters
		case w.For != recipe.ForWhere && whole:
			w.Share = others
		}
	}
	return i.missing
}

// noteMissing notes a layer that would serve a part of a clause, once for each use.
func (i *inspector) noteMissing(clause explanation.Clause, a explanation.Advice) {
	w := recipe.MissingLayer{Column: a.Column, Layer: a.Layer, Allowed: a.Allowed, Backfilling: a.Backfilling, For: layerUses[clause]}
	if !slices.Contains(i.missing, w) {
		i.missing = append(i.missing, w)
	}
}

// unservedBy notes that no layer serves a part of a clause.
func (i *inspector) unservedBy(clause explanation.Clause) {
	if i.unserved == nil {
		i.unserved = map[explanation.Clause]bool{}
	}
	i.unserved[clause] = true
}

// missingOf finds the layers missed by what the server does not decide of the rows of a leaf.
func (t *treeBuilder) missingOf(l *leaf, rest ast.Expr) {
	if rest == nil {
		return
	}
	i := inspector{run: t.Run, b: t.within(l)}
	i.b.Run = t.fresh()
	i.where(&ast.Where{Expr: rest})
	l.unserved = l.unserved || i.unserved[explanation.Where]
	for _, w := range i.missing {
		w.Table = l.table
		if !slices.Contains(l.missing, w) {
			l.missing = append(l.missing, w)
		}
	}
}

// joinMissing notes that two columns of one domain are compared of which the server could
// compare tokens, had both a layer.
func (t *treeBuilder) joinMissing(on *ast.ComparisonExpr) {
	left, right := t.leafColumn(on.Left), t.leafColumn(on.Right)
	if left.leaf == nil || right.leaf == nil || left.column().Domain != right.column().Domain {
		return
	}
	for _, side := range [...]leafColumn{left, right} {
		b := t.within(side.leaf)
		a, ok := b.scope.Missing(side.at, policy.Equality)
		w := recipe.MissingLayer{Table: side.leaf.table, Column: side.at, Layer: policy.Equality, Allowed: a.Allowed, Backfilling: a.Backfilling, For: recipe.ForJoin}
		if ok && !slices.Contains(side.leaf.missing, w) {
			side.leaf.missing = append(side.leaf.missing, w)
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
	if l, at := t.column(e); l != nil && l.table.Columns[at].Protected() {
		return leafColumn{l, at}
	}
	return found
}

// gatherMissing gathers those of all leaves. Of tables that the server joins it is not known
// which of them leaves a row out.
func (t *treeBuilder) gatherMissing() {
	for i, f := range t.fetched {
		for _, l := range f.leaves {
			filters := 0
			for _, w := range l.missing {
				if w.For == recipe.ForWhere {
					filters++
				}
			}
			for _, w := range l.missing {
				w.Leaf = i
				if w.For == recipe.ForWhere && !l.unserved && len(f.leaves) == 1 {
					w.Share = filters
				}
				t.Run.Missing = append(t.Run.Missing, w)
			}
		}
	}
}
