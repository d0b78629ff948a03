package dialogue

import (
	"errors"

	"tunic/internal/wire"
)

// KILL QUERY ends the statement that runs. Where it comes between two statements of one
// text, servers run no more of them and say nothing of it: the answer to the last one that
// they have run promises another one, which never comes. And where it comes to a statement
// that is done already, the answer is the error, as if it were not.
//
// So behind every text of several statements there is a command whose answer begins as no
// other does, by which the end of the text is known; and what must not fail is sent again.

// ErrKilled is the server's ER_QUERY_INTERRUPTED.
const ErrKilled = 1317

// killed is what servers say of a statement that was ended.
func killed() *wire.Err {
	return &wire.Err{Number: ErrKilled, State: "70100", Message: []byte("Query execution was interrupted")}
}

// Unkilled is the error of a statement that a KILL QUERY has come for. While the server waits for the
// next text it forgets one, and says that it is done: so it is asked before every text that may still
// be left out, and before the end of a transaction.
func (x *Dialogue) Unkilled() error {
	if x.Waiter.Killed() {
		return ErrorOf(killed())
	}
	return nil
}

// endsSeveral is the first byte of the answer to COM_SET_OPTION, an EOF: no result of a
// text begins with it.
const endsSeveral = 0xfe

// cutShort reports whether the server has come to the command behind a text of several
// statements, of which another one should have been next.
func (x *Dialogue) cutShort() (bool, error) {
	if len(x.sent) == 0 || x.sent[0].command != wire.ComSetOption {
		return false, nil
	}
	for len(x.Server.Buffered()) <= wire.HeaderBytes {
		if err := x.fillMore(); err != nil {
			return false, err
		}
	}
	frame, next := x.Server.Buffered(), x.sent[0].next
	behind := frame[wire.HeaderBytes] == endsSeveral || next != x.Response.Sequence() // an error, which may be the answer to either
	return frame[wire.HeaderBytes-1] == next && behind, nil
}

// TriesOfSure is how often sure sends a text: each time somebody else has to come with
// another KILL QUERY.
const TriesOfSure = 5

// sure has the server do what ends a transaction, or puts the session back: once more if
// it was told to end it. failed is any other error.
func (x *Dialogue) sure(send func()) (failed *wire.Err, err error) {
	for range TriesOfSure {
		send()
		if err := x.Send(); err != nil {
			return nil, err
		}
		r, err := x.Await()
		if err != nil {
			return nil, err
		}
		if failed = r.Failed; failed == nil || failed.Number != ErrKilled {
			return failed, nil
		}
		x.Untold(failed)
	}
	return failed, nil
}

// SureText is sure for a text.
func (x *Dialogue) SureText(text string) (*wire.Err, error) {
	return x.sure(func() { x.PushText(text) })
}

// ErrNotUndone says that some rows of a statement that failed may be written.
var ErrNotUndone = errors.New("what a failed statement has written cannot be undone")

// restore has the server put back something of the session that must not stay. An error may be
// about the transaction, and have nothing to do with what was sent (see backend.Conn.KeepUntold):
// it is sent once more. Where that fails as well the session ends.
func (x *Dialogue) restore(send func()) error {
	failed, err := x.sure(send)
	if err == nil && failed != nil {
		x.Untold(failed)
		failed, err = x.sure(send)
	}
	if err == nil && failed != nil {
		err = &BrokenError{ErrNotUndone}
	}
	return err
}

// RestoreText is restore for a text.
func (x *Dialogue) RestoreText(text string) error {
	return x.restore(func() { x.PushText(text) })
}

// Untold keeps an error that the client does not get.
func (x *Dialogue) Untold(failed *wire.Err) { x.Server.KeepUntold(*failed, true) }

// SureCommit has the server commit. A COMMIT that was ended by KILL QUERY may have rolled
// back, as where it waited for a lock: it is sent again only if the transaction is still there.
func (x *Dialogue) SureCommit() (failed *wire.Err, err error) {
	x.PushText(TextCommit)
	if err := x.Send(); err != nil {
		return nil, err
	}
	return x.Committed()
}

// Committed reads the answer to a COMMIT, and sends it again as SureCommit does.
func (x *Dialogue) Committed() (failed *wire.Err, err error) {
	for range TriesOfSure {
		r, err := x.Await()
		if err != nil || r.Failed == nil || r.Failed.Number != ErrKilled {
			return r.Failed, err
		}
		failed = r.Failed
		if lost, err := x.SureText(TextAsk); err != nil || lost != nil || x.Response.Status&wire.StatusInTransaction == 0 {
			return failed, err
		}
		x.PushText(TextCommit)
		if err := x.Send(); err != nil {
			return nil, err
		}
	}
	return failed, nil
}
