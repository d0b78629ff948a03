package exec

import (
	"bytes"
	"slices"
	"strconv"

	"tunic/internal/binding"
	"tunic/internal/description"
	"tunic/internal/dialogue"
	"tunic/internal/exec/change"
	"tunic/internal/exec/made"
	"tunic/internal/exec/said"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/translation"
	"tunic/internal/value"
	"tunic/internal/wire"
)

// An upsert is an INSERT whose row may be there already. The server says so, and by
// which key; then the row is read, locked, and written back as by an UPDATE:
//
//	INSERT ──► OK
//	       └─► 1062 … for key k ──► SELECT … WHERE k = … FOR UPDATE ──► UPDATE by key
//
// One row is inserted without a transaction of tunic's. Several are in one, unless
// all of them can be inserted at once.

// upserted counts the rows of an upsert. One that is almost updated does not change,
// and servers count it as one that does until they write it.
type upserted struct {
	rows, inserted, updated, same, almost int
	number                                int    // of the row under way, from 0
	id                                    uint64 // the first number of AUTO_INCREMENT that the server has made, 0 for none
	last                                  uint64 // that of the last row
	called                                uint64 // what LAST_INSERT_ID(n) has been called with last, 0 for nothing
	before                                uint64 // LAST_INSERT_ID() before the row under way, if that was asked for
	plain                                 *wire.OK
}

// insertTries is how often a row is inserted that another session deletes each time
// before it is read.
const insertTries = 3

// upsert carries out an INSERT … ON DUPLICATE KEY UPDATE.
func (s *Session) upsert(st *Statement, d *description.Description, a *asked) error {
	explain, err := s.explaining(st)
	if err != nil {
		return err
	}
	command, err := s.insertCommand(st, a)
	if err != nil {
		return err
	}
	if a.prepared == nil {
		s.noteDeprecated(st)
	}
	do := func(w *writer) error { return w.upsert(command, explain) }
	if st.returns != nil {
		return s.returning(st, d, a, do, func(w *writer) *made.Rows { return &w.returned })
	}
	return s.writes(st, do, (*writer).answerUpsert)
}

// insertCommand is the INSERT of all rows. With it all of their values are converted.
func (s *Session) insertCommand(st *Statement, a *asked) ([]byte, error) {
	if a.prepared == nil {
		return s.readingText(st)
	}
	command, err := s.binder.AppendExecute(nil, &a.prepared.Execution, a.execute, s.link.Server.Capabilities)
	if err == nil && len(command) >= s.env.PacketBytes {
		err = dialogue.ErrPacket
	}
	return command, err
}

// deprecatedSyntax is the number of the server's warning (ER_WARN_DEPRECATED_SYNTAX).
const deprecatedSyntax = 1287

// deprecated is how often the server would warn of VALUES() when it reads the statement.
func (st *Statement) deprecated() int {
	if insert, ok := st.Run.Does.(*recipe.Insert); ok {
		if of, ok := insert.Rows.(*recipe.QueryRows); ok && of.Deprecated > 0 {
			return of.Deprecated
		}
	}
	if st.upsert == nil {
		return 0
	}
	return st.upsert.Deprecated
}

// noteDeprecated raises what MySQL says of every VALUES() (MySQL manual, "INSERT ...
// ON DUPLICATE KEY UPDATE Statement"), when it reads the statement.
func (s *Session) noteDeprecated(st *Statement) {
	const since = 80020
	if s.env.Value.Flavor != value.MySQL || s.env.Value.Version < since {
		return
	}
	for range st.deprecated() {
		s.binder.Notices.Add(value.Warning, deprecatedSyntax, []byte("'VALUES function' is deprecated and will be removed in a future release. "+
			"Please use an alias (INSERT INTO ... VALUES (...) AS alias) and replace VALUES(col) in the ON DUPLICATE KEY UPDATE clause with alias.col instead"))
	}
}

// upsert does all rows. explain is the command of explaining.
func (w *writer) upsert(command, explain []byte) error {
	u, b := w.st.upsert, w.session.binder
	w.upserted = upserted{}
	w.returned.Begin(len(w.st.Run.Fetch))
	for r := range u.Rows {
		w.upserted.rows += w.st.RowsOf(r, b.ElementCount)
	}
	if err := w.findTransaction(); err != nil {
		return err
	}
	var known *wire.Err
	if explain == nil && (w.alone() || !u.Numbers && w.st.returns == nil) {
		r, err := w.ask(command)
		switch {
		case err != nil:
			return err
		case r.Failed == nil:
			w.upserted.inserted, w.upserted.plain = w.upserted.rows, &r.OK
			return nil
		case r.Failed.Number != translation.DuplicateEntry:
			return w.session.words.Error(&w.st.Statement, r.Failed)
		}
		known = r.Failed
	}
	w.noteWithout()
	if err := w.beginLocked(); err != nil {
		return err
	}
	w.begun = !w.own
	if explain == nil && w.alone() {
		return w.undo(w.upsertRow(&u.Rows[0], 0, known))
	}
	return w.together(func() error {
		if err := w.keepsForm(explain); err != nil {
			return err
		}
		if err := w.upsertRows(); err != nil {
			return err
		}
		return w.restoreID()
	})
}

