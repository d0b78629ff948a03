package exec

import (
	"errors"

	"tunic/internal/backend"
	"tunic/internal/binding"
	"tunic/internal/description"
	"tunic/internal/dialogue"
	"tunic/internal/environment"
	"tunic/internal/exec/first"
	"tunic/internal/exec/recall"
	"tunic/internal/exec/repeat"
	"tunic/internal/opening"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/translation"
	"tunic/internal/usage"
	"tunic/internal/wire"
)

// Link is what a session lends for the execution of its statements.
type Link struct {
	Client *wire.Conn
	// Caps are what client and tunic have agreed on.
	Caps   wire.Capability
	Server *backend.Conn
	// Response follows the server's answers. After a statement it says how the last
	// one went.
	Response *wire.Response
	// Waiter is who waits for the server.
	Waiter dialogue.Waiter
	// Modes are those of a session with this server, before its sql_mode and
	// character set are known.
	Modes sql.Modes
	Owner Owner
	// Clock times the statement under way by phase, if it is to; nil never does.
	Clock *usage.Clock
}

// Session carries out statements for one client. It is for one goroutine.
//
// Its methods return nil when the client has got the whole answer. A
// *sqlerr.Error means that it has got nothing and is to be told so; the server has
// not got the statement either, or has only read rows for it. A *BrokenError means that the server's answer
// cannot be read any further. Other errors are those of Waiter.Write.
type Session struct {
	engine   *Engine
	link     Link
	leaving  func() bool // of the link's Owner
	dialogue dialogue.Dialogue
	env      environment.Environment
	known    bool // env is what the session is like
	binder   *binding.Binder
	rows     opening.Opener
	fetcher  opening.Fetcher
	writer   *writer // nil until it is needed
	// spare and answered are used again; nil if there is none.
	spare    *choice
	answered *result
	recall   recall.Rows       // that the transaction under way has locked
	repeated repeat.Statements // that the server has prepared for tunic
	portion  first.Portion     // of an answer that was read last
	// repeating is of those what was executed of the statement under way; nil for nothing.
	repeating *repeat.Statement
	command   []byte                 // that is sent, where it is not written to the server at once
	texts     [2][]byte              // of which a command is made
	words     translation.Translator // of what the server says of the last statement
	namer     description.Namer
	executed  *Prepared // that is executed, nil for a text
	// uncounted: see Uncounted.
	uncounted   bool
	leavesFound bool      // see LeavesFound
	kept        *wire.OK  // takes the answer of a Fill; else nil
	found       foundRows // that the last query, finished locally, has
	changed     foundRows // that the last statement, done in several, has changed
	informed    *informed // of the statement under way, if it reads information_schema
	// foreign says that a row was not what tunic stored; the rest of the answer is
	// dropped.
	foreign bool
	// warnedTwice says that the server has warned of rows that it was asked for twice: it is no more in this session.
	warnedTwice bool
}

// NewSession makes the executions of one client.
func NewSession(e *Engine, l Link) *Session {
	s := &Session{engine: e, link: l, leaving: l.Owner.Leaving, binder: binding.New()}
	s.dialogue = dialogue.Dialogue{
		Client: l.Client, Server: l.Server, Response: l.Response, Waiter: l.Waiter, Apart: e.options.Apart, Types: &s.rows.Types,
	}
	s.words.Binder, s.repeated.Room = s.binder, &e.prepared
	s.recall.Cache = &e.cache
	s.rows.Sought, s.fetcher.Sought = &s.binder.Sought, &s.binder.Sought
	return s
}

// Doubt says that something may have changed what values mean in the session. The
// server is asked before the next statement that is carried out.
func (s *Session) Doubt() { s.known = false }

// Modes are those in which the server reads the session's statements, as Learn has
// found them.
func (s *Session) Modes() sql.Modes { return s.env.Modes }

// Learn asks the server for what values mean in the session, if that is in doubt.
func (s *Session) Learn() error {
	if s.known {
		return nil
	}
	told, err := s.link.Server.Environment()
	for tries := 1; tries < dialogue.TriesOfSure && errors.Is(err, backend.ErrAnswered); tries++ { // a KILL QUERY for the statement before
		told, err = s.link.Server.Environment()
	}
	switch {
	case errors.Is(err, backend.ErrAnswered):
		return sqlerr.StatementRefused("a statement in a session whose settings the server does not tell")
	case err != nil:
		return &dialogue.BrokenError{Err: err}
	}
	err = s.env.Learn(told, s.link.Modes, &s.engine.zones, s.link.Server.AskRow)
	if _, refused := errors.AsType[*sqlerr.Error](err); err != nil && !refused {
		return &dialogue.BrokenError{Err: err}
	}
	if err != nil {
		return err
	}
	s.known = true
	return nil
}

// Notices are the warnings and errors that tunic has raised for the last statement.
func (s *Session) Notices() *binding.Notices { return &s.binder.Notices }

// Agree takes over what client and tunic agree on since, by COM_SET_OPTION.
func (s *Session) Agree(caps wire.Capability) { s.link.Caps = caps }

// Uncounted says that what the server tells of the rows of the last statement, by
// ROW_COUNT() and FOUND_ROWS(), is not so: it had a part in it only.
func (s *Session) Uncounted() bool { return s.uncounted }

