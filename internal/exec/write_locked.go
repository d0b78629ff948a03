package exec

import (
	"tunic/internal/dialogue"
	"tunic/internal/sqlerr"
	"tunic/internal/translation"
	"tunic/internal/wire"
)

// Under LOCK TABLES, START TRANSACTION would let go of the tables. A transaction of
// tunic's own is begun by turning autocommit off there, and is as the client's is that
// has done so:
//
//	SET autocommit = 0 ──► SELECT … FOR UPDATE ──► UPDATE … ──► COMMIT ──► SET autocommit = 1
//
// A transaction begun so, and its end, leave the locks of LOCK TABLES as they are (MySQL
// manual, "Interaction of Table Locking and Transactions").
const (
	textAutocommitOff = "SET SESSION autocommit = 0"
	textAutocommitOn  = "SET SESSION autocommit = 1"
)

// locked reports whether LOCK TABLES may hold tables.
func (w *writer) locked() bool { return w.session.link.Owner.Locked() }

// beginLocked begins the transaction of tunic's own where one cannot be begun otherwise.
func (w *writer) beginLocked() error {
	if !w.own || !w.locked() {
		return nil
	}
	w.own, w.ownLocked = false, true // whatever the answer: it may have been done
	return w.askText(textAutocommitOff)
}

// endLocked ends a transaction that beginLocked has begun: what was written stays if err is nil.
// Where that cannot be done the session ends, and the server does it.
func (w *writer) endLocked(err error) error {
	if !w.ownLocked {
		return err
	}
	if err == nil {
		err = w.lost()
	}
	if err == nil {
		err = w.Unkilled()
	}
	if _, refused := err.(*sqlerr.Error); err != nil && !refused { //nolint:errorlint // never wrapped
		return err
	}
	var ended *wire.Err
	var lost error
	if err != nil {
		lost = w.RestoreText(dialogue.TextAbort)
	} else {
		ended, lost = w.SureCommit()
	}
	if lost != nil {
		return lost
	}
	if lost := w.RestoreText(textAutocommitOn); lost != nil {
		return lost
	}
	if ended != nil {
		return translation.Error(&w.st.Statement, ended)
	}
	return err
}
