package ddl

import (
	"context"

	"tunic/internal/catalog"
	"tunic/internal/ddl/definition"
	"tunic/internal/ddl/service"
	"tunic/internal/identifier"
	"tunic/internal/policy"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
)

// taken says that a protected table has the name. A temporary one hides another.
func (w *work) taken(d *definition.Definition) bool {
	if d.Temporary {
		return w.temporary(d.Schema, d.Table) != nil
	}
	return w.catalog.Table(d.Schema, d.Table) != nil
}

// makeTwin makes the twin of a new table, if there may be such a one.
func (w *work) makeTwin(ctx context.Context, s *service.Connection, d *definition.Definition, t *definition.Twin) (*definition.Logical, error) {
	l, err := w.mirror(ctx, s, d, t)
	if err == nil {
		err = w.brings(d, l.Table, nil)
	}
	if err == nil && !d.Temporary {
		if err = newCheckNames(ctx, s, w.catalog, l, nil, w.o.Flavor); err == nil {
			err = w.unreferred(ctx, s, l.Table)
		}
	}
	return l, err
}

// brings notes the layers of a table that its definition brings, or refuses it for a key that
// needs one. was is the table before a change.
func (w *work) brings(d *definition.Definition, t, was *catalog.Table) (err error) {
	if w.rules().Keys != policy.KeysAllow {
		w.brought, err = broughtBy(w.rules(), d, t, was, w.made != nil)
	}
	return err
}

// mirror makes the twin of a definition and reads the table from it.
func (w *work) mirror(ctx context.Context, s *service.Connection, d *definition.Definition, t *definition.Twin) (*definition.Logical, error) {
	// The client first: of a schema that is not there it gets the server's own answer.
	if _, err := w.client.Query(ctx, "SHOW TABLES FROM "+identifier.Quoted(d.Schema)+" LIKE ''"); err != nil {
		return nil, err
	}
	from, err := s.DefaultsOf(ctx, d.Schema)
	if err != nil {
		return nil, err
	}
	if err := t.Define(d, from, w.o.Flavor, w.catalog); err != nil {
		return nil, err
	}
	if err := s.UseFor(ctx, t.Text, d.Schema); err != nil {
		return nil, err
	}
	s.SpeakOf(t, d)
	f, warnings, err := s.Make(ctx, t)
	if err != nil {
		return nil, err
	}
	if !d.Like {
		w.result.Warnings = append(w.result.Warnings, warnings...)
	}
	return t.Compose(d, f, w.surroundings())
}

func (w *work) surroundings() *definition.Surroundings {
	return &definition.Surroundings{Env: &w.session.Env, Literals: w.session.Collation, Catalog: w.catalog, Epoch: w.o.Ledger.Tree().Newest(), NewID: w.newID, Warn: w.note}
}

// parents says what foreign keys refer to. The server is asked only for a table
// that is not protected, and at most once for each.
func (w *work) parents(ctx context.Context) func(schema, table string) definition.Parent {
	known := map[string]definition.Parent{}
	return func(schema, table string) definition.Parent {
		key := schema + "\x00" + table
		if p, ok := known[key]; ok {
			return p
		}
		p := definition.Parent{Table: w.catalog.Table(schema, table)}
		if p.Table == nil {
			var one int
			row := w.o.DB.QueryRowContext(ctx, "SELECT 1 FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?", schema, table)
			p.Plain = row.Scan(&one) == nil
		}
		known[key] = p
		return p
	}
}

// readable refuses a definition whose text is not in UTF-8.
func (w *work) readable(d *definition.Definition) error {
	plain := true
	look := func(s string) { plain = plain && !w.session.foreignText(s) }
	look(d.Table)
	lookIn := func(nodes ...ast.Node) {
		_ = ast.Walk(func(n ast.Node) (bool, error) {
			switch n := n.(type) {
			case *ast.Literal:
				look(n.Val)
			case ast.IdentifierCI:
				look(n.String())
			}
			return true, nil
		}, nodes...)
	}
	lookIn(d.Spec)
	for i := range d.Columns {
		c := &d.Columns[i]
		look(c.NameText())
		look(c.Comment())
		for _, l := range c.Type.EnumValues {
			look(l)
		}
		if o := c.Type.Options; o != nil {
			lookIn(o.Default, o.As)
		}
	}
	for _, o := range d.Spec.Options {
		if o.Value != nil {
			look(o.Value.Val)
		}
	}
	if !plain {
		return sqlerr.DefinitionCharset(d.Table)
	}
	return nil
}

// decider is one for the client's definition.
func (w *work) decider() *definition.Decider {
	return &definition.Decider{Policy: w.rules(), Bars: !w.session.Annotates}
}

// unreferred refuses a table whose protected columns a plain table refers to already, which was
// made before it under foreign_key_checks = 0: the server would compare its values with stored
// ones. Looked at are tables of the same schema, of which a server tells without opening all
// that it has.
func (w *work) unreferred(ctx context.Context, s *service.Connection, t *catalog.Table) error {
	rows, err := s.Query(ctx, "SELECT TABLE_NAME, COLUMN_NAME, REFERENCED_COLUMN_NAME FROM information_schema.KEY_COLUMN_USAGE"+
		" WHERE TABLE_SCHEMA = ? AND REFERENCED_TABLE_SCHEMA = ? AND REFERENCED_TABLE_NAME = ?", t.Schema, t.Schema, t.Name)
	if err != nil {
		return err
	}
	for _, row := range rows {
		at := t.Column(service.Text(row[2]))
		if at >= 0 && t.Columns[at].Protected() && w.catalog.Table(t.Schema, service.Text(row[0])) == nil {
			return sqlerr.ForeignKeyPlain(service.Text(row[1]))
		}
	}
	return nil
}
