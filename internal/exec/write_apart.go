package exec

import "tunic/internal/sqlerr"

// Galera ends a transaction whenever another node's has won. Where that comes between two
// statements of one text, the server does not say so: it carries out the second as a transaction
// of its own, over what the other one has written (seen with MariaDB 10.11, of direct clients
// too). To a command of its own it answers 1213. So a node of Galera is sent the statements one by
// one, each when the one before is done.

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
