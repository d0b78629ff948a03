package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/catalog"
)

// The tables of the ledger. Numbers are big endian wherever they are in bytes.
//
//	project.one       always 1
//	project.form      the form of all of this, 2; 1 is the one without jobs
//	project.id        16 random bytes
//	project.root      sealed: version (8), SHA-256 of the rows (32); see root.go
//	master.version    the first epoch that the key serves
//	master.wrapped    the form of package keys
//	object.id         the table's
//	object.version    the version of the ledger that wrote the row
//	object.sealed     sealed: the form of catalog.Table.Encode
//	journal.id        the version of the ledger that wrote the row
//	journal.sealed    sealed: the steps, as JSON; see journal.go
//	member.id         16 random bytes of a process
//	member.beat       counts while the process has read the ledger again and again
//	member.seen       the version of the ledger that it has read last
//	member.link       the server's number of its connection; see linkLock
//	member.kek        the id of its key file's key; NULL of a tunic that does not tell
//	member.serves     whether it has clients; NULL of a tunic that does not tell
//	member.clear      the version that none of its statements in flight holds back; NULL of a tunic that does not tell
//	member.server     which server it is connected to; NULL of a tunic that does not tell; see connection.go
//	member.started    when that server was started, in seconds since 1970
//	connection.member whose connection to the server it is, of a client
//	connection.number the server's number of it
//	connection.port   the port that it comes from, 0 over a Unix socket
//	connection.serial the member's own number of it; 0 of a tunic that gives none
//	connection.started  when the server was started that the row was written at, as that of the member; 0 where that is not
//	                    known, NULL of a tunic that does not tell
//	job.id            the version of the ledger that wrote the row first
//	job.version       the version of the ledger that wrote the row
//	job.sealed        sealed: the form of catalog.Job.Encode
//	progress.*        see progress.go
//	quiesce.*         see quiesce.go: one, always 1; the quiet moment's name, the table's ID and when it begins, in UTC
//	departed.id       16 bytes of a process that has gone; see departed.go
//	departed.server, departed.started  as those of the member
//	seals.*           see seals.go
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
	"CREATE TABLE IF NOT EXISTS " + member + ` (
		id BINARY(16) NOT NULL PRIMARY KEY,
		beat BIGINT UNSIGNED NOT NULL,
		seen BIGINT UNSIGNED NOT NULL,
		link BIGINT UNSIGNED NOT NULL,
		kek BINARY(8) NULL,
		serves BOOLEAN NULL,
		clear BIGINT UNSIGNED NULL,
		server BINARY(16) NULL,
		started BIGINT NULL
	) ENGINE=InnoDB`,
	"CREATE TABLE IF NOT EXISTS " + job + ` (
		id BIGINT UNSIGNED NOT NULL PRIMARY KEY,
		version BIGINT UNSIGNED NOT NULL,
		sealed LONGBLOB NOT NULL
	) ENGINE=InnoDB`,
	"CREATE TABLE IF NOT EXISTS " + progress + ` (
		job BIGINT UNSIGNED NOT NULL PRIMARY KEY,
		place LONGBLOB NOT NULL,
		done BIGINT UNSIGNED NOT NULL,
		expected BIGINT UNSIGNED NOT NULL,
		owner BINARY(16) NOT NULL,
		beat BIGINT UNSIGNED NOT NULL,
		error SMALLINT UNSIGNED NOT NULL
	) ENGINE=InnoDB`,
	"CREATE TABLE IF NOT EXISTS " + quiesce + ` (
		one TINYINT NOT NULL PRIMARY KEY,
		name CHAR(16) CHARACTER SET ascii NOT NULL,
		object BINARY(16) NOT NULL,
		begins DATETIME(6) NOT NULL
	) ENGINE=InnoDB`,
	"CREATE TABLE IF NOT EXISTS " + departed + ` (
		id BINARY(16) NOT NULL PRIMARY KEY,
		server BINARY(16) NULL,
		started BIGINT NULL
	) ENGINE=InnoDB`,
	"CREATE TABLE IF NOT EXISTS " + connection + ` (
		member BINARY(16) NOT NULL,
		number BIGINT UNSIGNED NOT NULL,
		port INT NOT NULL,
		serial BIGINT UNSIGNED NOT NULL DEFAULT 0,
		started BIGINT NULL,
		PRIMARY KEY (member, number, serial)
	) ENGINE=InnoDB`,
	"CREATE TABLE IF NOT EXISTS " + seals + ` (
		domain BINARY(16) NOT NULL,
		epoch SMALLINT UNSIGNED NOT NULL,
		sealed BIGINT UNSIGNED NOT NULL,
		PRIMARY KEY (domain, epoch)
	) ENGINE=InnoDB`,
}

const (
	form       = 2
	formBefore = 1 // the form before, which has no jobs
	project    = "`" + catalog.Schema + "`.project"
	master     = "`" + catalog.Schema + "`.master"
	object     = "`" + catalog.Schema + "`.object"
	journal    = "`" + catalog.Schema + "`.journal"
	member     = "`" + catalog.Schema + "`.member"
	job        = "`" + catalog.Schema + "`.job"
	progress   = "`" + catalog.Schema + "`.progress"
	quiesce    = "`" + catalog.Schema + "`.quiesce"
	departed   = "`" + catalog.Schema + "`.departed"
	connection = "`" + catalog.Schema + "`.connection"
	seals      = "`" + catalog.Schema + "`.seals"
)

// define makes the schema and the tables that are not there yet, and says of a ledger of the
// form before that it is one of this: whoever knows that one only is not to take the rows
// which it does not look for for missing ones.
func define(ctx context.Context, db *sql.Conn) error {
	for _, d := range definitions {
		if _, err := db.ExecContext(ctx, d); err != nil {
			return fmt.Errorf("make the schema %s: %w", catalog.Schema, err)
		}
	}
	for _, c := range later {
		if err := addColumn(ctx, db, c.table, c.column); err != nil {
			return fmt.Errorf("bring the schema %s up to date: %w", catalog.Schema, err)
		}
	}
	_, err := db.ExecContext(ctx, "UPDATE "+project+" SET form = ? WHERE form = ?", form, formBefore)
	return err
}

// later are columns that tables have not had from the beginning.
var later = []struct{ table, column string }{
	{"member", "kek BINARY(8) NULL"},
	{"member", "serves BOOLEAN NULL"},
	{"member", "clear BIGINT UNSIGNED NULL"},
	{"member", "server BINARY(16) NULL"},
	{"member", "started BIGINT NULL"},
	{"departed", "server BINARY(16) NULL"},
	{"departed", "started BIGINT NULL"},
	{"connection", "serial BIGINT UNSIGNED NOT NULL DEFAULT 0, DROP PRIMARY KEY, ADD PRIMARY KEY (member, number, serial)"},
	{"connection", "started BIGINT NULL"},
}

// addColumn gives a table that an older tunic has made a column that it lacks.
func addColumn(ctx context.Context, db *sql.Conn, table, column string) error {
	name, _, _ := strings.Cut(column, " ")
	var has int
	err := db.QueryRowContext(ctx, "SELECT COUNT(*) FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ? AND COLUMN_NAME = ?",
		catalog.Schema, table, name).Scan(&has)
	if err != nil || has > 0 {
		return err
	}
	const twice = 1060 // ER_DUP_FIELDNAME: another tunic was faster
	_, err = db.ExecContext(ctx, "ALTER TABLE `"+catalog.Schema+"`."+table+" ADD COLUMN "+column)
	if said, ok := errors.AsType[*mysql.MySQLError](err); ok && said.Number == twice {
		return nil
	}
	return err
}
