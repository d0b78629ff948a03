package tpcc

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-sql-driver/mysql"
)

// Kind is one of the five transactions.
type Kind int

// The transactions, in the specification's order.
const (
	NewOrder Kind = iota
	Payment
	OrderStatus
	Delivery
	StockLevel
	Kinds // how many there are
)

var kindNames = [Kinds]string{"New-Order", "Payment", "Order-Status", "Delivery", "Stock-Level"}

func (k Kind) String() string { return kindNames[k] }

// deck is what a terminal draws from until it is empty, so that the mix is exact
// (clause 5.2.4.2): 10 New-Order, 10 Payment and one each of the others.
func deck() []Kind {
	cards := []Kind{OrderStatus, Delivery, StockLevel}
	for range 10 {
		cards = append(cards, NewOrder, Payment)
	}
	return cards
}

// Mode is how a terminal sends its statements.
type Mode int

// The modes.
const (
	Prepared Mode = iota
	Text          // needs a connection that interpolates parameters
)

// Terminal is one client on a connection of its own. It is not for concurrent use.
type Terminal struct {
	conn      *sql.Conn
	scale     Scale
	random    *random
	mode      Mode
	warehouse int // its home
	district  int // whose stock it looks at, always the same (clause 2.8.1.1)
	cards     []Kind
	prepared  map[string]*sql.Stmt
	answers   io.Writer

	statements int // sent so far
}

// NewTerminal returns the terminal of a number from 0 on; each number of a seed draws
// other transactions. What the database answers is written to answers unless it is nil.
func NewTerminal(conn *sql.Conn, s Scale, seed uint64, number int, mode Mode, answers io.Writer) *Terminal {
	const afterTheLoad = 1000 // its streams are others
	return &Terminal{
		conn: conn, scale: s, mode: mode, answers: answers,
		random:    newRandom(seed, uint64(afterTheLoad+number)),
		warehouse: number%s.Warehouses + 1,
		district:  number/s.Warehouses%s.Districts + 1,
		prepared:  map[string]*sql.Stmt{},
	}
}

// Close gives back the prepared statements.
func (t *Terminal) Close() error {
	var all error
	for _, s := range t.prepared {
		all = errors.Join(all, s.Close())
	}
	return all
}

// Outcome is what came of a transaction.
type Outcome struct {
	Kind       Kind
	RolledBack bool // by the client, as one in a hundred New-Orders is (clause 2.4.1.4)
	Retries    int  // after deadlocks and lock timeouts
}

// errUnknownItem is the order that the client rolls back.
var errUnknownItem = errors.New("an item that is not there")

// Next draws a transaction and carries it out. One that is the victim of a deadlock,
// or has waited for a lock too long, is tried again as it was, as clients do.
func (t *Terminal) Next(ctx context.Context) (Outcome, error) {
	o := Outcome{Kind: t.draw()}
	input := t.inputOf(o.Kind)
	for {
		err := t.transaction(ctx, input)
		switch {
		case errors.Is(err, errUnknownItem):
			o.RolledBack = true
			return o, nil
		case err == nil:
			return o, nil
		case !isLockFailure(err) || ctx.Err() != nil:
			return o, fmt.Errorf("tpcc: %s: %w", o.Kind, err)
		}
		o.Retries++
	}
}

// Numbers of errors after which a client tries again.
const (
	errLockWaitTimeout = 1205
	errDeadlock        = 1213
)

func isLockFailure(err error) bool {
	var e *mysql.MySQLError
	return errors.As(err, &e) && (e.Number == errDeadlock || e.Number == errLockWaitTimeout)
}

func (t *Terminal) draw() Kind {
	if len(t.cards) == 0 {
		t.cards = deck()
		t.random.Shuffle(len(t.cards), func(i, j int) { t.cards[i], t.cards[j] = t.cards[j], t.cards[i] })
	}
	last := len(t.cards) - 1
	card := t.cards[last]
	t.cards = t.cards[:last]
	return card
}

// input is a transaction with all that was drawn for it.
type input interface {
	run(c *call)
}

func (t *Terminal) inputOf(k Kind) input {
	switch k {
	case NewOrder:
		return t.drawNewOrder()
	case Payment:
		return t.drawPayment()
	case OrderStatus:
		return t.drawOrderStatus()
	case Delivery:
		return t.drawDelivery()
	default:
		return t.drawStockLevel()
	}
}

