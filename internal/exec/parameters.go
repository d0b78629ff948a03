package exec

import (
	"tunic/internal/wire"
)

// Values are the values of an execution, m, as those of user variables: a date or time is
// a string.
func (s *Session) Values(p *Parameters, m wire.Execute) ([]Variable, error) {
	defer p.prepared.forgetLong()
	defer p.prepared.Release()
	if err := p.prepared.decode(m.Rest, s.link.Caps, s.link.Modes); err != nil {
		return nil, err
	}
	if err := s.resume(); err != nil {
		return nil, err
	}
	return s.binder.values(p)
}
