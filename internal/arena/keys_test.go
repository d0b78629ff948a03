package arena

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

	"tunic/internal/racetest"
)

// TestKeys: keys have the numbers in whose order they came, whatever else is in the
// set and however often it was used before.
func TestKeys(t *testing.T) {
	key := rapid.Custom(func(t *rapid.T) []byte {
		length := rapid.OneOf(rapid.IntRange(0, 3), rapid.Just(keepBytesFirst), rapid.Just(keepBytesMost+1)).Draw(t, "length")
		return bytes.Repeat([]byte{rapid.ByteRange(0, 20).Draw(t, "byte")}, length)
	})
	rapid.Check(t, func(t *rapid.T) {
		var set Keys
		for range rapid.IntRange(1, 3).Draw(t, "uses") {
			known := map[string]int{}
			for _, k := range rapid.SliceOfN(key, 0, 200).Draw(t, "keys") {
				want, there := known[string(k)]
				if got := set.Number(k); there && got != want || !there && got != -1 {
					t.Fatalf("a key of %d bytes has the number %d before it is added, want %d, %t", len(k), got, want, there)
				}
				if !there {
					want = len(known)
					known[string(k)] = want
				}
				got, added := set.Add(k)
				if got != want || added == there {
					t.Fatalf("a key of %d bytes has the number %d, added %t; want %d, %t", len(k), got, added, want, !there)
				}
				clear(k)
			}
			for k, want := range known {
				if !bytes.Equal(set.key(want), []byte(k)) {
					t.Fatalf("key %d is another", want)
				}
			}
			set.Clear()
		}
	})
}

// TestKeysAgain: a set that is used again allocates nothing.
func TestKeysAgain(t *testing.T) {
	if racetest.On {
		t.Skip("the race detector allocates")
	}
	var set Keys
	var key [16]byte
	use := func() {
		for i := range 100 {
			key[0] = byte(i)
			set.Add(key[:])
		}
		set.Clear()
	}
	use()
	if n := testing.AllocsPerRun(100, use); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