// transaction carries out one attempt.
func (t *Terminal) transaction(ctx context.Context, in input) error {
	t.statements += 2 // the ones around it
	if _, err := t.conn.ExecContext(ctx, "BEGIN"); err != nil {
		return err
	}
	c := &call{terminal: t, ctx: ctx}
	in.run(c)
	end := "COMMIT"
	if c.err != nil {
		end = "ROLLBACK"
	}
	// A statement that failed has decided; that the rollback behind it fails as well,
	// on a connection that is gone, says nothing new.
	if _, err := t.conn.ExecContext(context.WithoutCancel(ctx), end); err != nil && c.err == nil {
		return err
	}
	t.note(c)
	return c.err
}

// note writes down what the attempt has answered.
func (t *Terminal) note(c *call) {
	if t.answers == nil {
		return
	}
	if c.err != nil {
		fmt.Fprintf(&c.answers, " then %v", c.err)
	}
	_, _ = fmt.Fprintln(t.answers, c.answers.String())
}

// call is one attempt at a transaction. After the first error it does nothing more,
// so that transactions read as the specification has them.
type call struct {
	terminal *Terminal
	ctx      context.Context //nolint:containedctx // of the one transaction that the call lives for
	err      error
	answers  strings.Builder
}

// exec carries out a statement that has to change, or find, as many rows.
func (c *call) exec(rows int64, text string, args ...any) {
	if c.err != nil {
		return
	}
	result, err := c.execute(text, args)
	if err != nil {
		c.err = err
		return
	}
	n, err := result.RowsAffected()
	if err == nil && rows != anyNumber && n != rows {
		err = fmt.Errorf("%d rows affected where %d have to be: %s", n, rows, text)
	}
	fmt.Fprintf(&c.answers, " %d", n)
	c.err = err
}

// anyNumber of rows will do.
const anyNumber = -1

func (c *call) execute(text string, args []any) (sql.Result, error) {
	c.terminal.statements++
	if c.terminal.mode == Text {
		return c.terminal.conn.ExecContext(c.ctx, text, args...)
	}
	stmt, err := c.statement(text) //nolint:sqlclosecheck // Terminal.Close does
	if err != nil {
		return nil, err
	}
	return stmt.ExecContext(c.ctx, args...)
}

// query returns all rows, values as text.
func (c *call) query(text string, args ...any) [][]string {
	if c.err != nil {
		return nil
	}
	rows, err := c.open(text, args)
	if err != nil {
		c.err = err
		return nil
	}
	defer rows.Close() //nolint:errcheck // read to its end, or failed
	read, err := readRows(rows)
	c.err = err
	fmt.Fprintf(&c.answers, " %q", read)
	return read
}

// one is query for what has exactly one row.
func (c *call) one(text string, args ...any) []string {
	rows := c.query(text, args...)
	if c.err == nil && len(rows) != 1 {
		c.err = fmt.Errorf("%d rows where there has to be one: %s", len(rows), text)
	}
	if c.err != nil {
		return make([]string, 10) // as many as any transaction looks at
	}
	return rows[0]
}

func (c *call) open(text string, args []any) (*sql.Rows, error) {
	c.terminal.statements++
	if c.terminal.mode == Text {
		return c.terminal.conn.QueryContext(c.ctx, text, args...)
	}
	stmt, err := c.statement(text) //nolint:sqlclosecheck // Terminal.Close does
	if err != nil {
		return nil, err
	}
	return stmt.QueryContext(c.ctx, args...)
}

// statement is prepared once for the terminal.
func (c *call) statement(text string) (*sql.Stmt, error) {
	if s := c.terminal.prepared[text]; s != nil {
		return s, nil
	}
	s, err := c.terminal.conn.PrepareContext(c.ctx, text)
	if err == nil {
		c.terminal.prepared[text] = s
	}
	return s, err
}

func readRows(rows *sql.Rows) ([][]string, error) {
	names, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	var all [][]string
	for rows.Next() {
		values := make([]sql.NullString, len(names))
		into := make([]any, len(names))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		row := make([]string, len(names))
		for i, v := range values {
			row[i] = "NULL"
			if v.Valid {
				row[i] = v.String
			}
		}
		all = append(all, row)
	}
	return all, rows.Err()
}
