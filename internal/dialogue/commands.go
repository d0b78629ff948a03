package dialogue

import (
	"tunic/internal/sql"
	"tunic/internal/wire"
)

// What tunic sends of its own between the first half of a statement and its last.
const (
	TextBegin  = "START TRANSACTION"
	TextCommit = sql.TextCommit
	TextAbort  = "ROLLBACK AND NO CHAIN NO RELEASE"
	// TextAsk is answered with the flags of the session, and does nothing.
	TextAsk = "DO 0"

	// A savepoint of the client's is not likely to have this name.
	savepoint     = "`_tunic of a statement`"
	TextSavepoint = "SAVEPOINT " + savepoint
	TextRelease   = "RELEASE SAVEPOINT " + savepoint
	TextBack      = "ROLLBACK TO SAVEPOINT " + savepoint
	TextWarnings  = "SHOW WARNINGS"
)

// Options of COM_SET_OPTION (MySQL source documentation, "COM_SET_OPTION").
var (
	severalOn  = wire.Bytes{byte(wire.ComSetOption), 0, 0}
	severalOff = wire.Bytes{byte(wire.ComSetOption), 1, 0}
)

// sent is a command that is not answered yet.
type sent struct {
	command wire.Command
	next    uint8 // the number of the first frame of the answer
}

// Push appends a command to what is sent next. Several may be sent in one write: the
// server answers one after the other.
func (x *Dialogue) Push(payload []byte) {
	x.Server.SetSequence(0)
	x.Server.WritePacket(payload)
	x.Pushed(wire.Command(payload[0]))
}

// Pushed notes a command that was pushed.
func (x *Dialogue) Pushed(command wire.Command) {
	x.sent, x.unsent = append(x.sent, sent{command, x.Server.Sequence()}), x.unsent+1
}

// AppendQuery appends what is before the text of a COM_QUERY of the statement.
func (x *Dialogue) AppendQuery(out []byte) []byte {
	return wire.Query{Attributes: x.Attributes}.AppendQuery(out, x.Server.Capabilities)
}

// PushText is push for a text.
func (x *Dialogue) PushText(text string) {
	x.Server.SetSequence(0)
	out := wire.Query{}.AppendQuery(x.Server.OpenPacket(), x.Server.Capabilities)
	x.Server.ClosePacket(append(out, text...))
	x.Pushed(wire.ComQuery)
}

// Flush sends what was pushed. If the statement is to end, nothing of it is sent.
func (x *Dialogue) Flush() error {
	if err := x.Unkilled(); err != nil {
		x.Server.Drop()
		x.sent, x.unsent = x.sent[:len(x.sent)-x.unsent], 0
		return err
	}
	return x.Send()
}

// Send is flush for what has to be sent whether the statement is to end or not: what puts back, and
// what is behind the end of a transaction.
func (x *Dialogue) Send() error {
	x.unsent = 0
	if err := x.Server.Flush(); err != nil {
		return &BrokenError{err}
	}
	return nil
}

// Reply is the answer to a command that has no rows, or how one with rows has ended.
type Reply struct {
	OK     wire.OK
	Failed *wire.Err
}

// Await is follow for a command that has one result without rows.
func (x *Dialogue) Await() (Reply, error) {
	var last Reply
	err := x.Follow(nil, func(_ int, r Reply) error {
		last = r
		return nil
	})
	return last, err
}

// Follow reads the answer to the command that was sent first and is not answered yet:
// row gets the rows of its results, and result how each of them has ended, by their
// numbers, which begin with that of the statement that was sent.
func (x *Dialogue) Follow(row func(result int, payload []byte) error, result func(n int, r Reply) error) error {
	r := x.Response
	x.beginAnswer()
	for n, next := x.first, false; !r.Done(); {
		if next {
			if cut, err := x.cutShort(); err != nil {
				return err
			} else if cut {
				return result(n, Reply{Failed: killed()})
			}
		}
		before, succeeded := StageOf(r), r.Succeeded
		payload, err := x.Next()
		if err != nil {
			return err
		}
		next = false
		switch {
		case r.Failed:
			m, err := wire.DecodeErr(payload)
			if err != nil {
				return &BrokenError{err}
			}
			m.Message = append([]byte(nil), m.Message...)
			return result(n, Reply{Failed: &m})
		case r.Succeeded > succeeded:
			if err := x.ended(n, before, payload, result); err != nil {
				return err
			}
			n, next = n+1, true
			continue
		case before == StageOther && r.InColumns():
			*x.Types = (*x.Types)[:0]
		case before == StageColumns:
			err = x.column(payload)
		case before == StageRows && row != nil:
			err = row(n, payload)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// beginAnswer prepares for the answer to the command that was sent first.
func (x *Dialogue) beginAnswer() {
	x.Response.Begin(x.sent[0].command, x.Server.Capabilities, x.sent[0].next)
	x.sent = append(x.sent[:0], x.sent[1:]...)
}

// ended passes on how a result has ended.
func (x *Dialogue) ended(n int, before Stage, payload []byte, result func(n int, r Reply) error) error {
	if before == StageRows || before == StageColumns || len(payload) == 0 || payload[0] != 0 {
		return result(n, Reply{OK: wire.OK{Status: x.Response.Status, Warnings: x.Response.Warnings}})
	}
	ok, err := wire.DecodeOK(payload, x.Server.Capabilities)
	if err != nil {
		return &BrokenError{err}
	}
	return result(n, Reply{OK: ok})
}

// column keeps the type of a column, by which binary rows are read.
func (x *Dialogue) column(payload []byte) error {
	c, err := wire.DecodeColumn(payload, x.Server.Capabilities)
	if err != nil {
		return &BrokenError{err}
	}
	*x.Types = append(*x.Types, c.Type)
	return nil
}

// ForgetSent forgets what was sent for another statement.
func (x *Dialogue) ForgetSent() { x.sent, x.unsent = x.sent[:0], 0 }
