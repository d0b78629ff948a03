package exec

import (
	"slices"

	"tunic/internal/binding"
	"tunic/internal/sql"
)

// A statement that the server has had prepared as the client wrote it may be one that tunic
// has to carry out since: a table that it names has come to be protected.

// Instead prepares such a statement, by a plan of its text. The client keeps the number that
// it knows the statement by, and the types of parameters that it has told.
func (s *Session) Instead(st *Statement, text []byte, literals *sql.Literals, told *binding.Parameters) (*Prepared, error) {
	p := newPrepared(st, text)
	if told != nil {
		p.Types, p.Prior = slices.Clone(told.Prepared.Types), slices.Clone(told.Prepared.Prior)
	}
	if err := s.Renew(p, st, literals); err != nil {
		return nil, err
	}
	return p, nil
}
