package ddl

import (
	"context"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/policy"
	tsql "tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// kept is what a column has already.
type kept struct {
	protection policy.Protection
	layers     policy.Capabilities
	// grain is that of its order layer, which may be coarser than its ceiling's.
	grain policy.Grain
	// settled says that the definition is not about the column, so that nothing of
	// it is decided anew.
	settled bool
}

// keptOf is what a column has. A layer that is being filled it does not have yet.
func keptOf(c *catalog.Column) kept {
	k := kept{protection: c.Protection}
	for _, l := range c.Layers {
		if l.State == catalog.Ready && !l.IsShadow() {
			k.add(&l)
		}
	}
	return k
}

// add notes a layer that the column has.
func (k *kept) add(l *catalog.Layer) {
	k.layers |= l.Capability
	if l.Capability == policy.Order {
		k.grain = l.Grain
	}
}

// decision is that it keeps all of it.
func (k *kept) decision(by policy.Voice) policy.Decision {
	return policy.Decision{Protection: k.protection, Wanted: k.layers, WantedGrain: k.grain, By: by}
}

// keptProtected are the protected columns of a table, by folded name.
func keptProtected(t *catalog.Table) map[string]kept {
	all := map[string]kept{}
	for i := range t.Columns {
		if c := &t.Columns[i]; c.Protected() {
			all[catalog.Folded(c.Name)] = keptOf(c)
		}
	}
	return all
}

// createLike is of CREATE TABLE … LIKE: the table is made of the other one's
// definition, and the policy decides anew about the columns that the other has in
// plain.
func (w *work) createLike(ctx context.Context, stmt *ast.CreateTable, schema, table string) error {
	fromSchema, from, err := w.name(stmt.OptLike.LikeTable)
	if err != nil {
		return err
	}
	source, _ := w.table(fromSchema, from)
	// The client has to be allowed to see the other table's definition.
	rows, err := w.client.Query(ctx, "SHOW CREATE TABLE "+catalog.Quoted(fromSchema)+"."+catalog.Quoted(from))
	if err != nil {
		return err
	}
	var shown string
	r := w.decider()
	switch {
	case source != nil:
		shown, r.keep = source.Definition, keptProtected(source)
	case len(rows) == 0 || !strings.HasPrefix(text(rows[0][1]), "CREATE T"):
		w.result.Forward = true // a view, which the server refuses
		return nil
	default:
		if shown, err = w.shownPlain(ctx, fromSchema, from, text(rows[0][1])); err != nil {
			return err
		}
	}
	d := &definition{Schema: schema, Table: table, Temporary: stmt.Temp, IfNotExists: stmt.IfNotExists, Like: true}
	if d.Spec, err = w.parsed(shown, from); err != nil {
		if source == nil && !w.rules().MayProtect(schema, table) && !policy.MayAnnotate([]byte(shown)) {
			w.result.Forward = true
			return nil
		}
		return err
	}
	if source != nil {
		d.annotateAll(d.Spec)
	}
	withoutNames(d.Spec, w.o.Flavor)
	return w.define(ctx, d, r)
}

// shownPlain is the definition of a plain table in the one form that is read here,
// whatever the client's session is set to. The server shows a temporary table only
// to its own session.
func (w *work) shownPlain(ctx context.Context, schema, table, theirs string) (string, error) {
	if strings.HasPrefix(theirs, "CREATE TEMPORARY") {
		return theirs, nil
	}
	s, err := w.service(ctx)
	if err != nil {
		return "", err
	}
	defer s.close()
	rows, err := s.query(ctx, "SHOW CREATE TABLE "+catalog.Quoted(schema)+"."+catalog.Quoted(table))
	if err != nil || len(rows) == 0 {
		return "", err
	}
	return text(rows[0][1]), nil
}

// parsed reads a definition that the server, or tunic in its form, has written.
func (w *work) parsed(definition, table string) (*ast.TableSpec, error) {
	all, err := tsql.Parse([]byte(inParentheses(definition)), w.session.Modes.WithSQLMode("").WithCharset("utf8mb4"))
	if err == nil && len(all) == 1 {
		if tree, err := all[0].Tree(); err == nil {
			if create, ok := tree.Root().(*ast.CreateTable); ok && create.TableSpec != nil {
				return create.TableSpec, nil
			}
		}
	}
	return nil, sqlerr.DefinitionForm(table, "a change or copy of a definition with parts that tunic cannot read")
}

// inParentheses puts the expressions in parentheses that are defaults: MariaDB shows some
// of them without.
func inParentheses(definition string) string {
	account, err := showcreate.Read(definition)
	if err != nil {
		return definition
	}
	for i := range account.Columns {
		c := &account.Columns[i]
		at := showcreate.PartsOf(c.Text).Value
		words := showcreate.Tokens(c.Text[at.From:at.To])
		if len(words) < 2 || isNow(c.Text[at.From:]) || words[0].Kind != showcreate.TokenWord || !words[1].Is(c.Text[at.From:at.To], "(") {
			continue
		}
		c.Text = showcreate.Edited(c.Text, showcreate.Edit{Span: at, Text: "(" + c.Text[at.From:at.To] + ")"})
	}
	return account.SQL(showcreate.BeginOf(definition), catalog.Quoted(showcreate.NameIn(definition)))
}

// withoutNames leaves out of a definition what LIKE does not copy: foreign keys,
// the counter, and on MySQL the names of CHECKs, which belong to the schema.
func withoutNames(spec *ast.TableSpec, flavor value.Flavor) {
	constraints := spec.Constraints[:0:0]
	for _, c := range spec.Constraints {
		if _, ok := c.Details.(*ast.ForeignKeyDefinition); ok {
			continue
		}
		if flavor != value.MariaDB {
			c.Name = ast.Identifier("")
		}
		constraints = append(constraints, c)
	}
	options := spec.Options[:0:0]
	for _, o := range spec.Options {
		if !strings.EqualFold(o.Name, "AUTO_INCREMENT") {
			options = append(options, o)
		}
	}
	spec.Constraints, spec.Options = constraints, options
}
