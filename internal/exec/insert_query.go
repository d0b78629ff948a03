package exec

import (
	"bytes"
	"errors"
	"slices"
	"strconv"

	"tunic/internal/arena"
	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/dialogue"
	"tunic/internal/eval"
	"tunic/internal/exec/said"
	"tunic/internal/local"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/translation"
	"tunic/internal/value"
	"tunic/internal/wire"
)

// An INSERT of the rows of a query is two statements in one transaction, the client's if
// it has one: the rows are read, and locked; what the query makes of them is kept, within
// the budget; and when all of it is there, it is inserted as rows of values, as many at a
// time as make a text of about a megabyte.
//
//	SELECT … LOCK IN SHARE MODE ──► rows ──► relations ──► adder ──► INSERT … VALUES (…), (…)

// adding is an INSERT of rows that come from elsewhere, under way.
type adding struct {
	*adder
	affected, generated uint64
	last                uint64
	updated             int // rows that were there, and that the server has updated
	batches             int
	whole               bool // what is sent are all rows of the statement
}

// insertQuery carries out such a statement.
func (s *Session) insertQuery(st *Statement, a *asked) error {
	if s.env.Limited {
		return sqlerr.StatementRefused("a query that tunic has to finish itself, in a session with sql_select_limit,")
	}
	if st.readsOwn() && s.link.Owner.Locked() {
		return sqlerr.StatementRefused("INSERT of rows of its own table, where LOCK TABLES may hold it,")
	}
	if a.prepared != nil {
		a.prepared.from.Share(&a.prepared.Execution)
		s.executes(a.prepared.from)
	}
	defer s.executes(a.prepared)
	command, err := s.queryCommand(st.from)
	if err != nil {
		return err
	}
	if a.prepared == nil {
		s.noteDeprecated(st)
	}
	do := func(w *writer) error { return w.insertQuery(command, a.prepared) }
	return s.writes(st, do, (*writer).answerAdded)
}

// queryCommand is the command that reads the rows of the query; nil if it reads none.
func (s *Session) queryCommand(from *Statement) ([]byte, error) {
	s.binder.Begin(&from.Statement)
	if from.Run.Remote == nil {
		return nil, nil
	}
	command := s.dialogue.AppendQuery(nil)
	command, err := s.filled(from, command)
	command = s.unboundedQuery(command, true)
	if err == nil && len(command) >= s.env.PacketBytes {
		err = dialogue.ErrPacket
	}
	return command, err
}

// insertQuery reads the rows and inserts what the query makes of them.
func (w *writer) insertQuery(command []byte, prepared *Prepared) error {
	s, to := w.session, w.st
	d, err := s.describe(to.from)
	if err != nil {
		return err
	}
	c, err := s.begins(to.from, func(c *choice, p *local.Program) (local.Sink, error) {
		made, err := w.newAdder(c, p, d)
		w.adding = adding{adder: made}
		return made, err
	})
	if err != nil {
		return err
	}
	defer c.close()
	s.executes(prepared)
	now := s.env.Value.Now
	s.binder.Begin(&to.Statement) // what is said of values is said of the columns that they are for
	s.env.Value.Now = now
	if err := w.requireValues(); err != nil {
		return err
	}
	if err := w.findTransaction(); err != nil {
		return err
	}
	if err := w.beginLocked(); err != nil {
		return err
	}
	return w.together(func() error {
		if err := w.probe(); err != nil {
			return err
		}
		if err := w.readQuery(command, c); err != nil {
			return err
		}
		return w.insertAdded()
	})
}

// requireValues is MariaDB's error for a column that needs a value and that the query gives none: it
// looks before it reads a row, and an ON DUPLICATE KEY UPDATE of the column gives it nothing either.
func (w *writer) requireValues() error {
	env := &w.session.env.Value
	if env.Flavor != value.MariaDB || !env.Strict() || w.st.Run.Table.Plain() {
		return nil
	}
	for i := range w.st.Run.Table.Columns {
		c := &w.st.Run.Table.Columns[i]
		if binding.NeedsValue(c) && c.Shadows == "" && !slices.Contains(w.st.Run.Added().Into, i) {
			return w.session.binder.NoDefault(c.Name)
		}
	}
	return nil
}

