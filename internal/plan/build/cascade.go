package build

import (
	"fmt"
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/plan/check"
	"tunic/internal/plan/shape"
	"tunic/internal/policy"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// cascade finds out what a statement makes of rows that refer to those it deletes, or
// whose columns it changes. The table's own row is the one of the statement then.
func (b *Builder) cascade(changed []int) (all []catalog.Cascade, end *ending) {
	all, known := b.Catalog.Cascades(b.scope.Table, changed == nil, changed)
	if len(all) == 0 {
		return nil, nil
	}
	if !known {
		return nil, beyond("a statement that foreign keys lead through a circle of tables,")
	}
	b.reached = catalog.Reached(all)
	return all, nil
}

// changing are the columns that an UPDATE can change.
func (b *Builder) changing(set []recipe.Assignment) []int {
	all := append(b.scope.Stamps(set), b.following...)
	for _, a := range set {
		all = append(all, a.Column)
	}
	return all
}

// spelled are the columns that an UPDATE can change, that rows refer to and whose tokens are
// equal for several spellings of a text. A server takes another spelling for a change:
// where the key restricts there is an error, and MySQL's CASCADE changes the rows that refer
// and not the one that they refer to. The stored key sees none.
func (b *Builder) spelled(changed []int) (all []int) {
	b.Catalog.Referred(b.scope.Table, func(column int, onUpdate string) {
		follows := onUpdate == "SET NULL" || onUpdate == "CASCADE" && b.Modes&sql.MariaDB != 0
		if follows || !slices.Contains(changed, column) || slices.Contains(all, column) {
			return
		}
		if b.scope.At(column).Protected() && b.scope.Distinguishes(column) == nil {
			all = append(all, column)
		}
	})
	return all
}

// unreferred refuses a statement that would have rows of other tables follow in a form
// that is not planned; what names it.
func (b *Builder) unreferred(changed []int, what string) *ending {
	all, end := b.cascade(changed)
	if end == nil && len(all) > 0 {
		return beyond(what + ", of a table to which a protected foreign key with SET NULL or ON UPDATE CASCADE refers,")
	}
	return end
}

// besides plans what is written beside each row.
func (b *Builder) besides(w *recipe.Write, all []catalog.Cascade, changed []int) *ending {
	if b.Run.Ignore && len(all) > 0 {
		return beyond("IGNORE in a statement on rows to which a protected foreign key with SET NULL or ON UPDATE CASCADE refers,")
	}
	for i := range all {
		made, end := b.beside(&all[i], changed)
		if end != nil {
			return end
		}
		w.Beside = append(w.Beside, *made)
	}
	return nil
}

// cascadeTarget plans that for a table of several.
func (b *Builder) cascadeTarget(t *target) *ending {
	var changed []int
	if b.Run.Kind != sql.Delete {
		changed = b.changing(t.set)
	}
	all, end := b.cascade(changed)
	if end != nil {
		return end
	}
	t.Write.Spelled = b.spelled(changed)
	return b.besides(t.Write, all, changed)
}

// beside plans one.
func (b *Builder) beside(c *catalog.Cascade, changed []int) (*recipe.Beside, *ending) {
	w := besideWriter{Builder: b, cascade: c, made: &recipe.Beside{Table: c.Path[len(c.Path)-1].Table}}
	first := c.Path[0].Key
	for _, name := range first.Referenced {
		i := b.scope.Table.Column(name)
		if !slices.Contains(changed, i) {
			continue
		}
		if w.made.Changed = append(w.made.Changed, i); !b.scope.At(i).Protected() {
			return nil, beyond("a plain column that is set and that a foreign key with a protected column refers to")
		}
	}
	if w.writesFamily() {
		return nil, beyond("a statement whose foreign key writes a column of a family")
	}
	at, end := w.found()
	if end != nil {
		return nil, end
	}
	n := &ast.Update{TableExprs: w.tables(), Exprs: w.assignments(), Where: shape.Where(at)}
	if end := refused(check.Joined(n, w.named())); end != nil {
		return nil, end
	}
	w.fence(n)
	if w.made.Printed, end = b.print(n); end != nil {
		return nil, end
	}
	return w.made, nil
}

// besideWriter makes the statement of one Cascade.
type besideWriter struct {
	*Builder
	cascade *catalog.Cascade
	made    *recipe.Beside
}

// fence names the fences of the tables of the path.
func (w *besideWriter) fence(n *ast.Update) {
	for i, h := range w.cascade.Path {
		if fence := h.Table.Fence(); fence != "" {
			n.Where = fencedWhere(n.Where, w.name(i, fence))
		}
	}
}

// alias is the name that the n-th table has in the statement.
func alias(n int) string { return fmt.Sprintf("t%d", n) }

// name is a stored column of the n-th table.
func (w *besideWriter) name(n int, stored string) *ast.ColName {
	return &ast.ColName{Name: ast.Identifier(stored), Qualifier: ast.TableName{Name: ast.Name(alias(n))}}
}

// tables are those of the path, joined.
func (w *besideWriter) tables() ast.TableExprs {
	var all ast.TableExpr
	for n, h := range w.cascade.Path {
		one := &ast.AliasedTableExpr{
			Expr: ast.TableName{Qualifier: ast.Name(h.Table.Schema), Name: ast.Name(h.Table.Name)}, As: ast.Name(alias(n)),
		}
		if n == 0 {
			all = one
			continue
		}
		var on ast.Expr
		for i := range h.Key.Columns {
			column, other := h.Key.Stored(h.Table, w.cascade.Path[n-1].Table, i)
			on = shape.And(on, &ast.ComparisonExpr{Operator: ast.EqualOp, Left: w.name(n, column), Right: w.name(n-1, other)})
		}
		all = &ast.JoinTableExpr{LeftExpr: all, Join: ast.NormalJoinType, RightExpr: one, Condition: &ast.JoinCondition{On: on}}
	}
	return ast.TableExprs{all}
}

// found is the condition that finds the rows that refer to the row as it was read. Without
// foreign_key_checks there are none.
func (w *besideWriter) found() (at ast.Expr, end *ending) {
	h := w.cascade.Path[0]
	for i, name := range h.Key.Referenced {
		column := w.scope.Table.Column(name)
		s := recipe.Slot{Column: column, Form: recipe.Value, Of: recipe.Operand{Kind: recipe.FromRow}, Use: recipe.Equal}
		if layer := h.Key.Layers[i]; layer != 0 {
			s.Form, s.Layer = recipe.Token, layer
		} else if !w.Builder.scope.At(column).Type.Kind.Locates() {
			return nil, keyless()
		}
		stored, _ := h.Key.Stored(h.Table, w.scope.Table, i)
		at = shape.And(at, &ast.ComparisonExpr{Operator: ast.EqualOp, Left: w.name(0, stored), Right: w.slot(recipe.BesideSlot{Slot: s, From: column})})
	}
	return shape.And(at, &ast.Variable{Name: ast.Identifier("foreign_key_checks"), Scope: ast.SessionScope}), nil
}

func (w *besideWriter) slot(s recipe.BesideSlot) *ast.Argument {
	w.made.Slots = append(w.made.Slots, s)
	return sql.Slot(len(w.made.Slots)-1, nil)
}

// assignments are those of all that the server does not write: what a column follows is
// set but for the token that the key is over, and what becomes NULL is all set here, as
// servers do where the new value of a text has the same token as the old one. A column that
// takes the time of a change keeps it, as in a cascade.
func (w *besideWriter) assignments() (all ast.UpdateExprs) {
	last := len(w.cascade.Path) - 1
	h := w.cascade.Path[last]
	set := func(stored string, to ast.Expr) {
		all = append(all, &ast.UpdateExpr{Name: w.name(last, stored), Expr: to})
	}
	for _, v := range w.cascade.Set {
		c := &h.Table.Columns[v.Column]
		if v.From < 0 {
			set(c.Stored(), &ast.NullVal{})
			for _, l := range c.Layers {
				if !w.keyed(c, l.Capability) {
					set(l.Stored, &ast.NullVal{})
				}
			}
			continue
		}
		if !c.Protected() {
			continue
		}
		if c.Type.NotNull {
			w.made.Full = append(w.made.Full, v.From)
		}
		s := recipe.BesideSlot{Slot: recipe.Slot{Column: v.Column, Form: recipe.Sealed, Of: recipe.Operand{Kind: recipe.FromSet}}, From: v.From}
		set(c.Stored(), w.slot(s))
		for _, l := range c.Layers {
			if s.Form, s.Layer = recipe.FormOf(&l), l.Capability; !w.keyed(c, l.Capability) {
				set(l.Stored, w.slot(s))
			}
		}
	}
	for i := range h.Table.Columns {
		if c := &h.Table.Columns[i]; c.OnUpdateNow && !c.Protected() {
			set(c.Stored(), w.name(last, c.Stored()))
		}
	}
	return all
}

// writesFamily reports whether a column that is written is in a family: its rows have as many forms, and the statement
// has one for all.
func (w *besideWriter) writesFamily() bool {
	h := w.cascade.Path[len(w.cascade.Path)-1]
	return slices.ContainsFunc(w.cascade.Set, func(v catalog.Carried) bool { return h.Table.Columns[v.Column].Family != "" })
}

// keyed reports whether the server carries the token of a column along.
func (w *besideWriter) keyed(c *catalog.Column, layer policy.Capabilities) bool {
	if w.cascade.Nulls {
		return false
	}
	return w.cascade.Path[len(w.cascade.Path)-1].Key.KeyLayer(c.Name) == layer
}

// named are the tables, under the names that they have.
func (w *besideWriter) named() []check.Named {
	all := make([]check.Named, len(w.cascade.Path))
	for n, h := range w.cascade.Path {
		all[n] = check.Named{Table: h.Table, Name: alias(n)}
	}
	return all
}
