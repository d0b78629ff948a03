package exec

import (
	"bytes"
	"slices"

	"tunic/internal/binding"
	"tunic/internal/description"
	"tunic/internal/plan/explanation"
	"tunic/internal/sql"
	"tunic/internal/translation"
	"tunic/internal/wire"
)

// Explained is an EXPLAIN that a client has prepared. At the server the EXPLAIN of
// the stored statement is prepared. Its number is the server's.
type Explained struct {
	*Prepared
	explained *explanation.Explained
	columns   []wire.ColumnDefinition // of the answer, as far as they are known
}

// PrepareExplain prepares an EXPLAIN. It returns nil without an error if the server
// has refused, and the client knows. Otherwise the server's number of it is in
// Link.Response.
func (s *Session) PrepareExplain(e *explanation.Explained, st *Statement, text []byte, literals *sql.Literals) (*Explained, error) {
	defer s.end()
	b := s.binder
	b.Text, b.Literals = text, literals
	st, d, err := s.begin(st)
	if err != nil {
		return nil, err
	}
	p, command, err := s.readExplained(e, st, bytes.Clone(text))
	if err != nil {
		return nil, err
	}
	made, err := s.prepareStored(p.Prepared, command)
	switch {
	case err != nil:
		return nil, err
	case made.Refusal != nil:
		return nil, s.passRefusal(st, made.Refusal)
	}
	p.columns = made.Columns
	s.describeExplain(p, d)
	return p, s.link.Waiter.Write()
}

// RenewExplain prepares an EXPLAIN again, by another plan of its text; see Renew.
func (s *Session) RenewExplain(p *Explained, e *explanation.Explained, st *Statement, literals *sql.Literals) error {
	defer s.end()
	b := s.binder
	b.Text, b.Literals = p.text, literals
	st, _, err := s.begin(st)
	if err != nil {
		return err
	}
	fresh, command, err := s.readExplained(e, st, p.text)
	if err != nil {
		return err
	}
	made, err := s.prepareQuietly(fresh.Prepared, command)
	if err != nil {
		return err
	}
	s.replace(p.Prepared, fresh.Prepared)
	p.explained, p.columns = e, made.Columns
	return nil
}

// readExplained takes what is needed later from the text.
func (s *Session) readExplained(e *explanation.Explained, st *Statement, text []byte) (p *Explained, command []byte, err error) {
	p = &Explained{explained: e, Prepared: newPrepared(st, text)}
	if command, err = p.readExplain(s.binder, e.Prefix); err != nil {
		return p, command, err
	}
	other := st.alternative(facts{failed: binding.ErrComparison})
	if other == nil {
		return p, command, nil
	}
	f := &Explained{Prepared: newPrepared(other, text)}
	f.command, err = f.readExplain(s.binder, e.Prefix)
	p.fallback = f.Prepared
	return p, command, err
}

// readExplain takes what is needed later from the text, and returns the command that
// prepares the stored EXPLAIN.
func (p *Explained) readExplain(b *binding.Binder, prefix string) ([]byte, error) {
	b.Begin(&p.st.Statement)
	command, err := p.read(b)
	if err != nil {
		return nil, err
	}
	return slices.Insert(p.st.withoutLocks(command), 1, []byte(prefix)...), nil
}

// describeExplain writes the description of an EXPLAIN. MariaDB tells no columns before
// the execution.
func (s *Session) describeExplain(p *Explained, d *description.Description) {
	r := s.dialogue.Response
	s.link.Client.WriteMessage(wire.PrepareOK{
		ID: r.Prepared.ID, Params: uint16(p.st.params), Columns: uint16(len(p.columns)), Warnings: r.Warnings,
	})
	s.writeDefinitions(description.Params(d, p.st.params, s.env.Value.Flavor))
	s.passDefinitions(p.columns)
}

// ExecuteExplain carries out an execution of a prepared EXPLAIN: m is a
// COM_STMT_EXECUTE that is not cut short. A cursor is not opened: the rows come at
// once, which clients have to expect.
func (s *Session) ExecuteExplain(p *Explained, m wire.Execute) error {
	defer s.end()
	defer p.ForgetExecuted()
	if s.outdated(p.st) {
		return translation.Moved()
	}
	if err := p.Decode(m.Rest, s.link.Caps, s.link.Modes); err != nil {
		return err
	}
	s.words.Last = &p.st.Statement
	if err := s.resume(); err != nil {
		return err
	}
	x := &explaining{Explained: p.explained, st: p.st, changing: changing{binary: true, columns: p.columns}}
	m.Statement = p.number(m.Statement)
	err := s.executeExplain(p.Prepared, m)
	if p.st.alternative(facts{failed: err}) != nil {
		return s.explainFallback(p, x, m)
	}
	if err != nil {
		return err
	}
	err = s.passChanged(x)
	p.columns = x.columns
	return err
}

// executeExplain sends an execution of the stored EXPLAIN.
func (s *Session) executeExplain(p *Prepared, m wire.Execute) error {
	s.executes(p)
	s.binder.Begin(&p.st.Statement)
	s.askFirst(p.st)
	err := s.sendExecute(p, withoutCursor(m))
	s.binder.Notices.Begin(s.env.NoticesMax)
	if err == nil {
		s.dialogue.Expect(wire.ComStmtExecute)
	}
	return err
}

// explainFallback explains the statement's fallback: it is prepared for this once,
// and closed.
func (s *Session) explainFallback(p *Explained, x *explaining, m wire.Execute) error {
	f := p.fallback
	f.Share(&p.Execution)
	if _, err := s.prepareQuietly(f, f.command); err != nil {
		return err
	}
	m.Statement = s.dialogue.Response.Prepared.ID
	defer s.dialogue.CloseStatement(m.Statement)
	if err := s.executeExplain(f, m); err != nil {
		return err
	}
	x.st, x.fallback = f.st, true
	return s.passChanged(x)
}
