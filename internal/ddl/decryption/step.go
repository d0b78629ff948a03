package decryption

import (
	"context"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/ledger"
	"tunic/internal/sqlerr"
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

// storedUnchanged is storedNow of a table that has to be the one that the catalog has.
func (s *Decryption) storedUnchanged(ctx context.Context, t *catalog.Table) (*showcreate.Table, error) {
	stored, err := s.Tables.StoredNow(ctx, t)
	if err != nil {
		return nil, err
	}
	if _, mark := showcreate.OptionComment(stored.Options); showcreate.UnquoteString(stored.Options[mark.From:mark.To]) != ledger.Mark(t) || !stored.TakeFence(t.Fence()) {
		return nil, sqlerr.ChangedAround(t.Name, "its comment or its fence is not tunic's mark of it")
	}
	return stored, nil
}
