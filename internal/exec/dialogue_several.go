package exec

import (
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// several is one text of several statements.
type several struct {
	text []byte
	cuts []int // where its statements end
	one  bool  // it has only one
	// allowed says that the client may send such texts.
	allowed bool
	// words has an error of the server in the words of the client's statement.
	words func(*wire.Err) *sqlerr.Error
}

// sendSeveral sends a text, and has its answers read: failed is the first that is an error. Behind it the
// client may send several or not, as before.
func (x *dialogue) sendSeveral(t *several, read func() (failed, err error)) (failed, err error) {
	if t.one {
		x.pushSeveral(t.text)
		if err := x.flush(); err != nil {
			return nil, err
		}
		return read()
	}
	if x.apart {
		return x.sendApart(t, read)
	}
	behind := severalOn
	if !t.allowed {
		x.push(severalOn)
		behind = severalOff
	}
	x.pushSeveral(t.text)
	x.push(behind)
	if err := x.flush(); err != nil {
		return nil, err
	}
	var refused error
	if !t.allowed {
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

func (x *dialogue) pushSeveral(text []byte) {
	x.push(append(wire.Query{}.AppendQuery(nil, x.server.Capabilities), text...))
}

// allow reads the answer to the COM_SET_OPTION before a text: refused is the server's
// error instead, with which it may say that it has ended the transaction.
func (x *dialogue) allow(t *several) (refused, err error) {
	r, err := x.await()
	if err != nil || r.failed == nil {
		return nil, err
	}
	return t.words(r.failed), nil
}

// switched reads the answer to COM_SET_OPTION. Nothing is taken from its flags.
func (x *dialogue) switched(option wire.Bytes) error {
	before := *x.response
	r, err := x.await()
	if err == nil && r.failed != nil {
		x.untold(r.failed)
		err = x.restore(func() { x.push(option) })
	}
	x.response.Status, x.response.Current = before.Status, before.Current
	return err
}

// Galera ends a transaction whenever another node's has won. Where that comes between two
// statements of one text, the server does not say so: it carries out the second as a transaction
// of its own, over what the other one has written (seen with MariaDB 10.11, of direct clients
// too). To a command of its own it answers 1213. So a node of Galera is sent the statements one by
// one, each when the one before is done.

// sendApart is sendSeveral with a command for each statement of a text: none is sent
// behind one that fails.
func (x *dialogue) sendApart(t *several, read func() (failed, err error)) (failed, err error) {
	defer func() { x.first = 0 }()
	begin := 0
	for n, end := range t.cuts {
		x.first = n
		x.pushSeveral(t.text[begin:end])
		if err := x.flush(); err != nil {
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
