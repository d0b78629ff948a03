package binding

import (
	"bytes"
	"errors"
	"slices"
	"strconv"

	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// Notices are the warnings and errors that tunic has raised for a statement where
// the server would have. Their texts hold no value.
type Notices struct {
	list  []Notice
	count int
	max   int
	whole bool     // the server's own are among them
	once  [][]byte // messages that servers give once for a statement
}

// Notice is a row of SHOW WARNINGS.
type Notice struct {
	Level   value.Level
	Code    uint16
	Message []byte
}

// noticesMax is how many notices are kept where max_error_count allows more: what
// is not kept is still counted. It is the servers' largest value of that variable.
const noticesMax = 65535

// Begin forgets the notices of the statement before; max is max_error_count.
func (n *Notices) Begin(most int) {
	clear(n.list)
	n.list, n.count, n.max, n.whole, n.once = n.list[:0], 0, min(most, noticesMax), false, nil
}

// Add notes a condition.
func (n *Notices) Add(level value.Level, code uint16, message []byte) {
	n.count++
	if len(n.list) < n.max {
		n.list = append(n.list, Notice{level, code, message})
	}
}

// AddOnce notes a condition, unless it is there already.
func (n *Notices) AddOnce(level value.Level, code uint16, message []byte) {
	if slices.ContainsFunc(n.once, func(known []byte) bool { return bytes.Equal(known, message) }) {
		return
	}
	n.once = append(n.once, message)
	n.Add(level, code, message)
}

// Note notes what a server has to say of a row. Of a column without a default it is said once for all
// rows of an INSERT, and so it is, in MySQL, of NULL for a column that is NOT NULL: Field::set_warning
// of sql/field.cc.
func (b *Binder) Note(level value.Level, code uint16, message []byte) {
	once := code == errNoDefault || code == uint16(value.BadNull) && b.Env.Value.Flavor == value.MySQL
	if once && level == value.Warning && b.Statement != nil && b.Statement.Inserts() {
		b.Notices.AddOnce(level, code, message)
		return
	}
	b.Notices.Add(level, code, message)
}

// Fail adds the server's error that a statement ends with, behind what there is of
// its values. An error of a value is there already.
func (n *Notices) Fail(err error) {
	e, ok := errors.AsType[*sqlerr.Error](err)
	if !ok || e.Code != 0 || len(n.list) == 0 || n.list[len(n.list)-1].Level == value.Error {
		return
	}
	n.Add(value.Error, e.Number, []byte(e.Message))
}

// atFirstRow is at the end of the messages that say which row they are of.
var atFirstRow = []byte(" at row 1")

// Repeat makes of the notices of a value those of a value that is assigned to so
// many rows, one after the other.
func (n *Notices) Repeat(rows int) {
	first := n.list
	n.count *= rows
	if rows == 0 {
		n.list = n.list[:0]
	}
	for row := 2; row <= rows && len(n.list)+len(first) <= n.max; row++ {
		for _, one := range first {
			one.Message = OfRow(one.Message, row)
			n.list = append(n.list, one)
		}
	}
}

// Cut leaves of them those that there were.
func (n *Notices) Cut(before Notices) {
	n.list, n.count, n.once = n.list[:len(before.list)], before.count, before.once
}

// Mark is a place among notices: how many were kept, and how many raised, when it was set.
type Mark struct{ kept, raised int }

// Mark is the place behind all that there are.
func (n *Notices) Mark() Mark { return Mark{len(n.list), n.count} }

// Forget takes out what was raised from one mark on until another: the server would not have come to it. What has
// been cut since is out already.
func (n *Notices) Forget(from, until Mark) {
	until.kept, until.raised = min(until.kept, len(n.list)), min(until.raised, n.count)
	if from.kept <= until.kept && from.raised <= until.raised {
		n.list = slices.Delete(n.list, from.kept, until.kept)
		n.count -= until.raised - from.raised
	}
}

// Count is how many there are, those that were not kept included.
func (n *Notices) Count() int { return n.count }

// Whole says that what the server has of the statement is among them.
func (n *Notices) Whole() bool { return n.whole }

// HaveHeard notes that what the server has of the statement is among them.
func (n *Notices) HaveHeard() { n.whole = true }

// All are those that were kept, in the order in which they were raised.
func (n *Notices) All() []Notice { return n.list }

// states are the SQLSTATEs of the errors that tunic raises in the server's place
// (MySQL manual, "Server Error Message Reference").
var states = map[uint16]string{
	1048: "23000", 1261: "01000", 1262: "01000", 1264: "22003", 1265: "01000", 1292: "22007", 1365: "22012", 1406: "22001", 1416: "22003", 1441: "22008",
}

// ServerError is an error as a server of the flavor would send it.
func ServerError(flavor value.Flavor, number uint16, message string) *sqlerr.Error {
	const noNumber = 1366
	state, ok := states[number]
	switch {
	case number == noNumber && flavor == value.MariaDB:
		state = "22007"
	case !ok:
		state = "HY000"
	}
	return &sqlerr.Error{Number: number, State: state, Message: message}
}

// OfRow is a message of a server that was sent one row, as of the row that it is.
func OfRow(message []byte, row int) []byte {
	head, ok := bytes.CutSuffix(message, atFirstRow)
	if !ok {
		return message
	}
	return strconv.AppendInt(append(bytes.Clone(head), " at row "...), int64(row), 10)
}

// With is a number of warnings with those of tunic's own; the protocol has 16 bits
// for it.
func (n *Notices) With(warnings uint16) uint16 {
	return uint16(min(int(warnings)+n.count, 1<<16-1))
}
