package session

import (
	"bytes"

	"tunic/internal/binding"
	"tunic/internal/exec"
	"tunic/internal/outcome"
	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// statement is one that the client has prepared.
type statement struct {
	plan       *plan.Plan
	in         preparedIn
	everywhere bool           // it is planned for any current schema, as far as that can be
	carried    *exec.Prepared // nil for one that the server has as the client wrote it
	definition *definition
	// version is that of the catalog by which the text was forwarded last; text is nil
	// if it was too long to be kept.
	version   uint64
	text      []byte
	given     *exec.Given     // nil but for one that tunic has carried out before
	asked     *exec.Asked     // nil but for a question about tables
	explained *exec.Explained // nil but for an EXPLAIN, which is carried as well
	// asksRows and asksWarnings say that it may ask for counts of the statement before it.
	asksRows, asksWarnings bool
	// replay is the text of a statement that sets user variables, or calls ciphers, which
	// the server does not have; params are its parameters, or those of a statement that is
	// forwarded.
	replay []byte
	params *binding.Parameters
	long   bool // the server has parts of a parameter that was sent ahead
	// ahead is how many bytes tunic has of such parts; dropped says that it had no memory for
	// them.
	ahead   int
	dropped bool
	cursor  bool // it has an open one
}

// asking notes which counts the statement may ask for.
func (st *statement) asking(asked sql.Asks) *statement {
	st.asksRows, st.asksWarnings = asked.Rows, asked.Warnings
	return st
}

// statements are the client's prepared statements by the server's numbers.
type statements struct {
	byID map[uint32]*statement
	last uint32
	max  int
}

func (p *statements) count() int { return len(p.byID) }

// find returns the statement of a number, or of the one prepared last, as
// MariaDB's clients may say.
func (p *statements) find(id uint32) *statement {
	if id == wire.LastPrepared {
		id = p.last
	}
	return p.byID[id]
}

func (p *statements) add(id uint32, st *statement) {
	if p.byID == nil {
		p.byID = make(map[uint32]*statement)
	}
	p.byID[id], p.last = st, id
}

// keep remembers what the server has just prepared.
func (s *Session) keep(st *statement) {
	st.in = s.preparesIn()
	s.prepared.add(s.response.Prepared.ID, st)
	s.shared.Metrics.Prepared.Inc()
}

// forgetStatements drops them all, those of PREPARE as well, and temporary tables: the
// server has.
func (s *Session) forgetStatements() {
	s.forgetTemporaries()
	s.parting.Reset()
	s.shared.Metrics.Prepared.Add(-s.prepared.count())
	s.prepared.byID, s.prepared.last = nil, 0
	s.ahead.bytes = 0
	clear(s.textual)
	clear(s.textuals)
	clear(s.atServer)
	s.variables.Clear()
}

// prepare plans a statement and has the server prepare it.
func (s *Session) prepare(payload []byte) error {
	text := payload[1:]
	s.attempt.Begin()
	p, err := s.plan(text)
	if err != nil {
		return err
	}
	s.prepared.last = 0
	if s.last.HasPast() && s.asksOutcome(p, text) {
		if err := s.recall(); err != nil {
			return err
		}
	}
	if s.last.IsOwn() && s.asksOutcome(p, text) {
		return s.prepareOutcome(p, payload)
	}
	w := wayOf(p.Action)
	if !w.is(refuses) && s.prepared.count() >= s.prepared.max {
		return s.fail(sqlerr.TooManyPrepared(s.prepared.max))
	}
	return w.prepare(s, p, payload)
}

// forwardPrepare has the server prepare a statement as the client wrote it.
func (s *Session) forwardPrepare(p *plan.Plan, payload []byte) error {
	text := payload[1:]
	if done, err := s.unlessMissingToPrepare(p, text); done {
		return err
	}
	if names, _ := s.variables.Named(p); len(names) > 0 && p.Own != nil {
		return s.carryPrepare(p.Own, text, func() error { return s.prepare(payload) })
	}
	if err := s.exchangeCommand(wire.ComStmtPrepare, payload); err != nil || !s.response.Described {
		return err
	}
	st := (&statement{plan: p}).asking(s.asked(text))
	if s.shared.Ledger != nil {
		st.version, st.params = s.attempt.Planned(), binding.NewParameters(int(s.response.Prepared.Params))
	}
	if len(text) < forwardedBytesMax && (s.shared.Ledger != nil || s.asks(p, text)) {
		st.text = bytes.Clone(text)
	}
	s.keep(st)
	return nil
}

// forwardedBytesMax is the longest text of a statement of the server's that is kept.
const forwardedBytesMax = 4 << 10

// statementCommand passes on a command on a prepared statement that the client
// has. One that tunic does not know it cannot judge, so it is refused.
func (s *Session) statementCommand(command wire.Command, payload []byte) error {
	m, err := wire.DecodeExecute(payload)
	if err != nil || m.CutShort() {
		return s.fail(sqlerr.Malformed("a command on a prepared statement"))
	}
	st := s.prepared.find(m.Statement)
	if st == nil {
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
	command := m.Command
	if st.plan != nil {
		s.template = st.plan.Template
	}
	executes := command == wire.ComStmtExecute || command == wire.ComStmtBulkExecute
	if executes && (st.numbered() != nil || st.replay != nil) && s.asksUnknown(st) {
		return s.outcomeUnknown() // beside other things that are carried out here nobody adds it up
	}
	if st.numbered() != nil {
		s.shared.Metrics.Bytes.ClientIn.Add(len(payload))
		return s.carryCommand(st, m, payload)
	}
	if st.definition != nil && executes {
		return s.executeDefinition(st, command, payload)
	}
	if st.replay != nil && command == wire.ComStmtExecute {
		return s.executeReplayed(st, m)
	}
	if st.replay != nil && command == wire.ComStmtBulkExecute {
		return s.fail(sqlerr.StatementRefused("bulk execution of a statement that tunic carries out as text"))
	}
	if !executes {
		return s.exchangeCommand(command, st.command(payload))
	}
	if done, err := s.tellPrepared(st, m); done {
		return err
	}
	ok, err := s.stillForwarded(st, command)
	switch {
	case st.carried != nil && err == nil:
		return s.carryCommand(st, m, payload)
	case !ok:
		return err
	}
	s.killsExecuted(st, m)
	if command == wire.ComStmtExecute {
		s.takeTypes(st, m)
	}
	if payload, ok = s.execution(st, m, payload); !ok {
		return s.failWith(plan.NeedsPreparing())
	}
	if err := s.unkept(st.plan); err != nil {
		return s.carryFailed(err)
	}
	s.count(st.plan)
	return s.carryOut(st.plan, command, payload)
}

// asksUnknown reports whether a statement asks for counts which the server does not know, or not
// all of.
func (s *Session) asksUnknown(st *statement) bool {
	rows, warnings := s.last.Uncertain()
	return rows && st.asksRows && !outcome.TellsCounts(st.plan) || warnings && st.asksWarnings
}

// tellPrepared answers an execution that asks about the statement before it, if the server
// does not know all that there is to say; else done is false.
func (s *Session) tellPrepared(st *statement, m wire.Execute) (done bool, err error) {
	asks := asksOf(st.plan) && (asksList(st.plan) || st.asksWarnings)
	if s.last.HasPast() && asks {
		if err := s.recall(); err != nil {
			return true, err
		}
	}
	diagnoses := s.diagnoses(st.plan)
	lists := s.last.IsOwn() && asks && asksList(st.plan)
	counts := s.asksUnknown(st)
	switch {
	case !diagnoses && !lists && !counts:
		return false, nil
	case m.Command != wire.ComStmtExecute || m.AsksCursor() && !diagnoses:
		return true, s.outcomeUnknown()
	case diagnoses:
		return true, s.tellDiagnostics(st.text)
	case lists:
		return true, s.tellOutcome(st.text, true)
	default:
		return true, s.tellCounts(st.text, true, true)
	}
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
	st := s.prepared.find(m.Statement)
	switch {
	case st == nil:
		return nil
	case st.keepsAhead():
		s.keepAhead(st, m)
		return nil
	case st.asked != nil:
		return s.forward(st.asked.LongData(payload))
	}
	st.long = true
	return s.forward(st.command(payload))
}

// closeStatement forgets a statement. The protocol has no answer to it.
func (s *Session) closeStatement(payload []byte) error {
	m, err := wire.DecodeExecute(payload)
	if err != nil {
		return s.failUnasked(sqlerr.Malformed("COM_STMT_CLOSE"))
	}
	st, ok := s.prepared.byID[m.Statement]
	if !ok {
		return nil
	}
	if n := st.numbered(); n != nil {
		s.carrier().Forget(n)
	}
	s.takeBack(st)
	s.forgetAhead(st)
	delete(s.prepared.byID, m.Statement)
	s.shared.Metrics.Prepared.Dec()
	return s.forward(payload)
}
