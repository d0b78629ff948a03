package bench

import (
	"context"
	"database/sql"
	"fmt"

	"tunic/internal/bench/document"
	"tunic/internal/bench/matrix"
)

// measureStorage asks each server for the room of the tables that loads find with their
// rows, if there are any and they could be made: of those that no load makes larger or
// smaller, if there are such.
func (b *bench) measureStorage(ctx context.Context) error {
	for _, found := range []matrix.Leaves{matrix.LeavesAsFound, matrix.LeavesOthers} {
		for _, w := range b.workloads {
			if w.Leaves == found {
				return b.measureStorageOf(ctx, w)
			}
		}
	}
	return nil
}

// measureGrown asks for the room of the tables that a load has filled, where there are
// no others.
func (b *bench) measureGrown(ctx context.Context) error {
	for _, w := range b.workloads {
		if len(b.document.Storage) == 0 && w.Leaves == matrix.LeavesMore && !w.Bulk {
			return b.measureStorageOf(ctx, w)
		}
	}
	return nil
}

func (b *bench) measureStorageOf(ctx context.Context, w matrix.Workload) error {
	for _, target := range b.settings.Targets {
		made, known := b.unprepared[madeAs(target, databaseOf(w))]
		if !known || made != nil {
			continue
		}
		s, err := storageOf(ctx, b.hops[target].server.Addr, databaseOf(w))
		if err != nil {
			return fmt.Errorf("measure the room of the tables: %w", err)
		}
		s.Target = target
		b.document.Storage = append(b.document.Storage, s)
	}
	return nil
}

// storageOf reads the sizes of a database's tables from information_schema (MySQL manual,
// "The INFORMATION_SCHEMA TABLES Table"): for InnoDB the pages that an index has got, used
// or free. Rows are counted.
func storageOf(ctx context.Context, addr, database string) (s document.Storage, err error) {
	db, err := sql.Open("mysql", dsn(addr, database))
	if err != nil {
		return s, err
	}
	defer db.Close() //nolint:errcheck // what matters was answered
	tables, err := tablesOf(ctx, db, database)
	if err != nil {
		return s, err
	}
	for _, table := range tables {
		var rows int64
		if _, err := db.ExecContext(ctx, "ANALYZE TABLE `"+table+"`"); err != nil {
			return s, err
		}
		if err := db.QueryRowContext(ctx, "SELECT COUNT(*) FROM `"+table+"`").Scan(&rows); err != nil {
			return s, err
		}
		s.Rows += rows
	}
	err = db.QueryRowContext(ctx, "SELECT SUM(DATA_LENGTH), SUM(INDEX_LENGTH) FROM information_schema.TABLES "+
		"WHERE TABLE_SCHEMA = ?", database).Scan(&s.DataBytes, &s.IndexBytes)
	if s.Rows > 0 {
		s.BytesPerRow = float64(s.DataBytes+s.IndexBytes) / float64(s.Rows)
	}
	return s, err
}

// tablesOf are a database's.
func tablesOf(ctx context.Context, db *sql.DB, database string) (names []string, err error) {
	rows, err := db.QueryContext(ctx, "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_TYPE = 'BASE TABLE'", database)
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // what matters is in rows.Err
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, rows.Err()
}
