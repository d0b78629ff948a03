package ddl

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/crash"
	"tunic/internal/ledger"
	tsql "tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// create is of CREATE TABLE.
func (w *work) create(ctx context.Context, stmt *ast.CreateTable) error {
	schema, table, err := w.name(stmt.Table)
	if err != nil {
		return err
	}
	if tsql.Replaces(stmt) && stmt.IfNotExists {
		return &sqlerr.Error{Number: 1221, State: "HY000", Message: "Incorrect usage of OR REPLACE and IF NOT EXISTS"}
	}
	if tsql.Replaces(stmt) && (stmt.OptLike != nil || stmt.Select != nil) {
		if err := w.replacesPlain(stmt, schema, table); err != nil {
			return err
		}
	}
	if stmt.OptLike != nil {
		return w.createLike(ctx, stmt, schema, table)
	}
	if stmt.Select != nil {
		return w.plainSelect(stmt, table)
	}
	d := &definition{Schema: schema, Table: table, Spec: stmt.TableSpec, Temporary: stmt.Temp, IfNotExists: stmt.IfNotExists, Replaces: tsql.Replaces(stmt)}
	return w.define(ctx, d, w.decider())
}

// define makes the table of a definition, or says that it is to be forwarded.
func (w *work) define(ctx context.Context, d *definition, r *decider) error {
	if w.o.Flavor == value.MariaDB {
		adoptJSON(d.Spec)
	}
	r.parents = w.parents(ctx)
	if err := r.decide(d); err != nil {
		return err
	}
	if !d.protects() {
		if d.Temporary && w.catalog.Table(d.Schema, d.Table) != nil {
			return sqlerr.DefinitionForm(d.Table, "a plain temporary table in the place of a protected one")
		}
		if err := w.displace(ctx, d); err != nil {
			return err
		}
		w.result.Forward = true
		return nil
	}
	if err := w.readable(d); err != nil {
		return err
	}
	if err := d.refuse(); err != nil {
		return err
	}
	if err := w.refusesNew(ctx, d, r); err != nil {
		return err
	}
	if err := w.displace(ctx, d); err != nil {
		return err
	}
	if !d.Temporary {
		end, err := w.begin(ctx, func() []*catalog.Table { return nil })
		if err != nil {
			return err
		}
		defer end()
	}
	if w.taken(d) {
		return w.existing(d)
	}
	return w.make(ctx, d)
}

// taken says that a protected table has the name. A temporary one hides another.
func (w *work) taken(d *definition) bool {
	if d.Temporary {
		return w.temporary(d.Schema, d.Table) != nil
	}
	return w.catalog.Table(d.Schema, d.Table) != nil
}

// existing is the answer for a table that is there.
func (w *work) existing(d *definition) error {
	message := fmt.Sprintf("Table '%s' already exists", d.Table)
	if !d.IfNotExists {
		return &sqlerr.Error{Number: tableExists, State: "42S01", Message: message}
	}
	w.brought = nil // by a table that is not made
	w.warn(Warning{Level: value.Note, Number: tableExists, Message: message})
	return nil
}

// make makes twin, stored table and entry of the catalog.
func (w *work) make(ctx context.Context, d *definition) error {
	s, err := w.service(ctx)
	if err != nil {
		return err
	}
	defer s.close()
	t := newTwin(w.newID(), 1)
	l, err := w.makeTwin(ctx, s, d, t)
	if err != nil {
		s.drop(context.WithoutCancel(ctx), t.Name)
		return err
	}
	crash.Point("ddl.twin.made")
	if w.made != nil {
		return w.makeFilled(ctx, s, d, l)
	}
	statement := respell(createText(d, l.stored()), w.session.Modes)
	if d.Temporary {
		if err := w.client.Exec(ctx, statement); err != nil {
			s.drop(context.WithoutCancel(ctx), t.Name)
			return err
		}
		w.result.Temporary = l.table
		return nil
	}
	done, err := w.change(ctx, []ledger.Step{{New: l.table}}, func(ctx context.Context) error {
		return w.client.Exec(ctx, statement)
	})
	if len(done) == 0 {
		w.dropUnused(ctx, l.table, t.Name)
	}
	if err == nil && len(done) == 0 {
		return w.existing(d)
	}
	return err
}

// makeTwin makes the twin of a new table, if there may be such a one.
func (w *work) makeTwin(ctx context.Context, s *service, d *definition, t *twin) (*logical, error) {
	l, err := w.mirror(ctx, s, d, t)
	if err == nil {
		err = w.brings(d, l.table, nil)
	}
	if err == nil && !d.Temporary {
		if err = w.newCheckNames(ctx, s, l, nil); err == nil {
			err = w.unreferred(ctx, s, l.table)
		}
	}
	return l, err
}

