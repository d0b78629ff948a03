package layers

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"

	"github.com/go-sql-driver/mysql"
)

// ownLink is a connection of the service account's.
type ownLink struct {
	conn     *sql.Conn
	borrowed bool // it is somebody else's
}

// settings are those of an ownLink. Dates are read and written in one time zone, and as
// they are; locks are of rows that are changed, and not of what is between them.
var settings = []string{
	"SET NAMES utf8mb4",
	"SET SESSION sql_mode = '', time_zone = '+00:00'",
	"SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
}

// connect makes the connection, of one that is borrowed if there is one.
func connect(ctx context.Context, db *sql.DB, borrowed *sql.Conn) (*ownLink, error) {
	l := &ownLink{conn: borrowed, borrowed: borrowed != nil}
	if !l.borrowed {
		var err error
		if l.conn, err = db.Conn(ctx); err != nil {
			return nil, err
		}
	}
	for _, s := range settings {
		if err := l.exec(ctx, s); err != nil {
			l.close()
			return nil, err
		}
	}
	return l, nil
}

// close ends the connection for good: its settings are nobody else's. One that was borrowed is
// left outside of a transaction.
func (l *ownLink) close() {
	if l.borrowed {
		_, _ = l.conn.ExecContext(context.Background(), "ROLLBACK")
		return
	}
	_ = l.conn.Raw(func(any) error { return driver.ErrBadConn })
	_ = l.conn.Close()
}

func (l *ownLink) exec(ctx context.Context, statement string) error {
	_, err := l.conn.ExecContext(ctx, statement)
	return moved(err)
}

// ExecContext is of a Link.
func (l *ownLink) ExecContext(ctx context.Context, statement string, args ...any) (sql.Result, error) {
	return l.conn.ExecContext(ctx, statement, args...)
}

// moved is ErrMoved of what servers say of a statement whose table has another fence, name
// or key, or has got one within the transaction.
func moved(err error) error {
	const noSchema, noColumn, noTable, noKey, changed = 1049, 1054, 1146, 1176, 1412
	if said, ok := errors.AsType[*mysql.MySQLError](err); ok {
		switch said.Number {
		case noSchema, noColumn, noTable, noKey, changed:
			return fmt.Errorf("%w: %w", ErrMoved, err)
		}
	}
	return err
}

func (l *ownLink) update(ctx context.Context, statement string, rows int) error {
	result, err := l.conn.ExecContext(ctx, statement)
	if err != nil {
		return moved(err)
	}
	if n, err := result.RowsAffected(); err != nil || n != int64(rows) {
		return errors.Join(fmt.Errorf("%w: a row was not found again by its key", ErrForeignWrite), err)
	}
	return nil
}

func (l *ownLink) query(ctx context.Context, statement string) (all [][][]byte, err error) {
	err = l.each(ctx, statement, func(cells [][]byte) error {
		all = append(all, cells)
		return nil
	})
	return all, err
}

// each hands on the rows of a query one by one as they come.
func (l *ownLink) each(ctx context.Context, statement string, hand func(cells [][]byte) error) (err error) {
	rows, err := l.conn.QueryContext(ctx, statement)
	if err != nil {
		return moved(err)
	}
	defer func() { err = moved(errors.Join(err, rows.Close())) }()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	for rows.Next() {
		cells, into := make([][]byte, len(columns)), make([]any, len(columns))
		for i := range cells {
			into[i] = &cells[i]
		}
		if err := rows.Scan(into...); err != nil {
			return err
		}
		if err := hand(cells); err != nil {
			return err
		}
	}
	return rows.Err()
}
