package transaction

import (
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/plan"
	"tunic/internal/resolve"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// PlainTemporaries are the names of temporary tables that the session may have and that are not protected.
// The server takes such a table for a protected one of its name, which may come to be later. A name is known
// until the table is surely gone.
type PlainTemporaries struct {
	names []resolve.Name // with their schemas
	// hidden are those of them that are names of protected tables or views by base.
	hidden []resolve.Name
	base   *catalog.Catalog
}

// PlainTemporariesMax bounds them: who has as many makes no more.
const PlainTemporariesMax = 4096

// Any reports whether there may be one.
func (t *PlainTemporaries) Any() bool { return len(t.names) > 0 }

// Full reports whether there are as many as may be.
func (t *PlainTemporaries) Full() bool { return len(t.names) >= PlainTemporariesMax }

// Has reports whether there may be one of a name; folds says that names of tables are alike in any case.
func (t *PlainTemporaries) Has(schema, table string, folds bool) bool {
	return t.index(resolve.Name{Schema: schema, Table: table}, folds) >= 0
}

func (t *PlainTemporaries) index(n resolve.Name, folds bool) int {
	return slices.IndexFunc(t.names, func(of resolve.Name) bool {
		return of == n || folds && strings.EqualFold(of.Schema, n.Schema) && strings.EqualFold(of.Table, n.Table)
	})
}

// Hidden are the names of protected tables and views of a catalog in whose place the server takes a
// temporary table.
func (t *PlainTemporaries) Hidden(c *catalog.Catalog) []resolve.Name {
	if len(t.names) == 0 {
		return nil
	}
	if t.base != c {
		t.hidden, t.base = nil, c
		for _, n := range t.names {
			if c.Table(n.Schema, n.Table) != nil || c.View(n.Schema, n.Table) != nil {
				t.hidden = append(t.hidden, n)
			}
		}
	}
	return t.hidden
}

// Follow takes over what the server has done by a plan, of which names without a schema are of the given
// one. own are the session's protected ones: IF NOT EXISTS makes none in the place of such a table.
func (t *PlainTemporaries) Follow(p *plan.Plan, schema string, own *Temporaries, folds bool) {
	for i := range p.Statements {
		for _, n := range p.Statements[i].Effects.TemporaryCreated {
			if n := nameIn(schema, n.Schema, n.Name); !own.hasName(n, folds) {
				t.add(n)
			}
		}
	}
	t.Drop(p, schema, folds)
	t.addProgram(p, schema)
	if d, ok := p.Action.(*plan.Define); ok && len(t.names) > 0 {
		t.rename(d.Statement, schema, folds)
	}
}

// addProgram notes all that a program which was run may have made, by the words in it.
func (t *PlainTemporaries) addProgram(p *plan.Plan, schema string) {
	f, ok := p.Action.(*plan.Forward)
	if !ok || !MayMakeTemporary(p) {
		return
	}
	for _, word := range f.Words {
		t.add(resolve.Name{Schema: schema, Table: word})
	}
}

// MayMakeTemporary reports whether the statements of a plan may make a plain temporary table; of programs that the
// server has it is not known.
func MayMakeTemporary(p *plan.Plan) bool {
	f, forwards := p.Action.(*plan.Forward)
	return slices.ContainsFunc(p.Statements, func(st plan.Statement) bool {
		return len(st.Effects.TemporaryCreated) > 0 || forwards && f.MayDefine && st.Kind == sql.Compound
	})
}

// Drop is after the tables are gone that the statements of a plan drop.
func (t *PlainTemporaries) Drop(p *plan.Plan, schema string, folds bool) {
	if len(t.names) == 0 {
		return
	}
	for i := range p.Statements {
		e := &p.Statements[i].Effects
		for _, dropped := range [][]sql.TableName{e.TemporaryDropped, e.MaybeDropped} {
			for _, n := range dropped {
				t.remove(nameIn(schema, n.Schema, n.Name), folds)
			}
		}
	}
}

// rename takes over another name of a table. MySQL renames no temporary table by RENAME TABLE (MySQL
// manual, "RENAME TABLE Statement"), so the old name stays known there.
func (t *PlainTemporaries) rename(statement ast.Statement, schema string, folds bool) {
	switch stmt := statement.(type) {
	case *ast.AlterTable:
		from := nameIn(schema, stmt.Table.Qualifier.String(), stmt.Table.Name.String())
		for _, o := range stmt.AlterOptions {
			to, ok := o.(*ast.RenameTableName)
			if !ok || t.index(from, folds) < 0 {
				continue
			}
			t.remove(from, folds)
			if schema == "" {
				schema = from.Schema
			}
			t.add(nameIn(schema, to.Table.Qualifier.String(), to.Table.Name.String()))
		}
	case *ast.RenameTable:
		for _, pair := range stmt.TablePairs {
			if t.index(nameIn(schema, pair.FromTable.Qualifier.String(), pair.FromTable.Name.String()), folds) >= 0 {
				t.add(nameIn(schema, pair.ToTable.Qualifier.String(), pair.ToTable.Name.String()))
			}
		}
	}
}

func (t *PlainTemporaries) add(n resolve.Name) {
	if !slices.Contains(t.names, n) {
		t.names, t.base = append(t.names, n), nil
	}
}

func (t *PlainTemporaries) remove(n resolve.Name, folds bool) {
	if at := t.index(n, folds); at >= 0 {
		t.names, t.base = slices.Delete(t.names, at, at+1), nil
	}
}

// nameIn is a name that is of a schema if it has none of its own.
func nameIn(current, schema, table string) resolve.Name {
	if schema == "" {
		schema = current
	}
	return resolve.Name{Schema: schema, Table: table}
}
