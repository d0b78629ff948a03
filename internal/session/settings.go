package session

import (
	"errors"

	"tunic/internal/admission"
	"tunic/internal/policy"
	"tunic/internal/statements"
)

// Settings are what sessions go by that may change while they run. Nobody changes one that
// sessions have.
type Settings struct {
	admission.Rules
	// Policy is what the Definer has by now; nil where nothing is protected.
	Policy *policy.Policy
}

// Set has all sessions go by other settings, each from its next command on.
func (s *Shared) Set(settings *Settings) { s.settings.Store(settings) }

// Settings are the current ones.
func (s *Shared) Settings() *Settings { return s.settings.Load() }

// follows has the session go by the settings that there are now. An account that may do less by
// them than the session could is told so, and the session ends: it may hold cursors, variables and
// prepared statements over what the account reaches no more.
func (s *Session) follows(now *Settings) error {
	before := s.current
	s.current = now
	s.prepared.Max = now.Limits.PreparedStatements
	s.client.SetLimit(int(now.Limits.PacketBytes))
	if now.Policy != before.Policy {
		s.outdate()
	}
	s.entry.GoBy(&now.Rules)
	if changed := s.entry.Rejudge(); changed != nil {
		return s.refuseAndEnd(changed, errAccount)
	}
	return nil
}

// outdate has statements that were prepared be planned again: what they name may have to be
// protected by now.
func (s *Session) outdate() {
	for st := range s.prepared.All() {
		st.version = statements.Outdated
	}
	s.named.Outdate()
}

// errAccount ends a session whose account may do less than before.
var errAccount = errors.New("the rules for accounts have changed")
