package backend

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"tunic/internal/wire"
)

// Account is an account of the server: 'user'@'host'.
type Account struct{ User, Host string }

// CurrentUser asks, in UTF-8 whatever the client's character set, which account the client has been logged in as. It may only
// be called between the server's OK and the first command.
func (c *Conn) CurrentUser() (Account, error) {
	row, err := c.queryRow("SELECT HEX(CONVERT(CURRENT_USER() USING utf8mb4))", 1)
	if err != nil {
		return Account{}, fmt.Errorf("ask for the current account: %w", err)
	}
	account, err := hex.DecodeString(row[0])
	if err != nil {
		return Account{}, fmt.Errorf("%w: the current account is not hexadecimal", wire.ErrMalformed)
	}
	name := string(account)
	at := strings.LastIndexByte(name, '@')
	if at < 0 {
		return Account{}, fmt.Errorf("%w: the current account has no host", wire.ErrMalformed)
	}
	return Account{User: name[:at], Host: name[at+1:]}, nil
}

// Settings are what of a session changes how its statements are read.
type Settings struct {
	SQLMode string
	Charset string // character_set_client
	Schema  string // "" if none is chosen
}

// settingsQuery gives bytes, which no setting of the session converts, and one
// row, whatever sql_select_limit is. It reads alike in every sql_mode and every
// character set.
var settingsQuery = "SELECT " + InBytes("@@sql_mode") + ", " + InBytes("@@character_set_client") + ", " + InBytes("DATABASE()") + ", " + processColumn + " LIMIT 1"

// Settings asks the server for the session's own settings. It may be called
// between two commands, and changes what FOUND_ROWS(), ROW_COUNT() and the list
// of warnings say.
func (c *Conn) Settings() (Settings, error) {
	row, err := c.queryRow(settingsQuery, 4)
	if err != nil {
		return Settings{}, fmt.Errorf("ask for the session's settings: %w", err)
	}
	c.tellsProcess(row[3])
	return Settings{SQLMode: row[0], Charset: row[1], Schema: row[2]}, nil
}

// Errors of what tunic asks the server over a client's connection.
var (
	// ErrShape says that an answer was not the one row that was asked for.
	ErrShape = errors.New("the server's answer is not one row")
	// ErrAnswered says that the server has answered with an error. The connection
	// is as good as before.
	ErrAnswered = errors.New("the server answers with an error")
)

// Columns runs a statement and returns the columns of its result, whose rows are
// dropped.
func (c *Conn) Columns(text []byte) ([]wire.ColumnDefinition, error) {
	columns, _, err := c.Rows(text)
	return columns, err
}

// Rows runs a statement and returns the columns of its result, and its rows as
// text; NULL is empty.
func (c *Conn) Rows(text []byte) (columns []wire.ColumnDefinition, rows [][]string, err error) {
	columns, rows, _, err = c.RowsWarned(text)
	return columns, rows, err
}

// RowsWarned is Rows with how many warnings there are.
func (c *Conn) RowsWarned(text []byte) (columns []wire.ColumnDefinition, rows [][]string, warnings uint16, err error) {
	columns, rows, _, warnings, err = c.rows(text)
	return columns, rows, warnings, err
}

// rows is RowsWarned with the flags of the session.
func (c *Conn) rows(text []byte) (columns []wire.ColumnDefinition, rows [][]string, status wire.Status, warnings uint16, err error) {
	c.SetSequence(0)
	if err := c.Send(wire.Bytes(wire.Query{Text: text}.AppendQuery(nil, c.Capabilities))); err != nil {
		return nil, nil, 0, 0, err
	}
	var response wire.Response
	response.Begin(wire.ComQuery, c.Capabilities, c.Sequence())
	for !response.Done() {
		inColumns, inRows := response.InColumns(), response.InRows()
		frame, err := c.nextFrame(&response)
		if err != nil {
			return nil, nil, 0, 0, err
		}
		payload := frame[wire.HeaderBytes:]
		switch {
		case response.Failed:
			return nil, nil, 0, 0, c.answered(payload)
		case inColumns && !response.Done():
			column, err := wire.DecodeColumn(bytes.Clone(payload), c.Capabilities)
			if err != nil {
				return nil, nil, 0, 0, err
			}
			columns = append(columns, column)
		case inRows && response.InRows():
			row, err := textRow(payload, len(columns))
			if err != nil {
				return nil, nil, 0, 0, err
			}
			rows = append(rows, row)
		}
	}
	return columns, rows, response.Status, response.Warnings, nil
}

// answered is the error that the server has answered with, of which the client may not be told.
func (c *Conn) answered(payload []byte) error {
	m, err := wire.DecodeErr(bytes.Clone(payload))
	if err != nil {
		return err
	}
	c.KeepUntold(m, false)
	return &AnswerError{m}
}

func textRow(payload []byte, columns int) ([]string, error) {
	cells, err := wire.DecodeTextRow(nil, payload, columns)
	if err != nil {
		return nil, errors.Join(ErrShape, err)
	}
	row := make([]string, 0, columns)
	for _, cell := range cells {
		row = append(row, string(cell.Bytes))
	}
	return row, nil
}

// queryRow runs a statement that returns one row of so many columns.
func (c *Conn) queryRow(text string, columns int) ([]string, error) {
	row, _, err := c.queryDefined(text, columns)
	return row, err
}

// queryDefined is queryRow that returns how the server defines the columns as well.
func (c *Conn) queryDefined(text string, columns int) (row []string, defined []wire.ColumnDefinition, err error) {
	defined, rows, err := c.Rows([]byte(text))
	if err != nil {
		return nil, nil, err
	}
	if len(rows) != 1 || len(defined) != columns {
		return nil, nil, ErrShape
	}
	return rows[0], defined, nil
}

// nextFrame reads the next whole frame of an answer that fits into the buffer.
func (c *Conn) nextFrame(response *wire.Response) ([]byte, error) {
	for {
		buffered := c.Buffered()
		n, err := response.Step(buffered)
		if err != nil {
			return nil, err
		}
		if n > 0 {
			c.Advance(n)
			return buffered[:n], nil
		}
		if err := c.Fill(); err != nil {
			return nil, err
		}
	}
}
