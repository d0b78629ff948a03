package ddl

import (
	"context"
	"database/sql/driver"
	"strings"
	"sync"
)

// recorder keeps every statement that was sent to the server.
type recorder struct {
	mu  sync.Mutex
	all []string
	// stop, if set, is asked before each statement; an error of it is the
	// statement's, which is not sent then.
	stop func(statement string) error
}

func (r *recorder) saw(statement string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stop != nil {
		if err := r.stop(statement); err != nil {
			return err
		}
	}
	r.all = append(r.all, statement)
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
	return c.everything.ExecContext(ctx, query, args)
}

func (c *recordedConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if err := c.seen.saw(query); err != nil {
		return nil, err
	}
	return c.everything.QueryContext(ctx, query, args)
}

func (c *recordedConn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	if err := c.seen.saw(query); err != nil {
		return nil, err
	}
	return c.everything.PrepareContext(ctx, query)
}
