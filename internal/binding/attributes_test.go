package binding

import (
	"bytes"
	"testing"

	"tunic/internal/wire"
)

// TestAppendAttributes: what stands behind the parameters of an execution is written as a COM_QUERY has it; a type whose
// form is in doubt there is an error.
func TestAppendAttributes(t *testing.T) {
	execution := func(kind wire.Type) []byte {
		head := []byte{FlagCount, 1, 0, 0, 0, 3, 0b010, 1}
		types := []byte{byte(wire.TypeTiny), 0, 0, byte(wire.TypeLong), UnsignedFlag, 1, 'a', byte(kind), 0, 1, 'b'}
		return append(append(head, types...), 7, 2, 'x', 'y')
	}
	p := &Execution{Count: 1}
	if err := p.Decode(execution(wire.TypeString), wire.ClientQueryAttributes, 0); err != nil {
		t.Fatal(err)
	}
	got, err := p.AppendAttributes([]byte("before"))
	want := append([]byte("before"), 2, 1, 0b01, 1, byte(wire.TypeLong), UnsignedFlag, 1, 'a', byte(wire.TypeString), 0, 1, 'b', 2, 'x', 'y')
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%x: %v", got, err)
	}
	if err := p.Decode(execution(wire.TypeJSON), wire.ClientQueryAttributes, 0); err != nil {
		t.Fatal(err)
	}
	if got, err := p.AppendAttributes(nil); err == nil {
		t.Errorf("of JSON: %x", got)
	}
	if err := p.Decode([]byte{FlagCount, 1, 0, 0, 0, 1, 0, 1, byte(wire.TypeTiny), 0, 0, 7}, wire.ClientQueryAttributes, 0); err != nil {
		t.Fatal(err)
	}
	if got, err := p.AppendAttributes(nil); got != nil || err != nil {
		t.Errorf("without any: %x, %v", got, err)
	}
}
