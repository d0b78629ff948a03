package exec

import (
	"bytes"
	"encoding/binary"

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

// prepareStored has the server prepare the stored statement, or its EXPLAIN. What it
// returns may be a refusal.
func (s *Session) prepareStored(p *Prepared, command []byte) (*preparation, error) {
	made, err := s.prepareRemote(command)
	if err == nil && made.refusal == nil && len(made.params) != len(p.Inputs) {
		return nil, &BrokenError{wire.ErrMalformed}
	}
	return made, err
}

// prepareQuietly prepares at the server what the client sees nothing of: a refusal is
// an error in the words of the logical statement.
func (s *Session) prepareQuietly(p *Prepared, command []byte) (*preparation, error) {
	made, err := s.prepareStored(p, command)
	if err == nil && made.refusal != nil {
		return nil, p.st.translated(made.refusal)
	}
	return made, err
}

// prepareToExecute is prepareQuietly for a statement whose answer is read.
func (s *Session) prepareToExecute(p *Prepared, command []byte) error {
	made, err := s.prepareQuietly(p, command)
	if err != nil {
		return err
	}
	return p.takeTypes(made)
}

// takeTypes takes over the types of the columns that the stored statement returns.
func (p *Prepared) takeTypes(made *preparation) error {
	known := len(made.columns) > 0 || !p.st.returning() // of RETURNING servers tell when it runs
	if known && len(made.columns) != p.st.columnsOfRemote() {
		return &BrokenError{wire.ErrMalformed}
	}
	p.types = p.types[:0]
	for i := range made.columns {
		p.types = append(p.types, made.columns[i].Type)
	}
	return nil
}

// passRefusal passes on that the server has refused to prepare a statement, in the
// words of the logical one.
func (s *Session) passRefusal(st *Statement, m *wire.Err) error {
	if e := st.translated(m); st.retriable(e) {
		return e
	}
	m.Message = s.translate(st, m)
	s.link.Client.WriteMessage(*m)
	return s.link.Write()
}

// closeStatement closes a prepared statement at the server, which does not answer.
// If it cannot be sent, what is sent next tells.
func (s *Session) closeStatement(id uint32) {
	server := s.link.Server
	server.SetSequence(0)
	command := binary.LittleEndian.AppendUint32([]byte{byte(wire.ComStmtClose)}, id)
	_ = server.Send(wire.Bytes(command))
}