// probe has the server look at the fence of the table that rows are inserted into, and
// keep its definition as it is for the rest of the transaction.
func (w *writer) probe() error {
	probe := w.st.Run.Added().Probe
	if probe == nil {
		return nil
	}
	text, err := probe.Fill([]byte("EXPLAIN "), nil, nil)
	if err != nil {
		return err
	}
	w.PushText(string(text))
	if err := w.Flush(); err != nil {
		return err
	}
	var failed *wire.Err
	err = w.Follow(func(int, []byte) error { return nil }, func(_ int, r dialogue.Reply) error { failed = r.Failed; return nil })
	if err == nil && failed != nil {
		err = translation.Error(&w.st.Statement, failed)
	}
	if err == nil {
		err = w.session.sure(w.st)
	}
	return err
}

// together does something as one statement: in a transaction of tunic's own, or behind a
// savepoint of the client's.
func (w *writer) together(do func() error) error {
	begin := dialogue.TextBegin
	if !w.own {
		begin = dialogue.TextSavepoint
	}
	w.PushText(begin)
	if err := w.Flush(); err != nil {
		return err
	}
	r, err := w.Await()
	w.begun, w.batch.saved, w.batch.timed = true, !w.own, false
	if err != nil || r.Failed != nil { // it may have begun
		err = errorOf(w.st, r, err)
	} else {
		w.batch.set = !w.own
		err = do()
	}
	if err == nil {
		err = w.Unkilled()
	}
	switch {
	case err == nil && w.own:
		err = w.commit()
	case err == nil:
		w.batch.saved = false
		err = w.release()
	}
	if err == nil {
		return nil
	}
	if own, ok := errors.AsType[*sqlerr.Error](err); ok {
		err = own
	}
	return w.undo(err)
}

// readQuery reads the rows of the query, and has them go through it.
func (w *writer) readQuery(command []byte, c *choice) error {
	to := w.st
	w.st, w.choice = to.from, c
	defer func() { w.st, w.choice = to, nil }()
	if command == nil {
		err := c.End()
		if err == local.ErrEnough { //nolint:errorlint // it is never wrapped
			return nil
		}
		return err
	}
	s := w.session
	s.rows.Binary, s.rows.Types = false, s.rows.Types[:0]
	w.Push(command)
	if err := w.Flush(); err != nil {
		return err
	}
	if err := w.readRows(); err != nil {
		return err
	}
	return w.check()
}

// insertAdded inserts what was made of the rows.
func (w *writer) insertAdded() error {
	a := w.adding.adder
	if w.st.upsert != nil {
		w.upserted = upserted{rows: a.count}
		w.noteWithout()
	}
	q := w.newQueue(a.Columns)
	err := a.rows.Each(func(_ int, row eval.Row) error { return q.add(slices.Clone(row)) })
	if err == nil {
		err = q.send(true)
	}
	if err == nil && a.failed != nil {
		for _, n := range a.said {
			w.session.binder.Notices.Add(n.Level, n.Code, n.Message)
		}
		return a.failed
	}
	if err == nil {
		err = w.restoreID()
	}
	return err
}

// queue are rows that are sent together.
type queue struct {
	w          *writer
	batch      binding.Added
	size, most int // about how many bytes the rows are in the stored statement
	sent       int // rows
}

func (w *writer) newQueue(columns []*binding.Column) *queue {
	q := &queue{w: w, batch: binding.Added{Columns: columns}, most: min(textBytesMax, w.session.env.PacketBytes/2)}
	w.session.binder.Added = &q.batch
	return q
}

// add adds a row, which stays as it is until it is sent. Those before it are sent if it is
// too much.
func (q *queue) add(row eval.Row) error {
	room := binding.FormBytes * len(q.w.st.Slots)
	for _, v := range row {
		room += 2*len(v) + len("_utf8mb4 x'', ")
	}
	if q.size+room > q.most {
		if err := q.send(false); err != nil {
			return err
		}
	}
	q.batch.Rows, q.size = append(q.batch.Rows, row), q.size+room
	return nil
}

