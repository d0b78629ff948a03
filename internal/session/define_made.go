package session

import (
	"errors"
	"strconv"

	"tunic/internal/attempt"
	"tunic/internal/catalog"
	"tunic/internal/ddl"
	"tunic/internal/dialogue"
	"tunic/internal/identifier"
	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/transaction"
	"tunic/internal/translation"
	"tunic/internal/value"
	"tunic/internal/wire"
)

// definingMade executes a CREATE TABLE … SELECT of which something is protected, or may
// be. The server describes its query first.
func (s *Session) definingMade(p *plan.Plan, stmt *ast.CreateTable, of *plan.MadeTable, text []byte) error {
	made, err := s.plannedMade(of, text)
	switch {
	case err != nil:
		return err
	case made.Refusal != nil:
		return s.refuse(made.Refusal)
	}
	s.last.Anew()
	settings, err := s.settings()
	if err != nil {
		s.response.Begin(wire.ComQuery, s.server.Capabilities, s.client.Sequence())
		return s.tellFailed(err)
	}
	described, err := s.describeView(&made.View)
	if err != nil {
		s.state.Apply(p, 0, true)
		return s.tellFailed(err)
	}
	defer s.shared.Existing.Forget()
	client := s.aside()
	f := &inserting{session: s, client: client, made: &made.Made}
	m := &ddl.Made{
		CreateTable: stmt, View: *viewOf(&made.View, described, text), ReadsProtected: made.ReadsProtected, Flows: made.Flows,
		Ready: f.ready, Insert: f.insert,
	}
	s.attempt.Lands()
	result, err := s.shared.Definer.DoMade(s.life, m, s.definitionSession(settings), client)
	if stale, ok := errors.AsType[*sqlerr.Error](err); ok && (translation.MayBeStale(stale) || translation.MayBeDenied(stale)) && client.Broken == nil {
		// One of them has changed since, or the client may not name their fences; nothing is left of the table.
		s.attempt.Concerns(tablesOfRun(made.View.Run))
		if err := s.attempt.Stale(stale); err != nil {
			s.state.Apply(p, 0, true)
			return err
		}
	}
	client.Affected, client.Generated, client.Info = f.ok.AffectedRows, f.ok.LastInsertID, f.ok.Info
	if notices := s.executor().Notices(); f.filled {
		notices.HaveHeard() // what the server has by now is of a statement of tunic's
		s.last.Notes(notices.Count() > 0)
		s.last.Passes()
		s.last.Counts.LoseFound()
	}
	return s.haveDefined(p, client, result, err, s.resuming(p, func() error { return s.forwardText(p, text) }))
}

// plannedMade plans the query again for which plain tables have to be looked at, or the
// twins of views made anew.
func (s *Session) plannedMade(made *plan.MadeTable, text []byte) (*plan.MadeTable, error) {
	for len(made.Outdated) > 0 {
		if refusal := s.attempt.Again(); refusal != nil {
			made.Refusal = refusal
			return made, nil
		}
		for _, v := range made.Outdated {
			refusal, err := s.retell(v, viewsDeep)
			if refusal != nil {
				made.Refusal = refusal
			}
			if refusal != nil || err != nil {
				return made, err
			}
		}
		made = s.shared.Planner.PlanMade(s.attempt.Catalog(), nil, text, s.state.Modes(), s.schema())
	}
	if len(made.Needs) == 0 {
		return made, nil
	}
	plain, refusal, err := s.neededTables(made.Needs, nil)
	if err != nil {
		return nil, err
	}
	if len(plain) < len(made.Needs) {
		if refusal != nil {
			made.Refusal = refusal
		}
		return made, nil
	}
	return s.shared.Planner.PlanMade(s.attempt.Catalog(), plain, text, s.state.Modes(), s.schema()), nil
}

