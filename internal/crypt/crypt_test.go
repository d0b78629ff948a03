package crypt

import (
	"bytes"
	"errors"
	"fmt"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"tunic/internal/catalog"
	"tunic/internal/keys"
	"tunic/internal/keys/keystest"
	"tunic/internal/policy"
	"tunic/internal/racetest"
	"tunic/internal/scheme"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// column is a protected column with the layers that its type can have.
func column(t testing.TB, seed byte, typ, collation string) *catalog.Column {
	t.Helper()
	parsed, err := catalog.TypesOf(charset.MySQL)(typ, collation, true)
	if err != nil {
		t.Fatalf("%s: %v", typ, err)
	}
	c := &catalog.Column{
		ID: catalog.ID{seed}, Domain: catalog.ID{seed}, Name: "c", TypeText: typ, Type: parsed,
		Protection: policy.Protection{Protected: true, Allowed: policy.Equality | policy.Order},
	}
	for _, s := range []catalog.Scheme{catalog.PRP64, catalog.CMAC, catalog.ORD1} {
		for _, capability := range policy.Each() {
			if fits(s, capability, policy.Grain{}, &c.Type) {
				c.Layers = append(c.Layers, catalog.Layer{Capability: capability, Scheme: s, State: catalog.Ready, Stored: fmt.Sprint("c$", s)})
			}
		}
	}
	return c
}

func made(t testing.TB, keyTree *keys.Tree, c *catalog.Column) *Column {
	t.Helper()
	col, err := NewRing(keyTree).Column(c)
	if err != nil {
		t.Fatal(err)
	}
	return col
}

// kinds are types of every class, with a way to draw canonical forms.
var kinds = []struct {
	typ, collation string
	layers         int
}{
	{"int", "", 2},
	{"bigint unsigned", "", 2},
	{"decimal(10,2)", "", 2},
	{"decimal(38,4)", "", 2},
	{"decimal(65,30)", "", 2},
	{"float", "", 2},
	{"double", "", 2},
	{"bit(7)", "", 2},
	{"year", "", 2},
	{"date", "", 2},
	{"datetime(6)", "", 2},
	{"timestamp", "", 2},
	{"time(3)", "", 2},
	{"char(20)", "utf8mb4_0900_ai_ci", 2},
	{"varchar(20)", "latin1_swedish_ci", 2},
	{"text", "utf8mb4_bin", 2},
	{"varchar(20)", "latin1_german2_ci", 0},
	{"binary(5)", "", 2},
	{"varbinary(20)", "", 2},
	{"blob", "", 2},
	{"enum('a','b')", "utf8mb4_0900_ai_ci", 2},
	{"set('a','b')", "utf8mb4_0900_ai_ci", 2},
	{"json", "", 0},
	{"point", "", 0},
}

// draw is a canonical form of a type: what matters here is its length.
func draw(t *rapid.T, c *catalog.Column) []byte {
	n := value.FixedBytes(&c.Type)
	if n > 0 {
		b := rapid.SliceOfN(rapid.Byte(), n, n).Draw(t, "canonical")
		if c.TypeText == "float" {
			copy(b, []byte{0, 0, 0, 0})
		}
		return b
	}
	return []byte(rapid.StringOfN(rapid.RuneFrom([]rune("aZé ")), 0, 40, -1).Draw(t, "canonical"))
}

// TestSealedFormsOpenWhereTheyBelong: and nowhere else, and not when a bit of them
// is another one.
func TestSealedFormsOpenWhereTheyBelong(t *testing.T) {
	keyTree, other := keystest.Tree(t), keystest.Tree(t)
	for i, k := range kinds {
		t.Run(k.typ+" "+k.collation, func(t *testing.T) {
			c := column(t, byte(i+1), k.typ, k.collation)
			if len(c.Layers) != k.layers {
				t.Fatalf("%d layers", len(c.Layers))
			}
			col := made(t, keyTree, c)
			neighbour := made(t, keyTree, column(t, byte(i)+101, k.typ, k.collation))
			stranger := made(t, other, c)
			rapid.Check(t, func(t *rapid.T) {
				canonical := draw(t, c)
				sealed, err := col.AppendSealed([]byte("before"), canonical)
				if err != nil {
					t.Fatal(err)
				}
				stored := sealed[len("before"):]
				if got, err := col.AppendOpened([]byte("x"), stored); err != nil || !bytes.Equal(got, append([]byte("x"), canonical...)) {
					t.Fatalf("opened: % x, %v; want % x", got, err, canonical)
				}
				for name, wrong := range map[string]*Column{"another column": neighbour, "another key": stranger} {
					if got, err := wrong.AppendOpened(nil, stored); !errors.Is(err, scheme.ErrOpen) || len(got) > 0 {
						t.Errorf("%s: % x, %v", name, got, err)
					}
				}
				flipped := bytes.Clone(stored)
				at := rapid.IntRange(0, 8*len(flipped)-1).Draw(t, "bit")
				flipped[at/8] ^= 1 << (at % 8)
				if got, err := col.AppendOpened(nil, flipped); err == nil || len(got) > 0 {
					t.Errorf("with bit %d another: % x", at, got)
				}
				short := stored[:rapid.IntRange(0, len(stored)-1).Draw(t, "cut")]
				if got, err := col.AppendOpened(nil, short); err == nil || len(got) > 0 {
					t.Errorf("cut to %d bytes: % x", len(short), got)
				}
			})
		})
	}
}

// TestTokensAreOfDomains: two columns of one domain have the tokens of each other,
// and columns of two domains, types or collations do not.
func TestTokensAreOfDomains(t *testing.T) {
	keyTree := keystest.Tree(t)
	token := func(c *catalog.Column, capability policy.Capabilities, v string) []byte {
		b, err := made(t, keyTree, c).AppendToken(nil, capability, []byte(v))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	column := func(seed, domain byte, typ, collation string) *catalog.Column {
		c := column(t, seed, typ, collation)
		c.Domain = catalog.ID{domain}
		return c
	}
	const v = "12345678"
	for _, capability := range policy.Each() {
		own := token(column(1, 1, "bigint", ""), capability, v)
		for name, c := range map[string]struct {
			c    *catalog.Column
			same bool
		}{
			"the same domain":         {column(2, 1, "bigint", ""), true},
			"another domain":          {column(1, 2, "bigint", ""), false},
			"another sign":            {column(1, 1, "bigint unsigned", ""), false},
			"another type of 8 bytes": {column(1, 1, "double", ""), false},
		} {
			if got := token(c.c, capability, v); bytes.Equal(own, got) != c.same {
				t.Errorf("%v, %s: % x and % x", capability, name, own, got)
			}
		}
	}
	text := token(column(1, 1, "varchar(20)", "utf8mb4_0900_ai_ci"), policy.Equality, "Alice")
	if !bytes.Equal(text, token(column(2, 1, "varchar(99)", "utf8mb4_0900_ai_ci"), policy.Equality, "aLICE")) {
		t.Error("equal strings of one collation have two tokens")
	}
	if bytes.Equal(text, token(column(2, 1, "varchar(20)", "utf8mb4_0900_as_cs"), policy.Equality, "Alice")) {
		t.Error("two collations share tokens")
	}
}

// TestEpochs: what was sealed under an older key opens; what claims a newer one, or
// one that there never was, does not.
func TestEpochs(t *testing.T) {
	keyTree := keystest.Tree(t)
	c := column(t, 1, "int", "")
	old := made(t, keyTree, c)
	sealed, _ := old.AppendSealed(nil, make([]byte, 8))
	next := *c
	next.Epoch = 3
	current := made(t, keyTree, &next)
	if got, err := current.AppendOpened(nil, sealed); err != nil || len(got) != 8 {
		t.Errorf("of epoch 0: % x, %v", got, err)
	}
	newer, _ := current.AppendSealed(nil, make([]byte, 8))
	if newer[2] != 3 {
		t.Errorf("sealed under epoch %d", newer[2])
	}
	if got, err := old.AppendOpened(nil, newer); !errors.Is(err, scheme.ErrEpoch) || len(got) > 0 {
		t.Errorf("of an epoch to come: % x, %v", got, err)
	}
	sealed[2] = 2
	if got, err := current.AppendOpened(nil, sealed); !errors.Is(err, scheme.ErrOpen) || len(got) > 0 {
		t.Errorf("with another epoch in its header: % x, %v", got, err)
	}
}

// TestEpochsThatAreMadeUp do not fill memory: the header is the server's to write.
func TestEpochsThatAreMadeUp(t *testing.T) {
	c := column(t, 1, "int", "")
	c.Epoch = 1000
	col := made(t, keystest.Tree(t), c)
	sealed, _ := col.AppendSealed(nil, make([]byte, 8))
	for epoch := range 1000 {
		scheme.PutHeader(sealed, scheme.SuiteAES, uint16(epoch))
		if _, err := col.AppendOpened(nil, sealed); !errors.Is(err, scheme.ErrOpen) {
			t.Fatalf("epoch %d: %v", epoch, err)
		}
		if n := len(*col.old.known.Load()); n > epochsMax {
			t.Fatalf("%d epochs are kept", n)
		}
	}
}

// TestWhatIsNotCanonicalIsNotSealed: a mistake above is not stored.
func TestWhatIsNotCanonicalIsNotSealed(t *testing.T) {
	col := made(t, keystest.Tree(t), column(t, 1, "int", ""))
	if got, err := col.AppendSealed([]byte("x"), []byte("seven b")); !errors.Is(err, scheme.ErrValue) || string(got) != "x" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := col.AppendToken(nil, policy.Equality, []byte("x")); err == nil {
		t.Error("a token of it")
	}
	plain := column(t, 2, "int", "")
	plain.Protection, plain.Layers = policy.Plain, nil
	if _, err := NewRing(keystest.Tree(t)).Column(plain); err == nil {
		t.Error("a plain column has keys")
	}
	wrong := column(t, 3, "int", "")
	wrong.Layers[0].Scheme = catalog.CMAC
	if _, err := NewRing(keystest.Tree(t)).Column(wrong); !errors.Is(err, errScheme) {
		t.Errorf("a scheme that does not fit: %v", err)
	}
}

// TestManyAtOnce is for the race detector.
func TestManyAtOnce(t *testing.T) {
	ring := NewRing(keystest.Tree(t))
	c := column(t, 1, "varchar(20)", "utf8mb4_0900_ai_ci")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			col, err := ring.Column(c)
			for range 200 {
				if err != nil {
					t.Error(err)
					return
				}
				var sealed []byte
				if sealed, err = col.AppendSealed(nil, []byte("Alice")); err == nil {
					_, err = col.AppendOpened(nil, sealed)
				}
			}
		})
	}
	wg.Wait()
	ring.Keep(catalog.New(false))
	if len(ring.columns) != 0 {
		t.Errorf("%d columns are kept", len(ring.columns))
	}
}

