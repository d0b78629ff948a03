package session

import (
	"errors"

	"tunic/internal/backend"
	"tunic/internal/dialogue"
	"tunic/internal/exec"
	"tunic/internal/plan"
	"tunic/internal/sql"
)

// plan decides what is done with a statement, and notes what it is counted by.
func (s *Session) plan(text []byte) (*plan.Plan, error) {
	p, err := s.planText(text)
	if p != nil {
		if s.transaction.Plain.Any() {
			p = s.unlessHidden(p, text)
		}
		s.template = p.Template
		s.attempt.IsFor(p)
	}
	return p, err
}

// planText decides what is done with a statement. It must read the text as the server
// will; where something is protected and nobody has told how that is, the server
// is asked first. Its answer serves until something makes it doubtful again, so a
// session pays for one round trip more, and one after each CALL and the like. To
// refuse instead what reads differently in different modes would refuse every
// client that writes strings in double quotes.
func (s *Session) planText(text []byte) (*plan.Plan, error) {
	planner := s.shared.Planner
	if s.state.IsUnknown() && planner.Protects() && !sql.AsksInAny(text, s.state.Modes()).Any() {
		if err := s.learn(); err != nil {
			return nil, err
		}
	}
	if s.state.IsUnknown() {
		return planner.PlanBlind(&s.fingerprinter, text, s.state.Modes(), s.schema()), nil
	}
	p := s.planNow(text)
	if len(p.Outdated()) > 0 {
		var err error
		if p, err = s.planRetold(p, text); err != nil {
			return nil, err
		}
	}
	if len(p.Needs()) > 0 {
		var err error
		if p, err = s.planBeside(p, text); err != nil {
			return nil, err
		}
	}
	if s.state.IsDoubtful() && (runOf(p) != nil || definesRead(p)) {
		return s.planSurely(p, text)
	}
	return p, nil
}

// settings are what values mean in the session. Whoever needs them gets them here: those that
// the server has told last are not the session's any more once it is in doubt.
func (s *Session) settings() (exec.Settings, error) {
	s.doubts()
	x := s.executor()
	settings, err := x.Settings()
	if err == nil && x.Modes() != s.state.Modes() {
		s.state.Doubt() // a text that is being planned has been read in others
	}
	return settings, err
}

// doubts has the server asked before anything is executed, if what values mean is in doubt.
// A text that is planned is not executed in doubt (see planSurely); what was prepared before
// may be.
func (s *Session) doubts() {
	if s.state.IsDoubtful() {
		s.executor().Doubt()
		s.state.Trust()
	}
}

// planNow plans a text by what is known of the session.
func (s *Session) planNow(text []byte) *plan.Plan {
	planner := s.shared.Planner
	if s.moved() {
		return planner.PlanElsewhere(s.attempt.Catalog(), nil, &s.fingerprinter, text, s.state.Modes(), s.schema())
	}
	if s.attempt.HasOwnCatalog() {
		return planner.PlanWith(s.attempt.Catalog(), &s.fingerprinter, text, s.state.Modes(), s.schema())
	}
	return planner.Plan(&s.fingerprinter, text, s.state.Modes(), s.schema())
}

// planSurely asks the server what values mean in the session before a statement is
// executed, and plans the text again if it turns out that it is read otherwise.
func (s *Session) planSurely(p *plan.Plan, text []byte) (*plan.Plan, error) {
	modes := s.state.Modes()
	if err := s.learnSurely(); err != nil {
		return nil, err
	}
	if modes != s.state.Modes() {
		p = s.planNow(text)
	}
	return p, nil
}

// learnSurely asks the server what values mean in the session. If it does not tell, what
// is executed asks again, and is refused.
func (s *Session) learnSurely() error {
	x := s.executor()
	x.Doubt()
	err := x.Learn()
	if broken, ok := errors.AsType[*dialogue.BrokenError](err); ok {
		return s.brokenBefore(broken.Err)
	}
	if err == nil {
		s.state.Told(x.Modes())
	}
	return nil
}

// learn asks the server how it reads this session's statements. A server that
// does not say, as in a session whose password has expired, leaves them unknown.
func (s *Session) learn() error {
	settings, err := s.server.Settings()
	switch {
	case err == nil:
		s.state.Learn(settings.SQLMode, settings.Charset, settings.Schema)
		return nil
	case errors.Is(err, backend.ErrAnswered):
		return nil
	default:
		return s.brokenBefore(err)
	}
}
