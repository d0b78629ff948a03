package dialogue

import (
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// Several is one text of several statements.
type Several struct {
	Text []byte
	Cuts []int // where its statements end
	One  bool  // it has only one
	// Allowed says that the client may send such texts.
	Allowed bool
	// Words has an error of the server in the words of the client's statement.
	Words func(*wire.Err) *sqlerr.Error
}

// SendSeveral sends a text, and has its answers read: failed is the first that is an error. Behind it the
// client may send several or not, as before.
func (x *Dialogue) SendSeveral(t *Several, read func() (failed, err error)) (failed, err error) {
	if t.One {
		x.pushSeveral(t.Text)
		if err := x.Flush(); err != nil {
			return nil, err
		}
		return read()
	}
	if x.Apart {
		return x.sendApart(t, read)
	}
	behind := severalOn
	if !t.Allowed {
		x.Push(severalOn)
		behind = severalOff
	}
	x.pushSeveral(t.Text)
	x.Push(behind)
	if err := x.Flush(); err != nil {
		return nil, err
	}
	var refused error
	if !t.Allowed {
		if refused, err = x.allow(t); err != nil {
			return nil, err
		}
	}
	failed, err = read()
	switch {
	case err != nil:
		return nil, err
	case refused != nil && failed == nil:
		return nil, &BrokenError{wire.ErrMalformed} // it has run several that it would not allow
	case refused != nil: // the text has failed for that
		failed = refused
	}
	return failed, x.switched(behind)
}

func (x *Dialogue) pushSeveral(text []byte) {
	x.Push(append(x.AppendQuery(nil), text...))
}

// allow reads the answer to the COM_SET_OPTION before a text: refused is the server's
// error instead, with which it may say that it has ended the transaction.
func (x *Dialogue) allow(t *Several) (refused, err error) {
	r, err := x.Await()
	if err != nil || r.Failed == nil {
		return nil, err
	}
	return t.Words(r.Failed), nil
}

// switched reads the answer to COM_SET_OPTION. Nothing is taken from its flags.
func (x *Dialogue) switched(option wire.Bytes) error {
	before := *x.Response
	r, err := x.Await()
	if err == nil && r.Failed != nil {
		x.Untold(r.Failed)
		err = x.restore(func() { x.Push(option) })
	}
	x.Response.Status, x.Response.Current = before.Status, before.Current
	return err
}

// Galera ends a transaction whenever another node's has won. Where that comes between two
// statements of one text, the server does not say so: it carries out the second as a transaction
// of its own, over what the other one has written (seen with MariaDB 10.11, of direct clients
// too). To a command of its own it answers 1213. So a node of Galera is sent the statements one by
// one, each when the one before is done.

// sendApart is SendSeveral with a command for each statement of a text: none is sent
// behind one that fails.
func (x *Dialogue) sendApart(t *Several, read func() (failed, err error)) (failed, err error) {
	defer func() { x.first = 0 }()
	begin := 0
	for n, end := range t.Cuts {
		x.first = n
		x.pushSeveral(t.Text[begin:end])
		if err := x.Flush(); err != nil {
			return endedApart(err)
		}
		if failed, err = read(); failed != nil || err != nil {
			return failed, err
		}
		begin = end + len(";")
	}
	return nil, nil
}

// endedApart is how a text ends of which a statement was not sent: those before it have been done.
func endedApart(err error) (failed, broken error) {
	if _, ok := err.(*sqlerr.Error); ok { //nolint:errorlint // never wrapped
		return err, nil
	}
	return nil, err
}
