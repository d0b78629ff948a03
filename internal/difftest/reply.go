package difftest

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"syscall"

	"tunic/internal/wire"
)

// Reply is all that came back for one command.
type Reply struct {
	Label   string // "query", "prepare", "execute 1", "fetch 2", "warnings" …
	Results []Result
	Broken  string // how the connection ended, if it did
}

// Result is one of the results of a reply: an OK, an error, a result set.
type Result struct {
	Fields  []Field // everything but rows, decoded
	Columns []wire.ColumnDefinition
	Rows    []Row
	Raw     [][]byte // every packet but rows; nil once a rule has masked something

	ErrNumber uint16
	Status    wire.Status
	Warnings  uint16
}

// Field is one thing a client sees, by name: "affected", "column.2.charset".
type Field struct{ Name, Value string }

// Row is a row as decoded and as it came.
type Row struct {
	Cells  []wire.Cell
	Raw    []byte
	Masked bool // Raw must not be compared
}

func (r *Result) set(name string, value any) {
	r.Fields = append(r.Fields, Field{Name: name, Value: fmt.Sprint(value)})
}

func (r *Result) setText(name string, value []byte) {
	r.Fields = append(r.Fields, Field{Name: name, Value: quote(value)})
}

// failed returns the number of the error the reply ended with, or 0.
func (r *Reply) failed() uint16 {
	if len(r.Results) == 0 {
		return 0
	}
	return r.Results[len(r.Results)-1].ErrNumber
}

// dropEmpty drops the result of which nothing has come: whether a closed
// connection shows while sending or only while reading is chance.
func (r *Reply) dropEmpty() {
	if n := len(r.Results); n > 0 && len(r.Results[n-1].Fields)+len(r.Results[n-1].Raw) == 0 {
		r.Results = r.Results[:n-1]
	}
}

// diagnostics reports whether SHOW WARNINGS has something to say after the reply.
func (r *Reply) diagnostics() bool {
	if len(r.Results) == 0 {
		return false
	}
	last := r.Results[len(r.Results)-1]
	return last.ErrNumber != 0 || last.Warnings != 0
}

// quote shows bytes as a Go string, and NULL (nil) apart from empty ones.
func quote(b []byte) string {
	if b == nil {
		return "none"
	}
	return fmt.Sprintf("%q", shorten(string(b)))
}

// showCell is a cell for a report.
func showCell(c wire.Cell) string {
	if c.Null {
		return "NULL"
	}
	return fmt.Sprintf("%q", shorten(string(c.Bytes)))
}

func showRow(r Row) string {
	cells := make([]string, len(r.Cells))
	for i, c := range r.Cells {
		cells[i] = showCell(c)
	}
	return "(" + strings.Join(cells, ", ") + ")"
}

// brokenBy puts the ends of a connection that a client cannot tell apart into
// the same words.
func brokenBy(err error) string {
	var timeout net.Error
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed),
		errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "connection closed"
	case errors.Is(err, os.ErrDeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return "no answer in time"
	default:
		return err.Error()
	}
}

// statusNames are the names of the status flags, by bit.
var statusNames = [16]string{
	"in-transaction", "autocommit", "bit-2", "more-results", "no-good-index", "no-index", "cursor", "last-row",
	"database-dropped", "no-backslash-escapes", "metadata-changed", "slow", "out-params", "read-only-transaction",
	"session-state", "bit-15",
}

func showStatus(s wire.Status) string {
	var names []string
	for i, name := range statusNames {
		if s>>i&1 == 1 {
			names = append(names, name)
		}
	}
	return strings.Join(names, " ")
}
