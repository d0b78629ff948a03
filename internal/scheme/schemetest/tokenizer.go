package schemetest

import (
	"bytes"
	"fmt"
	"testing"

	"tunic/internal/scheme"

	"pgregory.net/rapid"
)

// Layer describes the tokenizers of one scheme under one set of parameters.
type Layer struct {
	New     func(suite scheme.Suite, key []byte) (scheme.Tokenizer, error)
	Values  *rapid.Generator[[]byte] // what it takes
	Refused [][]byte                 // what it fails on with ErrValue
	Ordered bool                     // tokens sort as values do, not only tell equal from unequal
}

// Tokenizer holds the tokenizers of a layer to scheme.Tokenizer's promises.
func Tokenizer(t *testing.T, l Layer) {
	refusals(t, func(suite scheme.Suite, key []byte) error {
		_, err := l.New(suite, key)
		return err
	})
	for name, test := range map[string]func(*testing.T){
		"law":             l.law,
		"another key":     l.anotherKey,
		"values refused":  l.refused,
		"batch":           l.batch,
		"reused slices":   l.reusedSlices,
		"value untouched": l.valueUntouched,
		"key wiped":       l.keyWiped,
		"concurrent":      l.concurrent,
		"allocations":     l.allocations,
	} {
		t.Run(name, test)
	}
}

// Labelled is Tokenizer for a scheme whose constructor takes a label, which sets
// its tokens apart from those of other uses of the key.
func Labelled[T scheme.Tokenizer](t *testing.T, construct func(suite scheme.Suite, key, label []byte) (T, error), labels []string, l Layer) {
	for _, label := range labels {
		t.Run(fmt.Sprintf("label %q", label), func(t *testing.T) {
			l.New = func(suite scheme.Suite, key []byte) (scheme.Tokenizer, error) {
				return construct(suite, key, []byte(label))
			}
			Tokenizer(t, l)
		})
	}
}

// Construct is what a constructor with a label makes under SuiteAES.
func Construct[T any](t testing.TB, construct func(suite scheme.Suite, key, label []byte) (T, error), key, label []byte) T {
	t.Helper()
	made, err := construct(scheme.SuiteAES, key, label)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// tokenizer returns the tokenizer of the n-th key.
func (l Layer) tokenizer(t testing.TB, n int) scheme.Tokenizer {
	t.Helper()
	tokenizer, err := l.New(scheme.SuiteAES, Key(n))
	if err != nil {
		t.Fatal(err)
	}
	return tokenizer
}

// token returns the token of a value.
func token(t testing.TB, tokenizer scheme.Tokenizer, value []byte) []byte {
	t.Helper()
	token, err := appended(t, func(dst []byte) ([]byte, error) { return tokenizer.AppendToken(dst, value) })
	if err != nil {
		t.Fatalf("no token of %x: %v", value, err)
	}
	if len(token) != tokenizer.TokenSize() {
		t.Fatalf("a token of %d bytes, want %d", len(token), tokenizer.TokenSize())
	}
	return token
}

// values returns n values that the layer takes, the same in every run.
func (l Layer) values(n int) [][]byte {
	list := make([][]byte, n)
	for i := range list {
		list[i] = l.Values.Example(i)
	}
	return list
}

// near draws a value that shares much with v: one bit differs, or it is v.
func (l Layer) near(r *rapid.T, v []byte) []byte {
	near := bytes.Clone(v)
	if len(v) > 0 {
		bit := rapid.IntRange(0, 8*len(v)-1).Draw(r, "bit")
		near[bit/8] ^= 1 << (bit % 8)
	}
	return near
}

// law checks equality or order of pairs, of arbitrary and of close ones.
func (l Layer) law(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		tokenizer, err := l.New(scheme.SuiteAES, rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(r, "key"))
		if err != nil {
			r.Fatal(err)
		}
		a := l.Values.Draw(r, "a")
		ta := token(t, tokenizer, a)
		for _, b := range [][]byte{a, l.Values.Draw(r, "b"), l.near(r, a)} {
			tb, err := tokenizer.AppendToken(nil, b)
			if err != nil {
				continue // a bit flipped beyond what the layer takes
			}
			want, got := bytes.Compare(a, b), bytes.Compare(ta, tb)
			if (want == 0) != (got == 0) || l.Ordered && want != got {
				r.Fatalf("values %x and %x compare as %d, tokens %x and %x as %d", a, b, want, ta, tb, got)
			}
		}
	})
}

