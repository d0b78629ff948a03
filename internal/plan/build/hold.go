package build

import (
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/guard"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// readGuards reads what the definition of the statement's table holds rows to.
func (b *Builder) readGuards() *ending {
	if b.scope.Table.Plain() {
		return nil
	}
	flavor := value.MySQL
	if b.Modes&sql.MariaDB != 0 {
		flavor = value.MariaDB
	}
	set, err := guard.Of(b.scope.Table, flavor)
	if err != nil {
		return beyond("a table with a CHECK, DEFAULT or generated column that this version does not read,")
	}
	b.laws = set
	return nil
}

// generatedSet ends a statement that gives a generated column a value.
func (b *Builder) generatedSet(column int) *ending {
	c, t := b.scope.At(column).Name, b.scope.Table.Name
	if b.Modes&sql.MariaDB != 0 {
		return &ending{fails: guard.GeneratedIgnored(c, t), strict: true}
	}
	return refused(&sqlerr.Error{Number: 3105, State: "HY000", Message: "The value specified for generated column '" + c + "' in table '" + t + "' is not allowed."})
}

// fails is the Run of a statement that fails when it is run. With parameters it is refused at once: how many
// there are the server would have to say.
func (b *Builder) fails(end *ending) (*recipe.Run, *ending) {
	if b.Asked.Params() > 0 {
		return nil, refused(end.fails)
	}
	b.Run = &recipe.Run{Kind: b.Run.Kind, Table: b.Run.Table, Variables: b.Run.Variables, Ignore: b.Run.Ignore, Fails: &recipe.Failure{Error: end.fails, IfStrict: end.strict}}
	if b.Run.Table == nil {
		return nil, refused(end.fails)
	}
	b.Run.FindTables()
	return b.Run, nil
}

// ignored has a value for a generated column noted, which MariaDB ignores, of a row of
// INSERT and REPLACE. NULL is one that it says nothing of. What is computed of it would
// have to be known: VALUES(c) is the value that was written.
func (b *Builder) ignored(column int, to ast.Expr) (cells ast.ValTuple, ok bool) {
	if _, own := to.(*ast.Default); own || b.Modes&sql.MariaDB == 0 || b.inserts().Updates || !b.laws.Generated(column) {
		return nil, false
	}
	o, arg, ok := operand(to)
	if !ok || o.Kind == recipe.FromPlace && o.Place.Group == sql.QueryRows {
		return nil, false
	}
	o.Ignored = true
	return b.forms(column, o, arg), true
}

// settable ends the planning where a row gives a generated column a value. It may say
// DEFAULT.
func (b *Builder) settable(column int, to ast.Expr) *ending {
	if _, ok := to.(*ast.Default); ok || !b.laws.Generated(column) {
		return nil
	}
	return b.generatedSet(column)
}

// held are the columns that every row needs a value of here, because a CHECK reads them.
func (b *Builder) held(column int) bool {
	return b.laws != nil && slices.ContainsFunc(b.laws.Checks, func(g *guard.Guard) bool { return slices.Contains(g.Reads, column) })
}

// give notes what rows have for the plain columns that guards read.
func (b *Builder) give(rows ast.Values, named []int) *ending {
	insert := b.inserts()
	if insert.Guards = b.laws; b.laws == nil {
		return nil
	}
	for i := range b.scope.Table.Columns {
		c := b.scope.At(i)
		if c.Protected() || !b.readByGuard(i) {
			continue
		}
		at := slices.Index(named, i)
		if at < 0 {
			if c.Default.Kind == catalog.DefaultNull {
				continue
			}
			return beyond("a plain column with a default, of which a CHECK, DEFAULT or generated column reads the value,")
		}
		for r, row := range rows {
			o, _, ok := operand(row[at])
			if !ok {
				return beyond("a plain column that is set to something else than a value, and that a CHECK, DEFAULT or generated column reads,")
			}
			insert.Given = append(insert.Given, recipe.Given{Row: r, Column: i, Of: o})
		}
	}
	return nil
}

func (b *Builder) readByGuard(column int) bool {
	reads := func(g *guard.Guard) bool { return !g.Shadows && slices.Contains(g.Reads, column) }
	return slices.ContainsFunc(b.laws.Checks, reads) || slices.ContainsFunc(b.laws.Computed, reads)
}

// hold makes of the assignments of an UPDATE what the definition of the table makes of
// them: DEFAULT is the column's expression, generated columns follow what they are
// computed from, and plain columns that guards read are computed here.
func (b *Builder) hold(set []recipe.Assignment) (all []recipe.Assignment, end *ending) {
	if b.laws == nil {
		return set, nil
	}
	changes := map[int]bool{}
	for _, a := range set {
		if end := b.settable(a.Column, a.To); end != nil {
			return nil, end
		}
		g := b.laws.Of(a.Column)
		if _, ok := a.To.(*ast.Default); ok && g != nil {
			if b.laws.Generated(a.Column) {
				continue
			}
			a.To, a.Of, a.Given = ast.Clone(g.Expr), recipe.Operand{}, false
		}
		changes[a.Column] = true
		all = append(all, a)
	}
	if len(all) == 0 {
		return nil, beyond("an UPDATE of generated columns alone")
	}
	stamped := map[int]bool{}
	for i := range b.scope.Table.Columns {
		if c := b.scope.At(i); c.OnUpdateNow && !changes[i] {
			changes[i], stamped[i] = true, !c.Protected()
		}
	}
	b.following, b.judged = nil, b.laws.Concerns(func(i int) bool { return changes[i] })
	if !b.judged {
		return all, nil
	}
	b.follow(changes)
	return all, b.takePlain(all, stamped)
}

// follow finds the generated columns that follow, in the order of the table, which is
// that in which they may read each other.
func (b *Builder) follow(changes map[int]bool) {
	for _, g := range b.laws.Computed {
		if b.laws.Generated(g.Column) && slices.ContainsFunc(g.Reads, func(i int) bool { return changes[i] }) {
			b.following, changes[g.Column] = append(b.following, g.Column), true
		}
	}
}

// takePlain has plain columns that guards read computed here. What the server sets them
// to by itself, as those of stamped, is not known here.
func (b *Builder) takePlain(set []recipe.Assignment, stamped map[int]bool) *ending {
	reads := b.laws.Reads()
	for n := range set {
		a := &set[n]
		if b.scope.At(a.Column).Protected() || !slices.Contains(reads, a.Column) {
			continue
		}
		if end := b.computeLocally(a, "and that a CHECK or generated column reads,"); end != nil {
			return end
		}
	}
	if slices.ContainsFunc(reads, func(i int) bool { return stamped[i] }) {
		return beyond("a plain column that is ON UPDATE CURRENT_TIMESTAMP and that a CHECK or generated column reads,")
	}
	return nil
}

// copiesEnum reports whether an ENUM is set to a column. Servers take an ENUM that has no label
// from it as the number 0, and not as the text that it is shown as, which may be a label.
func copiesEnum(c *catalog.Column, to ast.Expr) bool {
	_, column := to.(*ast.ColName)
	return c.Type.Kind == value.Enum && column
}

// heldWrite notes in a second half what holds its rows.
func (b *Builder) heldWrite(w *recipe.Write) {
	if b.judged {
		w.Derived, w.Guards = b.following, b.laws
	}
}

// holdTarget is hold for a table of several. What servers set a plain column to, and a
// DEFAULT that is an expression, is not followed there.
func (b *Builder) holdTarget(t *target) *ending {
	if b.Run.Kind == sql.Delete {
		return nil
	}
	if end := b.readGuards(); end != nil || b.laws == nil {
		return end
	}
	for _, a := range t.set {
		if d, ok := a.To.(*ast.Default); ok && d != nil && b.laws.Of(a.Column) != nil {
			return beyond("DEFAULT that is an expression, in a statement over several tables")
		}
	}
	set, end := b.hold(t.set)
	if end != nil {
		return end
	}
	for n := range set {
		if a := &set[n]; a.Local && !a.Given && !t.set[n].Local {
			return beyond("a plain column that a CHECK or generated column reads, in a statement over several tables,")
		}
	}
	t.set = set
	b.heldWrite(t.Write)
	return nil
}
