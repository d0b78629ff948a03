package upkeep

import (
	"context"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/crash"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/ledger"
)

// Fence tries once to give a table its fence.
func (s *Tables) Fence(ctx context.Context, t *catalog.Table, wait time.Duration) error {
	if t.Fenced {
		return nil
	}
	next := *t
	next.Fenced, next.Revision = true, t.Revision+1
	return s.changeInSteps(ctx, t, &next, wait, func(ctx context.Context) error {
		// In a statement of its own it is made in an instant.
		if has, err := s.HasColumn(ctx, t, next.Fence()); has || err != nil {
			return err
		}
		return s.Turns.Brief(ctx, "ALTER TABLE "+t.QuotedName()+" ADD COLUMN "+showcreate.WithoutValue(next.Fence()), wait)
	}, "ALTER TABLE "+t.QuotedName()+" COMMENT="+showcreate.QuoteString(ledger.Mark(&next)))
}

// changeInSteps is changeBriefly of two parts, of which the last sets the mark.
func (s *Tables) changeInSteps(ctx context.Context, t, next *catalog.Table, wait time.Duration, first func(context.Context) error, last string) error {
	done, err := s.Ledger.ChangeWithin(ctx, wait, []ledger.Step{{Old: t, New: next}}, func(ctx context.Context) error {
		if err := first(ctx); err != nil {
			return err
		}
		crash.Point("ddl.fence.added")
		return s.Turns.Brief(ctx, last, wait)
	})
	if len(done) > 0 {
		return nil
	}
	return err
}
