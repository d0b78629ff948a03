package session

import (
	"errors"

	"tunic/internal/backend"
	"tunic/internal/exec"
	"tunic/internal/plan"
	"tunic/internal/wire"
)

// plan decides what is done with a statement. It must read the text as the server
// will; where something is protected and nobody has told how that is, the server
// is asked first. Its answer serves until something makes it doubtful again, so a
// session pays for one round trip more, and one after each CALL and the like. To
// refuse instead what reads differently in different modes would refuse every
// client that writes strings in double quotes.
func (s *Session) plan(text []byte) (*plan.Plan, error) {
	planner := s.shared.Planner
	if s.state.unknown != 0 && planner.Protects() && !plan.ReadsOutcome(text) {
		if err := s.learn(); err != nil {
			return nil, err
		}
	}
	if s.state.unknown != 0 {
		return planner.PlanBlind(&s.fingerprinter, text, s.state.modes, s.state.schema), nil
	}
	p := s.planNow(text)
	if len(p.Needs) > 0 {
		var err error
		if p, err = s.planBeside(p, text); err != nil {
			return nil, err
		}
	}
	if runOf(p) != nil && s.state.doubtful {
		return s.planSurely(p, text)
	}
	return p, nil
}

// planNow plans a text by what is known of the session.
func (s *Session) planNow(text []byte) *plan.Plan {
	planner := s.shared.Planner
	if len(s.temporaries.tables) > 0 {
		return planner.PlanWith(s.catalog(), &s.fingerprinter, text, s.state.modes, s.state.schema)
	}
	return planner.Plan(&s.fingerprinter, text, s.state.modes, s.state.schema)
}

// planSurely asks the server what values mean in the session before a statement is
// carried out, and plans the text again if it turns out that it is read otherwise.
func (s *Session) planSurely(p *plan.Plan, text []byte) (*plan.Plan, error) {
	x := s.carrier()
	x.Doubt()
	err := x.Learn()
	if broken, ok := errors.AsType[*exec.BrokenError](err); ok {
		s.response.Begin(wire.ComQuery, s.server.Capabilities, s.client.Sequence())
		return nil, s.answerBroken(broken.Err)
	}
	if err != nil {
		return p, nil //nolint:nilerr // it is refused when it asks again
	}
	s.state.doubtful = false
	if m := x.Modes(); m != s.state.modes {
		s.state.modes = m
		p = s.planNow(text)
	}
	return p, nil
}

// learn asks the server how it reads this session's statements. A server that
// does not say, as in a session whose password has expired, leaves them unknown.
func (s *Session) learn() error {
	settings, err := s.server.Settings()
	switch {
	case err == nil:
		s.state.learn(settings)
		return nil
	case errors.Is(err, backend.ErrAnswered):
		return nil
	default:
		s.response.Begin(wire.ComQuery, s.server.Capabilities, s.client.Sequence())
		return s.answerBroken(err)
	}
}