// inserting inserts the rows of a CREATE TABLE … SELECT.
type inserting struct {
	session *Session
	client  *dialogue.Aside // of the whole definition: once it is broken nothing is asked of the server
	made    *sql.Made
	ok      wire.OK // what the server would have said
	filled  bool    // it has come to that
}

// text is the statement that inserts the rows.
func (f *inserting) text(t *catalog.Table, into []string) []byte {
	text := "INSERT INTO "
	switch {
	case f.made.Replace:
		text = "REPLACE INTO "
	case f.made.Ignore:
		text = "INSERT IGNORE INTO "
	}
	text += identifier.Quoted(t.Schema) + "." + identifier.Quoted(t.Name) + " ("
	for i, name := range into {
		if i > 0 {
			text += ", "
		}
		text += identifier.Quoted(name)
	}
	return append([]byte(text+") "), f.made.Query...)
}

// plan plans it, by a catalog that has the table.
func (f *inserting) plan(t *catalog.Table, text []byte) (*plan.Plan, error) {
	s := f.session
	with := s.attempt.Catalog()
	if !t.Is(with.Table(t.Schema, t.Name)) {
		with = with.Next(transaction.OwnVersion(), nil, []*catalog.Table{t})
	}
	p := s.shared.Planner.PlanWith(with, &s.fingerprinter, text, s.state.Modes(), s.schema())
	if len(p.Needs()) > 0 {
		plain, refusal, err := s.neededTables(p.Needs(), p.Statements)
		switch {
		case err != nil:
			f.client.Broken = err
			return nil, err
		case refusal != nil:
			return nil, refusal
		}
		p = s.shared.Planner.PlanBeside(with, plain, &s.fingerprinter, text, s.state.Modes(), s.schema())
	}
	switch {
	case plan.Is[*plan.Execute](p):
		return p, nil
	case p.Refusal() != nil:
		return nil, p.Refusal()
	}
	return nil, sqlerr.StatementUnread()
}

// ready makes sure that the rows can be inserted.
func (f *inserting) ready(t *catalog.Table, into []string) error {
	_, err := f.plan(t, f.text(t, into))
	return err
}

// insert inserts the rows. The gate of the table is closed: for this session it is as if it
// had used the table before.
func (f *inserting) insert(t *catalog.Table, into []string) error {
	s := f.session
	text := f.text(t, into)
	s.attempt.Inner()
	defer s.attempt.Lands()
	p, err := f.plan(t, text)
	if err != nil {
		return err
	}
	s.transaction.Touched.Add(t.ID, s.shared.Ledger.Gate())
	s.attempt.IsFor(p)
	switch err := s.attempt.Enter(p.Run().Tables); {
	case attempt.IsOutdated(err): // the table is made by now
		return translation.Redefined()
	case err != nil:
		return err
	}
	defer s.attempt.Leave()
	st, err := s.executor().Statement(p.Run())
	if err != nil {
		return unkeyed(err)
	}
	s.response.Begin(wire.ComQuery, s.server.Capabilities, s.client.Sequence())
	s.renumbers, f.filled = true, true
	f.ok, err = s.executor().Fill(st, s.queryOf(text), s.fingerprinter.Literals())
	s.renumbers = false
	if broken, ok := errors.AsType[*dialogue.BrokenError](err); ok {
		f.client.Broken = broken.Err
	}
	if err == nil {
		err = f.hear()
	}
	return err
}

// hear keeps what the server has to say of the rows: it is asked for much else before the
// client asks.
func (f *inserting) hear() error {
	x := f.session.executor()
	if x.Notices().Count() > 0 || f.ok.Warnings == 0 {
		return nil
	}
	rows, err := f.client.Query(f.session.life, "SHOW WARNINGS")
	for _, row := range rows {
		number, _ := strconv.ParseUint(*row[1], 10, 16)
		level := value.Warning
		if *row[0] == value.Note.String() {
			level = value.Note
		}
		x.Notices().Add(level, uint16(number), x.Translate(uint16(number), []byte(*row[2])))
	}
	return err
}
