package exec

import (
	"bytes"
	"slices"

	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/wire"
)

// Explained is an EXPLAIN that a client has prepared. At the server the EXPLAIN of
// the stored statement is prepared. Its number is the server's.
type Explained struct {
	*Prepared
	explained *plan.Explained
	columns   []wire.ColumnDefinition // of the answer, as far as they are known
}

// PrepareExplain prepares an EXPLAIN. It returns nil without an error if the server
// has refused, and the client knows. Otherwise the server's number of it is in
// Link.Response.
func (s *Session) PrepareExplain(e *plan.Explained, st *Statement, text []byte, literals *sql.Literals) (*Explained, error) {
	defer s.end()
	b := s.binder
	b.text, b.literals = text, literals
	st, description, err := s.begin(st)
	if err != nil {
		return nil, err
	}
	p := &Explained{explained: e, Prepared: newPrepared(st, bytes.Clone(text))}
	command, err := p.readExplain(b, e.Prefix)
	if err != nil {
		return nil, err
	}
	if st.fallback != nil {
		f := &Explained{Prepared: newPrepared(st.fallback, p.text)}
		if f.command, err = f.readExplain(b, e.Prefix); err != nil {
			return nil, err
		}
		p.fallback = f.Prepared
	}
	if err := s.prepareExplain(command); err != nil {
		return nil, err
	}
	if err := s.preparedExplain(p, description); err != nil || !s.link.Response.Described {
		return nil, err
	}
	return p, nil
}

// readExplain takes what is needed later from the text, and returns the command that
// prepares the stored EXPLAIN.
func (p *Explained) readExplain(b *binder, prefix string) ([]byte, error) {
	b.begin(p.st)
	command, err := p.read(b)
	if err != nil {
		return nil, err
	}
	return slices.Insert(p.st.withoutLocks(command), 1, []byte(prefix)...), nil
}

// prepareExplain sends a command that prepares.
func (s *Session) prepareExplain(command []byte) error {
	server := s.link.Server
	server.SetSequence(0)
	if err := server.Send(wire.Bytes(command)); err != nil {
		return &BrokenError{err}
	}
	s.link.Response.Begin(wire.ComStmtPrepare, server.Capabilities, s.link.Client.Sequence())
	return nil
}

// preparedExplain reads the server's description, and gives the client that of the
// EXPLAIN that it has prepared. MariaDB tells no columns before the execution.
func (s *Session) preparedExplain(p *Explained, d *Description) error {
	r := s.link.Response
	for !r.Done() {
		inColumns, described := r.InColumns(), r.Described
		payload, err := s.next()
		switch {
		case err != nil:
			return err
		case r.Failed:
			if err := s.passError(p.st, payload); err != nil {
				return err
			}
		case !r.Described:
			return &BrokenError{wire.ErrMalformed}
		case inColumns && described && r.Ended() == wire.EndedNothing:
			c, err := wire.DecodeColumn(bytes.Clone(payload), s.link.Server.Capabilities)
			if err != nil {
				return &BrokenError{err}
			}
			p.columns = append(p.columns, c)
		}
	}
	if r.Described {
		if int(r.Prepared.Params) != len(p.inputs) {
			return &BrokenError{wire.ErrMalformed}
		}
		head := wire.PrepareOK{
			ID: r.Prepared.ID, Params: uint16(p.st.params), Columns: uint16(len(p.columns)), Warnings: r.Warnings,
		}
		s.link.Client.WriteMessage(head)
		s.writeDefinitions(p.st.paramDefinitions(d, s.env.value.Flavor))
		s.passDefinitions(p.columns)
	}
	return s.link.Write()
}

// ExecuteExplain carries out an execution of a prepared EXPLAIN: m is a
// COM_STMT_EXECUTE that is not cut short. A cursor is not opened: the rows come at
// once, which clients have to expect.
func (s *Session) ExecuteExplain(p *Explained, m wire.Execute) error {
	defer s.end()
	defer p.forgetLong()
	if s.outdated(p.st) {
		return NeedsPreparing()
	}
	if err := p.decode(m.Rest, s.link.Caps); err != nil {
		return err
	}
	s.last = p.st
	if err := s.resume(); err != nil {
		return err
	}
	x := &explaining{Explained: p.explained, st: p.st, columns: p.columns, binary: true}
	err := s.executeExplain(p.Prepared, m)
	if err == errComparison && p.fallback != nil { //nolint:errorlint // it is never wrapped
		return s.explainFallback(p, x, m)
	}
	if err != nil {
		return err
	}
	err = s.passExplained(x)
	p.columns = x.columns
	return err
}

// executeExplain sends an execution of the stored EXPLAIN.
func (s *Session) executeExplain(p *Prepared, m wire.Execute) error {
	s.binder.prepared = p
	s.binder.begin(p.st)
	err := s.sendExecute(p, withoutCursor(m))
	s.binder.notices.begin(s.env.noticesMax)
	if err == nil {
		s.link.Response.Begin(wire.ComStmtExecute, s.link.Server.Capabilities, s.link.Client.Sequence())
	}
	return err
}

// explainFallback explains the statement's fallback: it is prepared for this once,
// and closed.
func (s *Session) explainFallback(p *Explained, x *explaining, m wire.Execute) error {
	f, r := p.fallback, s.link.Response
	f.params, f.attributes = p.params, p.attributes
	if err := s.prepareExplain(f.command); err != nil {
		return err
	}
	for !r.Done() {
		payload, err := s.next()
		if err == nil && r.Failed {
			err = s.failure(f.st, payload)
		}
		if err != nil {
			return err
		}
	}
	if int(r.Prepared.Params) != len(f.inputs) {
		return &BrokenError{wire.ErrMalformed}
	}
	m.Statement = r.Prepared.ID
	defer s.closeStatement(m.Statement)
	if err := s.executeExplain(f, m); err != nil {
		return err
	}
	x.st, x.fallback = f.st, true
	return s.passExplained(x)
}
