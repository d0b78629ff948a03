package binding

import (
	"testing"

	"tunic/internal/sql"
	"tunic/internal/wire"
)

// TestYearParameter: a parameter of the type YEAR is refused, unless it is NULL. No server
// reads its value.
func TestYearParameter(t *testing.T) {
	year, short := byte(wire.TypeYear), byte(wire.TypeShort)
	for _, c := range []struct {
		name string
		rest []byte // flags, iterations, bits of NULL, types, values
		want bool
	}{
		{"a year", []byte{0, 1, 0, 0, 0, 0, 1, year, 0, 0xe8, 0x07}, false},
		{"a year that is NULL", []byte{0, 1, 0, 0, 0, 1, 1, year, 0}, true},
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
