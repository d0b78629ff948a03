package exec

import (
	"tunic/internal/dialogue"
	"tunic/internal/translation"
	"tunic/internal/wire"
)

// prepareStored has the server prepare the stored statement, or its EXPLAIN. What it
// returns may be a refusal.
func (s *Session) prepareStored(p *Prepared, command []byte) (*dialogue.Preparation, error) {
	made, err := s.dialogue.PrepareRemote(command)
	if err == nil && made.Refusal != nil && made.Refusal.Number == errTooManyPrepared && s.closeRepeated() {
		made, err = s.dialogue.PrepareRemote(command) // tunic's own have taken the room
	}
	if err == nil && made.Refusal == nil && len(made.Params) != len(p.Inputs) {
		return nil, &dialogue.BrokenError{Err: wire.ErrMalformed}
	}
	return made, err
}

// prepareQuietly prepares at the server what the client sees nothing of: a refusal is
// an error in the words of the logical statement.
func (s *Session) prepareQuietly(p *Prepared, command []byte) (*dialogue.Preparation, error) {
	made, err := s.prepareStored(p, command)
	if err == nil && made.Refusal != nil {
		return nil, translation.Error(&p.st.Statement, made.Refusal)
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
func (p *Prepared) takeTypes(made *dialogue.Preparation) error {
	known := len(made.Columns) > 0 || !p.st.returning() // of RETURNING servers tell when it runs
	if known && len(made.Columns) != p.st.columnsOfRemote() {
		return &dialogue.BrokenError{Err: wire.ErrMalformed}
	}
	p.types = p.types[:0]
	for i := range made.Columns {
		p.types = append(p.types, made.Columns[i].Type)
	}
	return nil
}

// passRefusal passes on that the server has refused to prepare a statement, in the
// words of the logical one.
func (s *Session) passRefusal(st *Statement, m *wire.Err) error {
	if e := translation.Error(&st.Statement, m); translation.Retriable(&st.Statement, e) {
		return e
	}
	m.Message = s.words.Sent(&st.Statement, m)
	s.link.Client.WriteMessage(*m)
	return s.link.Waiter.Write()
}