// LeavesFound says that the last statement leaves FOUND_ROWS() as it was. On MySQL an
// UPDATE sets it to the rows that matched.
func (s *Session) LeavesFound() bool { return s.leavesFound }

// Found is what FOUND_ROWS() is after the last statement, a query of which every row has
// come by here.
func (s *Session) Found() (rows uint64, ok bool) { return s.found.n, s.found.known }

// Changed is what ROW_COUNT() is after the last statement, if it wrote rows in several.
func (s *Session) Changed() (rows uint64, ok bool) { return s.changed.n, s.changed.known }

// foundRows is how many rows a query has: those of its answer, or those that there would
// be without its LIMIT, if that was asked for with SQL_CALC_FOUND_ROWS.
type foundRows struct {
	n     uint64
	known bool
}

// behind is what FOUND_ROWS() is of rows before which the server has skipped some.
func (f foundRows) behind(skipped uint64, ok bool) foundRows {
	if !f.known || !ok || f.n == 0 && skipped > 0 {
		return foundRows{}
	}
	return foundRows{f.n + skipped, true}
}

// executes has the values of a statement be those of an execution; nil for a text.
func (s *Session) executes(p *Prepared) {
	if s.executed, s.binder.Prepared = p, nil; p != nil {
		s.binder.Prepared = &p.Execution
	}
}

// begin prepares for a statement. It returns the Statement that is carried out for
// this client, and how its result is described. A statement that cannot be right
// the server refuses to describe, in words of its own.
func (s *Session) begin(st *Statement) (*Statement, *description.Description, error) {
	if err := s.resume(); err != nil {
		return nil, nil, err
	}
	s.words.Last = &st.Statement
	st.page.Used()
	if st.Run.InUTF8 && !s.env.InUTF8() {
		return nil, nil, sqlerr.StatementRefused("a view with characters outside ASCII, in a session that is not in UTF-8,")
	}
	twice := st.alternatives[recipe.NamedOnce] != nil
	if other := st.alternative(facts{countsChanged: !s.link.Caps.Has(wire.ClientFoundRows), namedOnce: twice && (s.namesOnce() || s.listsMany())}); other != nil {
		st = other
	}
	st, err := s.readVariables(st)
	if err != nil {
		return nil, nil, err
	}
	d, err := s.describe(st)
	if err != nil {
		return nil, nil, err
	}
	if st.Run.Remote == nil && st.Run.Fails == nil {
		return nil, nil, sqlerr.StatementUnread()
	}
	return st, d, nil
}

// namesOnce reports whether a statement is to name no table twice.
func (s *Session) namesOnce() bool {
	return s.warnedTwice || s.env.Uncommitted || s.link.Owner.NamesOnce()
}

// listedMost is how many values the lists of a statement have that may be in it twice. Of longer ones it would become too long, or have
// too many parameters, and MySQL would say once more that it does not look for each of their ranges (ER_CAPACITY_EXCEEDED).
const listedMost = 1000

// listsMany reports whether the lists of the statement have more values.
func (s *Session) listsMany() bool {
	listed := 0
	for group := range s.binder.Literals.Groups() {
		listed += s.binder.Literals.Elements(group)
	}
	return listed > listedMost
}

// resume makes sure of what is known of the session.
func (s *Session) resume() error {
	s.foreign, s.uncounted, s.found, s.changed = false, false, foundRows{}, foundRows{}
	s.leavesFound = false
	s.words.Begin()
	if err := s.Learn(); err != nil {
		return err
	}
	s.binder.Env = &s.env
	s.binder.Notices.Begin(s.env.NoticesMax)
	return nil
}

// Stood reports whether the server was asked for the flags of the session when a statement was
// prepared: ROW_COUNT() is then no more of the statement before.
func (s *Session) Stood() bool { return s.dialogue.Stood }

// end lets go of a statement.
func (s *Session) end() {
	s.binder.End()
	s.executed, s.repeating = nil, nil
	s.namer.End()
	s.rows.End()
	s.fetcher.End()
	s.informed = nil
	s.dialogue.End()
}

// describe is the description of the statement's result in this session, nil if it
// has none.
func (s *Session) describe(st *Statement) (*description.Description, error) {
	if st.Run.Answer.Describe == nil {
		return nil, nil //nolint:nilnil // a statement without a result has none
	}
	as := s.env.DescribeAs()
	if st.writes() {
		as.SQLMode = s.env.UnstrictMode
	}
	as.Variables = s.binder.TypesOfVariables()
	as.Schema = s.link.Owner.Schema() // functions and sequences go by it
	return st.described.Of(&st.Statement, s.engine.options.Describe, as, s.binder)
}

// writes reports whether the statement is one that the strict modes are about.
func (st *Statement) writes() bool {
	return st.Run.Kind != sql.Select && st.Run.Kind != sql.SetOperation
}

// Translate is the text of a warning or error that the server has of the last
// statement, in the words of the logical one.
func (s *Session) Translate(number uint16, message []byte) []byte {
	return s.words.Warning(number, message)
}

// TellAgain begins with the first of the warnings that the server has of the last
// statement.
func (s *Session) TellAgain() { s.binder.TellAgain() }

// Statement is the Statement of a Run: see Engine.Statement.
func (s *Session) Statement(run *recipe.Run) (*Statement, error) { return s.engine.Statement(run) }
