package rehearsal

import (
	"context"
	"database/sql"
	"log/slog"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/crypt"
	"tunic/internal/ddl/service"
	"tunic/internal/keys"
	"tunic/internal/layers"
)

// Times are how long the steps of an encryption have taken that grow with the table, on a private
// table in tunic's own schema whose rows mean nothing.
type Times struct {
	// Rows were backfilled in Backfilled, and were looked at.
	Rows       int
	Backfilled time.Duration
	// RowsAnew were in the table when keys were made and all of it was made anew, in Anew.
	RowsAnew int
	Anew     time.Duration
}

// PerRow is what a row takes.
func (r *Times) PerRow() time.Duration {
	return r.Backfilled/time.Duration(max(r.Rows, 1)) + r.Anew/time.Duration(max(r.RowsAnew, 1))
}

// Run measures what encrypting a table takes of this server: db is the service account's, t is as ddl.Definer.Planned has it, lengths are
// those of the values of its protected columns, rest is how many bytes a row has beside them. No value
// of the table is read. The table that is made for it has a twin's name, so that one that a kill
// leaves is swept up.
func Run(ctx context.Context, db *sql.DB, tree *keys.Tree, t *catalog.Table, lengths map[string]int, rest int) (r Times, err error) {
	s := newStage(catalog.NewID(), t, lengths, min(rest, rehearsedValue))
	if len(s.table.Columns) == 1 { // of nothing that gets a shadow
		return r, nil
	}
	if _, err := db.ExecContext(ctx, s.create()); err != nil {
		return r, service.Error(err)
	}
	defer func() { _, _ = db.ExecContext(context.WithoutCancel(ctx), "DROP TABLE IF EXISTS "+s.name()) }()
	r.Rows = max(min(rehearsedRows, rehearsedBytes/max(s.width, 1)), rehearsedLeast)
	if err := rehearseBackfill(ctx, db, tree, s, &r); err != nil {
		return r, err
	}
	return r, rehearsePurge(ctx, db, s, &r)
}

func rehearseBackfill(ctx context.Context, db *sql.DB, tree *keys.Tree, s *stage, r *Times) error {
	for from := 0; from < r.Rows; from += rehearsedLeast {
		if _, err := db.ExecContext(ctx, s.insert(from, min(from+rehearsedLeast, r.Rows))); err != nil {
			return service.Error(err)
		}
	}
	begin := time.Now()
	job := layers.Job{DB: db, Ring: crypt.NewRing(tree), Table: s.table, Paced: true, Log: slog.New(slog.DiscardHandler)}
	err := job.Backfill(ctx)
	r.Backfilled = time.Since(begin)
	return err
}

func rehearsePurge(ctx context.Context, db *sql.DB, s *stage, r *Times) error {
	r.RowsAnew = r.Rows
	for range rehearsedTimes {
		if _, err := db.ExecContext(ctx, s.double(r.RowsAnew)); err != nil {
			return service.Error(err)
		}
		r.RowsAnew *= 2
	}
	begin := time.Now()
	for _, statement := range append(s.keys(), "ALTER TABLE "+s.name()+" FORCE") {
		if _, err := db.ExecContext(ctx, statement); err != nil {
			return service.Error(err)
		}
	}
	r.Anew = time.Since(begin)
	return nil
}
