package upkeep

import (
	"context"

	"tunic/internal/crash"
	"tunic/internal/ddl/definition"
)

// DropTwin drops a twin. One that it fails to drop is swept at the next start.
func (s *Tables) DropTwin(ctx context.Context, name string) {
	crash.Point("ddl.twin.left")
	if _, err := s.DB.ExecContext(context.WithoutCancel(ctx), "DROP TABLE IF EXISTS "+definition.QuotedTwin(name)); err != nil {
		s.Log.Warn("an old twin is left", "twin", name, "error", err)
	}
}

// DropViewTwin drops the twin of a view. One that it fails to drop is swept at the next
// start.
func (s *Tables) DropViewTwin(ctx context.Context, name string) {
	if _, err := s.DB.ExecContext(context.WithoutCancel(ctx), "DROP VIEW IF EXISTS "+definition.QuotedTwin(name)); err != nil {
		s.Log.Warn("an old twin is left", "twin", name, "error", err)
	}
}
