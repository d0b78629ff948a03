package exec

import (
	"strconv"

	"tunic/internal/sql"
	"tunic/internal/wire"
)

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

// Number is the first value of an execution, m, if it is a number above 0 or the text of one.
func (p *Parameters) Number(m wire.Execute, caps wire.Capability, modes sql.Modes) (uint64, bool) {
	defer p.prepared.Release()
	if len(m.Rest) < executeHead || p.prepared.decode(m.Rest, caps, modes) != nil || len(p.prepared.params) == 0 {
		return 0, false
	}
	first := &p.prepared.params[0]
	switch first.kind {
	case wire.TypeTiny, wire.TypeShort, wire.TypeLong, wire.TypeInt24, wire.TypeLongLong:
		n := first.integer()
		return n.Number, !first.null && (first.unsigned || int64(n.Number) > 0)
	case wire.TypeVarchar, wire.TypeVarString, wire.TypeString, wire.TypeBlob, wire.TypeNewDecimal:
		n, err := strconv.ParseUint(string(first.bytes), 10, 64)
		return n, !first.null && err == nil
	}
	return 0, false
}

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
		if all[i], err = variableOf(&b.source, s.env.Clock(), &s.env.Value); err != nil {
			return nil, err
		}
	}
	return all, nil
}
