package exec

import (
	"slices"

	"tunic/internal/sql"
	"tunic/internal/wire"
)

// A statement that the server has had prepared as the client wrote it may be one that tunic
// has to carry out since: a table that it names has come to be protected.

// Instead prepares such a statement, by a plan of its text. The client keeps the number that
// it knows the statement by, and the types of parameters that it has told.
func (s *Session) Instead(st *Statement, text []byte, literals *sql.Literals, told *Parameters) (*Prepared, error) {
	p := newPrepared(st, text)
	if told != nil {
		p.bound, p.prior = slices.Clone(told.prepared.bound), slices.Clone(told.prepared.prior)
	}
	if err := s.Renew(p, st, literals); err != nil {
		return nil, err
	}
	return p, nil
}

// TakeTypes remembers what an execution, m, says of the types of parameters. Later ones need
// not say it again.
func (p *Parameters) TakeTypes(m wire.Execute, caps wire.Capability) {
	params := p.prepared.st.params
	if params == 0 || len(m.Rest) < executeHead {
		return
	}
	body, count, named := m.Rest[executeHead:], params, caps.Has(wire.ClientQueryAttributes)
	if named {
		n, after, ok := wire.TakeLenenc(body)
		if !ok || n < uint64(params) || n > 1<<16-1 {
			return
		}
		count, body = int(n), after
	}
	bitmap := (count + 7) / 8
	if len(body) <= bitmap {
		return
	}
	nulls := body[:bitmap]
	if body[bitmap] == 1 { // types are told anew
		body = body[bitmap+1:]
		if !wholeTypes(body, count, named) {
			return
		}
		p.prepared.bound = p.prepared.bound[:0]
		for range params {
			var t paramType
			t, _, body, _ = takeType(body, named)
			p.prepared.bound = append(p.prepared.bound, t)
		}
	}
	p.prepared.notePriorTypes(func(i int) bool { return nulls[i/8]>>(i%8)&1 == 1 })
}
