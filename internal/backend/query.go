package backend

import (
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
	name, err := c.queryOne("SELECT HEX(CONVERT(CURRENT_USER() USING utf8mb4))")
	if err != nil {
		return Account{}, fmt.Errorf("ask for the current account: %w", err)
	}
	account, err := hex.DecodeString(name)
	if err != nil {
		return Account{}, fmt.Errorf("%w: the current account is not hexadecimal", wire.ErrMalformed)
	}
	name = string(account)
	at := strings.LastIndexByte(name, '@')
	if at < 0 {
		return Account{}, fmt.Errorf("%w: the current account has no host", wire.ErrMalformed)
	}
	return Account{User: name[:at], Host: name[at+1:]}, nil
}

// errShape says that an answer was not the single value that was asked for.
var errShape = errors.New("the server's answer is not one value")

// queryOne runs a statement that returns one row of one column.
func (c *Conn) queryOne(text string) (string, error) {
	c.SetSequence(0)
	payload := wire.Query{Text: []byte(text)}.AppendQuery(nil, c.Capabilities)
	if err := c.Send(wire.Bytes(payload)); err != nil {
		return "", err
	}
	var response wire.Response
	var value string
	response.Begin(wire.ComQuery, c.Capabilities, c.Sequence())
	for rows := 0; !response.Done(); {
		inRows := response.InRows()
		frame, err := c.nextFrame(&response)
		if err != nil {
			return "", err
		}
		if !inRows || !response.InRows() {
			continue
		}
		cells, err := wire.DecodeTextRow(nil, frame[wire.HeaderBytes:], 1)
		if rows++; err != nil || rows > 1 {
			return "", errors.Join(errShape, err)
		}
		value = string(cells[0].Bytes)
	}
	if response.Failed {
		return "", fmt.Errorf("the server answers with error %d", response.ErrNumber)
	}
	return value, nil
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
