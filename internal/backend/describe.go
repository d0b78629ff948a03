package backend

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"tunic/internal/identifier"
	"tunic/internal/wire"
)

// AnswerError is an error that the server has answered with. It is an ErrAnswered.
type AnswerError struct{ Err wire.Err }

// Error implements error.
func (e *AnswerError) Error() string {
	return fmt.Sprintf("%v, number %d", ErrAnswered, e.Err.Number)
}

// Is makes it an ErrAnswered.
func (e *AnswerError) Is(target error) bool { return target == ErrAnswered }

// DescribeAs is what of a session a description depends on.
type DescribeAs struct {
	Client     string // character_set_client
	Results    string // character_set_results; "" is NULL
	Connection string // collation_connection
	SQLMode    string
	ConcatMax  int // group_concat_max_len, in bytes
	// DivPrecision is div_precision_increment.
	DivPrecision int
	// Variables are assignments of user variables, each behind a comma and a space.
	Variables string
	// Schema is that of functions and sequences that are named without one, "" for any. One that
	// the service account may not use is left out.
	Schema string
}

// statement sets a session to it.
func (as DescribeAs) statement() (string, error) {
	results := as.Results
	if results == "" {
		results = "NULL"
	}
	for _, s := range [...]string{as.Client, results, as.Connection, as.SQLMode} {
		if strings.ContainsFunc(s, func(r rune) bool { return !strings.ContainsRune(settingRunes, r) }) {
			return "", fmt.Errorf("%w: a setting is no name", ErrShape)
		}
	}
	return fmt.Sprintf("SET character_set_client = %s, character_set_results = %s, collation_connection = %s, sql_mode = '%s', group_concat_max_len = %d, div_precision_increment = %d%s",
		as.Client, results, as.Connection, as.SQLMode, as.ConcatMax, as.DivPrecision, as.Variables), nil
}

// settingRunes are those of names of modes, character sets and collations.
const settingRunes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_,"

// Describer asks the server how it describes statements, over connections of the
// service account. It is safe for concurrent use.
type Describer struct {
	service *Service
	slots   chan struct{}

	mu   sync.Mutex
	idle []*describing
}

// describing is a connection, and what its session was last set to.
type describing struct {
	conn *Conn
	as   DescribeAs
	used time.Time
}

const (
	// describersMax is how many connections ask at a time: a description is asked for
	// once a statement.
	describersMax = 2
	// describerIdle is how long a connection is kept without a use, less than servers
	// wait (wait_timeout is 8 hours, and often set to minutes).
	describerIdle = 30 * time.Second
)

// NewDescriber makes a Describer. It connects when it is first asked.
func NewDescriber(s *Service) *Describer {
	return &Describer{service: s, slots: make(chan struct{}, describersMax)}
}

// Close closes the connections.
func (d *Describer) Close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, c := range d.idle {
		_ = c.conn.Close()
	}
	d.idle = nil
}

// Describe prepares a statement and returns how the server describes it, and executes it where
// execution, which is what follows the number in COM_STMT_EXECUTE, is not empty. The error is an
// *AnswerError if it is the server's about the statement.
func (d *Describer) Describe(statement, execution []byte, as DescribeAs) (params, columns []wire.ColumnDefinition, err error) {
	d.slots <- struct{}{}
	defer func() { <-d.slots }()
	c, err := d.take(as)
	if err != nil {
		return nil, nil, err
	}
	params, columns, err = c.conn.Describe(statement, execution)
	if err != nil && !errors.Is(err, ErrAnswered) {
		_ = c.conn.Close()
		return nil, nil, err
	}
	c.used = time.Now()
	d.mu.Lock()
	d.idle = append(d.idle, c)
	d.mu.Unlock()
	return params, columns, err
}

// take is a connection whose session is set.
func (d *Describer) take(as DescribeAs) (*describing, error) {
	c := d.kept()
	if c == nil {
		conn, err := d.service.Connect(context.Background())
		if err != nil { // what the server says of the account is no answer about a statement
			return nil, fmt.Errorf("connect to describe a statement: %v", err) //nolint:errorlint // and is not to be taken for one
		}
		c = &describing{conn: conn}
	}
	deadline := time.Now().Add(d.service.target.timeout)
	if err := c.set(as, deadline); err != nil {
		_ = c.conn.Close()
		return nil, err
	}
	return c, nil
}

