package ddl

import (
	"context"
	"database/sql/driver"
	"errors"
	"strings"
	"sync"
)

// recorder keeps every statement that was sent to the server.
type recorder struct {
	mu  sync.Mutex
	all []string
	// cut ends everything at the cut-th statement from now on, as a kill does: it is
	// not sent, or if answerLost is set it is sent and the answer does not arrive. 0
	// is never.
	cut        int
	answerLost bool
	dead       bool
	// atCut is called instead of the end of everything, beside the statement.
	atCut func()
}

var errKilled = errors.New("killed")

// saw is called before a statement is sent.
func (r *recorder) saw(statement string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.dead {
		return errKilled
	}
	if r.cut > 0 {
		if r.cut--; r.cut == 0 && r.atCut != nil {
			go r.atCut()
		} else if r.cut == 0 {
			if r.dead = true; !r.answerLost {
				return errKilled
			}
		}
	}
	r.all = append(r.all, statement)
	return nil
}

// lost says that an answer does not arrive.
func (r *recorder) lost() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.dead {
		return errKilled
	}
	return nil
}

func (r *recorder) text() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Join(r.all, "\n")
}

func (r *recorder) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = nil
}

// recording makes connections that are recorded.
type recording struct {
	driver.Connector
	seen *recorder
}

func (c recording) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &recordedConn{conn.(everything), c.seen}, nil
}

// everything is what the driver's connections can do.
type everything interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.NamedValueChecker
	driver.SessionResetter
	driver.Validator
	driver.Pinger
}

type recordedConn struct {
	everything
	seen *recorder
}

func (c *recordedConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if err := c.seen.saw(query); err != nil {
		return nil, err
	}
	result, err := c.everything.ExecContext(ctx, query, args)
	if lost := c.seen.lost(); lost != nil {
		return nil, lost
	}
	return result, err
}

func (c *recordedConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if err := c.seen.saw(query); err != nil {
		return nil, err
	}
	rows, err := c.everything.QueryContext(ctx, query, args)
	if lost := c.seen.lost(); lost != nil && err == nil {
		_ = rows.Close()
		return nil, lost
	}
	return rows, err
}

func (c *recordedConn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	if err := c.seen.saw(query); err != nil {
		return nil, err
	}
	return c.everything.PrepareContext(ctx, query)
}

func (c *recordedConn) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	if err := c.seen.saw("BEGIN"); err != nil {
		return nil, err
	}
	tx, err := c.everything.BeginTx(ctx, o)
	return &recordedTx{tx, c.seen}, err
}

type recordedTx struct {
	driver.Tx
	seen *recorder
}

func (t *recordedTx) Commit() error {
	if err := t.seen.saw("COMMIT"); err != nil {
		return err
	}
	if err := t.Tx.Commit(); err != nil {
		return err
	}
	return t.seen.lost()
}
