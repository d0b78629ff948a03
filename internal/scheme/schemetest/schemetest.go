package schemetest

import (
	"bytes"
	"encoding/hex"
	"errors"
	"slices"
	"sync"
	"testing"

	"tunic/internal/racetest"
	"tunic/internal/scheme"
)

// Key returns the n-th of any number of different keys, all of them public.
func Key(n int) []byte {
	key := make([]byte, scheme.SuiteAES.KeySize())
	for i := range key {
		key[i] = byte(i * (n + 3))
	}
	key[0], key[1] = byte(n), key[1]^byte(n>>8)
	return key
}

// Unhex decodes the hexadecimal digits of a test vector.
func Unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// prefix stands before every result in these tests: nothing may touch it.
var prefix = []byte("what was there")

// withPrefix returns a copy of prefix with room behind it, all of it ones, so
// that who trusts what is there does not find zeros.
func withPrefix() []byte {
	b := bytes.Repeat([]byte{0xff}, 4096)
	copy(b, prefix)
	return b[:len(prefix)]
}

// appended runs do on a slice with a prefix and returns what it appended. It
// fails the test if the prefix changed, or if a failure left something behind.
func appended(t testing.TB, do func(dst []byte) ([]byte, error)) ([]byte, error) {
	t.Helper()
	got, err := do(withPrefix())
	if !bytes.HasPrefix(got, prefix) {
		t.Fatalf("the slice appended to was changed: %x", got)
	}
	got = got[len(prefix):]
	if err != nil && len(got) != 0 {
		t.Fatalf("a call that failed (%v) left %d bytes", err, len(got))
	}
	return got, err
}

// refusals checks how constructors fail: suites that are not built, and keys
// of other sizes than the suite's.
func refusals(t *testing.T, construct func(suite scheme.Suite, key []byte) error) {
	t.Run("refusals", func(t *testing.T) {
		if err := construct(scheme.SuiteAES, Key(1)); err != nil {
			t.Fatal(err)
		}
		for _, suite := range []scheme.Suite{0, scheme.SuiteSM4, scheme.SuiteXAES, 4, 255} {
			if err := construct(suite, Key(1)); !errors.Is(err, scheme.ErrSuite) {
				t.Errorf("%s: %v, want ErrSuite", suite, err)
			}
		}
		for _, size := range []int{0, 1, 16, 24, 31, 33, 64} {
			if err := construct(scheme.SuiteAES, make([]byte, size)); !errors.Is(err, scheme.ErrKeySize) {
				t.Errorf("a key of %d bytes: %v, want ErrKeySize", size, err)
			}
		}
	})
}

// noKeyKept checks that a constructor keeps no reference to the caller's key,
// which may be wiped.
func noKeyKept(t *testing.T, use func(key []byte) (do func() []byte)) {
	t.Helper()
	key := Key(1)
	want := use(slices.Clone(key))()
	do := use(key)
	clear(key)
	if got := do(); !bytes.Equal(got, want) {
		t.Errorf("after the caller wiped its key: %x, want %x", got, want)
	}
}

// together runs do in many goroutines at once.
func together(do func(goroutine int)) {
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() { do(i) })
	}
	wg.Wait()
}

// noAllocation checks that do allocates nothing once it is warm.
func noAllocation(t *testing.T, name string, do func()) {
	t.Helper()
	if racetest.On {
		t.Skip("skipped: under the race detector pools forget")
	}
	if n := testing.AllocsPerRun(200, do); n != 0 {
		t.Errorf("%s: %v allocations, want none", name, n)
	}
}

// batchFailure checks that err says which value of a batch failed, and why.
func batchFailure(t *testing.T, err error, index int, why error) {
	t.Helper()
	var batch *scheme.BatchError
	if !errors.As(err, &batch) || batch.Index != index || !errors.Is(err, why) {
		t.Errorf("%v, want value %d to fail with %v", err, index, why)
	}
}
