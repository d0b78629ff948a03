package exec

import "tunic/internal/wire"

// Parameters are those of a statement that tunic has prepared for itself alone: what the
// server has prepared has as many, and gets none of them.
type Parameters struct{ prepared *Prepared }

// NewParameters makes those of a statement that has so many.
func NewParameters(n int) *Parameters {
	return &Parameters{&Prepared{st: &Statement{params: n}}}
}

// LongData keeps a part of a parameter that is sent ahead, as [Prepared.LongData] does.
func (p *Parameters) LongData(m wire.Execute, most int) { p.prepared.LongData(m, most) }

// Reset forgets what was sent ahead, as [Prepared.Reset] does.
func (p *Parameters) Reset() { p.prepared.Reset() }

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
	b := s.binder
	b.prepared = p.prepared
	defer func() { b.prepared = nil }()
	all := make([]Variable, p.prepared.st.params)
	for i := range all {
		if err := b.paramSource(i, inExpression); err != nil {
			return nil, err
		}
		var err error
		if all[i], err = variableOf(&b.source, s.env.clock(), &s.env.value); err != nil {
			return nil, err
		}
	}
	return all, nil
}
