package workload

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"github.com/go-sql-driver/mysql"
)

// Errors of Digests.
var (
	// ErrDenied says that the account may not read the table of digests.
	ErrDenied = errors.New("the service account may not read performance_schema.events_statements_summary_by_digest")
	// ErrOff says that the server keeps none.
	ErrOff = errors.New("the server keeps no digests: performance_schema is off")
)

const digestsTable = "performance_schema.events_statements_summary_by_digest"

// Digests reads the table of digests, the most frequent first. A statement is told by a sample of its
// text where the server keeps a whole one, else by its digest, with question marks for values.
func Digests(ctx context.Context, db *sql.DB, each func(Statement) error) (read Read, err error) {
	var on bool
	if err := db.QueryRowContext(ctx, "SELECT @@performance_schema").Scan(&on); err != nil {
		return read, err
	}
	if !on {
		return read, ErrOff
	}
	var textMax int
	if err := db.QueryRowContext(ctx, "SELECT @@performance_schema_max_sql_text_length").Scan(&textMax); err != nil {
		return read, err
	}
	rows, err := db.QueryContext(ctx, "SELECT SCHEMA_NAME, DIGEST_TEXT, COUNT_STAR, QUERY_SAMPLE_TEXT FROM "+digestsTable+" ORDER BY COUNT_STAR DESC")
	if numbered(err, noSuchColumn) { // MariaDB
		rows, err = db.QueryContext(ctx, "SELECT SCHEMA_NAME, DIGEST_TEXT, COUNT_STAR, NULL FROM "+digestsTable+" ORDER BY COUNT_STAR DESC")
	}
	switch {
	case numbered(err, deniedTable), numbered(err, deniedSchema):
		return read, ErrDenied
	case err != nil:
		return read, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var schema, digest, sample sql.NullString
		var count int64
		if err := rows.Scan(&schema, &digest, &count, &sample); err != nil {
			return read, err
		}
		text, ok := textOf(digest.String, sample.String, textMax)
		if !ok {
			read.Skipped += count
			continue
		}
		read.Statements += count
		if err := each(Statement{Text: []byte(text), Schema: schema.String, Count: count}); err != nil {
			return read, err
		}
	}
	return read, rows.Err()
}

// Numbers of errors of servers.
const (
	noSuchColumn = 1054
	deniedTable  = 1142
	deniedSchema = 1044
)

func numbered(err error, number uint16) bool {
	said, ok := errors.AsType[*mysql.MySQLError](err)
	return ok && said.Number == number
}

// textOf is a statement of a digest, and false if only a part of it was kept.
func textOf(digest, sample string, textMax int) (string, bool) {
	if sample != "" && len(sample) < textMax {
		return strings.TrimRight(sample, "; \n\t"), true
	}
	if digest == "" || strings.HasSuffix(digest, "...") {
		return "", false
	}
	return undigested(digest)
}

// undigested is a digest as a statement: the servers write (...) for a list of values, of which one
// may be as long as any other, but for a row of VALUES.
func undigested(digest string) (string, bool) {
	const list = "(...)"
	values := list
	if head, _, ok := strings.Cut(digest, " VALUES "); ok {
		open := strings.IndexByte(head, '(')
		if open < 0 && strings.Contains(digest, "VALUES "+list) {
			return "", false
		}
		if open >= 0 {
			values = "(?" + strings.Repeat(", ?", strings.Count(head[open:], ",")) + ")"
		}
	}
	digest = strings.ReplaceAll(digest, "VALUES "+list, "VALUES "+values)
	return strings.TrimRight(strings.ReplaceAll(digest, list, "(?, ?)"), "; "), true
}
