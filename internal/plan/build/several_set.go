package build

import (
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/plan/columns"
	"tunic/internal/plan/shape"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// assign plans the assignments of an UPDATE.
func (w *severalWriter) assign() *ending {
	r := &rewriter{scope: w.scope}
	for _, e := range w.changes.set {
		c, end := w.scope.find(e.Name)
		if end != nil {
			return end
		}
		t, end := w.target(c.of)
		if end != nil {
			return end
		}
		a, end := w.assignment(r, t, c.at, e.Expr)
		if end != nil {
			return end
		}
		set := setting{of: t, column: a.Column}
		if !a.Given {
			set.from = e.Expr
		}
		t.set = append(t.set, a)
		w.set = append(w.set, set)
	}
	w.queries = r.found
	return w.leftToRight()
}

// assignment plans one assignment.
func (w *severalWriter) assignment(r *rewriter, t *target, column int, e ast.Expr) (a recipe.Assignment, end *ending) {
	if aggregatesItself(e) {
		return a, refused(&sqlerr.Error{Number: 1111, State: "HY000", Message: "Invalid use of group function"})
	}
	b := w.within(t.leaf)
	if t.Table.Plain() && b.scope.At(column).Generated {
		return a, beyond("a generated column of a plain table that is set in a statement over several tables")
	}
	a = recipe.Assignment{Column: column, To: e}
	if a.Of, _, a.Given = b.assigned(column, e); a.Given {
		return a, nil
	}
	if a.To, end = r.rewrite(e); end != nil {
		return a, end
	}
	if !b.scope.At(column).Protected() {
		a.Local, end = w.plainFrom(t, column, a.To)
	}
	return a, end
}

// aggregatesItself reports whether an expression has an aggregate or window function in
// it, other than in a query.
func aggregatesItself(e ast.Expr) (found bool) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.Subquery:
			return false, nil
		case ast.AggrFunc:
			found = true
		case ast.WindowFunc:
			found = found || n.GetOverClause() != nil
		}
		return !found, nil
	}, e)
	return found
}

// plainFrom finds out where a plain column gets its value: local says that tunic
// computes it. What has anything to do with a protected column the server is not told.
func (w *severalWriter) plainFrom(t *target, column int, to ast.Expr) (local bool, end *ending) {
	c := &t.Table.Columns[column]
	end = walk(func(n ast.Node) (bool, *ending) {
		name, ok := n.(*ast.ColName)
		if !ok {
			return true, nil
		}
		of := w.scope.owns(name)
		switch {
		case of == nil || of.leaf == nil: // what a query has come to: flows looks at it
			local = true
		case of.leaf.table.Columns[of.leaf.table.Column(name.Name.String())].Protected():
			return false, refused(sqlerr.FlowRefused(c.Name))
		default:
			local = local || of.leaf != t.leaf
		}
		return true, nil
	}, to)
	if end == nil && local && shape.ReadsVariable(to) {
		return false, beyond("a plain column that is set to a value computed from a user variable and another table,")
	}
	if end == nil && local && (!columns.Keeps(c.Type.Kind) || c.Type.Kind == value.Enum) { // see copiesEnum
		return false, beyond("a plain column of this type that is set to one of another table,")
	}
	return local, end
}

// flows refuses to set a plain column to what a query has come to, if there are values of
// protected ones in it.
func (w *severalWriter) flows() *ending {
	var protected []bool
	for _, t := range w.targets {
		for i, a := range t.Write.Set {
			if !a.Local || t.Values[i] < 0 {
				continue
			}
			if protected == nil {
				protected = ProtectedColumns(w.Run)
			}
			if at := t.Values[i]; at >= len(protected) || protected[at] {
				return refused(sqlerr.FlowRefused(t.Table.Columns[a.Column].Name))
			}
		}
	}
	return nil
}

// leftToRight refuses an assignment that reads what another one sets where it hangs on
// the server's plan whether it reads the old value or the new one: of a table that a
// server writes while it reads (MySQL manual, "UPDATE Statement": there is no guarantee
// that assignments are carried out in any particular order). One that joins itself it
// writes when it has read all.
func (w *severalWriter) leftToRight() *ending {
	for k := range w.set {
		if w.set[k].from == nil {
			continue
		}
		for j := range w.set {
			if j == k || w.single() && j > k || !w.single() && w.joinsItself(w.set[j].of) {
				continue
			}
			if w.reads(w.set[k].from, &w.set[j]) {
				return beyond("an assignment that reads what another one in the statement sets,")
			}
		}
	}
	return nil
}

// reads reports whether an expression of the statement, or a query in it, may have a
// column in it that an assignment sets.
func (w *severalWriter) reads(e ast.Node, set *setting) (found bool) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if name, ok := n.(*ast.ColName); ok {
			c := w.columnOf(name)
			found = found || c != nil && c.of.leaf == set.of.leaf && c.at == set.column
		}
		return !found, nil
	}, e)
	return found
}

// columnOf is the column of FROM that a name means, nil if it means none.
func (w *severalWriter) columnOf(name *ast.ColName) *column {
	c, end := w.scope.find(name)
	if end != nil {
		return nil
	}
	return c
}

// joinsItself reports whether the table of a target is named more than once.
func (w *severalWriter) joinsItself(t *target) bool {
	named := 0
	for _, of := range w.scope.sources {
		if of.leaf != nil && of.leaf.table == t.Table {
			named++
		}
	}
	return named > 1
}

