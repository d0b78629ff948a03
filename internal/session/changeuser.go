package session

import (
	"bytes"
	"errors"

	"tunic/internal/admission"
	"tunic/internal/outcome"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// changeUser logs the client in anew (COM_CHANGE_USER). The server resets the
// session before it checks the account, so nothing is left of it in both cases.
// After a denial MariaDB goes on with the account that there was, whatever it has
// denied, and MySQL ends the connection. What others do has not been measured: the
// session ends, as nobody knows whose it is.
func (s *Session) changeUser(payload []byte) error {
	m, err := wire.DecodeChangeUser(bytes.Clone(payload), s.caps)
	if err != nil {
		return s.refuseAndEnd(sqlerr.Malformed("COM_CHANGE_USER"), err)
	}
	schema, charset := string(m.Database), m.Charset
	ends, err := s.entry.ChangeUser(m)
	switch {
	case err != nil:
		return s.serverLost(payload, err)
	case ends == admission.Left:
		_ = s.serverLeft(nil)
		return errNotAdmitted
	case ends == admission.Broken || ends == admission.Denied && s.state.Modes()&sql.MariaDB == 0:
		return errNotAdmitted
	}
	s.entry.Settle()
	if ends == admission.Admitted {
		s.response = wire.Response{Status: s.entry.Status}
	}
	s.forgetStatements()
	s.last = outcome.Last{}
	if ends == admission.Denied {
		s.response = wire.Response{}
		s.state.Reset() // the current schema stays, as the account does
		return nil
	}
	s.state.Begin(schema, charset, string(s.server.Handshake.Version))
	return nil
}

// errNotAdmitted ends a session whose client could not be logged in anew.
var errNotAdmitted = errors.New("a change of user failed")
