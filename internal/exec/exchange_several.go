package exec

import (
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// exchangeSeveral sends one text of n statements, and has its answers read: failed is the
// first that is an error. Behind it the client may send several or not, as before.
func (w *writer) exchangeSeveral(text []byte, n int, read func() (failed, err error)) (failed, err error) {
	if n == 1 {
		w.pushSeveral(text)
		if err := w.flush(); err != nil {
			return nil, err
		}
		return read()
	}
	if w.session.engine.options.Apart {
		return w.exchangeApart(text, read)
	}
	allowed, behind := w.session.link.Caps.Has(wire.ClientMultiStatements), severalOn
	if !allowed {
		w.push(severalOn)
		behind = severalOff
	}
	w.pushSeveral(text)
	w.push(behind)
	if err := w.flush(); err != nil {
		return nil, err
	}
	var refused error
	if !allowed {
		if refused, err = w.allowed(); err != nil {
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
	return failed, w.switched(behind)
}

func (w *writer) pushSeveral(text []byte) {
	w.push(append(wire.Query{}.AppendQuery(nil, w.server.Capabilities), text...))
}

// allowed reads the answer to the COM_SET_OPTION before a text: refused is the server's
// error instead, with which it may say that it has ended the transaction.
func (w *writer) allowed() (refused, err error) {
	r, err := w.await()
	if err != nil || r.failed == nil {
		return nil, err
	}
	return w.st.translated(r.failed), nil
}

// switched reads the answer to COM_SET_OPTION. Nothing is taken from its flags.
func (w *writer) switched(option wire.Bytes) error {
	before := w.response
	r, err := w.await()
	if err == nil && r.failed != nil {
		w.untold(r.failed)
		err = w.restore(func() { w.push(option) })
	}
	w.response.Status, w.response.Current = before.Status, before.Current
	return err
}

// exchangeApart is exchangeSeveral with a command for each statement of a text: none is sent
// behind one that fails.
func (w *writer) exchangeApart(text []byte, read func() (failed, err error)) (failed, err error) {
	defer func() { w.first = 0 }()
	begin := 0
	for n, end := range w.cuts {
		w.first = n
		w.pushSeveral(text[begin:end])
		if err := w.flush(); err != nil {
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