// send sends what there is; last says that no more follows.
func (q *queue) send(last bool) error {
	if len(q.batch.Rows) == 0 {
		return nil
	}
	q.w.adding.whole = last && q.sent == 0
	err := q.w.insertBatch(&q.batch, q.sent)
	q.sent += len(q.batch.Rows)
	clear(q.batch.Rows)
	q.batch.Rows, q.size = q.batch.Rows[:0], 0
	return err
}

// insertBatch inserts rows; before is how many were inserted before them.
func (w *writer) insertBatch(batch *binding.Added, before int) error {
	b := w.session.binder
	b.Again()
	if w.st.upsert != nil {
		return w.upsertBatch(batch, before)
	}
	b.Row = before + 1
	command := w.AppendQuery(w.command[:0])
	command, err := w.session.rowsText(w.st, command, w.adding.whole)
	b.Row = 0
	if cap(command) <= arena.KeepMax {
		w.command = command
	}
	if err == nil && len(command) >= w.session.env.PacketBytes {
		err = dialogue.ErrPacket
	}
	if err != nil {
		return err
	}
	r, err := w.ask(command)
	switch {
	case err != nil:
		return err
	case r.Failed != nil:
		return w.addingFailed(r.Failed, before)
	case w.isGone(&r.OK): // what comes next would be done by itself
		return w.gone()
	}
	w.adding.batches++
	if w.adding.adder != nil { // rows of a query, not of a file
		w.adding.count -= b.Violations() // those that IGNORE has left out are not counted
	} else if w.loading != nil {
		w.loading.left += b.Violations()
	}
	w.adding.affected, w.adding.updated = w.adding.affected+r.OK.AffectedRows, w.adding.updated+said.DuplicateRows(&r.OK)
	if w.adding.last = r.OK.LastInsertID; w.adding.generated == 0 {
		w.adding.generated = r.OK.LastInsertID
	}
	return w.collectAfter(&r.OK, before)
}

// rowsText is the statement that inserts a batch. Where the server makes numbers for the
// rows it is one of a query: servers then take as many numbers at a time as for the
// client's, and leave out the same (MySQL manual, "AUTO_INCREMENT Handling in InnoDB").
// Rows that are sent in several statements have numbers without a gap. So it is where an update
// may be to NULL, which servers take of rows of values alone.
//
//	INSERT INTO t (…) WITH `rows` (`0`, `1`, …) AS (VALUES (…), (…)) SELECT * FROM `rows` ON DUPLICATE KEY UPDATE …
func (s *Session) rowsText(st *Statement, dst []byte, whole bool) ([]byte, error) {
	insert, _ := st.Run.Does.(*recipe.Insert)
	nulls := insert != nil && insert.Updates && !s.env.Value.Strict()
	if !nulls && (!whole || !st.numbers()) || s.env.Value.Flavor == value.TiDB {
		return s.filled(st, dst)
	}
	row := ""
	if s.env.Value.Flavor == value.MySQL {
		row = "row"
	}
	return s.filledAround(st, dst, &sql.Around{
		Before: func(dst []byte, element int) []byte {
			if element == 0 {
				dst = append(bytes.TrimSuffix(dst, []byte("values ")), "with `rows` ("...)
				for i := range st.Run.Remote.ElementHoles() {
					if i > 0 {
						dst = append(dst, ", "...)
					}
					dst = append(strconv.AppendInt(append(dst, '`'), int64(i), 10), '`')
				}
				dst = append(dst, ") as (values "...)
			}
			return append(dst, row...)
		},
		After: func(dst []byte) []byte { return append(dst, ") select * from `rows`"...) },
	})
}

// numbers reports whether the table has a column that is AUTO_INCREMENT.
func (st *Statement) numbers() bool {
	return slices.ContainsFunc(st.Run.Table.Columns, func(c catalog.Column) bool { return c.AutoIncrement })
}

