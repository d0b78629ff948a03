package admission

import (
	"tunic/internal/config"
	"tunic/internal/failure"
	"tunic/internal/login"
	"tunic/internal/sqlerr"
)

// Which accounts reach protected tables the operator of tunic says. Whoever may create accounts at
// the server, or set passwords, has no say in it: an account is judged by the name that the client
// logs in with, by where it is, and by its certificate, before the server is asked.

// Judge is what a client that logs in as user may do; it is an error if it may not log in at
// all. The client has that account once the server has let it in, and not before.
func (e *Entry) Judge(user string) (Account, *sqlerr.Error) {
	a := Account{
		User:      user,
		Outsider:  !login.Among(e.rules.Clients.Accounts, user, e.Peer, e.certificate),
		Annotates: login.Among(e.rules.Annotators, user, e.Peer, e.certificate),
	}
	if a.Outsider && e.rules.Clients.Others != config.OthersPlain {
		return a, sqlerr.AccountRefused()
	}
	return a, nil
}

// Rejudge judges the account by the rules that there are now. An account that may do less by them than before is an
// error, and the client has no other one.
func (e *Entry) Rejudge() *sqlerr.Error {
	may, refusal := e.Judge(e.User)
	if refusal != nil || !e.Outsider && may.Outsider {
		changed := sqlerr.AccountChanged()
		e.logRefusal("session ended: its account may do less than before", failure.Code(changed))
		return changed
	}
	e.Account = may
	return nil
}
