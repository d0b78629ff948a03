package gcm

import (
	"bytes"
	"crypto/aes"
	"math"
	"sync"
	"testing"

	"tunic/internal/scheme"
	"tunic/internal/scheme/schemetest"

	"pgregory.net/rapid"
)

func TestSealer(t *testing.T) {
	schemetest.Sealer(t, func(suite scheme.Suite, key []byte, epoch uint16) (scheme.Sealer, error) {
		return New(suite, key, epoch)
	})
}

func newSealer(t testing.TB, key []byte, epoch uint16) *Sealer {
	t.Helper()
	s, err := New(scheme.SuiteAES, key, epoch)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// vectors are the test cases 13 to 16 (those with a key of 256 bits and a nonce
// of 96) of McGrew and Viega, "The Galois/Counter Mode of Operation", the
// submission that SP 800-38D standardised.
var vectors = []struct{ key, nonce, aad, plaintext, want string }{
	{
		key:   "0000000000000000000000000000000000000000000000000000000000000000",
		nonce: "000000000000000000000000",
		want:  "530f8afbc74536b9a963b4f1c4cb738b",
	},
	{
		key:       "0000000000000000000000000000000000000000000000000000000000000000",
		nonce:     "000000000000000000000000",
		plaintext: "00000000000000000000000000000000",
		want:      "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919",
	},
	{
		key:       "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
		nonce:     "cafebabefacedbaddecaf888",
		plaintext: "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255",
		want:      "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015adb094dac5d93471bdec1a502270e3cc6c",
	},
	{
		key:       "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
		nonce:     "cafebabefacedbaddecaf888",
		aad:       "feedfacedeadbeeffeedfacedeadbeefabaddad2",
		plaintext: "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
		want:      "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f66276fc6ece0f4e1768cddf8853bb2d551b",
	},
}

// TestVectors holds both what a Sealer uses and the reference to the published
// answers. They have no header, so they cannot go through AppendOpen;
// TestReference closes the gap.
func TestVectors(t *testing.T) {
	for i, v := range vectors {
		key, nonce, aad, plaintext, want := schemetest.Unhex(t, v.key), schemetest.Unhex(t, v.nonce), schemetest.Unhex(t, v.aad), schemetest.Unhex(t, v.plaintext), schemetest.Unhex(t, v.want)
		if got := newSealer(t, key, 0).aead.Seal(nil, nonce, plaintext, aad); !bytes.Equal(got, want) {
			t.Errorf("case %d: %x, want %x", 13+i, got, want)
		}
		block, err := scheme.SuiteAES.NewBlock(key)
		if err != nil {
			t.Fatal(err)
		}
		if got := referenceGCM(block, nonce, aad, plaintext); !bytes.Equal(got, want) {
			t.Errorf("case %d, reference: %x, want %x", 13+i, got, want)
		}
	}
}

// TestReference makes sealed forms with the reference, from the table in the
// package comment, and holds sealer to them in both directions.
func TestReference(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		draw := func(name string, low, high int) []byte { return rapid.SliceOfN(rapid.Byte(), low, high).Draw(r, name) }
		key, aad, plaintext := draw("key", 32, 32), draw("aad", 0, 40), draw("plaintext", 0, 40)
		epoch := rapid.Uint16().Draw(r, "epoch")
		block, err := scheme.SuiteAES.NewBlock(key)
		if err != nil {
			r.Fatal(err)
		}
		header := []byte{1, byte(epoch >> 8), byte(epoch)}
		form := func(nonce []byte) []byte {
			body := referenceGCM(block, nonce, append(bytes.Clone(header), aad...), plaintext)
			return bytes.Join([][]byte{header, nonce, body}, nil)
		}
		s := newSealer(t, key, epoch)
		sealed := s.AppendSeal(nil, aad, plaintext)
		if want := form(sealed[3:15]); !bytes.Equal(sealed, want) {
			r.Fatalf("sealed %x, want %x", sealed, want)
		}
		opened, err := s.AppendOpen(nil, aad, form(draw("nonce", 12, 12)))
		if err != nil || !bytes.Equal(opened, plaintext) {
			r.Fatalf("opened %x (%v), want %x", opened, err, plaintext)
		}
	})
}

// stored is a form that an earlier tunic stored, under key 0, with the aad "aad".
const stored = "01" + "0102" + "000102030405060708090a0b" + "ec0ec10d39ec952bba1b0bf3ee77afca" + "6c09ee2ad069c372f670447b4fd21195"

// TestStoredForm has no rewrite flag: if it fails, what is in databases no longer
// opens.
func TestStoredForm(t *testing.T) {
	s := newSealer(t, schemetest.Key(0), 0x0102)
	opened, err := s.AppendOpen(nil, []byte("aad"), schemetest.Unhex(t, stored))
	if err != nil || string(opened) != "stored long ago." {
		t.Errorf("opened %q (%v)", opened, err)
	}
}

