package binding

import (
	"slices"
	"testing"

	"tunic/internal/wire"
)

// TestTypesOfACutPacket: a packet that is cut short leaves what was told of parameters before, wherever
// it is cut, whether the server or tunic carries the statement out; a whole one replaces it.
func TestTypesOfACutPacket(t *testing.T) {
	before := []ParamType{{wire.TypeLong, true}, {wire.TypeLong, true}, {wire.TypeLong, true}}
	after := []ParamType{{wire.TypeVarString, false}, {wire.TypeLongLong, false}, {wire.TypeDouble, false}}
	plain := []byte{byte(wire.TypeVarString), 0, byte(wire.TypeLongLong), 0, byte(wire.TypeDouble), 0}
	named := []byte{byte(wire.TypeVarString), 0, 1, 'a', byte(wire.TypeLongLong), 0, 0, byte(wire.TypeDouble), 0, 1, 'c'}
	for _, c := range []struct {
		name        string
		head, types []byte
		caps        wire.Capability
	}{
		{"without names", []byte{0, 1, 0, 0, 0, 7, 1}, plain, 0},
		{"with names", []byte{0, 1, 0, 0, 0, 3, 7, 1}, named, wire.ClientQueryAttributes},
		{"with an attribute", []byte{0, 1, 0, 0, 0, 4, 15, 1}, append(slices.Clone(named), byte(wire.TypeLong), 0, 1, 'd'), wire.ClientQueryAttributes},
	} {
		for n := range len(c.types) + 1 {
			rest, want := append(slices.Clone(c.head), c.types[:n]...), before
			if n == len(c.types) {
				want = after
			}
			params := NewParameters(3)
			params.Prepared.Types = slices.Clone(before)
			params.TakeTypes(wire.Execute{Rest: rest}, c.caps)
			if got := params.Prepared.Types; !slices.Equal(got, want) {
				t.Errorf("%s, %d bytes of types: %v", c.name, n, got)
			}
			params.Prepared.Types = slices.Clone(before)
			_ = params.Prepared.Decode(rest, c.caps, 0)
			if got := params.Prepared.Types; !slices.Equal(got, want) {
				t.Errorf("%s, %d bytes of types, carried out: %v", c.name, n, got)
			}
		}
	}
}

// TestTakingTypesAllocatesNothing: whoever tells types with each execution does not pay for it.
func TestTakingTypesAllocatesNothing(t *testing.T) {
	params := NewParameters(2)
	m := wire.Execute{Rest: []byte{0, 1, 0, 0, 0, 0, 1, byte(wire.TypeLong), 0, byte(wire.TypeVarString), 0, 5, 0, 0, 0, 1, 'x'}}
	params.TakeTypes(m, 0)
	if n := testing.AllocsPerRun(100, func() { params.TakeTypes(m, 0) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
