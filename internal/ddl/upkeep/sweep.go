package upkeep

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/definition"
	"tunic/internal/ddl/form"
	"tunic/internal/ddl/pace"
	"tunic/internal/ddl/revision"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/ddl/viewtext"
	"tunic/internal/sqlerr"
)

// Sweep mends what a kill may leave that the ledger does not settle. Twins that
// belong to no table are dropped: those of definitions that did not come to be, and
// of temporary tables; but not while there are other processes, whose they may be. Stored
// tables that have none get their fence, and the CHECK that a change of theirs was about
// to add, and lose what was being backfilled: who asked for it is gone. A table that others use
// or change is left for Keep. How far a table was that is not on its way any more is forgotten.
// It is to be called before the first definition, while no session has a temporary table.
func (s *Tables) Sweep(ctx context.Context) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if err := s.sweepTwins(ctx); err != nil {
		return err
	}
	for t := range s.Ledger.Catalog().Tables() {
		if t.BackfillsForStatement() {
			later, err := s.mend(ctx, t, s.TakingBack())
			if err != nil {
				return fmt.Errorf("take back what a table was filling: %w", err)
			}
			if !later {
				s.Log.Warn("a change that was filling a table when tunic ended is taken back", "table", t.FullName())
			}
		}
	}
	for t := range s.Ledger.Catalog().Tables() {
		if err := s.giveFence(ctx, t); err != nil {
			return fmt.Errorf("give a table its fence: %w", err)
		}
	}
	if err := s.dropLeftovers(ctx); err != nil {
		return err
	}
	if err := pace.DropPlaces(ctx, s.Ledger); err != nil {
		return fmt.Errorf("forget how far tables were: %w", err)
	}
	return s.mendChecks(ctx)
}

// giveFence gives a stored table a fence that has none, as one that an older tunic has
// made. A table that cannot have one is left as it is.
func (s *Tables) giveFence(ctx context.Context, t *catalog.Table) error {
	account, err := showcreate.Read(t.Definition)
	if t.Fenced || err != nil || !revision.CanBeFenced(account.Options) {
		return nil //nolint:nilerr // its own statements say what is wrong with it
	}
	later, err := s.mend(ctx, t, mending{"fence", s.Fence})
	if later || err != nil && s.Ledger.Usable() != nil {
		return err
	}
	if err != nil {
		s.Log.Error("a stored table has no fence against statements of another time, and cannot be given one", "table", t.FullName(), "error", err)
		return nil
	}
	s.Log.Info("a stored table has got a fence", "table", t.FullName())
	return nil
}

// sweepTwins drops twins that belong to nothing.
func (s *Tables) sweepTwins(ctx context.Context) error {
	if alone, err := s.Ledger.Alone(ctx); !alone || err != nil {
		return err
	}
	rows, err := s.DB.QueryContext(ctx, "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = ?", catalog.Schema)
	if err != nil {
		return fmt.Errorf("look for twins: %w", err)
	}
	defer func() { _ = rows.Close() }()
	used := map[string]bool{}
	for t := range s.Ledger.Catalog().Tables() {
		used[t.Twin] = true
	}
	for v := range s.Ledger.Catalog().Views() {
		used[v.Twin] = !s.Ledger.Catalog().Outdated(v)
	}
	var left []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return fmt.Errorf("look for twins: %w", err)
		}
		if (strings.HasPrefix(name, definition.TwinPrefix) || strings.HasPrefix(name, viewtext.TwinPrefix)) && !used[name] {
			left = append(left, name)
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("look for twins: %w", err)
	}
	for _, name := range left {
		if strings.HasPrefix(name, viewtext.TwinPrefix) {
			s.DropViewTwin(ctx, name)
		} else {
			s.DropTwin(ctx, name)
		}
	}
	return nil
}

// dropLeftovers drops the stored columns in which a change was making forms anew, and those of
// layers that were on their way out: those that have a name of tunic's own and are not in
// the catalog.
func (s *Tables) dropLeftovers(ctx context.Context) error {
	schemas := map[string]bool{}
	for t := range s.Ledger.Catalog().Tables() {
		schemas[t.Schema] = true
	}
	for schema := range schemas { // one at a time: servers open the tables of all that is asked for
		left, err := s.leftovers(ctx, schema)
		if err != nil {
			return fmt.Errorf("look for columns that are left: %w", err)
		}
		for _, t := range left {
			later, err := s.mend(ctx, t, mending{"drop leftovers", s.DropLeftoversOf})
			switch _, said := errors.AsType[*sqlerr.Error](err); {
			case said: // nobody reads them: no reason to serve nobody
				s.Log.Error("stored columns that a change has left cannot be taken away; the next change of the table tries again", "table", t.FullName(), "error", err)
			case err != nil:
				return fmt.Errorf("drop columns that are left: %w", err)
			case !later:
				s.Log.Warn("stored columns that a change had left when tunic ended are taken away", "table", t.FullName())
			}
		}
	}
	return nil
}

// leftovers are the tables of a schema in which columns are left.
func (s *Tables) leftovers(ctx context.Context, schema string) (left []*catalog.Table, err error) {
	rows, err := s.DB.QueryContext(ctx,
		"SELECT TABLE_NAME, COLUMN_NAME FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ? AND (COLUMN_NAME LIKE '%$eq' OR COLUMN_NAME LIKE '%$ord' OR COLUMN_NAME LIKE '%$copy' OR COLUMN_NAME LIKE '%$bare' OR COLUMN_NAME LIKE '%$form')", schema)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var table, column string
		if err := rows.Scan(&table, &column); err != nil {
			return nil, err
		}
		if t := s.Ledger.Catalog().Table(schema, table); t != nil && t.StoredColumn(column).Kind == catalog.NotStored && !slices.Contains(left, t) {
			left = append(left, t)
		}
	}
	return left, rows.Err()
}

// mendChecks gives stored tables the CHECK that a kill has left them without.
func (s *Tables) mendChecks(ctx context.Context) error {
	rows, err := s.DB.QueryContext(ctx,
		"SELECT CONSTRAINT_NAME FROM information_schema.TABLE_CONSTRAINTS WHERE CONSTRAINT_TYPE = 'CHECK' AND CONSTRAINT_NAME LIKE 'tunic$%'")
	if err != nil {
		return fmt.Errorf("look for checks: %w", err)
	}
	defer func() { _ = rows.Close() }()
	has := map[string]bool{}
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return fmt.Errorf("look for checks: %w", err)
		}
		has[name] = true
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("look for checks: %w", err)
	}
	for t := range s.Ledger.Catalog().Tables() {
		if has[form.CheckName(t)] || t.Unchecked {
			continue
		}
		if err := s.mendCheck(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// mendCheck gives one stored table its CHECK. A table that was changed around tunic so
// that it cannot have it is left as it is: its own statements are answered with what
// is wrong, and those of other tables go on.
func (s *Tables) mendCheck(ctx context.Context, t *catalog.Table) error {
	later, err := s.mend(ctx, t, mending{"check", s.check})
	switch {
	case later:
	case isGone(err):
		s.Log.Error("a protected table is not at the server; it was dropped around tunic", "table", t.FullName())
	case isChanged(err):
		s.Log.Error("a protected table was changed around tunic, and can have no check against plaintext as it is",
			"table", t.FullName(), "error", err)
	case err != nil:
		return fmt.Errorf("mend the check of table %s: %w", t.FullName(), err)
	default:
		s.Log.Warn("a stored table had no check against plaintext, and has one again", "table", t.FullName())
	}
	return nil
}