// alone reports whether there is one row, and nothing to do for it when it is written.
func (w *writer) alone() bool {
	return w.upserted.rows == 1 && w.st.returns == nil && !w.st.unnamed()
}

// ask sends a command and waits for its answer.
func (w *writer) ask(command []byte) (dialogue.Reply, error) {
	w.Push(command)
	if err := w.Flush(); err != nil {
		return dialogue.Reply{}, err
	}
	return w.Await()
}

// askText is ask for a text, which has to succeed.
func (w *writer) askText(text string) error {
	w.PushText(text)
	if err := w.Flush(); err != nil {
		return err
	}
	if r, err := w.Await(); err != nil || r.Failed != nil {
		return errorOf(w.st, r, err)
	}
	return nil
}

// upsertRows does several rows.
func (w *writer) upsertRows() error {
	number := 0
	for r := range w.st.upsert.Rows {
		row := &w.st.upsert.Rows[r]
		for element := range w.st.RowsOf(r, w.session.binder.ElementCount) {
			w.upserted.number = number
			if err := w.upsertRow(row, element, nil); err != nil {
				return err
			}
			if err := w.returnRow(row, element); err != nil {
				return err
			}
			number++
		}
	}
	return nil
}

// upsertRow does one row. known is the server's error about it, if it has been tried.
func (w *writer) upsertRow(row *change.UpsertRow, element int, known *wire.Err) error {
	for range insertTries {
		if known == nil {
			done, failed, err := w.insertRow(row, element)
			switch {
			case err != nil:
				return err
			case done:
				return w.endAlone()
			}
			known = failed
		}
		found, err := w.findRow(row, element, known)
		if err != nil {
			return err
		}
		if found {
			return w.updateRow(row, element)
		}
		known = nil
	}
	return sqlerr.StatementRefused("an INSERT of a row that others insert and delete at once")
}

// insertRow inserts one row; failed says that it is there already.
func (w *writer) insertRow(row *change.UpsertRow, element int) (done bool, failed *wire.Err, err error) {
	if u := &w.upserted; row.Numbering == recipe.NumberComputed && u.id == 0 {
		if u.before, err = w.lastInsertID(); err != nil {
			return false, nil, err
		}
	}
	r, err := w.askRow(row.Insert, element, false)
	if err == nil && r.Failed != nil && w.isLenient(row, r.Failed) {
		r, err = w.askRow(row.Lenient, element, true)
		if err == nil && r.Failed != nil && r.Failed.Number == translation.DuplicateEntry {
			failed, err = r.Failed, w.collectFailed()
			return false, failed, err
		}
	}
	switch {
	case err != nil:
		return false, nil, err
	case r.Failed == nil && w.isGone(&r.OK): // the next row would be done by itself
		return false, nil, w.gone()
	case r.Failed == nil:
		w.upserted.inserted++
		if err := w.collect(&r.OK); err != nil {
			return true, nil, err
		}
		return true, nil, w.inserted(row, element, r.OK.LastInsertID)
	case r.Failed.Number != translation.DuplicateEntry:
		said := w.session.words.Error(&w.st.Statement, r.Failed)
		said.Message = string(binding.OfRow([]byte(said.Message), w.upserted.number+1))
		return false, nil, said
	}
	return false, r.Failed, nil
}

// askRow sends the INSERT of one row, as that of a query if asked.
func (w *writer) askRow(p *sql.Printed, element int, asQuery bool) (dialogue.Reply, error) {
	b := w.session.binder
	b.LookAgain()
	command := w.AppendQuery(nil)
	head := len(command)
	command, err := p.Fill(command, func(int) int { return 1 }, func(dst []byte, h sql.Hole, _ int) ([]byte, error) {
		switch h.Kind {
		case sql.HoleSlot:
			if err := b.BindQuietly(h.Number, element); err != nil {
				return dst, err
			}
			return b.FillSlot(dst, h.Number, element)
		case sql.HoleParam:
			return b.AppendParamAt(dst, h)
		default:
			return b.AppendPlace(dst, h.Place, element)
		}
	})
	if err != nil {
		return dialogue.Reply{}, err
	}
	if asQuery {
		command = append(command[:head:head], ofQuery(command[head:])...)
	}
	return w.ask(command)
}

// ofQuery is an INSERT of one row with the row as that of a query:
//
//	insert into `t`(`a`, `b`) values (1, NULL)
//	insert into `t`(`a`, `b`) select 1, NULL
func ofQuery(insert []byte) []byte {
	values, quoted := []byte(" values ("), false
	for i, c := range insert {
		switch {
		case c == '`':
			quoted = !quoted
		case !quoted && bytes.HasPrefix(insert[i:], values):
			row := bytes.TrimSuffix(insert[i+len(values):], []byte(")"))
			return slices.Concat(insert[:i], []byte(" select "), row)
		}
	}
	return insert
}

