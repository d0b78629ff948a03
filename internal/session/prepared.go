package session

import (
	"tunic/internal/outcome"
	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/statements"
	"tunic/internal/wire"
)

// statement is one that the client has prepared: what there is of each, and of its sort.
type statement struct {
	prepared
	plan *plan.Plan
	in   statements.In
	// known says of which plan and in which version of the catalog the tables were last seen to be as planned.
	known struct {
		plan    *plan.Plan
		version uint64
	}
	// version is that of the catalog by which the text was forwarded last.
	version uint64
	// asksRows and asksWarnings say that it may ask for counts of the statement before it.
	asksRows, asksWarnings bool
	// ahead is how many bytes tunic has of parts of parameters that were sent ahead; dropped says that
	// it had no memory for them.
	ahead   int
	dropped bool
	cursor  bool // it has an open one
}

// prepared is a statement of one sort that the client has prepared: forwarded, given, executed here,
// replayed or a definition.
type prepared interface {
	// execute does a COM_STMT_EXECUTE or COM_STMT_BULK_EXECUTE.
	execute(s *Session, st *statement, m wire.Execute, payload []byte) error
	// command does a COM_STMT_FETCH or COM_STMT_RESET.
	command(s *Session, m wire.Execute, payload []byte) error
	// keeps is who keeps parts of parameters that are sent ahead; nil where the server does.
	keeps() keeper
	// withholds reports whether nobody is to have such a part.
	withholds(s *Session, st *statement) bool
	// sentAhead is the command by which the server gets such a part.
	sentAhead(payload []byte) []byte
	// forget has the server forget what it has in place of the statement.
	forget(s *Session)
}

// keeper keeps parts of parameters.
type keeper interface {
	LongData(m wire.Execute, most int)
	Kept() bool
	Reset()
}

// numbered is what the server has under the number that the client knows. Sorts have it that have nothing
// else there.
type numbered struct{}

func (numbered) command(s *Session, m wire.Execute, payload []byte) error {
	return s.exchangeCommand(m.Command, payload)
}

func (numbered) keeps() keeper                       { return nil }
func (numbered) withholds(*Session, *statement) bool { return false }
func (numbered) sentAhead(payload []byte) []byte     { return payload }
func (numbered) forget(*Session)                     {}

// asking notes which counts the statement may ask for.
func (st *statement) asking(asked sql.Asks) *statement {
	st.asksRows, st.asksWarnings = asked.Rows, asked.Warnings
	return st
}

// keep remembers what the server has just prepared.
func (s *Session) keep(st *statement) {
	st.in = s.preparesIn()
	s.prepared.Add(s.response.Prepared.ID, st)
	s.shared.Metrics.Prepared.Inc()
}

// forgetStatements drops them all, those of PREPARE as well, and temporary tables: the
// server has.
func (s *Session) forgetStatements() {
	s.forgetTemporaries()
	s.parting.Reset()
	s.forgetPrepared()
	s.shared.Metrics.Prepared.Add(-s.prepared.Count())
	s.prepared.Clear()
	s.memory.ForgetAllAhead()
	s.named.Clear()
	s.variables.Clear()
}

// forgetPrepared drops what the server has prepared for tunic itself.
func (s *Session) forgetPrepared() {
	if s.exec != nil {
		s.exec.ForgetPrepared()
	}
}

// prepare plans a statement and has the server prepare it.
func (s *Session) prepare(payload []byte) error {
	text := payload[1:]
	s.attempt.Begin()
	p, err := s.plan(text)
	if err != nil {
		return err
	}
	s.prepared.Fails()
	if s.last.HasPast() && outcome.AsksWarnings(p, text, s.state.Modes()) {
		if told, err := s.recall(); told || err != nil {
			return err
		}
	}
	if s.last.IsOwn() && outcome.AsksWarnings(p, text, s.state.Modes()) {
		return s.prepareOutcome(p, payload)
	}
	w := wayOf(p.Action)
	if !w.is(refuses) && s.prepared.IsFull(0) {
		return s.fail(sqlerr.TooManyPrepared(s.prepared.Max))
	}
	return w.prepare(s, p, payload)
}

// statementCommand passes on a command on a prepared statement that the client
// has. One that tunic does not know it cannot judge, so it is refused.
func (s *Session) statementCommand(command wire.Command, payload []byte) error {
	m, err := wire.DecodeExecute(payload)
	if err != nil || m.CutShort() {
		return s.fail(sqlerr.Malformed("a command on a prepared statement"))
	}
	st, ok := s.prepared.Find(m.Statement)
	if !ok {
		return s.fail(sqlerr.NoStatement(m.Statement, command.String()))
	}
	defer s.executesIn(&st.in)()
	do := s.onStatement
	if st.ahead > 0 || st.dropped {
		do = s.withAhead
	}
	err = do(st, m, payload)
	s.tracksCursor(st, m, err)
	return err
}

// onStatement does a command on a prepared statement.
func (s *Session) onStatement(st *statement, m wire.Execute, payload []byte) error {
	if st.plan != nil {
		s.template = st.plan.Template
	}
	if m.Command == wire.ComStmtExecute || m.Command == wire.ComStmtBulkExecute {
		return st.execute(s, st, m, payload)
	}
	return st.command(s, m, payload)
}

// asksUnknown reports whether a statement asks for counts which the server does not know, or not
// all of.
func (st *statement) asksUnknown(s *Session) bool {
	rows, warnings := s.last.Uncertain()
	return rows && st.asksRows && !outcome.TellsCounts(st.plan) || warnings && st.asksWarnings
}

// failUnasked answers a malformed command to which the protocol has no answer as
// the servers do: MySQL with an error all the same, MariaDB with nothing.
func (s *Session) failUnasked(e *sqlerr.Error) error {
	if s.state.Modes()&sql.MariaDB != 0 {
		return nil
	}
	return s.fail(e)
}

// longData passes on a part of a parameter. The protocol has no answer to it,
// not even an error.
func (s *Session) longData(payload []byte) error {
	m, err := wire.DecodeExecute(payload)
	if err != nil || m.CutShort() {
		return s.failUnasked(sqlerr.Malformed("COM_STMT_SEND_LONG_DATA"))
	}
	st, ok := s.prepared.Find(m.Statement)
	switch {
	case !ok:
		return nil
	case st.keeps() != nil:
		s.keepAhead(st, m)
		return nil
	case st.withholds(s, st):
		return nil
	}
	return s.forward(st.sentAhead(payload))
}

// closeStatement forgets a statement. The protocol has no answer to it.
func (s *Session) closeStatement(payload []byte) error {
	m, err := wire.DecodeExecute(payload)
	if err != nil {
		return s.failUnasked(sqlerr.Malformed("COM_STMT_CLOSE"))
	}
	st, ok := s.prepared.Remove(m.Statement)
	if !ok {
		return nil
	}
	st.forget(s)
	s.forgetAhead(st)
	s.shared.Metrics.Prepared.Dec()
	return s.forward(payload)
}
