package exec

import (
	"tunic/internal/wire"
)

// prepareStored has the server prepare the stored statement, or its EXPLAIN. What it
// returns may be a refusal.
func (s *Session) prepareStored(p *Prepared, command []byte) (*preparation, error) {
	made, err := s.dialogue.prepareRemote(command)
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
	return s.link.Waiter.Write()
}