// isLenient reports whether an error is about NULL for a column that is NOT NULL, which servers take in one row
// of several, and warn of it, without a strict sql_mode.
func (w *writer) isLenient(row *change.UpsertRow, failed *wire.Err) bool {
	return failed.Number == uint16(value.BadNull) && row.Lenient != nil && w.upserted.rows > 1 && !w.session.env.Value.Strict()
}

// collectFailed keeps the warnings that the server has of the last statement, which has failed.
func (w *writer) collectFailed() error {
	return w.eachWarning(1, func(payload []byte) error {
		if n, err := decodeNotice(payload); err != nil || n.Level == value.Error {
			return err
		}
		return w.warned(payload, w.upserted.number+1)
	})
}

// inserted notes the number of a row that has been inserted. The server tells the one that the row has,
// whoever has made it.
func (w *writer) inserted(row *change.UpsertRow, element int, told uint64) error {
	u := &w.upserted
	u.last = told
	if told == 0 || u.id != 0 {
		return nil
	}
	made := false
	switch row.Numbering {
	case recipe.ServerNumbers:
		made = true
	case recipe.NumberGiven:
		n, known := w.session.binder.Number(&row.Number, element)
		made = known && n != told
	case recipe.NumberComputed:
		id, err := w.lastInsertID()
		if err != nil {
			return err
		}
		made = id != u.before
	case recipe.NotNumbered:
	}
	if made {
		u.id = told
	}
	return nil
}

// lastInsertID asks for LAST_INSERT_ID().
func (w *writer) lastInsertID() (id uint64, err error) {
	w.PushText("SELECT LAST_INSERT_ID()")
	if err := w.Flush(); err != nil {
		return 0, err
	}
	err = w.Follow(func(_ int, payload []byte) error {
		cells, err := wire.DecodeTextRow(nil, payload, 1)
		if err == nil {
			id, err = strconv.ParseUint(string(cells[0].Bytes), 10, 64)
		}
		if err != nil {
			return &dialogue.BrokenError{Err: wire.ErrMalformed}
		}
		return nil
	}, func(_ int, r dialogue.Reply) error {
		if r.Failed != nil {
			return translation.Error(&w.st.Statement, r.Failed)
		}
		return nil
	})
	return id, err
}

// noteWithout notes, for rows that are inserted one by one, the columns that have to be given a value and are not:
// servers look at them once, before the first row.
func (w *writer) noteWithout() {
	s := w.session
	if s.env.Value.Strict() {
		return
	}
	u, table := w.st.Run.Upsert(), w.st.Run.Table
	for _, i := range u.Without {
		if binding.NeedsValue(&table.Columns[i]) {
			s.binder.NoteNoDefault(table.Columns[i].Name)
		}
	}
	for _, i := range u.Updated {
		s.binder.HushNoDefault(table.Columns[i].Name)
	}
}

// collect keeps the warnings that the server has of the last statement, which the
// next one drops.
func (w *writer) collect(ok *wire.OK) error {
	return w.eachWarning(ok.Warnings, func(payload []byte) error { return w.warned(payload, w.upserted.number+1) })
}

// restoreUpsertID is restoreID for rows that were inserted or updated one by one.
func (w *writer) restoreUpsertID() error {
	if u := &w.upserted; u.id != 0 && (u.inserted+u.updated > 1 || u.called != 0) {
		return w.askText("SET SESSION last_insert_id = " + strconv.FormatUint(u.id, 10))
	}
	return nil
}

// answerUpsert is what the client is told.
func (w *writer) answerUpsert() wire.OK {
	u, notices := &w.upserted, &w.session.binder.Notices
	if u.plain != nil {
		ok := *u.plain
		ok.Warnings = notices.With(ok.Warnings)
		if notices.Count() > 0 {
			ok.Info = said.WithWarnings(ok.Info, notices.Count())
		}
		ok.Status, ok.SessionState = ok.Status&sessionFlags, nil
		return ok
	}
	ok := wire.OK{
		AffectedRows: uint64(u.inserted + 2*u.updated + u.almost), LastInsertID: u.id,
		Status: w.response.Status & sessionFlags, Warnings: notices.With(0),
	}
	switch { // in the order in which servers look
	case u.id != 0:
	case u.called != 0:
		ok.LastInsertID = u.called
	case u.inserted+u.updated+u.almost > 0 && w.st.from == nil: // of rows of a query servers tell what they made alone
		ok.LastInsertID = u.last
	}
	duplicates := u.updated
	if w.session.link.Caps.Has(wire.ClientFoundRows) {
		ok.AffectedRows += uint64(u.same + u.almost)
		duplicates += u.same + u.almost
	}
	if u.rows > 1 || w.st.from != nil {
		ok.Info = said.Records(u.rows, int64(duplicates), notices.Count())
	}
	return ok
}
