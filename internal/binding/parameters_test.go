package binding

import (
	"testing"

	"tunic/internal/sql"
	"tunic/internal/wire"
)

// TestUnalikeParameter: a parameter of a type that servers do not read alike is refused, unless it is NULL.
func TestUnalikeParameter(t *testing.T) {
	year, short, bit, int24, geometry, null := byte(wire.TypeYear), byte(wire.TypeShort), byte(wire.TypeBit), byte(wire.TypeInt24), byte(wire.TypeGeometry), byte(wire.TypeNull)
	for _, c := range []struct {
		name string
		rest []byte // flags, iterations, bits of NULL, types, values
		want bool
	}{
		{"a year", []byte{0, 1, 0, 0, 0, 0, 1, year, 0, 0xe8, 0x07}, false},
		{"a year that is NULL", []byte{0, 1, 0, 0, 0, 1, 1, year, 0}, true},
		{"bits", []byte{0, 1, 0, 0, 0, 0, 1, bit, 0, 1, '1'}, false},
		{"bits that are NULL", []byte{0, 1, 0, 0, 0, 1, 1, bit, 0}, true},
		{"three bytes", []byte{0, 1, 0, 0, 0, 0, 1, int24, 0, 1, 0, 0, 0}, false},
		{"a shape", []byte{0, 1, 0, 0, 0, 0, 1, geometry, 0, 1, '1'}, false},
		{"NULL", []byte{0, 1, 0, 0, 0, 1, 1, null, 0}, true},
		{"NULL that is none", []byte{0, 1, 0, 0, 0, 0, 1, null, 0}, false},
		{"a number", []byte{0, 1, 0, 0, 0, 0, 1, short, 0, 0xe8, 0x07}, true},
	} {
		for _, modes := range []sql.Modes{0, sql.MariaDB} {
			p := &Execution{Count: 1}
			if err := p.Decode(c.rest, 0, modes); (err == nil) != c.want {
				t.Errorf("%s, modes %v: %v", c.name, modes, err)
			}
		}
	}
}
