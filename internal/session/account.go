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

// account is who a client is, and what it may do as that. outsider says that it reaches plain tables
// only, annotates that it may say in a COMMENT what a column is to be.
type account struct {
	user      string // that it has logged in as
	outsider  bool
	annotates bool
}

// judgeAccount is what a client that logs in as user may do; it is an error if it may not log in at
// all. The client has that account once the server has let it in, and not before.
func (s *Session) judgeAccount(user string) (account, *sqlerr.Error) {
	a := account{
		user:      user,
		outsider:  !login.Among(s.current.Clients.Accounts, user, s.peer, s.certificate),
		annotates: login.Among(s.current.Annotators, user, s.peer, s.certificate),
	}
	if a.outsider && s.current.Clients.Others != config.OthersPlain {
		return a, sqlerr.AccountRefused()
	}
	return a, nil
}

// mayNotDefine refuses a definition to who may reach plain tables only, unless tunic has no part in
// it: one adds layers, which tell the server of values, and makes tables that the account could not
// use.
func (s *Session) mayNotDefine(p *plan.Plan) bool {
	d, ok := p.Action.(*plan.Define)
	return s.outsider && (!ok || d.MayDefine || d.Made != nil && d.Made.ReadsProtected || s.mayDefineProtected(p))
}
