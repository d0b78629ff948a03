package ddl

import (
	"context"
	"errors"

	"tunic/internal/catalog"
	"tunic/internal/ddl/definition"
	"tunic/internal/ddl/service"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/ddl/viewtext"
)

// mirrorView makes the twin of a view and reads the view from it.
func (w *work) mirrorView(ctx context.Context, s *service.Connection, v *viewtext.View, t *catalog.Table) error {
	if err := s.Exec(ctx, "SET collation_connection = "+showcreate.QuoteString(w.session.Connection.Name)); err != nil {
		return err
	}
	s.Words = viewtext.WordsOf(v, t)
	if err := s.Define(ctx, viewtext.Twin(v, t)); err != nil {
		return err
	}
	warnings, err := s.Warnings(ctx)
	if err != nil {
		return err
	}
	w.result.Warnings = append(w.result.Warnings, warnings...)
	rows, err := s.Query(ctx, "SHOW CREATE VIEW "+definition.QuotedTwin(t.Twin))
	if err != nil || len(rows) == 0 {
		return errors.Join(err, service.NoRow(len(rows)))
	}
	account, ok := viewtext.ReadShown(service.Text(rows[0][1]))
	if !ok {
		return showcreate.ErrUnread
	}
	t.View = &catalog.View{
		Query: v.Text, Shown: account.Logical(v), Algorithm: account.Algorithm, Security: v.Security, Check: v.Check,
		Charset: w.session.Charset, Collation: w.session.Connection.Name,
	}
	if t.View.Security == "" {
		t.View.Security = "DEFINER"
	}
	for _, r := range v.Reads {
		t.View.Over = append(t.View.Over, r.ViewOver)
	}
	if err := viewColumns(ctx, w.o.Flavor, s, v, t); err != nil {
		return err
	}
	return t.Check()
}
