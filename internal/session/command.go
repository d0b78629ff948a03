package session

import (
	"slices"

	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/transaction"
	"tunic/internal/wire"
)

// command does one command. An error ends the session; what only fails the
// command has been told to the client and returns nil.
func (s *Session) command(payload []byte) error {
	if len(payload) == 0 {
		payload = sleep
	}
	command := wire.Command(payload[0])
	if now := s.shared.Settings(); now != s.current && command != wire.ComQuit {
		if err := s.follows(now); err != nil {
			return err
		}
	}
	s.killable.Next()
	s.parting.Begins()
	s.killings.Forget()
	s.template, s.accepted = nil, false
	s.forgetAttributes()
	s.beginsTransaction()
	if !leavesRows(command) {
		s.nextMayWrite()
	}
	s.shared.Metrics.Command(payload[0]).Inc()
	if told, err := s.tellLost(command); told {
		return err
	}
	switch command {
	case wire.ComQuery:
		return s.query(payload)
	case wire.ComStmtExecute, wire.ComStmtBulkExecute, wire.ComStmtFetch, wire.ComStmtReset:
		return s.statementCommand(command, payload)
	case wire.ComStmtPrepare:
		s.transaction.Since.SeesNothing()
		return s.prepare(payload)
	case wire.ComStmtLongData:
		s.transaction.Since.SeesNothing()
		return s.longData(payload)
	case wire.ComStmtClose:
		s.transaction.Since.SeesNothing()
		return s.closeStatement(payload)
	case wire.ComQuit:
		_ = s.forward(payload)
		return errQuit
	case wire.ComChangeUser:
		return s.changeUser(payload)
	case wire.ComInitDB, wire.ComResetConnection, wire.ComSetOption:
		return s.stateful(command, payload)
	case wire.ComFieldList:
		return s.fieldList(payload)
	case wire.ComPing, wire.ComStatistics, wire.ComProcessInfo, wire.ComProcessKill, wire.ComRefresh, wire.ComDebug, wire.ComShutdown:
		return s.exchangeCommand(command, payload) // no text of SQL, name or value is in it, and the session stays as it is
	default:
		return s.refuseCommand(command)
	}
}

// leavesRows reports whether a command changes no rows, and ends no transaction.
func leavesRows(c wire.Command) bool {
	switch c {
	case wire.ComStmtPrepare, wire.ComStmtClose, wire.ComStmtReset, wire.ComStmtLongData, wire.ComPing:
		return true
	default:
		return false
	}
}

// sleep is what servers take an empty packet for, and refuse.
var sleep = []byte{byte(wire.ComSleep)}

// refuseCommand answers a command that the server does not get. One without a case is refused, whatever
// package wire knows of it: a statement might be in it.
func (s *Session) refuseCommand(command wire.Command) error {
	if command.String() == "unknown" {
		return s.fail(sqlerr.UnknownCommand(byte(command)))
	}
	return s.fail(sqlerr.CommandRefused(command.String()))
}

// fieldList plans COM_FIELD_LIST as the SHOW COLUMNS that it is.
func (s *Session) fieldList(payload []byte) error {
	m, err := wire.DecodeFieldList(payload)
	if err != nil {
		return s.fail(sqlerr.Malformed("COM_FIELD_LIST"))
	}
	if t := s.fieldsOf(m.Table); t != nil {
		if s.hides(t.Schema, t.Name) {
			return s.refuse(sqlerr.DefinitionForm(t.Name, behindPlain))
		}
		if s.entry.Outsider {
			return s.refuse(sqlerr.AccountPlain())
		}
		return s.listFields(t, payload)
	}
	if refusal := s.shared.Planner.Table(sql.ShowColumns, s.state.Schema(), m.Table); refusal != nil {
		return s.refuse(refusal)
	}
	return s.exchangeCommand(wire.ComFieldList, payload)
}

// query plans a COM_QUERY and does what the plan says.
func (s *Session) query(payload []byte) error {
	q, err := wire.DecodeQuery(payload, s.caps)
	if err != nil {
		return s.fail(sqlerr.Malformed("COM_QUERY"))
	}
	s.attributes = append(s.attributes, q.Attributes...)
	q.Attributes = s.attributes // which stay while more is read from the client
	s.attempt.Begin()
	p, err := s.plan(q.Text)
	for err == nil && s.attempt.Passes() && p.MayEndFirst() {
		if !s.attempt.AwaitSettled() {
			return s.failWith(sqlerr.LockWait())
		}
		s.attempt.Begin()
		p, err = s.plan(q.Text)
	}
	if err != nil {
		return err
	}
	if plan.Is[*plan.Each](p) || !plan.Is[*plan.Forward](p) && s.goesOn(q.Text) {
		return s.each(p, q)
	}
	return s.queryPlanned(p, q, payload)
}

// queryPlanned does what the plan of a COM_QUERY says.
func (s *Session) queryPlanned(p *plan.Plan, q wire.Query, payload []byte) error {
	if done, err := s.tell(p, q.Text, false); done {
		return err
	}
	s.count(p)
	if plan.Is[*plan.Forward](p) {
		if done, err := s.beforeForward(p, q); done {
			return err
		}
		return s.passLocking(p, wire.ComQuery, payload)
	}
	s.shared.Metrics.Bytes.ClientIn.Add(len(payload))
	return s.perform(p, q)
}