// kept is a connection that can be used again, nil if there is none.
func (d *Describer) kept() *describing {
	d.mu.Lock()
	defer d.mu.Unlock()
	for len(d.idle) > 0 {
		c := d.idle[len(d.idle)-1]
		d.idle = d.idle[:len(d.idle)-1]
		if time.Since(c.used) < describerIdle && !c.conn.HungUp() {
			return c
		}
		_ = c.conn.Close()
	}
	return nil
}

// set sets the session, if it is not set so already.
func (c *describing) set(as DescribeAs, deadline time.Time) error {
	if err := c.conn.SetDeadline(deadline); err != nil || c.as == as {
		return err
	}
	statement, err := as.statement()
	if err != nil {
		return err
	}
	if err := c.conn.run(statement); err != nil {
		return fmt.Errorf("set a session that describes: %w", err)
	}
	if as.Schema != "" && as.Schema != c.as.Schema {
		use := "USE " + identifier.Quoted(as.Schema)
		if err := c.conn.run(use); err != nil && !errors.Is(err, ErrAnswered) {
			return fmt.Errorf("set a session that describes: %w", err)
		}
	}
	c.as = as
	return nil
}

// run runs a statement without rows.
func (c *Conn) run(statement string) error {
	_, err := c.Columns([]byte(statement))
	return err
}

// Describe prepares a statement, returns how the server describes it, and closes it again.
// execution is how it is executed meanwhile, if it is not empty: the columns are those of its
// result then, unless the server refuses it.
func (c *Conn) Describe(statement, execution []byte) (params, columns []wire.ColumnDefinition, err error) {
	c.SetSequence(0)
	if err := c.Send(wire.Bytes(append([]byte{byte(wire.ComStmtPrepare)}, statement...))); err != nil {
		return nil, nil, err
	}
	var r wire.Response
	var definitions []wire.ColumnDefinition
	r.Begin(wire.ComStmtPrepare, c.Capabilities, c.Sequence())
	for !r.Done() {
		first := !r.Described
		frame, err := c.nextFrame(&r)
		if err != nil {
			return nil, nil, err
		}
		payload := bytes.Clone(frame[wire.HeaderBytes:])
		switch {
		case r.Failed:
			m, err := wire.DecodeErr(payload)
			return nil, nil, errors.Join(err, &AnswerError{m})
		case first || r.Ended() == wire.EndedDefinitions:
			continue
		}
		column, err := wire.DecodeColumn(payload, c.Capabilities)
		if err != nil {
			return nil, nil, err
		}
		definitions = append(definitions, column)
	}
	n := int(r.Prepared.Params)
	if !r.Described || len(definitions) != n+int(r.Prepared.Columns) {
		return nil, nil, ErrShape
	}
	params, columns = definitions[:n], definitions[n:]
	if len(execution) > 0 {
		if columns, err = c.executed(r.Prepared.ID, execution, columns); err != nil {
			return nil, nil, err
		}
	}
	c.SetSequence(0)
	return params, columns, c.Send(wire.Execute{Command: wire.ComStmtClose, Statement: r.Prepared.ID})
}

// executed executes a prepared statement, drops its rows and returns the columns of its result;
// those that it was prepared with if the server refuses.
func (c *Conn) executed(id uint32, execution []byte, prepared []wire.ColumnDefinition) (columns []wire.ColumnDefinition, err error) {
	c.SetSequence(0)
	if err := c.Send(wire.Execute{Command: wire.ComStmtExecute, Statement: id, Rest: execution}); err != nil {
		return nil, err
	}
	var r wire.Response
	r.Begin(wire.ComStmtExecute, c.Capabilities, c.Sequence())
	for !r.Done() {
		inColumns := r.InColumns()
		frame, err := c.nextFrame(&r)
		switch {
		case err != nil:
			return nil, err
		case r.Failed:
			return prepared, nil
		case !inColumns || r.Ended() != wire.EndedNothing:
			continue
		}
		column, err := wire.DecodeColumn(bytes.Clone(frame[wire.HeaderBytes:]), c.Capabilities)
		if err != nil {
			return nil, err
		}
		columns = append(columns, column)
	}
	switch len(columns) {
	case len(prepared):
		return columns, nil
	case 0: // they are the same, and MariaDB does not repeat them
		return prepared, nil
	default:
		return nil, ErrShape
	}
}
