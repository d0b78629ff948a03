package schemetest

import (
	"bytes"
	"errors"
	"testing"

	"tunic/internal/scheme"

	"pgregory.net/rapid"
)

// NewSealer makes the sealer of a key and an epoch.
type NewSealer func(suite scheme.Suite, key []byte, epoch uint16) (scheme.Sealer, error)

// Sealer holds the sealers that construct makes to scheme.Sealer's promises.
func Sealer(t *testing.T, construct NewSealer) {
	s := sealing{construct}
	refusals(t, func(suite scheme.Suite, key []byte) error {
		_, err := construct(suite, key, 1)
		return err
	})
	for name, test := range map[string]func(*testing.T){
		"round trip":          s.roundTrip,
		"never the same":      s.neverTheSame,
		"header":              s.header,
		"other key or aad":    s.otherKeyOrAAD,
		"other epoch":         s.otherEpoch,
		"flipped bits":        s.flippedBits,
		"wrong lengths":       s.wrongLengths,
		"batch":               s.batch,
		"batch with a defect": s.defectiveBatch,
		"in place":            s.inPlace,
		"key wiped":           s.keyWiped,
		"concurrent":          s.concurrent,
		"allocations":         s.allocations,
	} {
		t.Run(name, test)
	}
}

type sealing struct{ construct NewSealer }

// sealer returns the sealer of the n-th key.
func (s sealing) sealer(t testing.TB, n int, epoch uint16) scheme.Sealer {
	t.Helper()
	sealer, err := s.construct(scheme.SuiteAES, Key(n), epoch)
	if err != nil {
		t.Fatal(err)
	}
	return sealer
}

var aad = []byte("project, column, type")

// seal returns one sealed form of a plaintext under the first key.
func (s sealing) seal(t testing.TB, plaintext []byte) []byte {
	t.Helper()
	sealer := s.sealer(t, 1, 7)
	sealed, err := appended(t, func(dst []byte) ([]byte, error) { return sealer.AppendSeal(dst, aad, plaintext), nil })
	if err != nil || len(sealed) != sealer.SealedSize(len(plaintext)) {
		t.Fatalf("a sealed form of %d bytes for %d, want %d (%v)", len(sealed), len(plaintext), sealer.SealedSize(len(plaintext)), err)
	}
	return sealed
}

// mustNotOpen checks that opening fails with one of the reasons, and appends
// nothing.
func mustNotOpen(t *testing.T, sealer scheme.Sealer, aad, sealed []byte, reasons ...error) {
	t.Helper()
	_, err := appended(t, func(dst []byte) ([]byte, error) { return sealer.AppendOpen(dst, aad, sealed) })
	for _, r := range reasons {
		if errors.Is(err, r) {
			return
		}
	}
	t.Errorf("opened with %v, want one of %v", err, reasons)
}

func (s sealing) roundTrip(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		key := rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(r, "key")
		sealer, err := s.construct(scheme.SuiteAES, key, rapid.Uint16().Draw(r, "epoch"))
		if err != nil {
			r.Fatal(err)
		}
		aad := rapid.SliceOfN(rapid.Byte(), 0, 100).Draw(r, "aad")
		plaintext := rapid.SliceOfN(rapid.Byte(), 0, 600).Draw(r, "plaintext")
		sealed := sealer.AppendSeal(nil, aad, plaintext)
		opened, err := appended(t, func(dst []byte) ([]byte, error) { return sealer.AppendOpen(dst, aad, sealed) })
		if err != nil || !bytes.Equal(opened, plaintext) {
			r.Fatalf("opened %x (%v), want %x", opened, err, plaintext)
		}
	})
}

func (s sealing) neverTheSame(t *testing.T) {
	sealer := s.sealer(t, 1, 7)
	const times = 2000 // more than any sealer draws random bytes for at once
	forms := sealer.AppendSealBatch(nil, aad, make([][]byte, times))
	size := sealer.SealedSize(0)
	for range times {
		forms = sealer.AppendSeal(forms, aad, nil)
	}
	seen := map[string]bool{}
	for ; len(forms) > 0; forms = forms[size:] {
		seen[string(forms[:size])] = true
	}
	if len(seen) != 2*times {
		t.Errorf("%d different forms of %d", len(seen), 2*times)
	}
}

