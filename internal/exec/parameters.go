package exec

import (
	"tunic/internal/binding"
	"tunic/internal/wire"
)

// Values are the values of an execution, m, as those of user variables: a date or time is
// a string.
func (s *Session) Values(p *binding.Parameters, m wire.Execute) ([]binding.Variable, error) {
	defer p.Prepared.ForgetLong()
	defer p.Prepared.Release()
	if err := p.Prepared.Decode(m.Rest, s.link.Caps, s.link.Modes); err != nil {
		return nil, err
	}
	if err := s.resume(); err != nil {
		return nil, err
	}
	return s.binder.Values(p)
}
