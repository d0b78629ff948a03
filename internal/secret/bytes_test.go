package secret

import (
	"bytes"
	"crypto/aes"
	"errors"
	"runtime"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// content is a copy of what b holds.
func content(t testing.TB, b *Bytes) []byte {
	t.Helper()
	c, err := Use(b, func(key []byte) ([]byte, error) { return bytes.Clone(key), nil })
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestTake(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.SliceOfN(rapid.Byte(), 0, BytesMax).Draw(rt, "text")
		given := bytes.Clone(text)
		s := Take(given)
		defer s.Wipe()
		if got := content(t, s); !bytes.Equal(got, text) || s.Len() != len(text) {
			rt.Fatalf("holds %d bytes, Len %d, want %d", len(got), s.Len(), len(text))
		}
		if slices.ContainsFunc(given, func(b byte) bool { return b != 0 }) {
			rt.Fatal("what was taken is still there")
		}
	})
}

func TestTakeTooMuch(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("more than BytesMax was taken")
		}
	}()
	Take(make([]byte, BytesMax+1))
}

func TestRandom(t *testing.T) {
	a, b := Random(32), Random(32)
	if a.Len() != 32 || a.Equal(b) || bytes.Equal(content(t, a), make([]byte, 32)) {
		t.Error("two random secrets are equal, or zero")
	}
}

// TestUseIsBounded finds a function that can reach the neighbour's slot by
// appending to what it was given.
func TestUseIsBounded(t *testing.T) {
	_, err := Use(Random(16), func(key []byte) (int, error) {
		if cap(key) != 16 {
			t.Errorf("capacity %d of 16 bytes", cap(key))
		}
		return 0, nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestUsePassesOn(t *testing.T) {
	block, err := Use(Random(32), aes.NewCipher)
	if err != nil || block.BlockSize() != aes.BlockSize {
		t.Errorf("got %v, %v", block, err)
	}
	if _, err := Use(Random(33), aes.NewCipher); !errors.Is(err, aes.KeySizeError(33)) {
		t.Errorf("error of the function became %v", err)
	}
}

func TestEqual(t *testing.T) {
	a, same, other, longer := Take([]byte("key")), Take([]byte("key")), Take([]byte("kez")), Take([]byte("key\x00"))
	wiped := Take([]byte("key"))
	wiped.Wipe()
	for name, c := range map[string]struct {
		a, b *Bytes
		want bool
	}{
		"itself":          {a, a, true},
		"same":            {a, same, true},
		"other":           {a, other, false},
		"longer":          {a, longer, false},
		"wiped":           {a, wiped, false},
		"wiped itself":    {wiped, wiped, false},
		"nothing":         {a, nil, false},
		"zero":            {new(Bytes), a, false},
		"empty and empty": {Take(nil), Take([]byte{}), true},
	} {
		if c.a.Equal(c.b) != c.want || c.b.Equal(c.a) != c.want {
			t.Errorf("%s: want %t", name, c.want)
		}
	}
}

func TestWipe(t *testing.T) {
	for _, n := range []int{0, 1, keySlotBytes, keySlotBytes + 1, BytesMax} {
		s := Random(n)
		alias := s.cell.slot
		copied := *s
		s.Wipe()
		s.Wipe() // again, which must not give the slot back twice
		if !bytes.Equal(alias, make([]byte, len(alias))) {
			t.Errorf("%d bytes: the memory is not zero", n)
		}
		for _, b := range []*Bytes{s, &copied, nil, {}} {
			b.Wipe()
			_, err := Use(b, func([]byte) (int, error) { t.Error("used after the wipe"); return 0, nil })
			if !errors.Is(err, ErrWiped) || b.Len() != 0 {
				t.Errorf("%d bytes: Len %d, %v", n, b.Len(), err)
			}
		}
	}
}

// TestSlots checks that no slot is handed out twice, whatever is wiped when.
func TestSlots(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var live []*Bytes
		var want [][]byte
		for range rapid.IntRange(1, 200).Draw(rt, "steps") {
			if len(live) > 0 && rapid.Bool().Draw(rt, "wipe") {
				i := rapid.IntRange(0, len(live)-1).Draw(rt, "which")
				live[i].Wipe()
				live, want = slices.Delete(live, i, i+1), slices.Delete(want, i, i+1)
				continue
			}
			text := rapid.SliceOfN(rapid.Byte(), 1, 100).Draw(rt, "text")
			want = append(want, bytes.Clone(text))
			live = append(live, Take(text))
		}
		for i, s := range live {
			if !bytes.Equal(content(t, s), want[i]) {
				rt.Fatalf("secret %d of %d has changed", i, len(live))
			}
			s.Wipe()
		}
	})
}

// TestForgotten checks that the collector wipes what nobody holds any more,
// and gives its slot back.
func TestForgotten(t *testing.T) {
	slot := Random(32).cell.slot
	for range 100 {
		runtime.GC()
		keySlots.mu.Lock()
		back := slices.ContainsFunc(keySlots.free, func(free []byte) bool { return &free[0] == &slot[0] })
		keySlots.mu.Unlock()
		if back {
			if !bytes.Equal(slot, make([]byte, len(slot))) {
				t.Error("the slot of a forgotten secret is not zero")
			}
			return
		}
		runtime.Gosched()
	}
	t.Error("the slot of a forgotten secret never came back")
}

// TestForgottenAfterWipe checks that the slot of a secret that was wiped, and
// then forgotten, comes back once: twice, it would be given to two secrets.
func TestForgottenAfterWipe(t *testing.T) {
	for range 100 {
		Random(32).Wipe()
	}
	for range 3 {
		runtime.GC()
		Random(32).Wipe() // lets cleanups run, and is one itself
	}
	keySlots.mu.Lock()
	defer keySlots.mu.Unlock()
	seen := map[*byte]bool{}
	for _, free := range keySlots.free {
		if seen[&free[0]] {
			t.Fatal("a slot is free twice")
		}
		seen[&free[0]] = true
	}
}

// TestWipeWaits runs users and a wiper together: a user sees the whole key or
// none of it, never a part and never another's.
func TestWipeWaits(t *testing.T) {
	for range 50 {
		var wg sync.WaitGroup
		key := Take(bytes.Repeat([]byte{0xAA}, 32))
		for range 4 {
			wg.Go(func() {
				whole, err := Use(key, func(k []byte) (bool, error) {
					return bytes.Equal(k, bytes.Repeat([]byte{0xAA}, 32)), nil
				})
				if err == nil && !whole {
					t.Error("a user saw a key that was being wiped")
				}
				Take(bytes.Repeat([]byte{0x55}, 32)).Wipe()
			})
		}
		wg.Go(key.Wipe)
		wg.Wait()
	}
}

func TestZero(t *testing.T) {
	b := []byte("hunter2")
	Zero(b)
	if !bytes.Equal(b, make([]byte, 7)) {
		t.Errorf("%q is left", b)
	}
	Zero(nil)
}

func BenchmarkUse(b *testing.B) {
	key := Random(32)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Use(key, func(k []byte) (int, error) { return len(k), nil }); err != nil {
			b.Fatal(err)
		}
	}
}
