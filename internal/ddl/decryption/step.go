package decryption

import (
	"context"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/ddl/upkeep"
)

// step is a step of a table that is decrypted, if it is still what it may be done to.
func (s *Decryption) step(ctx context.Context, table catalog.ID, do func(ctx context.Context, t *catalog.Table, wait time.Duration) error) error {
	return s.Tables.Step(ctx, table, func(ctx context.Context, t *catalog.Table, wait time.Duration) error {
		if t.BackfillsForStatement() {
			return s.Tables.ForsakeBriefly(ctx, t, wait) // and again
		}
		if err := Allowed(s.Policy(), s.Flavor, s.Tables.Ledger.Catalog(), t); err != nil {
			return err
		}
		return do(ctx, t, wait)
	})
}

// stepBefore is step of a table whose columns are still protected, with what is stored of it. Of one whose columns
// are plain already there is nothing to do.
func (s *Decryption) stepBefore(
	ctx context.Context, table catalog.ID, do func(ctx context.Context, t *catalog.Table, stored *showcreate.Table, wait time.Duration) error,
) error {
	return s.step(ctx, table, func(ctx context.Context, t *catalog.Table, wait time.Duration) error {
		if t.Bared {
			return nil
		}
		stored, err := s.storedUnchanged(ctx, t)
		if err != nil {
			return err
		}
		return do(ctx, t, stored, wait)
	})
}

// storedUnchanged is storedNow of a table that has to be the one that the catalog has.
func (s *Decryption) storedUnchanged(ctx context.Context, t *catalog.Table) (*showcreate.Table, error) {
	stored, err := s.Tables.StoredNow(ctx, t)
	if err != nil {
		return nil, err
	}
	return stored, upkeep.Unchanged(stored, t)
}
