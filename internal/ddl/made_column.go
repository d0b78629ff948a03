package ddl

import (
	"context"
	"errors"
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// derived are the columns that the server makes of the query.
func (w *work) derived(ctx context.Context, m *Made, d *definition) ([]*ast.ColumnDefinition, error) {
	named, ok := m.named()
	if !ok {
		return nil, sqlerr.CreateSelect(d.Table, "it is not certain what its columns are called")
	}
	if _, err := w.client.Query(ctx, "SHOW TABLES FROM "+catalog.Quoted(d.Schema)+" LIKE ''"); err != nil {
		return nil, err
	}
	s, err := w.service(ctx)
	if err != nil {
		return nil, err
	}
	defer s.close()
	from, err := s.defaultsOf(ctx, d.Schema)
	if err != nil {
		return nil, err
	}
	if err := s.exec(ctx, "SET collation_connection = "+showcreate.QuoteString(w.session.Connection.Name)); err != nil {
		return nil, err
	}
	t := newTwin(w.newID(), 1)
	s.words = wordsOf(&m.View, &catalog.Table{Twin: t.Name, Schema: d.Schema, Name: d.Table})
	defer s.drop(context.WithoutCancel(ctx), t.Name)
	text := "CREATE TABLE " + ownName(t.Name) + " " + d.defaults(from) + " AS " + named
	err = despiteStrict(func() error { return s.define(ctx, text) }, func() error {
		return s.set(ctx, "sql_mode", value.Unstrict(s.has["sql_mode"]))
	})
	if err != nil {
		return nil, err
	}
	f, err := s.facts(ctx, t.Name)
	if err != nil {
		return nil, err
	}
	return w.readDerived(m, d, f)
}

// despiteStrict runs what describes a query. It is run again without strict mode where that may have
// failed it: the error may be about a literal that stands for the client's. Which columns may be NULL
// depends on the mode, too, so that this comes second. Only what comes of the second is told: the
// client does not know the literal.
func despiteStrict(run, relax func() error) error {
	err := run()
	if !mayBeStrict(err) {
		return err
	}
	if err := relax(); err != nil {
		return err
	}
	return run()
}

// mayBeStrict reports whether an error of the server's may be one that strict mode has made of a
// warning. MariaDB makes one of every warning. So what is known to be none is left out: what is over when
// it is tried later, and, by the class of its SQLSTATE, what is about names, privileges, the current
// schema, connections and transactions.
func mayBeStrict(err error) bool {
	said, ok := errors.AsType[*sqlerr.Error](err)
	if !ok || said.Code != 0 || passing(err) || len(said.State) != 5 {
		return false
	}
	return !slices.Contains([]string{"08", "28", "3D", "40", "42", "70"}, said.State[:2])
}

// defaults are the options of a definition that say which collation text has in it.
func (d *definition) defaults(from schemaDefaults) string {
	charset, collation := "", ""
	for _, o := range d.Spec.Options {
		switch strings.ToUpper(o.Name) {
		case "CHARSET", "CHARACTER SET":
			charset = o.String
		case "COLLATE":
			collation = o.String
		}
	}
	switch {
	case collation != "" && charset == "":
		return "COLLATE " + catalog.Quoted(collation)
	case charset == "":
		charset, collation = from.charset, from.collation
	}
	text := "CHARACTER SET " + catalog.Quoted(charset)
	if collation != "" {
		text += " COLLATE " + catalog.Quoted(collation)
	}
	return text
}

// readDerived reads the server's account of a table of the query over twins.
func (w *work) readDerived(m *Made, d *definition, f *facts) ([]*ast.ColumnDefinition, error) {
	spec, err := w.parsed(f.Create, d.Table)
	if err != nil {
		return nil, err
	}
	adoptJSON(spec)
	if len(spec.Columns) != len(m.own()) {
		return nil, sqlerr.CreateSelect(d.Table, "it is not certain what its columns are called")
	}
	withoutDefaultCollation(spec)
	from := m.origins()
	overTwins := slices.ContainsFunc(m.Reads, func(r ViewReads) bool { return r.Table != nil })
	for i, def := range spec.Columns {
		var of *origin
		if len(from) == len(spec.Columns) {
			of = from[i]
		}
		if _, given := d.defines(def); given {
			continue
		}
		if w.withoutDefault(def) {
			return nil, sqlerr.CreateSelect(d.Table, "a column may be NULL and has no default, as behind an outer join; define it before the query")
		}
		if err := w.restore(d, def, of, overTwins); err != nil {
			return nil, err
		}
	}
	return spec.Columns, nil
}

// withoutDefaultCollation leaves out a collation that is shown of a column because it is
// not its character set's own, though it is the table's: said by a definition it would be
// the column's.
func withoutDefaultCollation(spec *ast.TableSpec) {
	for _, def := range spec.Columns {
		if o := def.Type.Options; o != nil && def.Type.Charset.Name == "" && strings.EqualFold(o.Collate, defaultCollation(spec)) {
			o.Collate = ""
		}
	}
}

// withoutDefault reports whether a column may be NULL and yet has no default, as servers
// have it of a column that is NOT NULL behind an outer join. No definition says that.
func (w *work) withoutDefault(def *ast.ColumnDefinition) bool {
	switch o := def.Type.Options; {
	case o == nil:
	case o.Default != nil, o.As != nil, o.Null != nil && !*o.Null:
		return false
	}
	name := strings.ToLower(def.Type.Type)
	long := strings.HasSuffix(name, "blob") || strings.HasSuffix(name, "text") || name == "json" || name == "geometry"
	return !long || w.o.Flavor == value.MariaDB
}

// defines is the statement's own definition of a column of the query.
func (d *definition) defines(def *ast.ColumnDefinition) (own *ast.ColumnDefinition, ok bool) {
	for _, c := range d.Spec.Columns {
		if c.Name.Equal(def.Name) {
			return c, true
		}
	}
	return nil, false
}

// restore puts into a column of the query what stood in a twin by proxy: labels, the
// default and the comment of the column that it is.
func (w *work) restore(d *definition, def *ast.ColumnDefinition, of *origin, overTwins bool) error {
	o := def.Type.Options
	labels := len(def.Type.EnumValues) > 0
	constant := o != nil && o.Default != nil && !saysNothing(o.Default)
	comment := o != nil && o.Comment != nil
	switch {
	case !overTwins || !labels && !constant && !comment:
		return nil
	case of == nil && !labels && !comment && isZero(o.Default):
		return nil // MySQL gives it to what is computed
	case of == nil || of.table.View != nil:
		return sqlerr.CreateSelect(d.Table, "a column has labels, a default or a comment that are not certain to be those of a column of a table")
	}
	spec, err := w.parsed(of.table.Definition, of.table.Name)
	if err != nil || of.column >= len(spec.Columns) {
		return errors.Join(err, showcreate.ErrUnread)
	}
	was := spec.Columns[of.column]
	if labels {
		def.Type.EnumValues = was.Type.EnumValues
	}
	if was.Type.Options == nil {
		return nil
	}
	// That of an AUTO_INCREMENT is 0, which the column that it is of has not.
	if constant && (was.Type.Options.Default != nil || !isZero(o.Default)) {
		o.Default, o.DefaultLiteral = was.Type.Options.Default, was.Type.Options.DefaultLiteral
	}
	if comment {
		o.Comment = was.Type.Options.Comment
		d.annotate(def.Name.String(), o.Comment.Val)
	}
	return nil
}

// saysNothing reports whether a default is the same in every twin.
func saysNothing(def ast.Expr) bool {
	switch def.(type) {
	case *ast.NullVal, *ast.CurTimeFuncExpr:
		return true
	}
	return false
}

// isZero reports whether a default is the one that a column gets that has none: 0, no
// text, a date of zeros.
func isZero(def ast.Expr) bool {
	l, ok := def.(*ast.Literal)
	return ok && strings.Trim(l.Val, "0.-: ") == ""
}

// withColumns is the definition with the columns of a query: one that the statement
// defines as well has that definition and stands where the query has it.
func (d *definition) withColumns(derived []*ast.ColumnDefinition, names []string) (*ast.TableSpec, error) {
	spec := ast.Clone(d.Spec)
	spec.Columns = slices.DeleteFunc(spec.Columns, func(own *ast.ColumnDefinition) bool {
		return slices.ContainsFunc(derived, func(c *ast.ColumnDefinition) bool { return c.Name.Equal(own.Name) })
	})
	for i, c := range derived {
		if !c.Name.EqualString(names[i]) {
			return nil, sqlerr.CreateSelect(d.Table, "it is not certain what its columns are called")
		}
		if own, ok := d.defines(c); ok {
			c = own
		}
		spec.Columns = append(spec.Columns, c)
	}
	return spec, nil
}
