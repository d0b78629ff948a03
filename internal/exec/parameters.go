package exec

import (
	"tunic/internal/binding"
	"tunic/internal/wire"
)

// Values are the values of an execution, m, as those of user variables: a date or time is
// a string. What is attributes of its query is appended to attributes, as a COM_QUERY has them.
func (s *Session) Values(p *binding.Parameters, m wire.Execute, attributes []byte) ([]binding.Variable, []byte, error) {
	defer p.Prepared.ForgetExecuted()
	defer p.Prepared.Release()
	err := p.Prepared.Decode(m.Rest, s.link.Caps, s.link.Modes)
	if err == nil {
		attributes, err = p.Prepared.AppendAttributes(attributes)
	}
	if err == nil {
		err = s.resume()
	}
	if err != nil {
		return nil, attributes, err
	}
	values, err := s.binder.Values(p)
	return values, attributes, err
}
