package upkeep

import (
	"context"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/crash"
	"tunic/internal/ddl/revision"
	"tunic/internal/ddl/turn"
)

// ForsakeBriefly takes away what a statement has left that was backfilling a table. What is to
// be done with the table is then to be tried again.
func (s *Tables) ForsakeBriefly(ctx context.Context, t *catalog.Table, wait time.Duration) error {
	if err := s.forsakeOnce(ctx, t, wait); err != nil {
		return err
	}
	return turn.ErrElsewhere
}

// forsakeOnce tries it once. The columns of layers are left over then, and are dropped by
// themselves: together with the fence and the mark MariaDB copies the table for them.
func (s *Tables) forsakeOnce(ctx context.Context, t *catalog.Table, wait time.Duration) error {
	back := revision.WithoutBackfilling(t)
	back.Revision = t.Revision + 1
	if err := s.ChangeBriefly(ctx, t, back, revision.Alter(t, back, revision.NameNew(t, true)), wait); err != nil {
		return err
	}
	crash.Point("ddl.forsaken")
	return s.DropLeftoversOf(ctx, back, wait)
}
