package exec

import (
	"encoding/binary"

	"tunic/internal/wire"
)

// fallBack carries out an execution by the statement's fallback: it is prepared for
// this once, and closed.
func (s *Session) fallBack(p *Prepared, d *Description, m wire.Execute) error {
	f, b := p.fallback, s.binder
	b.notices.begin(s.env.noticesMax)
	f.params, f.attributes = p.params, p.attributes
	f.describes, f.shape = p.describes, p.shape
	b.prepared = f
	if f.st.write == nil && !f.st.local() {
		return errComparison
	}
	if err := s.prepareFallback(f); err != nil {
		return err
	}
	m.Statement = s.link.Response.Prepared.ID
	defer s.closeStatement(m.Statement)
	a := asked{prepared: f, execute: m}
	return s.carry(f.st, d, &a)
}

// prepareFallback prepares a stored statement at the server. The client sees nothing
// of it.
func (s *Session) prepareFallback(f *Prepared) error {
	if err := s.request(f.command); err != nil {
		return err
	}
	r := s.link.Response
	f.types = f.types[:0]
	for !r.Done() {
		inColumns, described := r.InColumns(), r.Described
		payload, err := s.next()
		switch {
		case err != nil:
			return err
		case r.Failed:
			return s.failure(f.st, payload)
		case inColumns && described && r.Ended() == wire.EndedNothing:
			c, err := wire.DecodeColumn(payload, s.link.Server.Capabilities)
			if err != nil {
				return &BrokenError{err}
			}
			f.types = append(f.types, c.Type)
		}
	}
	if int(r.Prepared.Params) != len(f.inputs) || len(f.types) != len(f.st.run.Fetch) {
		return &BrokenError{wire.ErrMalformed}
	}
	return nil
}

// closeStatement closes a prepared statement at the server, which does not answer.
// If it cannot be sent, what is sent next tells.
func (s *Session) closeStatement(id uint32) {
	server := s.link.Server
	server.SetSequence(0)
	command := binary.LittleEndian.AppendUint32([]byte{byte(wire.ComStmtClose)}, id)
	_ = server.Send(wire.Bytes(command))
}
