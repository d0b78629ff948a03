package bench

import (
	"context"
	"database/sql"
	"fmt"
)

// Storage is how much room the rows of a server's tables take: as they were made, before
// any load has changed one; or, where all loads fill empty tables, as the last one has
// left them.
type Storage struct {
	Target      string  `json:"target"` // through which the tables were made
	Rows        int64   `json:"rows"`
	DataBytes   int64   `json:"data_bytes"`  // of the clustered indexes, which hold the rows
	IndexBytes  int64   `json:"index_bytes"` // of all other indexes
	BytesPerRow float64 `json:"bytes_per_row"`
}

// measureStorage asks each server for the room of the tables that no load makes
// larger or smaller, if there are any and they could be made.
func (b *bench) measureStorage(ctx context.Context) error {
	return b.measureStorageIn(ctx, plainDatabase)
}

// measureGrown asks for the room of the tables that a load has filled, where there are
// no others.
func (b *bench) measureGrown(ctx context.Context) error {
	for _, w := range b.workloads {
		if len(b.document.Storage) == 0 && w.Leaves == leavesMore && !w.Bulk {
			return b.measureStorageIn(ctx, w.database())
		}
	}
	return nil
}

func (b *bench) measureStorageIn(ctx context.Context, database string) error {
	for _, target := range b.settings.Targets {
		made, known := b.unprepared[madeAs(target, database)]
		if !known || made != nil {
			continue
		}
		s, err := storageOf(ctx, b.hops[target].server.Addr, database, b.settings.Tables)
		if err != nil {
			return fmt.Errorf("measure the room of the tables: %w", err)
		}
		s.Target = target
		b.document.Storage = append(b.document.Storage, s)
	}
	return nil
}

// storageOf reads the sizes from information_schema (MySQL manual, "The
// INFORMATION_SCHEMA TABLES Table"): for InnoDB the pages that an index has got, used
// or free. Rows are counted.
func storageOf(ctx context.Context, addr, database string, tables int) (s Storage, err error) {
	db, err := sql.Open("mysql", dsn(addr, database))
	if err != nil {
		return s, err
	}
	defer db.Close() //nolint:errcheck // what matters was answered
	for i := range tables {
		var rows int64
		table := fmt.Sprintf("sbtest%d", i+1)
		if _, err := db.ExecContext(ctx, "ANALYZE TABLE "+table); err != nil {
			return s, err
		}
		if err := db.QueryRowContext(ctx, "SELECT COUNT(*) FROM "+table).Scan(&rows); err != nil {
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

// tables says what kind they are of.
func (s Storage) tables() string {
	switch s.Target {
	case targetProtected:
		return "protected"
	case targetTDE:
		return "encrypted files"
	}
	return "plain"
}

// storageText says it in one line, "" if nothing was measured: what rows take through
// the first target, and through the others beside it.
func (d *Document) storageText() string {
	var text string
	for _, s := range d.Storage {
		if text != "" {
			text += "; "
		}
		text += fmt.Sprintf("%s %.0f bytes a row", s.tables(), s.BytesPerRow)
		if first := d.Storage[0].BytesPerRow; s.Target != d.Storage[0].Target && first > 0 {
			text += fmt.Sprintf(" (× %.2f)", s.BytesPerRow/first)
		}
	}
	return text
}