// TestAValueAllocatesNothing: in all of its forms.
func TestAValueAllocatesNothing(t *testing.T) {
	keyTree := keystest.Tree(t)
	for _, k := range []struct{ typ, collation, v string }{
		{"int", "", "12345678"}, {"varchar(200)", "utf8mb4_0900_ai_ci", "Alice Liddell"}, {"blob", "", "Alice Liddell"},
	} {
		col := made(t, keyTree, column(t, 1, k.typ, k.collation))
		dst, opened, v := make([]byte, 0, 512), make([]byte, 0, 512), []byte(k.v)
		n := testing.AllocsPerRun(200, func() {
			dst, _ = col.AppendSealed(dst[:0], v)
			opened, _ = col.AppendOpened(opened[:0], dst)
			dst, _ = col.AppendToken(dst[:0], policy.Equality, v)
			dst, _ = col.AppendToken(dst[:0], policy.Order, v)
		})
		if n > 0 && !racetest.On {
			t.Errorf("%s: %v allocations", k.typ, n)
		}
	}
}

func BenchmarkForms(b *testing.B) {
	keyTree := keystest.Tree(b)
	for _, k := range []struct{ typ, collation, v string }{
		{"int", "", "12345678"}, {"char(120)", "utf8mb4_0900_ai_ci", "50739423477-59896895752-91121550334-25071371310-03454727381-25307272676-12883025003-48844794346-97662793974-67443907837"},
	} {
		col := made(b, keyTree, column(b, 1, k.typ, k.collation))
		v := []byte(k.v)
		sealed, _ := col.AppendSealed(nil, v)
		dst := make([]byte, 0, 1024)
		b.Run("seal/"+k.typ, func(b *testing.B) {
			for b.Loop() {
				dst, _ = col.AppendSealed(dst[:0], v)
			}
		})
		b.Run("open/"+k.typ, func(b *testing.B) {
			for b.Loop() {
				dst, _ = col.AppendOpened(dst[:0], sealed)
			}
		})
		for _, c := range policy.Each() {
			b.Run(c.String()+"/"+k.typ, func(b *testing.B) {
				for b.Loop() {
					dst, _ = col.AppendToken(dst[:0], c, v)
				}
			})
		}
	}
}
