package crashtest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/sandbox"
	"tunic/internal/sqlerr"
)

// client is one of the clients of a tunic. It is one goroutine's.
type client struct {
	w     *world
	at    *node
	name  string
	rnd   *rand.Rand
	doing atomic.Value // what it does, for who asks why it does not end

	db       *sql.DB
	conn     *sql.Conn
	link     int64 // the server's number of the connection
	restarts int64 // of the server before it
}

// newClient makes one, with a random order of its own.
func (w *world) newClient(name string, at *node, seed uint64) *client {
	return &client{w: w, at: at, name: name + " at " + at.name, rnd: rand.New(rand.NewPCG(seed, 0))}
}

const database = "bank"

// connect connects anew, as long as that takes.
func (c *client) connect() error {
	c.close()
	return eventually(stuck, func() error {
		c.doing.Store("connecting")
		if c.w.over.Load() {
			return nil // and c.conn is
		}
		config := mysql.NewConfig()
		config.Net, config.Addr, config.DBName = "tcp", c.at.addr, database
		config.User, config.Passwd, config.Logger = sandbox.AppUser, sandbox.AppPassword, &mysql.NopLogger{}
		connector, err := mysql.NewConnector(config)
		if err != nil {
			return err
		}
		c.restarts = c.w.restarts.Load()
		c.db = sql.OpenDB(connector)
		ctx, cancel := limited()
		defer cancel()
		if c.conn, err = c.db.Conn(ctx); err == nil {
			err = c.conn.QueryRowContext(ctx, "SELECT CONNECTION_ID()").Scan(&c.link)
		}
		if err != nil {
			c.close()
			return fmt.Errorf("connect: %w", err)
		}
		return nil
	})
}

func (c *client) close() {
	if c.conn != nil {
		_ = c.conn.Close()
	}
	if c.db != nil {
		_ = c.db.Close()
	}
	c.conn, c.db = nil, nil
}

func limited() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), stuck)
}

// exec runs a statement and returns how many rows it has changed.
func (c *client) exec(query string, args ...any) (changed int64, err error) {
	c.doing.Store(query)
	if c.conn == nil {
		if err := c.connect(); err != nil || c.conn == nil {
			return 0, errors.Join(errOver, err)
		}
	}
	ctx, cancel := limited()
	defer cancel()
	done, err := c.conn.ExecContext(ctx, query, args...)
	if err != nil {
		return 0, err
	}
	return done.RowsAffected()
}

// rows are the rows of a query, NULL as "NULL".
func (c *client) rows(query string, args ...any) (all [][]string, err error) {
	c.doing.Store(query)
	if c.conn == nil {
		if err := c.connect(); err != nil || c.conn == nil {
			return nil, errors.Join(errOver, err)
		}
	}
	ctx, cancel := limited()
	defer cancel()
	found, err := c.conn.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = found.Close() }()
	names, err := found.Columns()
	if err != nil {
		return nil, err
	}
	for found.Next() {
		cells, into := make([]sql.NullString, len(names)), make([]any, len(names))
		for i := range cells {
			into[i] = &cells[i]
		}
		if err := found.Scan(into...); err != nil {
			return nil, err
		}
		row := make([]string, len(names))
		for i := range cells {
			if row[i] = cells[i].String; !cells[i].Valid {
				row[i] = "NULL"
			}
		}
		all = append(all, row)
	}
	return all, found.Err()
}

// errOver says that a client is to end, and cannot connect any more.
var errOver = errors.New("all is over")

// outcome is what a client knows of a statement, or of a transaction.
type outcome int

const (
	done    outcome = iota
	undone          // the server has said that it was not done
	unknown         // it was done or not
)

// Errors of a server that say that nothing was done, which a plain server answers with too.
const (
	deadlock = 1213
	lockWait = 1205
	// These are for who has a table that is converted: its transaction has begun before, or its
	// statement is to be prepared again.
	changed  = 1412
	prepared = 1615
)

// judge says what an error means. Where it is not known what was done, nothing more comes of
// it once judge has returned, and the client is connected anew.
func (c *client) judge(err error) (outcome, error) {
	if err == nil {
		return done, nil
	}
	if errors.Is(err, errOver) {
		return unknown, err
	}
	said, answered := errors.AsType[*mysql.MySQLError](err)
	switch {
	case answered && (said.Number == deadlock || said.Number == lockWait || c.w.converts && (said.Number == changed || said.Number == prepared)):
		c.w.count(fmt.Sprintf("statements answered with %d", said.Number))
		if _, err := c.exec("ROLLBACK"); err != nil {
			return c.lost()
		}
		return undone, nil
	case answered:
		c.w.count(fmt.Sprintf("statements answered with %d: %s", said.Number, said.Message))
		if !c.w.excused(said) {
			return unknown, fmt.Errorf("%v: %w", c.doing.Load(), err)
		}
	default:
		c.w.count("connections of clients that broke")
	}
	return c.lost()
}

// excused reports whether an error is one that a client has to expect while the server, or
// its own tunic, has been away. That another tunic is killed is no excuse.
func (w *world) excused(e *mysql.MySQLError) bool {
	if !w.away.Load() {
		return false
	}
	switch e.Number {
	case 1053, 1927, 3169, 1317: // the server, or the connection, ends
		return true
	}
	return says(e, sqlerr.LedgerLost(), sqlerr.TableUnlisted(""), sqlerr.NoLedger(), sqlerr.NotDescribed(), sqlerr.ServerUnreachable("tcp"))
}

// says reports whether an error is one of tunic's own.
func says(e *mysql.MySQLError, own ...*sqlerr.Error) bool {
	return slices.ContainsFunc(own, func(o *sqlerr.Error) bool {
		return e.Number == o.Number && strings.HasPrefix(e.Message, o.Code.String()+":")
	})
}

// lost waits until nothing of what the client has sent is under way any more: until its
// session at the server has ended.
func (c *client) lost() (outcome, error) {
	link, restarts, what := c.link, c.restarts, c.doing.Load()
	c.close()
	c.doing.Store(fmt.Sprintf("waiting for the end of session %d: %v", link, what))
	err := eventually(stuck, func() error {
		if c.w.restarts.Load() != restarts {
			return nil
		}
		var sessions int
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		err := c.w.root.QueryRowContext(ctx, "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE ID = ?", link).Scan(&sessions)
		if err == nil && sessions > 0 {
			return fmt.Errorf("session %d goes on at the server after its client has gone: %v", link, what)
		}
		return err
	})
	if err != nil {
		return unknown, err
	}
	return unknown, c.connect()
}

// certain runs what changes nothing until it is answered, whatever is killed meanwhile.
func (c *client) certain(query string, args ...any) (all [][]string, err error) {
	for {
		if all, err = c.rows(query, args...); err == nil {
			return all, nil
		}
		if _, err := c.judge(err); err != nil {
			return nil, err
		}
	}
}
