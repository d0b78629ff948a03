package exec

import (
	"tunic/internal/description"
	"tunic/internal/exec/recall"
	"tunic/internal/sql"
	"tunic/internal/wire"
)

// A row that a transaction has read FOR UPDATE by its key is kept as it is stored, and an UPDATE by the same key
// computes from that (docs/decisions/0051):
//
//	SELECT … WHERE key FOR UPDATE ──► cells ──► recall.Rows
//	UPDATE … WHERE key ──► recall.Rows ──► what the row becomes ──► UPDATE by key

// Recall are the rows of the transaction under way that need not be read again. Whoever has other commands done tells it of each.
func (s *Session) Recall() *recall.Rows { return &s.recall }

// recalling has a statement carried out that has been described, and keeps the row that it has locked. What is known of the row goes to
// the cache, for all sessions.
func (s *Session) recalling(st *Statement, d *description.Description, a *asked) error {
	keeps := st.Run.Locks && s.keepsRows(st)
	if st.Run.Key != nil && st.Reads() && (keeps || s.recall.Cache.Wants(st.Run.Table)) {
		s.recall.Take(st.Run.Table)
	}
	err := s.carry(st, d, a)
	r := s.dialogue.Response
	if err != nil || r.Failed || s.foreign {
		s.recall.Forget()
		return err
	}
	within := inTransaction(r)
	if st.Reads() {
		s.recall.Share(s.binder)
	}
	if !keeps {
		s.recall.Discard()
	}
	switch {
	case !within:
		s.recall.Forget()
	case st.Run.Kind == sql.Select || st.Run.Kind == sql.SetOperation || st.Run.Alone:
		s.recall.Leaves(s.binder)
	}
	s.recall.Discard()
	return err
}

// inTransaction reports whether the server says that there is a transaction, which may write.
func inTransaction(r *wire.Response) bool {
	return r.Current && r.Status&wire.StatusInTransaction != 0 && r.Status&wire.StatusInReadOnlyTrans == 0
}

// keepsRows reports whether a row that a statement locks by its key may be kept. Without autocommit a transaction may begin with it.
func (s *Session) keepsRows(st *Statement) bool {
	r := s.dialogue.Response
	within := inTransaction(r) || r.Status&wire.StatusAutocommit == 0
	return within && !s.engine.options.Apart && !s.engine.forgets && !s.link.Owner.Locked() && !st.unnamed()
}

// source is where a statement that writes one row has the row from.
type source uint8

const (
	fromServer      source = iota
	fromTransaction        // which has read it, and has it locked: see recall.Rows
	fromCache              // which may have what it was
)

// knownFrom finds out from where the row of a statement is known, and takes its cells if it need not be read.
func (w *writer) knownFrom() source {
	s := w.session
	if w.st.Run.Key == nil {
		return fromServer
	}
	var known bool
	if !w.own && inTransaction(&w.response) && s.keepsRows(w.st) {
		if s.rows.Cells, known = s.recall.AppendCells(s.rows.Cells[:0], s.binder); known {
			return fromTransaction
		}
	}
	if s.seeksCached(w.st, w.own) {
		if s.rows.Cells, known = s.recall.AppendCached(s.rows.Cells[:0], s.binder); known {
			return fromCache
		}
		s.missesCached(w.st)
	}
	return fromServer
}

// takeKnown takes a row that is known in place of one that is read.
func (w *writer) takeKnown() error {
	row, err := w.session.openRow(w.st, nil)
	if err == nil {
		err = w.account.Read()
	}
	if err == nil {
		err = w.keep(row)
	}
	return err
}

// recalled writes a row that is known and locked, if it changes; else it is to be read, and nothing has been sent.
// A row that stays as it is, or fails, is read: the server is to have had something of the statement.
func (w *writer) recalled() (done bool, err error) {
	s := w.session
	notices := s.binder.Notices
	if err := w.takeKnown(); err != nil {
		return false, err
	}
	s.recall.Change(w.st.Run.Table)
	if err := w.compute(); err != nil {
		return false, err
	}
	if len(w.batch.ends) == 0 || w.batch.failed != nil {
		s.recall.Discard()
		return false, w.again(notices)
	}
	return true, w.writeBack()
}
