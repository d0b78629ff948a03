package ddl

import (
	"context"

	"tunic/internal/catalog"
	"tunic/internal/ddl/definition"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/ddl/viewtext"
	"tunic/internal/identifier"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// derived are the columns that the server makes of the query.
func (w *work) derived(ctx context.Context, m *Made, d *definition.Definition) ([]*ast.ColumnDefinition, error) {
	named, ok := m.Renamed()
	if !ok {
		return nil, sqlerr.CreateSelect(d.Table, "it is not certain what its columns are called")
	}
	if _, err := w.client.Query(ctx, "SHOW TABLES FROM "+identifier.Quoted(d.Schema)+" LIKE ''"); err != nil {
		return nil, err
	}
	s, err := w.service(ctx)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	from, err := s.DefaultsOf(ctx, d.Schema)
	if err != nil {
		return nil, err
	}
	if err := s.Exec(ctx, "SET collation_connection = "+showcreate.QuoteString(w.session.Connection.Name)); err != nil {
		return nil, err
	}
	t := definition.NewTwin(w.newID(), 1)
	s.Words = viewtext.WordsOf(&m.View, &catalog.Table{Twin: t.Name, Schema: d.Schema, Name: d.Table})
	defer s.Drop(context.WithoutCancel(ctx), t.Name)
	text := "CREATE TABLE " + definition.QuotedTwin(t.Name) + " " + d.Defaults(from) + " AS " + named
	err = despiteStrict(func() error { return s.Define(ctx, text) }, func() error {
		return s.Set(ctx, "sql_mode", value.Unstrict(s.Has["sql_mode"]))
	})
	if err != nil {
		return nil, err
	}
	f, err := s.Facts(ctx, t.Name)
	if err != nil {
		return nil, err
	}
	return (&derivation{w.o.Flavor, w.session.Modes}).read(&m.View, d, f)
}