// TestHeaded: further bytes of a header stand behind the epoch, are authenticated, and make the rest no other.
func TestHeaded(t *testing.T) {
	key := schemetest.Key(1)
	s := newSealer(t, key, 7).Headed(8, 9)
	sealed := s.AppendSeal([]byte("x"), []byte("aad"), []byte("value"))[1:]
	if len(sealed) != s.SealedSize(5) || !bytes.HasPrefix(sealed, []byte{1, 0, 7, 8, 9}) {
		t.Fatalf("%x", sealed)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		t.Fatal(err)
	}
	if body := referenceGCM(block, sealed[5:17], append(sealed[:5:5], "aad"...), []byte("value")); !bytes.Equal(sealed[17:], body) {
		t.Errorf("%x is not %x", sealed[17:], body)
	}
	if got, err := s.AppendOpen(nil, []byte("aad"), sealed); err != nil || string(got) != "value" {
		t.Errorf("%q (%v)", got, err)
	}
	other := newSealer(t, key, 7).Headed(8, 8)
	moved := append([]byte{1, 0, 7, 8, 8}, sealed[5:]...)
	for name, open := range map[string]func() ([]byte, error){
		"other bytes":        func() ([]byte, error) { return other.AppendOpen(nil, []byte("aad"), sealed) },
		"and in the form":    func() ([]byte, error) { return other.AppendOpen(nil, []byte("aad"), moved) },
		"only in the form":   func() ([]byte, error) { return s.AppendOpen(nil, []byte("aad"), moved) },
		"one byte too short": func() ([]byte, error) { return s.AppendOpen(nil, []byte("aad"), sealed[:s.SealedSize(0)-1]) },
	} {
		if got, err := open(); err == nil || len(got) > 0 {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestBound: what is bound to one aad opens, from several goroutines at a time, and nothing else does.
func TestBound(t *testing.T) {
	s := newSealer(t, schemetest.Key(1), 7)
	sealed := s.Bind([]byte("aad")).AppendSeal([]byte("x"), []byte("value"))[1:]
	if got, err := s.AppendOpen(nil, []byte("aad"), sealed); err != nil || string(got) != "value" || len(sealed) != s.SealedSize(5) {
		t.Errorf("%q (%v)", got, err)
	}
	for _, aad := range [][]byte{nil, []byte("aad")} {
		o := s.Bind(aad)
		if len(aad) > 0 {
			aad[0] = 'b' // the caller's bytes stay the caller's
			aad = []byte("aad")
		}
		sealed := s.AppendSeal(nil, aad, []byte("value"))
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				for range 100 {
					if opened, err := o.AppendOpen([]byte("before "), sealed); err != nil || string(opened) != "before value" {
						t.Errorf("aad %q: %q (%v)", aad, opened, err)
					}
				}
			})
		}
		all.Wait()
		other := s.AppendSeal(nil, []byte("other"), []byte("value"))
		for _, wrong := range [][]byte{other, sealed[:len(sealed)-1], {2, 0, 7}, newSealer(t, schemetest.Key(1), 8).AppendSeal(nil, aad, nil)} {
			if opened, err := o.AppendOpen(nil, wrong); err == nil || len(opened) > 0 {
				t.Errorf("aad %q: %x opens as %q", aad, wrong, opened)
			}
		}
	}
}

// TestCount: the estimate is near the truth. The count is of random events; six
// standard deviations are one failure in 10^9 runs.
func TestCount(t *testing.T) {
	s := newSealer(t, schemetest.Key(1), 1)
	const batches, batch = 100, 640
	list := make([][]byte, batch)
	var dst []byte
	for range batches {
		dst = s.AppendSealBatch(dst[:0], nil, list)
	}
	deviation := math.Sqrt(batches * batch * (countEvery - 1))
	if off := math.Abs(float64(s.Seals()) - batches*batch); off > 6*deviation {
		t.Errorf("%d seals counted as %d", batches*batch, s.Seals())
	}
}

// TestNonceBytesVary: each byte of the nonce takes many values, so all of it is
// drawn anew.
func TestNonceBytesVary(t *testing.T) {
	s := newSealer(t, schemetest.Key(1), 1)
	var seen [nonceSize]map[byte]bool
	for i := range seen {
		seen[i] = map[byte]bool{}
	}
	var form []byte
	for range 1000 {
		form = s.AppendSeal(form[:0], nil, nil)
		for i, b := range form[3:15] {
			seen[i][b] = true
		}
	}
	for i := range seen {
		if len(seen[i]) < 200 { // expected: 251
			t.Errorf("byte %d has %d values in 1000 forms", i, len(seen[i]))
		}
	}
}

// TestLongAAD: associated data of any length work, before and after buffers
// have been given back.
func TestLongAAD(t *testing.T) {
	s := newSealer(t, schemetest.Key(1), 1)
	for _, n := range []int{0, aadKeptMax - 3, aadKeptMax, 3 * aadKeptMax, 5} {
		aad := bytes.Repeat([]byte{7}, n)
		if opened, err := s.AppendOpen(nil, aad, s.AppendSeal(nil, aad, []byte("x"))); err != nil || string(opened) != "x" {
			t.Errorf("%d bytes of aad: %q (%v)", n, opened, err)
		}
	}
}

// FuzzOpen: nothing opens but what was sealed. The form is a stored one, since
// the processes that fuzz would each seal another.
func FuzzOpen(f *testing.F) {
	s := newSealer(f, schemetest.Key(0), 0x0102)
	aad := []byte("aad")
	sealed := schemetest.Unhex(f, stored)
	f.Add(sealed)
	f.Add(sealed[:Overhead])
	f.Add(sealed[:Overhead-1])
	f.Add([]byte{2, 0, 1})
	f.Fuzz(func(t *testing.T, form []byte) {
		before := bytes.Clone(form)
		opened, err := s.AppendOpen(nil, aad, form)
		if err == nil && !bytes.Equal(form, sealed) {
			t.Errorf("%x opened to %x", form, opened)
		}
		if err != nil && len(opened) != 0 {
			t.Errorf("%x did not open and gave %x", form, opened)
		}
		if !bytes.Equal(form, before) {
			t.Error("the form was changed")
		}
	})
}
