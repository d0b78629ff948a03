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

// recalling has a statement carried out that has been described, and keeps the row that it has locked.
func (s *Session) recalling(st *Statement, d *description.Description, a *asked) error {
	if st.Run.Key != nil && st.Reads() && s.keepsRows(st) {
		s.recall.Take(st.Run.Table)
	}
	err := s.carry(st, d, a)
	r := s.dialogue.Response
	switch {
	case err != nil || r.Failed || s.foreign || !inTransaction(r):
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

// recalled writes a row without reading it, if it is known and changes; else it is to be read, and nothing has been sent.
// A row that stays as it is, or fails, is read: the server is to have had something of the statement.
func (w *writer) recalled() (done bool, err error) {
	s := w.session
	if w.own || w.st.Run.Key == nil || !inTransaction(&w.response) || !s.keepsRows(w.st) {
		return false, nil
	}
	var known bool
	if s.rows.Cells, known = s.recall.AppendCells(s.rows.Cells[:0], s.binder); !known {
		if w.st.Run.Alone {
			s.recall.Take(w.st.Run.Table) // when it is read
		}
		return false, nil
	}
	notices := s.binder.Notices
	row, err := s.openRow(w.st, nil)
	if err == nil {
		err = w.account.Read()
	}
	if err == nil {
		err = w.keep(row)
	}
	if err != nil {
		return false, err
	}
	s.recall.Change(w.st.Run.Table)
	if err := w.compute(); err != nil {
		return false, err
	}
	if len(w.batch.ends) == 0 || w.batch.failed != nil {
		s.recall.Take(w.st.Run.Table)
		return false, w.again(notices)
	}
	return true, w.writeBack()
}