// readElsewhere reports whether a table is read by a query in the statement, other than
// one whose rows a server keeps before it writes.
func (w *severalWriter) readElsewhere(table *catalog.Table) bool {
	known := map[*leaf]bool{}
	for _, of := range w.scope.sources {
		if of.leaf != nil {
			known[of.leaf] = true
		} else if keptFirst(of.made.Of) {
			w.leavesIn(of.made.Of, known)
		}
	}
	for _, f := range w.fetched {
		for _, l := range f.leaves {
			if l.table == table && !known[l] {
				return true
			}
		}
	}
	return false
}

// keptFirst reports whether servers put the rows of a derived table into a table of
// their own before they use them.
func keptFirst(r recipe.Relation) bool {
	switch r := r.(type) {
	case *recipe.Set:
		return true
	case *recipe.Shared:
		return keptFirst(r.Of)
	case *recipe.Block:
		for _, s := range r.Steps {
			switch s.(type) {
			case *recipe.Group, *recipe.Distinct, *recipe.Limit:
				return true
			default:
			}
		}
	}
	return false
}

// leavesIn adds the leaves of a relation.
func (w *severalWriter) leavesIn(r recipe.Relation, all map[*leaf]bool) {
	(&recipe.Tree{Root: r}).Walk(func(s *recipe.Source) {
		for _, f := range w.fetched {
			if s.Of != recipe.Relation(f.scan) {
				continue
			}
			for _, l := range f.leaves {
				all[l] = true
			}
		}
	}, func(ast.Node) {})
}

// untied refuses targets that a foreign key ties to each other: whether a row is there
// to be written hangs on the order in which a server writes the tables.
func (w *severalWriter) untied() *ending {
	for _, t := range w.targets {
		for _, u := range w.targets {
			if t.Table == u.Table {
				continue
			}
			if t.Table.Plain() && t.Table.Refers() {
				return beyond("a statement that writes two tables, of which a plain one has a foreign key,")
			}
			for i := range t.Table.ForeignKeys {
				f := &t.Table.ForeignKeys[i]
				if w.Catalog.SameName(f.Schema, u.Table.Schema) && w.Catalog.SameName(f.Table, u.Table.Name) && w.touches(t, u, f) {
					return beyond("a statement that writes two tables that a foreign key ties,")
				}
			}
		}
	}
	return nil
}

// touches reports whether the statement deletes rows, or sets a column of a foreign key
// of t that refers to u.
func (w *severalWriter) touches(t, u *target, f *catalog.ForeignKey) bool {
	if w.Run.Kind == sql.Delete {
		return true
	}
	in := func(name string, all []string) bool {
		for _, one := range all {
			if strings.EqualFold(one, name) {
				return true
			}
		}
		return false
	}
	for _, e := range w.changes.set {
		c, end := w.scope.find(e.Name)
		if end != nil || c == nil {
			return true
		}
		name := c.of.columns[c.at]
		if c.of.leaf == t.leaf && in(name, f.Columns) || c.of.leaf == u.leaf && in(name, f.Referenced) {
			return true
		}
	}
	return false
}

// certain refuses two tables that are written if one of the conditions that join them
// reads what is set: a server that writes the first while it reads finds other rows of
// the second.
func (w *severalWriter) certain() *ending {
	if len(w.targets) < 2 || w.Run.Kind == sql.Delete {
		return nil
	}
	refusal := beyond("a statement that writes several tables and sets a column that joins them,")
	conditions, natural := joinConditions(w.from)
	if w.changes.where != nil {
		conditions = ast.Conjuncts(w.changes.where.Expr, conditions)
	}
	for i := range w.set {
		set := &w.set[i]
		if w.joinsItself(set.of) {
			continue
		}
		if natural && w.sharesName(set) {
			return refusal
		}
		for _, c := range conditions {
			if w.joins(c) && w.reads(c, set) {
				return refusal
			}
		}
	}
	return nil
}

// joins reports whether a condition is about more than one entry of FROM.
func (w *severalWriter) joins(e ast.Expr) bool {
	of := map[*source]bool{}
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if name, ok := n.(*ast.ColName); ok {
			if c := w.columnOf(name); c != nil {
				of[c.of] = true
			}
		}
		return true, nil
	}, e)
	return len(of) > 1 || ast.HasQuery(e)
}

// sharesName reports whether a column that is set has the name of another entry's.
func (w *severalWriter) sharesName(set *setting) bool {
	name := set.of.Table.Columns[set.column].Name
	for _, of := range w.scope.sources {
		same := func(other string) bool { return strings.EqualFold(other, name) }
		if of.leaf != set.of.leaf && slices.ContainsFunc(of.columns, same) {
			return true
		}
	}
	return false
}

// joinConditions are the conditions behind ON; natural says that there are joins by
// names.
func joinConditions(from []ast.TableExpr) (all []ast.Expr, natural bool) {
	add := func(more []ast.TableExpr) {
		conditions, by := joinConditions(more)
		all, natural = append(all, conditions...), natural || by
	}
	for _, f := range from {
		switch f := f.(type) {
		case *ast.ParenTableExpr:
			add(f.Exprs)
		case *ast.JoinTableExpr:
			add([]ast.TableExpr{f.LeftExpr, f.RightExpr})
			switch {
			case f.Condition != nil && f.Condition.On != nil:
				all = ast.Conjuncts(f.Condition.On, all)
			case f.Condition != nil && len(f.Condition.Using) > 0, f.Join == ast.NaturalJoinType, f.Join == ast.NaturalLeftJoinType:
				natural = true
			}
		}
	}
	return all, natural
}
