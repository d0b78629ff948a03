package upkeep

import (
	"context"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/crash"
	"tunic/internal/ddl/revision"
	"tunic/internal/ddl/service"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/ledger"
	"tunic/internal/sqlerr"
)

// DropLeftover drops a stored column that belongs to nothing.
func (s *Tables) DropLeftover(ctx context.Context, t *catalog.Table, name string, wait time.Duration) error {
	return s.Turns.Quiesced(ctx, t, wait, func(ctx context.Context) error {
		err := s.Turns.BriefAnewIfTooWide(ctx, t, revision.DropLeftover(t, name, s.Flavor), wait)
		crash.Point("ddl.online.dropped")
		return Outdated(t, err)
	})
}

// Outdated is the error of a DropLeftover for another revision.
func Outdated(t *catalog.Table, err error) error {
	if t.Fence() != "" && service.Said(err, service.NoColumn) {
		return ledger.ErrOutdated
	}
	return err
}

// DropLeftoversOf drops the stored columns of a table that look like forms and are none: of
// layers that are gone, and of what was killed.
func (s *Tables) DropLeftoversOf(ctx context.Context, t *catalog.Table, wait time.Duration) error {
	leftovers, err := s.LeftoversOf(ctx, t)
	for _, name := range leftovers {
		if err := s.DropLeftover(ctx, t, name, wait); err != nil {
			return err
		}
	}
	return err
}

// LeftoversOf are the names of such columns.
func (s *Tables) LeftoversOf(ctx context.Context, t *catalog.Table) (leftovers []string, err error) {
	rows, err := s.DB.QueryContext(ctx, "SELECT COLUMN_NAME FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?", t.Schema, t.Name)
	if err != nil {
		return nil, service.Error(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		if catalog.Reserved(name) && !catalog.IsFence(name) && t.StoredColumn(name).Kind == catalog.NotStored {
			leftovers = append(leftovers, name)
		}
	}
	return leftovers, service.Error(rows.Err())
}

func (s *Tables) DropIfThere(ctx context.Context, t *catalog.Table, name string, wait time.Duration) error {
	has, err := s.HasColumn(ctx, t, name)
	if err != nil || !has {
		return err
	}
	return s.DropLeftover(ctx, t, name, wait)
}

func (s *Tables) HasColumn(ctx context.Context, t *catalog.Table, name string) (bool, error) {
	var n int
	err := s.DB.QueryRowContext(ctx, "SELECT COUNT(*) FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ? AND COLUMN_NAME = ?", t.Schema, t.Name, name).Scan(&n)
	return n > 0, err
}

func (s *Tables) CountColumns(ctx context.Context, t *catalog.Table, condition, name string) (n int, err error) {
	err = s.DB.QueryRowContext(ctx, "SELECT COUNT(*) FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ? AND "+condition, t.Schema, t.Name, name).Scan(&n)
	return n, err
}

// StoredNow is what the server shows of a stored table.
func (s *Tables) StoredNow(ctx context.Context, t *catalog.Table) (*showcreate.Table, error) {
	var name, create string
	if err := s.DB.QueryRowContext(ctx, "SHOW CREATE TABLE "+t.QuotedName()).Scan(&name, &create); err != nil {
		return nil, service.Error(err)
	}
	return showcreate.Read(create)
}

// Unchanged refuses a stored table whose comment or fence is not that of the table that the catalog has. It takes
// the fence out of what is stored.
func Unchanged(stored *showcreate.Table, t *catalog.Table) error {
	if _, mark := showcreate.OptionComment(stored.Options); showcreate.UnquoteString(stored.Options[mark.From:mark.To]) != ledger.Mark(t) || !stored.TakeFence(t.Fence()) {
		return sqlerr.ChangedAround(t.Name, "its comment or its fence is not tunic's mark of it")
	}
	return nil
}
