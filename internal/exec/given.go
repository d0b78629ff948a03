package exec

import (
	"bytes"
	"slices"

	"tunic/internal/binding"
	"tunic/internal/dialogue"
	"tunic/internal/plan"
	"tunic/internal/wire"
)

// A statement that tunic has carried out may be one that the server can have as the client wrote
// it: the tables that it names have become plain.

// Given is such a statement. The client knows it by the number that it has been told first.
type Given struct {
	Numbered
	told bool // the server knows the types of parameters
}

// Give has the server prepare the statement, and tells its parameters with the types that the
// client has told of them. It fails with plan.NeedsPreparing if parts of parameters were sent ahead,
// and if the client would read rows by another description: to one that keeps it the server sends none, as it
// has described them to tunic.
func (s *Session) Give(n *Numbered, p *Prepared) (*Given, *binding.Parameters, error) {
	if p != nil && p.Long != nil {
		return nil, nil, plan.NeedsPreparing()
	}
	defer s.end()
	made, err := s.dialogue.PrepareRemote(append([]byte{byte(wire.ComStmtPrepare)}, n.text...))
	if err != nil {
		return nil, nil, err
	}
	if m := made.Refusal; m != nil {
		return nil, nil, dialogue.ErrorOf(m)
	}
	if p != nil && s.link.Caps.Has(wire.MariaDBCacheMetadata) && !p.described.ReadsAlike(made.Columns) {
		s.dialogue.CloseStatement(s.dialogue.Response.Prepared.ID)
		return nil, nil, plan.NeedsPreparing()
	}
	g := &Given{Numbered: Numbered{text: n.text, renewed: s.dialogue.Response.Prepared.ID}}
	told := binding.NewParameters(int(s.dialogue.Response.Prepared.Params))
	if p != nil {
		told.Prepared.Types, told.Prepared.Prior = slices.Clone(p.Types), slices.Clone(p.Prior)
	}
	return g, told, nil
}

// Execution is an execution, m, as the server is to have it: with its number of the statement,
// and with the types of parameters where the client has told them of the statement before. It is
// false if they are not known.
func (g *Given) Execution(payload []byte, m wire.Execute, told *binding.Parameters, caps wire.Capability) ([]byte, bool) {
	params, named := told.Prepared.Count, caps.Has(wire.ClientQueryAttributes)
	if g.told || params == 0 || len(m.Rest) < binding.ExecuteHead {
		return g.Command(payload), true
	}
	body, count := m.Rest[binding.ExecuteHead:], uint64(params)
	if named {
		var ok bool
		if count, body, ok = wire.TakeLenenc(body); !ok {
			return g.Command(payload), true // the server says what is wrong
		}
	}
	bitmap := int(count+7) / 8
	if count > 1<<16-1 || len(body) <= bitmap || body[bitmap] == 1 {
		g.told = true
		return g.Command(payload), true
	}
	if count != uint64(params) || len(told.Prepared.Types) != params {
		return nil, false
	}
	g.told = true
	at := len(payload) - len(body) + bitmap // of the mark of new types
	out := append(bytes.Clone(g.Command(payload)[:at]), 1)
	for _, t := range told.Prepared.Types {
		sign := byte(0)
		if t.Unsigned {
			sign = binding.UnsignedFlag
		}
		if out = append(out, byte(t.Kind), sign); named {
			out = append(out, 0) // no name
		}
	}
	return append(out, payload[at+1:]...), true
}
