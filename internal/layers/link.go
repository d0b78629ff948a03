package layers

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/go-sql-driver/mysql"
)

// ownLink is a connection of the service account's.
type ownLink struct {
	db       *sql.DB
	conn     *sql.Conn
	borrowed bool     // it is somebody else's
	settings []string // beyond those of every one

	cuts int       // how often it has been made anew of late
	cut  time.Time // when it was last
}

// silence is after how long the server takes who holds rows for dead, if nothing comes from there.
const silence = 10 * time.Second

// letGo has the server end a transaction, and so let go of its rows, when this process is stopped or its machine is gone:
// clients wait 50 seconds for a row. A process that is stopped does not read either.
var letGo = fmt.Sprintf("SET SESSION wait_timeout = %[1]d, net_write_timeout = %[1]d, net_read_timeout = %[1]d", silence/time.Second)

// settings are those of an ownLink. Dates are read and written in one time zone, and as
// they are; locks are of rows that are changed, and not of what is between them.
var settings = []string{
	"SET NAMES utf8mb4",
	"SET SESSION sql_mode = '', time_zone = '+00:00'",
	"SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
}

// connect makes the connection, of one that is borrowed if there is one, with more settings.
func connect(ctx context.Context, db *sql.DB, borrowed *sql.Conn, more ...string) (*ownLink, error) {
	l := &ownLink{db: db, conn: borrowed, borrowed: borrowed != nil, settings: more}
	if !l.borrowed {
		var err error
		if l.conn, err = db.Conn(ctx); err != nil {
			return nil, err
		}
	}
	for _, s := range slices.Concat(settings, more) {
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

// Times and numbers of connections that the server closes.
const (
	cutPause = 2 * time.Second // before the next one, in which who has lost a claim by the same stop notices that
	cutsMost = 5               // of them in a row
	cutsLong = time.Minute     // without one until they are no row any more
)

// again is nil if an error was that the server has closed the connection, and there is another one: what was being
// done is to be done again. It is the error otherwise.
func (l *ownLink) again(ctx context.Context, err error) error {
	if ctx.Err() != nil || l.borrowed || !closed(err) {
		return err
	}
	if time.Since(l.cut) > cutsLong {
		l.cuts = 0
	}
	if l.cuts++; l.cuts > cutsMost {
		return err
	}
	l.cut = time.Now()
	l.close()
	if err := wait(ctx, cutPause); err != nil {
		return err
	}
	next, err := connect(ctx, l.db, nil, l.settings...)
	if err != nil {
		return err
	}
	l.conn = next.conn
	return nil
}

// closed reports whether an error is that the server has closed the connection.
func closed(err error) bool {
	const silent, killed = 4031, 1927 // as servers say that they have
	said, ok := errors.AsType[*mysql.MySQLError](err)
	return ok && (said.Number == silent || said.Number == killed) ||
		errors.Is(err, mysql.ErrInvalidConn) || errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone)
}

// awake does something that may take long and for which the server is not needed. The server is spoken to meanwhile, for
// it would take the connection for dead, where nothing is held.
func (l *ownLink) awake(ctx context.Context, do func(context.Context) error) error {
	if l.borrowed { // its owner keeps it awake
		return do(ctx)
	}
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(silence / 4)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				_, _ = l.conn.ExecContext(ctx, "DO 0") // what comes next notices a connection that is gone
			}
		}
	}()
	err := do(ctx)
	close(stop)
	<-done
	return err
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