// performPlanned does a statement that the server does not get as it came, or not since it was planned first.
func (s *Session) performPlanned(p *plan.Plan, q wire.Query) error {
	s.variables.IsKey(p.Keys)
	return wayOf(p.Action).text(s, p, q)
}

// forwardQuery has the server run a text that is to be forwarded.
func (s *Session) forwardQuery(p *plan.Plan, q wire.Query) error {
	if done, err := s.beforeForward(p, q); done {
		return err
	}
	return s.forwardText(p, q.Text)
}

// beforeForward does what has to be done before a text is forwarded. If the client has
// been answered by that, or the session is over, done is true.
func (s *Session) beforeForward(p *plan.Plan, q wire.Query) (done bool, err error) {
	if done, err := s.unlessMissing(p, q.Text); done {
		return true, err
	}
	if !s.variables.Any() {
		return false, nil
	}
	if done, err := s.executeOwn(p, q); done || err != nil {
		return true, err
	}
	if err := s.unkept(p.Variables()); err != nil {
		return true, s.tellFailed(s.orSyntax(err, p, q.Text))
	}
	return false, nil
}

// passLocking passes on a command that runs the statements of a plan.
func (s *Session) passLocking(p *plan.Plan, command wire.Command, payload []byte) error {
	if p.Locks() != nil {
		return s.locking(p, command, payload)
	}
	return s.pass(p, command, payload)
}

// pass passes on a command that runs the statements of a plan, whatever they lock.
func (s *Session) pass(p *plan.Plan, command wire.Command, payload []byte) error {
	s.passed = p
	before := s.last.Counts.FoundNow()
	s.last.Counts.Pass(p)
	s.transaction.Since.Sees(p)
	s.sends()
	if command == wire.ComQuery {
		s.killsPassed(p, payload)
	}
	err := s.exchangeCommand(command, payload)
	s.passed = nil
	s.killings.Forget()
	s.haveCalled(p)
	if err != nil {
		return err
	}
	s.last.Counts.Passed(before, s.response.Failed)
	s.last.Counts.Hear(p, &s.response)
	return s.follow(p)
}

// haveCalled is after something for which the server may have run stored functions: what values
// mean in the session is in doubt.
func (s *Session) haveCalled(p *plan.Plan) {
	if p.Functions {
		s.state.Doubt()
	}
}

// haveRunProgram is after what may have been a program of the server's, which may have prepared statements.
func (s *Session) haveRunProgram() {
	s.named.Doubt()
	if s.shared.Ledger != nil {
		s.named.MayHave(s.attempt.Planned())
	}
}

// follow takes over what the statements of a plan have done to the session.
func (s *Session) follow(p *plan.Plan) error {
	if !p.Quiet {
		s.parting.Follow(p, s.response.Failed)
		s.transaction.Touched.Follow(p, s.response.Failed)
		if s.shared.Ledger != nil {
			s.named.Prepare(p, s.attempt.Planned())
			if !s.response.Failed && (s.transaction.Plain.Any() || transaction.MayMakeTemporary(p)) {
				s.transaction.Plain.Follow(p, s.schema(), &s.transaction.Temporaries, s.attempt.Catalog().Folds())
			}
		}
		if slices.ContainsFunc(p.Statements, plan.Statement.MayPrepare) {
			s.haveRunProgram()
		}
	}
	s.touchesNames(p)
	s.state.Apply(p, s.response.Succeeded, s.response.Failed)
	if s.response.StateOverflow {
		s.state.Forget()
	}
	if len(s.response.SessionState) > 0 {
		if err := s.state.Observe(s.response.SessionState); err != nil {
			return err
		}
	}
	return nil
}

// count counts the statements of a plan that is about to be executed.
func (s *Session) count(p *plan.Plan) {
	s.parting.Does(p)
	s.accepted = !plan.Is[*plan.Refuse](p)
	for i := range p.Statements {
		s.shared.Metrics.Statement(int(p.Statements[i].Kind), p.ActionNumber()).Inc()
	}
}

// stateful passes on a command after which the session is in another state.
func (s *Session) stateful(command wire.Command, payload []byte) error {
	if err := s.exchangeCommand(command, payload); err != nil || s.response.Failed {
		return err
	}
	switch command {
	case wire.ComInitDB:
		s.state.Chosen(string(payload[1:]))
	case wire.ComResetConnection:
		s.forgetStatements()
		s.state.Reset()
		s.last.Anew()
	case wire.ComSetOption:
		s.setOption(payload[1:])
	default:
	}
	return nil
}

// setOption follows COM_SET_OPTION, whose option 0 turns multi-statements on and
// 1 turns them off.
func (s *Session) setOption(option []byte) {
	if len(option) >= 2 && option[0] == 0 && option[1] == 0 {
		s.caps |= wire.ClientMultiStatements
	} else {
		s.caps &^= wire.ClientMultiStatements
	}
	if s.exec != nil {
		s.exec.Agree(s.caps)
	}
}

// Query attributes are of a command, and MySQL's mysql_query_attribute_string reads them in whatever the command
// comes to: also in a text that tunic sends in the place of the client's.

// attributesKept is the most room for them that a session keeps from one command to the next.
const attributesKept = 4 << 10

// forgetAttributes is before a command.
func (s *Session) forgetAttributes() {
	if s.attributes = s.attributes[:0]; cap(s.attributes) > attributesKept {
		s.attributes = nil
	}
}

// queryOf is a text that is done for the command under way.
func (s *Session) queryOf(text []byte) wire.Query {
	return wire.Query{Attributes: s.attributes, Text: text}
}
