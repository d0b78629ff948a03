package exec

import (
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// Galera may end a transaction while it prepares a statement, because another node's has won.
// Where that statement has a result, the server has answered by then, and says nothing of it: not
// at the next command either, which is carried out as if nothing had been (seen with MariaDB
// 10.11, of direct clients too: one transaction in four that was ended during a COM_STMT_PREPARE
// of a SELECT; none during that of another statement). tunic prepares a SELECT for an UPDATE
// of the client's. So where the client has a transaction, a node of Galera is asked behind such a
// preparation whether it is still there.

// prepareApart is prepareRemote before a node of Galera. The error is the server's if it has
// ended the client's transaction; then nothing is prepared.
func (s *Session) prepareApart(command []byte) (*preparation, error) {
	if err := s.told(); err != nil {
		return nil, err
	}
	r := s.link.Response
	before, current := r.Status, r.Current
	if !current {
		status, err := s.standing()
		if err != nil {
			return nil, err
		}
		before = status
	}
	made, err := s.prepareNow(command)
	if err != nil || made.refusal != nil || len(made.columns) == 0 || before&wire.StatusInTransaction == 0 {
		return made, err
	}
	now, err := s.standing()
	if err == nil && now&wire.StatusInTransaction == 0 {
		err = outdone()
	}
	if err == nil {
		return made, nil
	}
	s.closeStatement(r.Prepared.ID)
	r.Current = false
	return nil, err
}

// standing asks the server for the flags of the session.
func (s *Session) standing() (wire.Status, error) {
	s.stood = true
	status, failed, err := s.link.Server.Standing()
	switch {
	case err != nil:
		return 0, &BrokenError{err}
	case failed != nil:
		s.link.Response.Current = false
		return 0, &sqlerr.Error{Number: failed.Number, State: failed.State, Message: string(failed.Message)}
	}
	return status, nil
}

// Stood reports whether the server was asked for the flags of the session when a statement was
// prepared: ROW_COUNT() is then no more of the statement before.
func (s *Session) Stood() bool { return s.stood }

// outdone is what a node of Galera says of a transaction that another node's has won against.
func outdone() *sqlerr.Error {
	return &sqlerr.Error{Number: 1213, State: "40001", Message: "Deadlock found when trying to get lock; try restarting transaction"}
}
