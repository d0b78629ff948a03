package exec

import (
	"bytes"
	"testing"

	"tunic/internal/binding"
	"tunic/internal/wire"
)

// TestExecution: the server, which has just prepared a statement, is told the types of parameters
// with the first execution, whether the client tells them again or not.
func TestExecution(t *testing.T) {
	head := []byte{byte(wire.ComStmtExecute), 7, 0, 0, 0}
	renewed := []byte{byte(wire.ComStmtExecute), 9, 0, 0, 0}
	flags := []byte{0, 1, 0, 0, 0}
	join := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	bound := []binding.ParamType{{Kind: wire.TypeLong, Unsigned: true}, {Kind: wire.TypeVarString}}
	types, named := []byte{byte(wire.TypeLong), 0x80, byte(wire.TypeVarString), 0}, []byte{byte(wire.TypeLong), 0x80, 0, byte(wire.TypeVarString), 0, 0}
	values := []byte{5, 0, 0, 0, 1, 'x'}
	for name, c := range map[string]struct {
		rest, want []byte
		caps       wire.Capability
		bound      []binding.ParamType
		told       bool
		fails      bool
	}{
		"told again":          {rest: join([]byte{0, 1}, types, values), want: join([]byte{0, 1}, types, values)},
		"told before":         {rest: join([]byte{0, 0}, values), want: join([]byte{0, 1}, types, values), bound: bound},
		"told before, named":  {rest: join([]byte{2, 0, 0}, values), want: join([]byte{2, 0, 1}, named, values), bound: bound, caps: wire.ClientQueryAttributes},
		"the server knows":    {rest: join([]byte{0, 0}, values), want: join([]byte{0, 0}, values), bound: bound, told: true},
		"never told":          {rest: join([]byte{0, 0}, values), fails: true},
		"attributes, unnamed": {rest: join([]byte{3, 0, 0}, values), fails: true, bound: bound, caps: wire.ClientQueryAttributes},
		"cut short":           {rest: nil, want: nil, bound: bound},
	} {
		t.Run(name, func(t *testing.T) {
			params := binding.NewParameters(2)
			params.Prepared.Types = c.bound
			g := &Given{Numbered: Numbered{renewed: 9}, told: c.told}
			payload := join(head, flags, c.rest)
			m, err := wire.DecodeExecute(payload)
			if err != nil {
				t.Fatal(err)
			}
			got, ok := g.Execution(payload, m, params, c.caps)
			if want := join(renewed, flags, c.want); ok == c.fails || ok && !bytes.Equal(got, want) {
				t.Errorf("%v, %t, want %v", got, ok, want)
			}
			if again, ok := g.Execution(payload, m, params, c.caps); !c.fails && (!ok || !bytes.Equal(again, join(renewed, flags, c.rest))) && name != "cut short" {
				t.Errorf("the second time: %v, %t", again, ok)
			}
		})
	}
}