func (l Layer) anotherKey(t *testing.T) {
	one, other := l.tokenizer(t, 1), l.tokenizer(t, 2)
	same := 0
	const values = 100
	for _, v := range l.values(values) {
		if bytes.Equal(token(t, one, v), token(t, other, v)) {
			same++
		}
	}
	// Tokens of one byte or two may meet by chance.
	if same > values/10 {
		t.Errorf("%d of %d values have the same token under two keys", same, values)
	}
}

func (l Layer) refused(t *testing.T) {
	tokenizer := l.tokenizer(t, 1)
	for _, v := range l.Refused {
		_, err := appended(t, func(dst []byte) ([]byte, error) { return tokenizer.AppendToken(dst, v) })
		if err != scheme.ErrValue { //nolint:errorlint // nothing is to be made around it on this path
			t.Errorf("the token of %x: %v, want ErrValue", v, err)
		}
		list := append(l.values(10), v)
		_, err = appended(t, func(dst []byte) ([]byte, error) { return tokenizer.AppendTokenBatch(dst, list) })
		batchFailure(t, err, 10, scheme.ErrValue)
	}
}

func (l Layer) batch(t *testing.T) {
	tokenizer := l.tokenizer(t, 1)
	for _, n := range []int{0, 1, 2, 7, 8, 9, 100} {
		list := l.values(n)
		var want []byte
		for _, v := range list {
			want = append(want, token(t, tokenizer, v)...)
		}
		got, err := appended(t, func(dst []byte) ([]byte, error) { return tokenizer.AppendTokenBatch(dst, list) })
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("a batch of %d: %x (%v), want %x", n, got, err, want)
		}
	}
}

// reusedSlices checks that a token does not depend on what was where it goes,
// nor on the room there.
func (l Layer) reusedSlices(t *testing.T) {
	tokenizer := l.tokenizer(t, 1)
	var dst []byte
	for _, v := range l.values(50) {
		want := token(t, tokenizer, v)
		for room := range tokenizer.TokenSize() + 2 {
			dst = bytes.Repeat([]byte{0xa5}, room)[:0]
			got, err := tokenizer.AppendToken(dst, v)
			if err != nil || !bytes.Equal(got, want) {
				t.Fatalf("with room for %d bytes: %x (%v), want %x", room, got, err, want)
			}
		}
	}
}

func (l Layer) valueUntouched(t *testing.T) {
	tokenizer := l.tokenizer(t, 1)
	for _, v := range l.values(50) {
		before := bytes.Clone(v)
		token(t, tokenizer, v)
		if !bytes.Equal(v, before) {
			t.Fatalf("the value is %x, was %x", v, before)
		}
	}
}

func (l Layer) keyWiped(t *testing.T) {
	value := l.Values.Example(1)
	noKeyKept(t, func(key []byte) func() []byte {
		tokenizer, err := l.New(scheme.SuiteAES, key)
		if err != nil {
			t.Fatal(err)
		}
		return func() []byte { return token(t, tokenizer, value) }
	})
}

func (l Layer) concurrent(t *testing.T) {
	tokenizer := l.tokenizer(t, 1)
	list := l.values(100)
	var want []byte
	for _, v := range list {
		want = append(want, token(t, tokenizer, v)...)
	}
	together(func(i int) {
		var got []byte
		var err error
		for _, v := range list {
			if got, err = tokenizer.AppendToken(got, v); err != nil {
				t.Error(err)
			}
		}
		if !bytes.Equal(got, want) {
			t.Errorf("goroutine %d made other tokens", i)
		}
		if got, err = tokenizer.AppendTokenBatch(nil, list); err != nil || !bytes.Equal(got, want) {
			t.Errorf("goroutine %d made other tokens in a batch (%v)", i, err)
		}
	})
}

func (l Layer) allocations(t *testing.T) {
	tokenizer := l.tokenizer(t, 1)
	list := l.values(20)
	dst := make([]byte, 0, 20*tokenizer.TokenSize())
	noAllocation(t, "AppendToken", func() {
		if _, err := tokenizer.AppendToken(dst, list[0]); err != nil {
			t.Fatal(err)
		}
	})
	noAllocation(t, "AppendTokenBatch", func() {
		if _, err := tokenizer.AppendTokenBatch(dst, list); err != nil {
			t.Fatal(err)
		}
	})
}
