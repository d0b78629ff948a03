package wire_test

import (
	"testing"

	"pgregory.net/rapid"

	"tunic/internal/wire"
)

// appendTextRow is the text protocol's form of cells.
func appendTextRow(b []byte, cells []wire.Cell) []byte { return wire.AppendTextRow(b, cells) }

func TestTextRowRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cells := make([]wire.Cell, rapid.IntRange(1, 10).Draw(t, "columns"))
		for i := range cells {
			if cells[i].Null = rapid.Bool().Draw(t, "null"); !cells[i].Null {
				cells[i].Bytes = drawBytes(t, "value")
			}
		}
		payload := appendTextRow(nil, cells)
		got, err := wire.DecodeTextRow(nil, payload, len(cells))
		if err != nil {
			t.Fatal(err)
		}
		same(t, cells, got)
		refusesCuts(t, payload, len(payload), func(b []byte) error {
			_, err := wire.DecodeTextRow(nil, b, len(cells))
			return err
		})
	})
}

func TestTextRowRefuses(t *testing.T) {
	refuses(t, func(b []byte) error {
		_, err := wire.DecodeTextRow(nil, b, 2)
		return err
	},
		badMessage{"nothing", ""},
		badMessage{"a value short", "\x01a"},
		badMessage{"a value more", "\x01a\x01b\x01c"},
		badMessage{"a value longer than the packet", "\x01a\xfe\xff\xff\xff\xff\xff\xff\xff\xff"},
		badMessage{"an error", "\xff\x10\x04"},
	)
}

// binaryRow is the binary protocol's form of values; a value that is "NULL" is
// NULL.
func binaryRow(forms []string) []byte {
	b := make([]byte, 1+(len(forms)+9)/8)
	for i, form := range forms {
		if form == "NULL" {
			b[1+(i+2)/8] |= 1 << ((i + 2) % 8)
			continue
		}
		b = append(b, form...)
	}
	return b
}

func TestBinaryRowRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(t, "columns")
		types, forms, want := make([]wire.Type, n), make([]string, n), make([]wire.Cell, n)
		for i := range n {
			value := rapid.SampledFrom(binaryForms).Draw(t, "value")
			types[i], forms[i] = value.kind, value.prefix+value.value
			want[i].Bytes = []byte(value.value)
			if rapid.Bool().Draw(t, "null") {
				forms[i], want[i] = "NULL", wire.Cell{Null: true}
			}
		}
		payload := binaryRow(forms)
		got, err := wire.DecodeBinaryRow(nil, payload, types)
		if err != nil {
			t.Fatal(err)
		}
		same(t, want, got)
		refusesCuts(t, payload, len(payload), func(b []byte) error {
			_, err := wire.DecodeBinaryRow(nil, b, types)
			return err
		})
	})
}

func TestBinaryRowRefuses(t *testing.T) {
	types := []wire.Type{wire.TypeLong, wire.TypeVarString}
	refuses(t, func(b []byte) error {
		_, err := wire.DecodeBinaryRow(nil, b, types)
		return err
	},
		badMessage{"nothing", ""},
		badMessage{"another header", "\x01\x00\x01\x00\x00\x00\x01a"},
		badMessage{"no bitmap", "\x00"},
		badMessage{"half a number", "\x00\x00\x01\x00"},
		badMessage{"a string longer than the packet", "\x00\x00\x01\x00\x00\x00\x09a"},
		badMessage{"a byte more", "\x00\x00\x01\x00\x00\x00\x01ab"},
		badMessage{"NULL and a value", "\x00\x0c\x01\x00\x00\x00\x01a"},
	)
	unknown := []wire.Type{0x42}
	if _, err := wire.DecodeBinaryRow(nil, []byte("\x00\x00\x01a"), unknown); err == nil {
		t.Error("took a value of a type that nobody knows")
	}
}

// Cells are reused: what the last row had more of is not in the next.
func TestRowsReuseCells(t *testing.T) {
	cells, err := wire.DecodeTextRow(nil, []byte("\x01a\xfb\x01c"), 3)
	if err != nil {
		t.Fatal(err)
	}
	again, err := wire.DecodeTextRow(cells, []byte("\x01x"), 1)
	if err != nil || len(again) != 1 || string(again[0].Bytes) != "x" || again[0].Null {
		t.Fatalf("%v, %v", again, err)
	}
	if &again[0] != &cells[0] {
		t.Error("new cells were made")
	}
}