// mirror makes the twin of a definition and reads the table from it.
func (w *work) mirror(ctx context.Context, s *service, d *definition, t *twin) (*logical, error) {
	// The client first: of a schema that is not there it gets the server's own answer.
	if _, err := w.client.Query(ctx, "SHOW TABLES FROM "+catalog.Quoted(d.Schema)+" LIKE ''"); err != nil {
		return nil, err
	}
	from, err := s.defaultsOf(ctx, d.Schema)
	if err != nil {
		return nil, err
	}
	if err := t.define(d, from, w.o.Flavor, w.catalog); err != nil {
		return nil, err
	}
	if err := s.useFor(ctx, t.Text, d.Schema); err != nil {
		return nil, err
	}
	s.speakOf(t, d)
	f, warnings, err := s.make(ctx, t)
	if err != nil {
		return nil, err
	}
	if !d.Like {
		w.result.Warnings = append(w.result.Warnings, warnings...)
	}
	return t.compose(d, f, w.surroundings())
}

func (w *work) note(level value.Level, number uint16, message string) {
	w.warn(Warning{Level: level, Number: number, Message: message})
}

func (w *work) surroundings() *surroundings {
	return &surroundings{env: &w.session.Env, literals: w.session.Collation, catalog: w.catalog, epoch: w.o.Ledger.Tree().Newest(), newID: w.newID, warn: w.note}
}

// compose makes of the server's account of a twin the table, with its layers and
// keys.
func (t *twin) compose(d *definition, f *facts, s *surroundings) (*logical, error) {
	l, err := t.read(d, f, s)
	if err != nil {
		return nil, err
	}
	return l, l.stand(d, nil, s)
}

// stand gives a table its layers and puts its keys over them. was is the table
// before a change.
func (l *logical) stand(d *definition, was *catalog.Table, s *surroundings) (err error) {
	if err := wantLayers(d, l.table); err != nil {
		return err
	}
	if l.layers, err = tie(l.table, s.catalog); err != nil {
		return err
	}
	if err := standKeys(l.table, was, l.layers); err != nil {
		return err
	}
	l.dateLayers(was, s)
	if err := l.layForeignKeys(s.catalog); err != nil {
		return err
	}
	if !l.protects() {
		return nil // the last protected column goes
	}
	if l.holdTo(); l.table.Check() != nil {
		return l.table.Check()
	}
	return computable(l.table, s)
}

func (l *logical) protects() bool {
	return slices.ContainsFunc(l.table.Columns, func(c catalog.Column) bool { return c.Protected() })
}

// parents says what foreign keys refer to. The server is asked only for a table
// that is not protected, and at most once for each.
func (w *work) parents(ctx context.Context) func(schema, table string) parent {
	known := map[string]parent{}
	return func(schema, table string) parent {
		key := schema + "\x00" + table
		if p, ok := known[key]; ok {
			return p
		}
		p := parent{table: w.catalog.Table(schema, table)}
		if p.table == nil {
			var one int
			row := w.o.DB.QueryRowContext(ctx, "SELECT 1 FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?", schema, table)
			p.plain = row.Scan(&one) == nil
		}
		known[key] = p
		return p
	}
}

// readable refuses a definition whose text is not in UTF-8.
func (w *work) readable(d *definition) error {
	plain := true
	look := func(s string) { plain = plain && !w.foreignText(s) }
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
		look(c.name())
		look(c.comment())
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

// adoptJSON makes the columns of MariaDB's own account of a JSON column what they
// were: LONGTEXT with a CHECK of its own stands for JSON there.
func adoptJSON(spec *ast.TableSpec) {
	kept := spec.Constraints[:0:0]
	for _, c := range spec.Constraints {
		if def := jsonColumn(spec, c); def != nil {
			def.Type.Type, def.Type.Charset = "json", ast.ColumnCharset{}
			def.Type.Options.Collate = ""
			continue
		}
		kept = append(kept, c)
	}
	spec.Constraints = kept
}

// jsonColumn is the column of a CHECK (json_valid(column)).
func jsonColumn(spec *ast.TableSpec, c *ast.ConstraintDefinition) *ast.ColumnDefinition {
	check, ok := c.Details.(*ast.CheckConstraintDefinition)
	if _, inColumn := tsql.ColumnOfCheck(c.Name.String()); !ok || !inColumn {
		return nil
	}
	valid, ok := check.Expr.(*ast.JSONAttributesExpr)
	if !ok || valid.Type != ast.ValidAttributeType {
		return nil
	}
	name, ok := valid.JSONDoc.(*ast.ColName)
	if !ok {
		return nil
	}
	for _, def := range spec.Columns {
		if def.Name.EqualString(name.Name.String()) && strings.EqualFold(def.Type.Type, "json") {
			return def
		}
		if def.Name.EqualString(name.Name.String()) && strings.EqualFold(def.Type.Type, "longtext") && def.Type.Options != nil &&
			strings.EqualFold(cmp.Or(def.Type.Options.Collate, defaultCollation(spec)), jsonCollation) {
			return def
		}
	}
	return nil
}

// jsonCollation is that of every JSON column of MariaDB.
const jsonCollation = "utf8mb4_bin"

// defaultCollation is what the columns of a table have that the server shows without
// a collation.
func defaultCollation(spec *ast.TableSpec) string {
	for _, o := range spec.Options {
		if strings.EqualFold(o.Name, "COLLATE") {
			return o.String
		}
	}
	return ""
}
