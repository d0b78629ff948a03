package session

import (
	"tunic/internal/config"
	"tunic/internal/login"
	"tunic/internal/plan"
	"tunic/internal/sqlerr"
)

// Which accounts reach protected tables the operator of tunic says. Whoever may create accounts at
// the server, or set passwords, has no say in it: an account is judged by the name that the client
// logs in with, by where it is, and by its certificate, before the server is asked.

// judgeAccount notes what a client that logs in as user may reach and say; it is an error if it
// may not log in at all.
func (s *Session) judgeAccount(user []byte) *sqlerr.Error {
	s.user = string(user)
	s.outsider = !login.Among(s.current.Clients.Accounts, s.user, s.peer, s.certificate)
	s.annotates = login.Among(s.current.Annotators, s.user, s.peer, s.certificate)
	if s.outsider && s.current.Clients.Others != config.OthersPlain {
		return sqlerr.AccountRefused()
	}
	return nil
}

// mayNotDefine refuses a definition to who may reach plain tables only, unless tunic has no part in
// it: one adds layers, which tell the server of values, and makes tables that the account could not
// use.
func (s *Session) mayNotDefine(p *plan.Plan) bool {
	d, ok := p.Action.(*plan.Define)
	return s.outsider && (!ok || d.MayDefine || d.Made != nil && d.Made.ReadsProtected || s.mayDefineProtected(p))
}
