package server

import (
	"reflect"
	"time"

	"tunic/internal/admission"
	"tunic/internal/config"
	"tunic/internal/login"
	"tunic/internal/policy"
	"tunic/internal/session"
)

// Reload has clients that come, and sessions from their next command on, go by another
// configuration: one of [config.Reload]. The files that it names are read. After an error all is as
// it was; errors are *sqlerr.StartError.
func (s *Server) Reload(next *config.Config) error {
	certificates, err := s.tls.load(next.TLS)
	if err != nil {
		return err
	}
	rules, err := policyOf(next.Policy)
	if err != nil {
		return err
	}
	// Nothing fails from here on. The policy comes first: who finds other settings plans by it.
	before := s.live.Swap(next)
	if s.protection != nil && !reflect.DeepEqual(before.Policy, next.Policy) {
		s.protection.definer.SetPolicy(rules)
	}
	if certificates != nil {
		s.tls.current.Store(certificates)
	}
	logins := s.shared.Settings().Logins
	if l := next.Limits; l.Logins != before.Limits.Logins || l.LoginsByAddress != before.Limits.LoginsByAddress || l.Connections != before.Limits.Connections {
		logins = login.NewLogins(l)
	}
	s.shared.Set(s.settingsOf(next, logins))
	s.checkCertificate(time.Now())
	s.checkDescriptors()
	s.warnWaiting()
	for _, columns := range goneRules(before.Policy.Rules, next.Policy.Rules) {
		s.log.Warn("a rule of the policy is gone: new tables have such columns as the other rules and the default say", "columns", columns, "default", next.Policy.Default)
	}
	return nil
}

// settingsOf are what sessions go by of a configuration.
func (s *Server) settingsOf(c *config.Config, logins *login.Logins) *session.Settings {
	return &session.Settings{
		Rules: admission.Rules{
			Limits: c.Limits, Clients: c.Clients, Annotators: c.Policy.Annotators, Logins: logins,
			RequireTLS: c.TLS.Mode == config.ClientTLSRequired || c.TLS.ClientCA != "",
		},
		Policy: s.policy(),
	}
}

// policy is the current one; nil where nothing is protected.
func (s *Server) policy() *policy.Policy {
	if s.protection == nil {
		return nil
	}
	return s.protection.definer.Policy()
}
