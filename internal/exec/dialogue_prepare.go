package exec

import (
	"bytes"
	"encoding/binary"

	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// preparation is what the server has said to a COM_STMT_PREPARE. Its number of the
// statement, and of how many warnings there are, is in the response.
type preparation struct {
	params, columns []wire.ColumnDefinition
	// refusal is what the server has said instead.
	refusal *wire.Err
}

// prepareRemote has the server prepare a statement, and reads all of its answer.
func (x *dialogue) prepareRemote(command []byte) (*preparation, error) {
	if x.stood = false; x.apart {
		return x.prepareApart(command)
	}
	return x.prepareNow(command)
}

// prepareNow is prepareRemote before a server that says so where it ends a transaction.
func (x *dialogue) prepareNow(command []byte) (*preparation, error) {
	if err := x.request(command); err != nil {
		return nil, err
	}
	r, made := x.response, new(preparation)
	for !r.Done() {
		inColumns, described := r.InColumns(), r.Described
		inParams := described && len(made.params) < int(r.Prepared.Params)
		payload, err := x.next()
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
			c, err := wire.DecodeColumn(bytes.Clone(payload), x.server.Capabilities)
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

// Galera may end a transaction while it prepares a statement, because another node's has won.
// Where that statement has a result, the server has answered by then, and says nothing of it: not
// at the next command either, which is carried out as if nothing had been (seen with MariaDB
// 10.11, of direct clients too: one transaction in four that was ended during a COM_STMT_PREPARE
// of a SELECT; none during that of another statement). tunic prepares a SELECT for an UPDATE
// of the client's. So where the client has a transaction, a node of Galera is asked behind such a
// preparation whether it is still there.

// prepareApart is prepareRemote before a node of Galera. The error is the server's if it has
// ended the client's transaction; then nothing is prepared.
func (x *dialogue) prepareApart(command []byte) (*preparation, error) {
	if err := x.told(); err != nil {
		return nil, err
	}
	r := x.response
	before, current := r.Status, r.Current
	if !current {
		status, err := x.standing()
		if err != nil {
			return nil, err
		}
		before = status
	}
	made, err := x.prepareNow(command)
	if err != nil || made.refusal != nil || len(made.columns) == 0 || before&wire.StatusInTransaction == 0 {
		return made, err
	}
	now, err := x.standing()
	if err == nil && now&wire.StatusInTransaction == 0 {
		err = outdone()
	}
	if err == nil {
		return made, nil
	}
	x.closeStatement(r.Prepared.ID)
	r.Current = false
	return nil, err
}

// standing asks the server for the flags of the session.
func (x *dialogue) standing() (wire.Status, error) {
	x.stood = true
	status, failed, err := x.server.Standing()
	switch {
	case err != nil:
		return 0, &BrokenError{err}
	case failed != nil:
		x.response.Current = false
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
func (x *dialogue) closeStatement(id uint32) {
	server := x.server
	server.SetSequence(0)
	command := binary.LittleEndian.AppendUint32([]byte{byte(wire.ComStmtClose)}, id)
	_ = server.Send(wire.Bytes(command))
}
