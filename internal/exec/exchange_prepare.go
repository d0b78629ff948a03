package exec

import (
	"bytes"
	"encoding/binary"

	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// preparation is what the server has said to a COM_STMT_PREPARE. Its number of the
// statement, and of how many warnings there are, is in Link.Response.
type preparation struct {
	params, columns []wire.ColumnDefinition
	// refusal is what the server has said instead.
	refusal *wire.Err
}

// prepareRemote has the server prepare a statement, and reads all of its answer.
func (s *Session) prepareRemote(command []byte) (*preparation, error) {
	if s.stood = false; s.engine.options.Apart {
		return s.prepareApart(command)
	}
	return s.prepareNow(command)
}

// prepareNow is prepareRemote before a server that says so where it ends a transaction.
func (s *Session) prepareNow(command []byte) (*preparation, error) {
	if err := s.request(command); err != nil {
		return nil, err
	}
	r, made := s.link.Response, new(preparation)
	for !r.Done() {
		inColumns, described := r.InColumns(), r.Described
		inParams := described && len(made.params) < int(r.Prepared.Params)
		payload, err := s.next()
		switch {
		case err != nil:
			return nil, err
		case r.Failed:
			m, err := wire.DecodeErr(bytes.Clone(payload))
			if err != nil {
				return nil, &BrokenError{err}
			}
			made.refusal = &m
		case !r.Described:
			return nil, &BrokenError{wire.ErrMalformed}
		case (inParams || described && inColumns) && r.Ended() == wire.EndedNothing:
			c, err := wire.DecodeColumn(bytes.Clone(payload), s.link.Server.Capabilities)
			if err != nil {
				return nil, &BrokenError{err}
			}
			if inParams {
				made.params = append(made.params, c)
			} else {
				made.columns = append(made.columns, c)
			}
		}
	}
	return made, nil
}

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

// outdone is what a node of Galera says of a transaction that another node's has won against.
func outdone() *sqlerr.Error {
	return &sqlerr.Error{Number: 1213, State: "40001", Message: "Deadlock found when trying to get lock; try restarting transaction"}
}

// closeStatement closes a prepared statement at the server, which does not answer.
// If it cannot be sent, what is sent next tells.
func (s *Session) closeStatement(id uint32) {
	server := s.link.Server
	server.SetSequence(0)
	command := binary.LittleEndian.AppendUint32([]byte{byte(wire.ComStmtClose)}, id)
	_ = server.Send(wire.Bytes(command))
}
