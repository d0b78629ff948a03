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
func (w *writer) push(payload []byte) {
	w.server.SetSequence(0)
	w.server.WritePacket(payload)
	w.pushed(wire.Command(payload[0]))
}

// pushed notes a command that was pushed.
func (w *writer) pushed(command wire.Command) {
	w.sent, w.unsent = append(w.sent, sent{command, w.server.Sequence()}), w.unsent+1
}

// pushText is push for a text.
func (w *writer) pushText(text string) {
	w.server.SetSequence(0)
	out := wire.Query{}.AppendQuery(w.server.OpenPacket(), w.server.Capabilities)
	w.server.ClosePacket(append(out, text...))
	w.pushed(wire.ComQuery)
}

// flush sends what was pushed. If the statement is to end, nothing of it is sent.
func (w *writer) flush() error {
	if err := w.unkilled(); err != nil {
		w.server.Drop()
		w.sent, w.unsent = w.sent[:len(w.sent)-w.unsent], 0
		return err
	}
	return w.send()
}

// send is flush for what has to be sent whether the statement is to end or not: what puts back, and
// what is behind the end of a transaction.
func (w *writer) send() error {
	w.unsent = 0
	if err := w.server.Flush(); err != nil {
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
func (w *writer) await() (reply, error) {
	var last reply
	err := w.follow(nil, func(_ int, r reply) error {
		last = r
		return nil
	})
	return last, err
}

// follow reads the answer to the command that was sent first and is not answered yet:
// row gets the rows of its results, and result how each of them has ended, by their
// numbers, which begin with that of the statement that was sent.
func (w *writer) follow(row func(result int, payload []byte) error, result func(n int, r reply) error) error {
	r := &w.response
	r.Begin(w.sent[0].command, w.server.Capabilities, w.sent[0].next)
	w.sent = append(w.sent[:0], w.sent[1:]...)
	for n, next := w.first, false; !r.Done(); {
		if next {
			if cut, err := w.cutShort(); err != nil {
				return err
			} else if cut {
				return result(n, reply{failed: killed()})
			}
		}
		before, succeeded := stageOf(r), r.Succeeded
		payload, err := w.session.next()
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
			if err := w.ended(n, before, payload, result); err != nil {
				return err
			}
			n, next = n+1, true
			continue
		case before == stageOther && r.InColumns():
			w.session.rows.types = w.session.rows.types[:0]
		case before == stageColumns:
			err = w.column(payload)
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
func (w *writer) ended(n int, before stage, payload []byte, result func(n int, r reply) error) error {
	if before == stageRows || before == stageColumns || len(payload) == 0 || payload[0] != 0 {
		return result(n, reply{ok: wire.OK{Status: w.response.Status, Warnings: w.response.Warnings}})
	}
	ok, err := wire.DecodeOK(payload, w.server.Capabilities)
	if err != nil {
		return &BrokenError{err}
	}
	return result(n, reply{ok: ok})
}

// column keeps the type of a column, by which binary rows are read.
func (w *writer) column(payload []byte) error {
	c, err := wire.DecodeColumn(payload, w.server.Capabilities)
	if err != nil {
		return &BrokenError{err}
	}
	w.session.rows.types = append(w.session.rows.types, c.Type)
	return nil
}