func (s sealing) header(t *testing.T) {
	sealer := s.sealer(t, 1, 0xabcd)
	suite, epoch, ok := scheme.Header(sealer.AppendSeal(nil, aad, nil))
	if !ok || suite != sealer.Suite() || epoch != 0xabcd || sealer.Epoch() != 0xabcd {
		t.Errorf("header: %v %x %v of a sealer of %v %x", suite, epoch, ok, sealer.Suite(), sealer.Epoch())
	}
}

func (s sealing) otherKeyOrAAD(t *testing.T) {
	sealed := s.seal(t, []byte("plaintext"))
	mustNotOpen(t, s.sealer(t, 2, 7), aad, sealed, scheme.ErrOpen)
	sealer := s.sealer(t, 1, 7)
	for _, other := range [][]byte{nil, aad[1:], aad[:len(aad)-1], append(bytes.Clone(aad), 0), []byte("project, column, tyqe")} {
		mustNotOpen(t, sealer, other, sealed, scheme.ErrOpen)
	}
	// Bytes that wander from the header to the aad are not the same bytes.
	mustNotOpen(t, sealer, append([]byte{sealed[2]}, aad...), sealed, scheme.ErrOpen)
}

// otherEpoch opens under the same key given out for another epoch: with the
// header as it was, and with one that claims the other epoch.
func (s sealing) otherEpoch(t *testing.T) {
	sealed := s.seal(t, []byte("plaintext"))
	other := s.sealer(t, 1, 8)
	mustNotOpen(t, other, aad, sealed, scheme.ErrEpoch)
	scheme.PutHeader(sealed, other.Suite(), 8)
	mustNotOpen(t, other, aad, sealed, scheme.ErrOpen)
}

func (s sealing) flippedBits(t *testing.T) {
	sealer := s.sealer(t, 1, 7)
	for _, plaintext := range [][]byte{nil, []byte("8 bytes."), bytes.Repeat([]byte("long "), 20)} {
		sealed := s.seal(t, plaintext)
		for bit := range 8 * len(sealed) {
			sealed[bit/8] ^= 1 << (bit % 8)
			mustNotOpen(t, sealer, aad, sealed, scheme.ErrOpen, scheme.ErrSuite, scheme.ErrEpoch)
			sealed[bit/8] ^= 1 << (bit % 8)
		}
	}
}

func (s sealing) wrongLengths(t *testing.T) {
	sealer := s.sealer(t, 1, 7)
	sealed := s.seal(t, bytes.Repeat([]byte("plain"), 10))
	for n := range sealed {
		mustNotOpen(t, sealer, aad, sealed[:n], scheme.ErrOpen, scheme.ErrForm)
		mustNotOpen(t, sealer, aad, sealed[n+1:], scheme.ErrOpen, scheme.ErrForm, scheme.ErrSuite, scheme.ErrEpoch)
	}
	mustNotOpen(t, sealer, aad, append(bytes.Clone(sealed), 0), scheme.ErrOpen)
	mustNotOpen(t, sealer, aad, append(bytes.Clone(sealed), sealed...), scheme.ErrOpen)
}

// plaintexts returns values of many lengths.
func plaintexts(n int) [][]byte {
	list := make([][]byte, n)
	for i := range list {
		list[i] = bytes.Repeat([]byte{byte(i)}, i*i%70)
	}
	return list
}

func (s sealing) batch(t *testing.T) {
	sealer := s.sealer(t, 1, 7)
	for _, n := range []int{0, 1, 2, 7, 100} {
		list := plaintexts(n)
		joined, _ := appended(t, func(dst []byte) ([]byte, error) { return sealer.AppendSealBatch(dst, aad, list), nil })
		var forms [][]byte
		for i, p := range list {
			size := sealer.SealedSize(len(p))
			forms = append(forms, joined[:size])
			joined = joined[size:]
			if got, err := sealer.AppendOpen(nil, aad, forms[i]); err != nil || !bytes.Equal(got, p) {
				t.Errorf("value %d of %d: opened %x (%v), want %x", i, n, got, err, p)
			}
		}
		if len(joined) != 0 {
			t.Errorf("a batch of %d left %d bytes", n, len(joined))
		}
		opened, err := appended(t, func(dst []byte) ([]byte, error) { return sealer.AppendOpenBatch(dst, aad, forms) })
		if err != nil || !bytes.Equal(opened, bytes.Join(list, nil)) {
			t.Errorf("a batch of %d: opened %x (%v)", n, opened, err)
		}
	}
}