// addingFailed is an error of the server about a batch, in the words of the statement.
func (w *writer) addingFailed(failed *wire.Err, before int) error {
	e := translation.Error(&w.st.Statement, failed)
	e.Message = string(said.LaterRow(w.session.words.Sent(&w.st.Statement, failed), before))
	return e
}

// upsertBatch inserts rows of which some may be there already.
func (w *writer) upsertBatch(batch *binding.Added, before int) error {
	all := w.upserted.rows
	w.upserted.rows = max(all, 2) // the transaction is ended behind the last batch
	for element := range batch.Rows {
		w.upserted.number = before + element
		if err := w.upsertRow(&w.st.upsert.Rows[0], element, nil); err != nil {
			return err
		}
	}
	w.upserted.rows = all
	return nil
}

// collectAfter keeps the warnings that the server has of a batch.
func (w *writer) collectAfter(ok *wire.OK, before int) error {
	return w.eachWarning(ok.Warnings, func(payload []byte) error { return w.warnedOf(payload, before) })
}

// warnedOf keeps a warning of a batch.
func (w *writer) warnedOf(payload []byte, before int) error {
	notices := &w.session.binder.Notices
	known := *notices
	kept := len(known.All())
	if err := w.warned(payload, 1); err != nil {
		return err
	}
	if len(notices.All()) > kept && w.known(notices.All()[kept].Code) {
		notices.Cut(known)
	}
	if len(notices.All()) > kept {
		last := &notices.All()[kept]
		last.Message = said.LaterRow(last.Message, before)
	}
	return nil
}

// known reports whether a warning is of what is known already: of the conversion of a
// value, which was done here, and what LOAD DATA does not say.
func (w *writer) known(code uint16) bool {
	switch code {
	case 1264, 1265, 1292, 1366, 1406:
		return true
	case deprecatedSyntax: // see noteDeprecated
		return w.st.deprecated() > 0
	case 1364:
		return w.st.Run.Load() != nil && w.session.env.Value.Flavor != value.MariaDB
	}
	return false
}

// restoreID has LAST_INSERT_ID() tell of the first row, where there were several batches.
func (w *writer) restoreID() error {
	if w.st.upsert != nil {
		return w.restoreUpsertID()
	}
	if w.adding.batches < 2 || w.adding.generated == w.adding.last || !w.numbersRows() {
		return nil
	}
	return w.askText("SET SESSION last_insert_id = " + strconv.FormatUint(w.adding.generated, 10))
}

// numbersRows reports whether the server has numbers for the rows, all of them.
func (w *writer) numbersRows() bool {
	for i := range w.st.Run.Table.Columns {
		if w.st.Run.Table.Columns[i].AutoIncrement {
			return !slices.Contains(w.st.Run.Added().Into, i)
		}
	}
	return false
}

// answerAdded is what the client is told.
func (w *writer) answerAdded() wire.OK {
	if w.st.upsert != nil {
		return w.answerUpsert()
	}
	a, notices := &w.adding, &w.session.binder.Notices
	ok := wire.OK{
		AffectedRows: a.affected, LastInsertID: a.last,
		Status: w.response.Status & sessionFlags, Warnings: notices.With(0),
	}
	if w.numbersRows() {
		ok.LastInsertID = a.generated
	}
	duplicates := int64(a.affected) - int64(a.count) // rows that were replaced
	if insert, ok := w.st.Run.Does.(*recipe.Insert); ok && insert.Updates {
		duplicates = int64(a.updated)
	}
	ok.Info = said.Records(a.count, max(duplicates, -duplicates), notices.Count())
	return ok
}

// readsOwn reports whether a statement inserts rows of a query over its own table, which
// servers put into a table first.
func (st *Statement) readsOwn() bool {
	from := st.Run.From()
	return from != nil && (slices.Contains(from.Tables, st.Run.Table) || from.Tree != nil && slices.Contains(from.Tree.Tables, st.Run.Table))
}
