package session

import (
	"bytes"

	"tunic/internal/binding"
	"tunic/internal/exec"
	"tunic/internal/outcome"
	"tunic/internal/plan"
	"tunic/internal/statements"
	"tunic/internal/wire"
)

// forwarded is a statement that the server has as the client wrote it.
type forwarded struct {
	numbered
	text   []byte              // nil if it was too long to be kept
	params *binding.Parameters // nil where nothing is protected
	long   bool                // the server has parts of a parameter that was sent ahead
	// withheld says that the server has not got some: a table may be protected by now.
	withheld bool
}

// given is one that tunic has executed before. The client knows it by the number that it has been told first.
type given struct {
	forwarded
	by *exec.Given
}

// forwardPrepare has the server prepare a statement as the client wrote it.
func (s *Session) forwardPrepare(p *plan.Plan, payload []byte) error {
	text := payload[1:]
	if done, err := s.unlessMissingToPrepare(p, text); done {
		return err
	}
	if names, _ := s.variables.Named(p.Variables()); len(names) > 0 && p.Own() != nil {
		return s.prepareBy(p.Own(), text, s.preparedRun, func() error { return s.prepare(payload) })
	}
	if err := s.exchangeCommand(wire.ComStmtPrepare, payload); err != nil || !s.response.Described {
		return err
	}
	s.last.PassesOver(p, s.state.Modes())
	f := &forwarded{}
	st := (&statement{prepared: f, plan: p}).asking(s.asked(text))
	if s.shared.Ledger != nil {
		st.version, f.params = s.attempt.Planned(), binding.NewParameters(int(s.response.Prepared.Params))
	}
	if len(text) < forwardedBytesMax && (s.shared.Ledger != nil || outcome.Asks(p, text, s.state.Modes())) {
		f.text = bytes.Clone(text)
	}
	s.keep(st)
	return nil
}

// forwardedBytesMax is the longest text of a statement of the server's that is kept.
const forwardedBytesMax = 4 << 10

// execute implements prepared.
func (f *forwarded) execute(s *Session, st *statement, m wire.Execute, payload []byte) error {
	if done, err := f.beforeExecution(s, st, m, payload); done {
		return err
	}
	return st.executeAsItIs(s, m.Command, payload)
}

func (f *forwarded) sentAhead(payload []byte) []byte {
	f.long = true
	return payload
}

// withholds reports whether the server is not to get a part of a parameter: a table that the statement comes to may be
// protected by now. Nothing keeps the part: the next execution is refused, and all until a COM_STMT_RESET if the server has
// other parts.
func (f *forwarded) withholds(s *Session, st *statement) bool {
	if s.shared.Ledger == nil || f.withheld {
		return f.withheld
	}
	s.attempt.Begin()
	current := st.version == s.attempt.Planned() || st.version != statements.Outdated && !st.plan.Outlived(s.attempt.Catalog())
	f.withheld = !current || st.plan.MayReachPlain() && !s.attempt.Leased()
	return f.withheld
}

// command implements prepared.
func (f *forwarded) command(s *Session, m wire.Execute, payload []byte) error {
	f.forgets(m.Command)
	return f.numbered.command(s, m, payload)
}

// forgets is before a command that has the server forget the parts.
func (f *forwarded) forgets(command wire.Command) {
	if command == wire.ComStmtReset {
		f.long, f.withheld = false, false
	}
}

// execute implements prepared.
func (g *given) execute(s *Session, st *statement, m wire.Execute, payload []byte) error {
	if done, err := g.beforeExecution(s, st, m, payload); done {
		return err
	}
	if m.Command != wire.ComStmtExecute {
		return st.executeAsItIs(s, m.Command, g.by.Command(payload))
	}
	payload, ok := g.by.Execution(payload, m, g.params, s.caps)
	if !ok {
		return s.failWith(plan.NeedsPreparing())
	}
	return st.executeAsItIs(s, m.Command, payload)
}

func (g *given) command(s *Session, m wire.Execute, payload []byte) error {
	g.forgets(m.Command)
	return s.exchangeCommand(m.Command, g.by.Command(payload))
}

func (g *given) sentAhead(payload []byte) []byte {
	return g.by.Command(g.forwarded.sentAhead(payload))
}

func (g *given) forget(s *Session) { s.executor().Forget(&g.by.Numbered) }

// beforeExecution is before the server executes a statement that it has. If the client has been answered,
// or the session is over, done is true: tunic may execute the statement from now on.
func (f *forwarded) beforeExecution(s *Session, st *statement, m wire.Execute, payload []byte) (done bool, err error) {
	if done, err := f.tell(s, st, m); done {
		return true, err
	}
	ok, err := f.stillForwarded(s, st, m.Command)
	h, carried := st.prepared.(*here)
	switch {
	case carried && err == nil:
		return true, h.executeHere(s, st, m, payload)
	case !ok:
		return true, err
	}
	f.kills(s, st, m)
	if m.Command == wire.ComStmtExecute && f.params != nil {
		f.params.TakeTypes(m, s.caps) // which the client need not tell again
		f.long = false
	}
	return false, nil
}

// executeAsItIs has the server execute a statement, by a command with the number that it knows.
func (st *statement) executeAsItIs(s *Session, command wire.Command, payload []byte) error {
	if err := s.unkept(st.plan.Variables()); err != nil {
		return s.tellFailed(err)
	}
	s.count(st.plan)
	return s.passLocking(st.plan, command, payload)
}

// tell answers an execution that asks about the statement before it, if the server
// does not know all that there is to say; else done is false.
func (f *forwarded) tell(s *Session, st *statement, m wire.Execute) (done bool, err error) {
	asks := outcome.MayAsk(st.plan) && (outcome.AsksList(st.plan) || st.asksWarnings)
	if s.last.HasPast() && asks {
		if told, err := s.recall(); told || err != nil {
			return true, err
		}
	}
	diagnoses := s.diagnoses(st.plan)
	lists := s.last.IsOwn() && asks && outcome.AsksList(st.plan)
	counts := st.asksUnknown(s)
	switch {
	case !diagnoses && !lists && !counts:
		return false, nil
	case m.Command != wire.ComStmtExecute || m.AsksCursor() && !diagnoses:
		return true, s.outcomeUnknown()
	case diagnoses:
		return true, s.tellDiagnostics(f.text)
	case lists:
		return true, s.answer(s.teller().Warnings(f.text, true))
	default:
		return true, s.answer(s.teller().Counts(f.text, true, true))
	}
}
