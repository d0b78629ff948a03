package arena

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tunic/internal/eval"
)

// TestRows: what is kept stays as it was, whatever is kept after it or written to
// where it came from; NULL and the empty string stay what they are.
func TestRows(t *testing.T) {
	value := rapid.Custom(func(t *rapid.T) []byte {
		length := rapid.OneOf(rapid.Just(-1), rapid.IntRange(0, 40), rapid.Just(keepBytesFirst), rapid.Just(keepBytesMost+1)).Draw(t, "length")
		if length < 0 {
			return nil
		}
		return bytes.Repeat([]byte{rapid.Byte().Draw(t, "byte")}, length)
	})
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.SliceOfN(rapid.SliceOfN(value, 0, 5), 1, 60).Draw(t, "rows")
		var k Rows
		var kept, want []eval.Row
		for _, row := range rows {
			given := eval.Row{}
			for _, v := range row {
				given = append(given, bytes.Clone(v))
			}
			kept, want = append(kept, k.Keep(given)), append(want, row)
			for _, v := range given {
				clear(v)
			}
			clear(given)
		}
		for i := range want {
			same := func(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }
			if !slices.EqualFunc(kept[i], want[i], same) {
				t.Fatalf("row %d is %q, was %q", i, kept[i], want[i])
			}
		}
	})
}