func (s sealing) defectiveBatch(t *testing.T) {
	sealer := s.sealer(t, 1, 7)
	for defect := range 5 {
		var forms [][]byte
		for range 5 {
			forms = append(forms, s.seal(t, []byte("plaintext")))
		}
		forms[defect][20] ^= 1
		_, err := appended(t, func(dst []byte) ([]byte, error) { return sealer.AppendOpenBatch(dst, aad, forms) })
		batchFailure(t, err, defect, scheme.ErrOpen)
		forms[defect] = nil
		_, err = appended(t, func(dst []byte) ([]byte, error) { return sealer.AppendOpenBatch(dst, aad, forms) })
		batchFailure(t, err, defect, scheme.ErrForm)
	}
}

// inPlace opens many forms into one slice again and again, each longer or
// shorter than the one before.
func (s sealing) inPlace(t *testing.T) {
	sealer := s.sealer(t, 1, 7)
	var sealed, opened []byte
	for _, p := range plaintexts(200) {
		sealed = sealer.AppendSeal(sealed[:0], aad, p)
		var err error
		opened, err = sealer.AppendOpen(opened[:0], aad, sealed)
		if err != nil || !bytes.Equal(opened, p) {
			t.Fatalf("opened %x (%v), want %x", opened, err, p)
		}
	}
}

func (s sealing) keyWiped(t *testing.T) {
	sealed := s.seal(t, []byte("plaintext"))
	noKeyKept(t, func(key []byte) func() []byte {
		sealer, err := s.construct(scheme.SuiteAES, key, 7)
		if err != nil {
			t.Fatal(err)
		}
		return func() []byte {
			opened, err := sealer.AppendOpen(nil, aad, sealed)
			if err != nil {
				t.Error(err)
			}
			return opened
		}
	})
}

func (s sealing) concurrent(t *testing.T) {
	sealer := s.sealer(t, 1, 7)
	forms := make([][]byte, 16)
	together(func(i int) {
		aad := []byte{byte(i)}
		var opened []byte
		for n, p := range plaintexts(100) {
			start := len(forms[i])
			forms[i] = sealer.AppendSeal(forms[i], aad, p)
			var err error
			opened, err = sealer.AppendOpen(opened[:0], aad, forms[i][start:])
			if err != nil || !bytes.Equal(opened, p) {
				t.Errorf("goroutine %d, value %d: opened %x (%v), want %x", i, n, opened, err, p)
				return
			}
		}
	})
	for i := range forms {
		for j := range i {
			if bytes.Equal(forms[i], forms[j]) {
				t.Errorf("goroutines %d and %d made the same forms", i, j)
			}
		}
	}
}

func (s sealing) allocations(t *testing.T) {
	sealer := s.sealer(t, 1, 7)
	list := plaintexts(20)
	sealed := s.seal(t, list[19])
	forms := [][]byte{sealed, sealed, sealed}
	dst := make([]byte, 0, 4096)
	fail := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	noAllocation(t, "AppendSeal", func() { dst = sealer.AppendSeal(dst[:0], aad, list[19]) })
	noAllocation(t, "AppendSealBatch", func() { dst = sealer.AppendSealBatch(dst[:0], aad, list) })
	noAllocation(t, "AppendOpen", func() {
		_, err := sealer.AppendOpen(dst[:0], aad, sealed)
		fail(err)
	})
	noAllocation(t, "AppendOpenBatch", func() {
		_, err := sealer.AppendOpenBatch(dst[:0], aad, forms)
		fail(err)
	})
}
