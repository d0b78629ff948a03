package ddl

import (
	"context"
	"errors"
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/identifier"
	"tunic/internal/ledger"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// rename is of RENAME TABLE.
func (w *work) rename(ctx context.Context, stmt *ast.RenameTable) error {
	statement, err := w.printed(stmt)
	if err != nil {
		return err
	}
	pairs := make([][2]tableName, len(stmt.TablePairs))
	for i, p := range stmt.TablePairs {
		for j, name := range []ast.TableName{p.FromTable, p.ToTable} {
			if pairs[i][j].schema, pairs[i][j].table, err = w.name(name); err != nil {
				return err
			}
		}
	}
	return w.renameAll(ctx, pairs, statement)
}

// renameAll runs a statement that gives tables other names, one after the other.
func (w *work) renameAll(ctx context.Context, pairs [][2]tableName, statement string) error {
	if err := w.renamesNoHiding(ctx, pairs); err != nil {
		return err
	}
	steps, err := w.renames(pairs)
	if err != nil {
		return err
	}
	if len(steps) == 0 {
		w.result.Forward = true
		return nil
	}
	end, err := w.begin(ctx, func() (all []*catalog.Table) {
		steps, _ := w.renames(pairs) // an error is found again
		for _, s := range steps {
			all = append(all, s.Old)
		}
		return all
	})
	if err != nil {
		return err
	}
	defer end()
	if steps, err = w.renames(pairs); err != nil {
		return err
	}
	for _, s := range steps {
		if s.Old != nil && s.Old.Encrypting() {
			return sqlerr.DefinitionForm(s.Old.Name, "another name for a table that is being encrypted")
		}
		if s.Old != nil && s.Old.Baring() {
			return sqlerr.DefinitionForm(s.Old.Name, "another name for a table that is being decrypted")
		}
		if s.Old != nil && s.Old.Moving() {
			return sqlerr.DefinitionForm(s.Old.Name, "another name for a table before tunic rotate --families has ended")
		}
	}
	if err := w.awaited(ctx, steps); err != nil {
		return err
	}
	_, err = w.change(ctx, steps, func(ctx context.Context) error { return w.client.Exec(ctx, statement) })
	return errors.Join(err, w.heard(ctx, err))
}

// awaited refuses names by which plain tables refer to tables that are not there yet.
func (w *work) awaited(ctx context.Context, steps []ledger.Step) error {
	s, err := w.service(ctx)
	if err != nil {
		return err
	}
	defer s.Close()
	for _, step := range steps {
		if step.New.View != nil {
			continue
		}
		if err := w.unreferred(ctx, s, step.New); err != nil {
			return err
		}
	}
	return nil
}

// renames are what becomes of the protected tables: chains and swaps are followed
// to their end.
func (w *work) renames(pairs [][2]tableName) (steps []ledger.Step, err error) {
	now := map[tableName]*catalog.Table{} // at a name other than its own; nil is nothing
	var order []*catalog.Table
	for _, p := range pairs {
		for _, n := range p {
			if w.temporary(n.schema, n.table) != nil {
				return nil, sqlerr.DefinitionForm(n.table, "RENAME of a temporary table")
			}
		}
		t, moved := now[p[0]]
		if !moved {
			if t = w.catalog.Table(p[0].schema, p[0].table); t == nil {
				t = w.catalog.View(p[0].schema, p[0].table)
			}
		}
		for _, n := range p {
			if err := w.unreferenced(n); err != nil {
				return nil, err
			}
		}
		now[p[0]] = nil
		now[p[1]] = t
		if t != nil && !slices.Contains(order, t) {
			order = append(order, t)
		}
	}
	for _, t := range order {
		for n, at := range now {
			if at == t && (n.schema != t.Schema || n.table != t.Name) && !w.sameName(n, t) {
				steps = append(steps, ledger.Step{Old: t, New: renamed(t, n, w.o.Flavor)})
			}
		}
	}
	return steps, nil
}

// sameName says that a server which folds names would take both for one.
func (w *work) sameName(n tableName, t *catalog.Table) bool {
	return w.catalog.Folds() && strings.EqualFold(n.schema, t.Schema) && strings.EqualFold(n.table, t.Name)
}

// unreferenced refuses to rename a table that protected tables refer to, or to give one a name
// that they refer to: their keys hold what the columns of the table that was to be there have.
func (w *work) unreferenced(n tableName) error {
	for t := range w.catalog.Tables() {
		if t.Schema == n.schema && t.Name == n.table {
			continue
		}
		for i := range t.ForeignKeys {
			if k := &t.ForeignKeys[i]; k.Schema == n.schema && k.Table == n.table {
				return sqlerr.RenameReferenced(n.table)
			}
		}
	}
	return nil
}

// renamed is a table with another name. Names that the server has made of the
// table's change with it.
func renamed(t *catalog.Table, n tableName, flavor value.Flavor) *catalog.Table {
	next := *t
	next.Schema, next.Name = n.schema, n.table
	if t.View != nil {
		return &next
	}
	next.ForeignKeys = slices.Clone(t.ForeignKeys)
	for i := range next.ForeignKeys {
		k := &next.ForeignKeys[i]
		k.Name = madeName(k.Name, t.Name, n.table)
		if k.Schema == t.Schema && k.Table == t.Name {
			k.Schema, k.Table = n.schema, n.table
		}
	}
	account, err := showcreate.Read(t.Definition)
	if err != nil {
		return &next // the ledger refuses no text; SHOW CREATE TABLE of an odd table stays
	}
	for i := range account.ForeignKeys {
		k := &account.ForeignKeys[i]
		k.Name = madeName(k.Name, t.Name, n.table)
		switch {
		case k.Schema == "" && k.Table == t.Name:
			k.Table = n.table
		case k.Schema == "" && n.schema != t.Schema:
			k.Schema = t.Schema
		case k.Schema == n.schema:
			k.Schema = ""
		}
	}
	for i := range account.Checks {
		account.Checks[i].Name = madeName(account.Checks[i].Name, t.Name, n.table)
	}
	account.Sort(flavor)
	next.Definition = account.SQL(showcreate.BeginOf(t.Definition), identifier.Quoted(n.table))
	return &next
}

// madeName is a constraint's name after the table is renamed: t_ibfk_1 and t_chk_1
// follow it.
func madeName(name, from, to string) string {
	for _, word := range []string{"_ibfk_", "_chk_"} {
		if rest, ok := strings.CutPrefix(name, from+word); ok && strings.Trim(rest, "0123456789") == "" {
			return to + word + rest
		}
	}
	return name
}
