package exec

import (
	"tunic/internal/sql"
	"tunic/internal/wire"
)

// What tunic sends of its own between the first half of a statement and its last.
const (
	textBegin  = "START TRANSACTION"
	textCommit = sql.TextCommit
	textAbort  = "ROLLBACK AND NO CHAIN NO RELEASE"
	// textAsk is answered with the flags of the session, and does nothing.
	textAsk = "DO 0"

	// A savepoint of the client's is not likely to have this name.
	savepoint     = "`_tunic of a statement`"
	textSavepoint = "SAVEPOINT " + savepoint
	textRelease   = "RELEASE SAVEPOINT " + savepoint
	textBack      = "ROLLBACK TO SAVEPOINT " + savepoint
	textWarnings  = "SHOW WARNINGS"
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

// push appends a command to what is sent next. Several may be sent in one write: the
// server answers one after the other.
func (x *dialogue) push(payload []byte) {
	x.server.SetSequence(0)
	x.server.WritePacket(payload)
	x.pushed(wire.Command(payload[0]))
}

// pushed notes a command that was pushed.
func (x *dialogue) pushed(command wire.Command) {
	x.sent, x.unsent = append(x.sent, sent{command, x.server.Sequence()}), x.unsent+1
}

// pushText is push for a text.
func (x *dialogue) pushText(text string) {
	x.server.SetSequence(0)
	out := wire.Query{}.AppendQuery(x.server.OpenPacket(), x.server.Capabilities)
	x.server.ClosePacket(append(out, text...))
	x.pushed(wire.ComQuery)
}

// flush sends what was pushed. If the statement is to end, nothing of it is sent.
func (x *dialogue) flush() error {
	if err := x.unkilled(); err != nil {
		x.server.Drop()
		x.sent, x.unsent = x.sent[:len(x.sent)-x.unsent], 0
		return err
	}
	return x.send()
}

// send is flush for what has to be sent whether the statement is to end or not: what puts back, and
// what is behind the end of a transaction.
func (x *dialogue) send() error {
	x.unsent = 0
	if err := x.server.Flush(); err != nil {
		return &BrokenError{err}
	}
	return nil
}

// reply is the answer to a command that has no rows, or how one with rows has ended.
type reply struct {
	ok     wire.OK
	failed *wire.Err
}

// await is follow for a command that has one result without rows.
func (x *dialogue) await() (reply, error) {
	var last reply
	err := x.follow(nil, func(_ int, r reply) error {
		last = r
		return nil
	})
	return last, err
}

// follow reads the answer to the command that was sent first and is not answered yet:
// row gets the rows of its results, and result how each of them has ended, by their
// numbers, which begin with that of the statement that was sent.
func (x *dialogue) follow(row func(result int, payload []byte) error, result func(n int, r reply) error) error {
	r := x.response
	r.Begin(x.sent[0].command, x.server.Capabilities, x.sent[0].next)
	x.sent = append(x.sent[:0], x.sent[1:]...)
	for n, next := x.first, false; !r.Done(); {
		if next {
			if cut, err := x.cutShort(); err != nil {
				return err
			} else if cut {
				return result(n, reply{failed: killed()})
			}
		}
		before, succeeded := stageOf(r), r.Succeeded
		payload, err := x.next()
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
			return result(n, reply{failed: &m})
		case r.Succeeded > succeeded:
			if err := x.ended(n, before, payload, result); err != nil {
				return err
			}
			n, next = n+1, true
			continue
		case before == stageOther && r.InColumns():
			*x.types = (*x.types)[:0]
		case before == stageColumns:
			err = x.column(payload)
		case before == stageRows && row != nil:
			err = row(n, payload)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// ended passes on how a result has ended.
func (x *dialogue) ended(n int, before stage, payload []byte, result func(n int, r reply) error) error {
	if before == stageRows || before == stageColumns || len(payload) == 0 || payload[0] != 0 {
		return result(n, reply{ok: wire.OK{Status: x.response.Status, Warnings: x.response.Warnings}})
	}
	ok, err := wire.DecodeOK(payload, x.server.Capabilities)
	if err != nil {
		return &BrokenError{err}
	}
	return result(n, reply{ok: ok})
}

// column keeps the type of a column, by which binary rows are read.
func (x *dialogue) column(payload []byte) error {
	c, err := wire.DecodeColumn(payload, x.server.Capabilities)
	if err != nil {
		return &BrokenError{err}
	}
	*x.types = append(*x.types, c.Type)
	return nil
}

// forgetSent forgets what was sent for another statement.
func (x *dialogue) forgetSent() { x.sent, x.unsent = x.sent[:0], 0 }
