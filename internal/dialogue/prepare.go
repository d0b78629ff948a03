package dialogue

import (
	"bytes"
	"encoding/binary"

	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// Preparation is what the server has said to a COM_STMT_PREPARE. Its number of the
// statement, and of how many warnings there are, is in the response.
type Preparation struct {
	Params, Columns []wire.ColumnDefinition
	// Refusal is what the server has said instead.
	Refusal *wire.Err
}

// PrepareRemote has the server prepare a statement, and reads all of its answer.
func (x *Dialogue) PrepareRemote(command []byte) (*Preparation, error) {
	if x.Stood = false; x.Apart {
		return x.prepareApart(command)
	}
	return x.prepareNow(command)
}

// prepareNow is PrepareRemote before a server that says so where it ends a transaction.
func (x *Dialogue) prepareNow(command []byte) (*Preparation, error) {
	if err := x.Request(command); err != nil {
		return nil, err
	}
	return x.preparation()
}

// AwaitPrepared is PrepareRemote for a command that was sent first and is not answered yet.
func (x *Dialogue) AwaitPrepared() (*Preparation, error) {
	x.beginAnswer()
	return x.preparation()
}

// preparation reads the answer to a command that prepares a statement.
func (x *Dialogue) preparation() (*Preparation, error) {
	r, made := x.Response, new(Preparation)
	for !r.Done() {
		inColumns, described := r.InColumns(), r.Described
		inParams := described && len(made.Params) < int(r.Prepared.Params)
		payload, err := x.Next()
		switch {
		case err != nil:
			return nil, err
		case r.Failed:
			m, err := wire.DecodeErr(bytes.Clone(payload))
			if err != nil {
				return nil, &BrokenError{err}
			}
			made.Refusal = &m
		case !r.Described:
			return nil, &BrokenError{wire.ErrMalformed}
		case (inParams || described && inColumns) && r.Ended() == wire.EndedNothing:
			c, err := wire.DecodeColumn(bytes.Clone(payload), x.Server.Capabilities)
			if err != nil {
				return nil, &BrokenError{err}
			}
			if inParams {
				made.Params = append(made.Params, c)
			} else {
				made.Columns = append(made.Columns, c)
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

// prepareApart is PrepareRemote before a node of Galera. The error is the server's if it has
// ended the client's transaction; then nothing is prepared.
func (x *Dialogue) prepareApart(command []byte) (*Preparation, error) {
	if err := x.Told(); err != nil {
		return nil, err
	}
	r := x.Response
	before, current := r.Status, r.Current
	if !current {
		status, err := x.standing()
		if err != nil {
			return nil, err
		}
		before = status
	}
	made, err := x.prepareNow(command)
	if err != nil || made.Refusal != nil || len(made.Columns) == 0 || before&wire.StatusInTransaction == 0 {
		return made, err
	}
	now, err := x.standing()
	if err == nil && now&wire.StatusInTransaction == 0 {
		err = Outdone()
	}
	if err == nil {
		return made, nil
	}
	x.CloseStatement(r.Prepared.ID)
	r.Current = false
	return nil, err
}

// standing asks the server for the flags of the session.
func (x *Dialogue) standing() (wire.Status, error) {
	x.Stood = true
	status, failed, err := x.Server.Standing()
	switch {
	case err != nil:
		return 0, &BrokenError{err}
	case failed != nil:
		x.Response.Current = false
		return 0, &sqlerr.Error{Number: failed.Number, State: failed.State, Message: string(failed.Message)}
	}
	return status, nil
}

// Outdone is what servers say of a transaction that another one has won against. tunic says so for those that have ended it
// without a word.
func Outdone() *sqlerr.Error {
	return &sqlerr.Error{Number: 1213, State: "40001", Message: "Deadlock found when trying to get lock; try restarting transaction"}
}

// CloseStatement closes a prepared statement at the server, which does not answer.
// If it cannot be sent, what is sent next tells.
func (x *Dialogue) CloseStatement(id uint32) {
	server := x.Server
	server.SetSequence(0)
	command := binary.LittleEndian.AppendUint32([]byte{byte(wire.ComStmtClose)}, id)
	_ = server.Send(wire.Bytes(command))
}
