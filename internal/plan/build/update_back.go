package build

import (
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/plan/columns"
	"tunic/internal/plan/shape"
	"tunic/internal/recipe"
	"tunic/internal/resolve"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// readToWrite plans a statement that reads rows FOR UPDATE first and writes them
// back, or deletes them, by their key.
func (b *Builder) readToWrite(set []recipe.Assignment, where *ast.Where, by ast.OrderBy, limit *ast.Limit) *ending {
	key := b.scope.Table.RowKey()
	if key == nil {
		return beyond("a statement that has to read rows before it writes them, on a table without a primary key (add one),")
	}
	if end := transactional(b.scope.Table); end != nil {
		return end
	}
	if end := b.computable(set); end != nil {
		return end
	}
	w := &recipe.Write{Stamps: b.scope.Stamps(set)}
	if end := b.computeBesideStamps(w, set); end != nil {
		return end
	}
	b.heldWrite(w)
	w.Compute(b.scope.Table, set)
	returns, end := b.returned()
	if end != nil {
		return end
	}
	var changed []int
	if b.Run.Kind != sql.Delete {
		changed = b.changing(set)
		w.Spelled = b.spelled(changed)
	}
	cascades, end := b.cascade(changed)
	if end != nil {
		return end
	}
	if end := b.besides(w, cascades, changed); end != nil {
		return end
	}
	if end := b.readForUpdate(key, w, returns, where, by, limit); end != nil {
		return end
	}
	b.Run.Alone = b.Run.Key != nil && len(w.Beside) == 0 && b.alone(set)
	does := &recipe.Rewrite{Write: w, FindsFirst: b.findsFirst(set, where, by)}
	b.Run.Does = does
	if does.Returns, end = b.returns(returns); end != nil {
		return end
	}
	if end := b.writeBack(key, w, set, asIs); end != nil || limit != nil || len(w.Beside) > 0 || !b.guards(key, w, where) {
		return end
	}
	return b.guard(key, w, set)
}

// transactional refuses a table of an engine without transactions: between reading
// and writing others could change its rows.
func transactional(t *catalog.Table) *ending {
	if t.Transactional() {
		return nil
	}
	return beyond("a statement that has to read rows before it writes them, on a table of an engine without transactions,")
}

// computable refuses assignments between plain and protected columns: a plain one
// would tell the server a value, and a protected one that is computed from a plain
// one is computed from what it was before the statement.
func (b *Builder) computable(set []recipe.Assignment) *ending {
	setPlain := map[int]bool{}
	for _, a := range set {
		use, end := refusing(b.scope.UseOf(a.To))
		if end != nil {
			return end
		}
		protected := b.scope.At(a.Column).Protected()
		switch {
		case !protected && use == resolve.Protected:
			return beyond("a plain column that is set to a value computed from a protected one,")
		case protected && b.scope.Reads(a.To, setPlain):
			return beyond("a protected column computed from a plain one that the statement has set before,")
		}
		setPlain[a.Column] = setPlain[a.Column] || !protected
	}
	return nil
}

// computeBesideStamps has tunic compute plain columns where a protected one takes the time of a
// change: whether there is one has to be known before the row is written. A column that is set to
// itself is left to the server.
func (b *Builder) computeBesideStamps(w *recipe.Write, set []recipe.Assignment) *ending {
	if len(w.Stamps) == 0 {
		return nil
	}
	for n := range set {
		a := &set[n]
		if b.scope.At(a.Column).Protected() || b.setsToItself(a) {
			continue
		}
		if end := b.computeLocally(a, "where a protected one is ON UPDATE CURRENT_TIMESTAMP,"); end != nil {
			return end
		}
	}
	return nil
}

// setsToItself reports whether a column is set to itself: as c = c or c = LAST_INSERT_ID(c).
func (b *Builder) setsToItself(a *recipe.Assignment) bool {
	to := a.To
	if f, ok := to.(*ast.FuncExpr); ok && f.Qualifier.IsEmpty() && f.Name.EqualString("last_insert_id") && len(f.Exprs) == 1 {
		to = f.Exprs[0]
	}
	name, ok := to.(*ast.ColName)
	if !ok || ofNew(name) {
		return false
	}
	i, known := b.scope.Column(name)
	return known && i == a.Column
}

// computeLocally has tunic compute a plain column, which is then written as a value; where ends the
// sentence of a refusal.
func (b *Builder) computeLocally(a *recipe.Assignment, where string) *ending {
	c := b.scope.At(a.Column)
	if !columns.Keeps(c.Type.Kind) || copiesEnum(c, a.To) {
		return beyond("a plain column of this type that is set " + where)
	}
	if _, ok := a.To.(*ast.Default); ok {
		return beyond("DEFAULT of a plain column that is set " + where)
	}
	a.Local = true
	return nil
}

// readForUpdate plans the first half: the rows that qualify, with their key, the
// columns that are computed and all that this takes, locked.
func (b *Builder) readForUpdate(key *catalog.Key, w *recipe.Write, returns []recipe.Item, where *ast.Where, by ast.OrderBy, limit *ast.Limit) *ending {
	if where != nil && ast.HasQuery(where) {
		if returns != nil {
			return beyond("RETURNING of rows that are found by a query")
		}
		return b.readTreeForUpdate(key, w, where, by, limit)
	}
	b.Run.Slots = nil
	remote, exact, end := b.whereOf(where)
	if end != nil {
		return end
	}
	n := &ast.Select{SelectExprs: &ast.SelectExprs{}, Where: where, OrderBy: by, Limit: limit}
	stored := &ast.Select{
		SelectExprs: &ast.SelectExprs{}, From: ast.TableExprs{ast.Clone(b.table)},
		Where: shape.Where(remote), Lock: ast.ForUpdateLock,
	}
	if end := b.leaveToServer(n, stored, exact, false); end != nil {
		return end
	}
	steps, end := b.steps(n, nil, nil)
	if end != nil {
		return end
	}
	b.Run.Local = withoutProjection(steps)
	if b.Run.Kind == sql.Update && by == nil && limit == nil && !b.Run.Ignore {
		b.lockOneRow(where)
	}
	if end := b.fetch(stored, append(b.writtenItems(key, w), returns...)); end != nil {
		return end
	}
	b.Run.Remote, end = b.store(stored)
	return end
}

// writtenItems are what of a row has to be read: its key, what it is now where it
// is to become something else, and what that is computed from.
func (b *Builder) writtenItems(key *catalog.Key, w *recipe.Write) []recipe.Item {
	items := make([]recipe.Item, 0, len(key.Parts)+2*len(w.Set)+len(w.Stamps))
	for _, p := range key.Parts {
		items = append(items, recipe.Item{Expr: shape.Column(p.Column), Column: -1})
	}
	for _, a := range w.Set {
		items = append(items, recipe.Item{Expr: shape.Column(b.scope.At(a.Column).Name), Column: -1}, recipe.Item{Expr: a.To, Column: -1})
	}
	for _, i := range slices.Concat(w.HeldColumns(), w.Stamps, w.BesideColumns(), inFamilies(b.scope, w)) {
		items = append(items, recipe.Item{Expr: shape.Column(b.scope.At(i).Name), Column: -1})
	}
	return items
}

// withoutProjection are the steps that choose rows; what is computed from them is
// computed where it is written.
func withoutProjection(steps []recipe.Step) []recipe.Step {
	return slices.DeleteFunc(steps, func(s recipe.Step) bool { _, ok := s.(*recipe.Project); return ok })
}

// asIs is what the server sets a plain column to: what the client has written.
func asIs(a recipe.Assignment) (ast.Expr, *ending) { return ast.Clone(a.To), nil }

// writeBack plans the second half: the stored statement for one row. plain is what
// the server sets a plain column to.
func (b *Builder) writeBack(key *catalog.Key, w *recipe.Write, set []recipe.Assignment, plain func(recipe.Assignment) (ast.Expr, *ending)) (end *ending) {
	read := b.Run.Slots
	b.Run.Slots = nil
	defer func() { b.Run.Slots, w.Slots = read, b.Run.Slots }()
	at, end := b.byKey(key)
	if end != nil {
		return end
	}
	if b.Run.Kind == sql.Delete {
		w.Back, end = b.store(b.deleteBack(at))
		return end
	}
	all, left, end := b.backAssignments(set, w.Follows(), plain)
	if end != nil {
		return end
	}
	if w.Back, end = b.store(b.updateBack(all, at)); end != nil || len(left) == 0 {
		return end
	}
	w.Plain, end = b.store(b.updateBack(left, at))
	return end
}

// deleteBack deletes a row, in the form that the client's statement has: with a list of
// tables IGNORE has other warnings, and the table may have another name.
func (b *Builder) deleteBack(at ast.Expr) *ast.Delete {
	table := ast.Clone(b.table)
	n := &ast.Delete{TableExprs: []ast.TableExpr{table}, Where: shape.Where(at)}
	if b.Run.Ignore {
		n.Ignore = true
	}
	root, _ := b.Tree.Root().(*ast.Delete)
	switch {
	case root == nil || len(root.Targets) == 0:
		table.As = ast.Name("")
	case !table.As.IsEmpty():
		n.Targets = ast.TableNames{{Name: table.As}}
	default:
		name, _ := table.Expr.(ast.TableName) // over has seen that it is
		n.Targets = ast.TableNames{name}
	}
	return n
}

func (b *Builder) updateBack(set ast.UpdateExprs, at ast.Expr) *ast.Update {
	n := &ast.Update{TableExprs: []ast.TableExpr{ast.Clone(b.table)}, Exprs: set, Where: shape.Where(at)}
	if b.Run.Ignore {
		n.Ignore = true
	}
	return n
}

// backAssignments are the assignments of the stored statement for one row: all of
// them, and those of plain columns alone.
func (b *Builder) backAssignments(set []recipe.Assignment, stamps []int, plain func(recipe.Assignment) (ast.Expr, *ending)) (all, left ast.UpdateExprs, end *ending) {
	done, written := map[int]bool{}, []int(nil)
	computed := func(i int) {
		if done[i] {
			return // what a column is set to last is all that is written
		}
		done[i] = true
		c := b.scope.At(i)
		if !c.Protected() {
			to := b.slot(recipe.Slot{Column: i, Form: recipe.Value, Of: recipe.Operand{Kind: recipe.FromSet}}, nil)
			all = append(all, &ast.UpdateExpr{Name: shape.Column(c.Stored()), Expr: to})
			return
		}
		written = append(written, i)
		forms := b.forms(i, recipe.Operand{Kind: recipe.FromSet}, nil)
		if c.Family == "" {
			all = append(all, &ast.UpdateExpr{Name: shape.Column(c.Stored()), Expr: forms[0]})
			forms = forms[1:]
		}
		for at := range c.Layers {
			all = append(all, &ast.UpdateExpr{Name: shape.Column(c.Layers[at].Stored), Expr: forms[at]})
		}
	}
	for _, a := range set {
		if c := b.scope.At(a.Column); !c.Protected() && !a.Local {
			to, end := plain(a)
			if end != nil {
				return nil, nil, end
			}
			e := &ast.UpdateExpr{Name: shape.Column(c.Stored()), Expr: to}
			all, left = append(all, e), append(left, e)
			continue
		}
		computed(a.Column)
	}
	for _, i := range stamps {
		computed(i)
	}
	return append(all, b.records().back(written)...), left, nil
}

// byKey is the condition that finds a row again by its key.
func (b *Builder) byKey(key *catalog.Key) (ast.Expr, *ending) {
	var all ast.Expr
	for _, p := range key.Parts {
		i := b.scope.Table.Column(p.Column)
		c := b.scope.At(i)
		s := recipe.Slot{Column: i, Form: recipe.Value, Of: recipe.Operand{Kind: recipe.FromRow}, Use: recipe.Equal}
		name := c.Stored()
		if c.Protected() {
			l := columns.Filled(c.Layer(p.Layer))
			if l == nil {
				return nil, keyless()
			}
			s.Form, s.Layer, name = recipe.Token, l.Capability, l.Stored
		} else if !c.Type.Kind.Locates() {
			return nil, keyless()
		}
		part := ast.Expr(&ast.ComparisonExpr{Operator: ast.EqualOp, Left: shape.Column(name), Right: b.slot(s, nil)})
		if all == nil {
			all = part
		} else {
			all = &ast.AndExpr{Left: all, Right: part}
		}
	}
	return all, nil
}

// keyless refuses a key whose value, as the server has sent it, does not find its row for
// certain.
func keyless() *ending {
	return beyond("a statement that has to read rows before it writes them, on a table with a primary key of this type,")
}
