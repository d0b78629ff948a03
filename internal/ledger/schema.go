package ledger

import (
	"context"
	"database/sql"
	"fmt"

	"tunic/internal/catalog"
)

// The tables of the ledger. Numbers are big endian wherever they are in bytes.
//
//	project.one       always 1
//	project.form      the form of all of this, 1
//	project.id        16 random bytes
//	project.root      sealed: version (8), SHA-256 of the rows (32); see root.go
//	master.version    the first epoch that the key serves
//	master.wrapped    the form of package keys
//	object.id         the table's
//	object.version    the version of the ledger that wrote the row
//	object.sealed     sealed: the form of catalog.Table.Encode
//	journal.id        the version of the ledger that wrote the row
//	journal.sealed    sealed: the steps, as JSON; see journal.go
var definitions = []string{
	"CREATE DATABASE IF NOT EXISTS `" + catalog.Schema + "`",
	"CREATE TABLE IF NOT EXISTS " + project + ` (
		one TINYINT NOT NULL PRIMARY KEY,
		form SMALLINT NOT NULL,
		id BINARY(16) NOT NULL,
		root VARBINARY(255) NOT NULL
	) ENGINE=InnoDB`,
	"CREATE TABLE IF NOT EXISTS " + master + ` (
		version SMALLINT UNSIGNED NOT NULL PRIMARY KEY,
		wrapped VARBINARY(255) NOT NULL
	) ENGINE=InnoDB`,
	"CREATE TABLE IF NOT EXISTS " + object + ` (
		id BINARY(16) NOT NULL PRIMARY KEY,
		version BIGINT UNSIGNED NOT NULL,
		sealed LONGBLOB NOT NULL
	) ENGINE=InnoDB`,
	"CREATE TABLE IF NOT EXISTS " + journal + ` (
		id BIGINT UNSIGNED NOT NULL PRIMARY KEY,
		sealed LONGBLOB NOT NULL
	) ENGINE=InnoDB`,
}

const (
	form    = 1
	project = "`" + catalog.Schema + "`.project"
	master  = "`" + catalog.Schema + "`.master"
	object  = "`" + catalog.Schema + "`.object"
	journal = "`" + catalog.Schema + "`.journal"
)

// define makes the schema and the tables that are not there yet.
func define(ctx context.Context, db *sql.Conn) error {
	for _, d := range definitions {
		if _, err := db.ExecContext(ctx, d); err != nil {
			return fmt.Errorf("make the schema %s: %w", catalog.Schema, err)
		}
	}
	return nil
}
