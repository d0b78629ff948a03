package crypt

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

	"tunic/internal/catalog"
	"tunic/internal/keys/keystest"
	"tunic/internal/value"
)

// TestFamilySizes: every form is within the sizes, and the longest values reach the greatest.
func TestFamilySizes(t *testing.T) {
	var short []*catalog.Column
	for _, c := range allKinds(t) {
		if value.CanonicalMax(&c.Type) < 1<<12 {
			short = append(short, c)
		}
	}
	for _, columns := range [][]*catalog.Column{short, {column(t, 1, "int", "")}, {column(t, 1, "int", ""), column(t, 2, "varchar(64)", "utf8mb4_bin")}} {
		most, err := FamilyMost(columns)
		if err != nil {
			t.Fatal(err)
		}
		f := familyOf(t, keystest.Tree(t), 1, columns...)
		size := func(values [][]byte) int {
			sealed, err := f.AppendSealed(nil, values)
			if err != nil {
				t.Fatal(err)
			}
			return len(sealed)
		}
		none, longest := make([][]byte, len(columns)), make([][]byte, len(columns))
		for i, c := range columns {
			if longest[i] = make([]byte, value.FixedBytes(&c.Type)); len(longest[i]) == 0 {
				longest[i] = bytes.Repeat([]byte("x"), value.CanonicalMax(&c.Type))
			}
		}
		if a, b := size(none), size(longest); a < FamilyLeast || b != most {
			t.Errorf("%d columns: %d to %d bytes, not %d to %d", len(columns), a, b, FamilyLeast, most)
		}
		rapid.Check(t, func(t *rapid.T) {
			values := make([][]byte, len(columns))
			for i, c := range columns {
				values[i] = drawn(t, c)
			}
			if n := size(values); n < FamilyLeast || n > most {
				t.Errorf("%d bytes, not %d to %d", n, FamilyLeast, most)
			}
		})
	}
	if _, err := FamilyMost(nil); err == nil {
		t.Error("a family of nothing has a size")
	}
}
