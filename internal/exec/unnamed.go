package exec

import (
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/dialogue"
	"tunic/internal/exec/said"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/translation"
	"tunic/internal/wire"
)

// Who has privileges on single columns of a table has none on its fence, once a change has
// given that another name, and never where the table has families. The server denies such a client what names the fence; the
// statement is then planned without (catalog.Table.UnnamedFence), and it is looked, by
// tunic's own account, whether the stored table has it:
//
//	a query   SELECT ──► rows ──► does it have the fence still? ──► the end of the rows
//	a change  START TRANSACTION ──► EXPLAIN … ──► does it have the fence? ──► … ──► COMMIT
//
// No fence is ever one again. So a table that has it when a query has ended had it all the
// time; and behind what a transaction has explained, or read, the server keeps the table's
// definition as it is until the transaction ends.

// unnamed reports whether a statement is one that does not name the fences of its tables.
func (st *Statement) unnamed() bool {
	return slices.ContainsFunc(st.Run.Tables, func(t *catalog.Table) bool { return t.UnnamedFence() != "" })
}

// sure is an error unless the tables of a statement have the fences still that it does not
// name.
func (s *Session) sure(st *Statement) error {
	for _, t := range st.Run.Tables {
		fence := t.UnnamedFence()
		if fence == "" {
			continue
		}
		switch has, err := s.link.Owner.Fence(t); {
		case err != nil:
			return sqlerr.LedgerLost()
		case has != fence:
			return translation.Moved()
		}
	}
	return nil
}

// followersUnnamed refuses a change of whose tables not all are kept as they are before rows
// are written.
func followersUnnamed() error {
	return sqlerr.StatementRefused("a change that others follow by a foreign key, by who has privileges on columns of a table with families, or from before the last change of the table,")
}

// changeUnnamed carries out a change that is one stored statement, in a transaction.
func (s *Session) changeUnnamed(st *Statement, a *asked) error {
	s.uncounted = true
	if st.returning() {
		return sqlerr.StatementRefused("RETURNING, by who has privileges on columns of a table with families, or from before the last change of the table,")
	}
	explain, err := s.explaining(st)
	if err != nil {
		return err
	}
	command, err := s.insertCommand(st, a)
	if err != nil {
		return err
	}
	return s.writes(st, func(w *writer) error { return w.changeUnnamed(explain, command) }, (*writer).answerUnnamed)
}

// explaining is the command that explains a change as it is about to be made; nil of one
// that names the fences of its tables.
func (s *Session) explaining(st *Statement) ([]byte, error) {
	if !st.unnamed() {
		return nil, nil
	}
	b := s.binder
	notices := b.Notices
	text, err := s.filled(st, []byte("EXPLAIN "))
	b.Notices = notices // they are raised again when it is made
	b.Begin(&st.Statement)
	return wire.Query{Text: text}.AppendQuery(nil, s.link.Server.Capabilities), err
}

func (w *writer) changeUnnamed(explain, command []byte) error {
	if err := w.findTransaction(); err != nil {
		return err
	}
	if err := w.beginLocked(); err != nil {
		return err
	}
	return w.together(func() error {
		if err := w.keepsForm(explain); err != nil {
			return err
		}
		r, err := w.ask(command)
		switch {
		case err != nil:
			return err
		case r.Failed != nil:
			return w.session.words.Error(&w.st.Statement, r.Failed)
		}
		return w.changedUnnamed(&r.OK)
	})
}

// answerUnnamed is what the client is told when the transaction has ended.
func (w *writer) answerUnnamed() wire.OK {
	w.upserted.plain.Status = w.response.Status
	return w.answerUpsert()
}

// changedUnnamed keeps what the server has said of the change, before a COMMIT has it
// forgotten.
func (w *writer) changedUnnamed(ok *wire.OK) error {
	notices := &w.session.binder.Notices
	if w.st.Run.Kind == sql.Update && notices.Count() > 0 {
		notices.Repeat(said.MatchedRows(ok))
	}
	kept := *ok
	kept.Info = said.WithWarnings(slices.Clone(ok.Info), -int(ok.Warnings)) // they are counted with the others
	kept.Warnings = 0
	w.upserted = upserted{plain: &kept}
	return w.eachWarning(ok.Warnings, w.warnedAlready)
}

// warnedAlready keeps a row of SHOW WARNINGS whose words are of the client's statement.
func (w *writer) warnedAlready(payload []byte) error {
	return w.warnedWith(payload, func(code uint16, message []byte) []byte { return translation.Message(&w.st.Statement, code, message) })
}

// keepsForm has the server keep the definitions of the tables of a change for the rest of
// the transaction, and looks whether they are as it was planned for. There is nothing to do
// for one that names their fences.
func (w *writer) keepsForm(explain []byte) error {
	if explain == nil {
		return nil
	}
	w.Push(explain)
	if err := w.Flush(); err != nil {
		return err
	}
	var failed *wire.Err
	err := w.Follow(func(int, []byte) error { return nil }, func(_ int, r dialogue.Reply) error { failed = r.Failed; return nil })
	switch {
	case err != nil:
		return err
	case failed != nil:
		return w.session.words.Error(&w.st.Statement, failed)
	}
	return w.session.sure(w.st)
}
