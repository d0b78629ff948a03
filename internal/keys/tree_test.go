package keys

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tunic/internal/secret"
)

// drawDerivation draws one that is allowed; fields are drawn from few values,
// so that two draws are often equal in some.
func drawDerivation(t *rapid.T, name string) Derivation {
	d := Derivation{
		Purpose: Purpose(rapid.IntRange(1, len(purposes)).Draw(t, name+" purpose")),
		Suite:   SuiteAES,
		Epoch:   rapid.SampledFrom([]uint16{goldenVersion, goldenVersion + 1, 0xffff}).Draw(t, name+" epoch"),
		Params:  rapid.SampledFrom([]string{"", "a", "ab", "b", "\x00", "\x00\x20", strings.Repeat("p", ParamsBytesMax)}).Draw(t, name+" params"),
	}
	if purposes[d.Purpose].ofDomain {
		d.Domain[rapid.IntRange(0, 15).Draw(t, name+" domain byte")] = rapid.ByteRange(1, 2).Draw(t, name+" domain")
	}
	return d
}

// TestDerive compares with HKDF written out (RFC 5869, section 2), and two
// derivations with each other.
func TestDerive(t *testing.T) {
	tree, err := NewTree(goldenProject, goldenMaster())
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(rt *rapid.T) {
		a, b := drawDerivation(rt, "a"), drawDerivation(rt, "b")
		lengths := rapid.IntRange(DerivedBytesMin, DerivedBytesMax)
		n, m := lengths.Draw(rt, "n"), lengths.Draw(rt, "m")
		first, err := tree.Derive(a, n)
		if err != nil || first.Len() != n {
			rt.Fatalf("%d bytes of %d, %v", first.Len(), n, err)
		}
		if !first.Equal(secret.Take(hkdfByHand(run(0x80, keyBytes), a.info(goldenProject, n), n))) {
			rt.Fatal("not HKDF")
		}
		second, err := tree.Derive(b, m)
		if err != nil {
			rt.Fatal(err)
		}
		if same := a == b && n == m; same != (a.info(goldenProject, n) == b.info(goldenProject, m)) || same != first.Equal(second) {
			rt.Fatalf("%+v (%d) and %+v (%d): same is %t", a, n, b, m, same)
		}
		if n != m {
			longer, err := tree.Derive(a, m)
			if err != nil {
				rt.Fatal(err)
			}
			short := min(n, m)
			if bytes.Equal(content(rt, longer)[:short], content(rt, first)[:short]) {
				rt.Fatal("a short key is the beginning of a long one")
			}
		}
	})
}

func content(t interface{ Fatal(...any) }, b *secret.Bytes) []byte {
	c, err := secret.Use(b, func(key []byte) ([]byte, error) { return bytes.Clone(key), nil })
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func hkdfByHand(key []byte, info string, n int) []byte {
	mac := func(key []byte, parts ...[]byte) []byte {
		h := hmac.New(sha256.New, key)
		for _, p := range parts {
			h.Write(p)
		}
		return h.Sum(nil)
	}
	prk := mac(make([]byte, sha256.Size), key)
	var out, last []byte
	for i := byte(1); len(out) < n; i++ {
		last = mac(prk, last, []byte(info), []byte{i})
		out = append(out, last...)
	}
	return out[:n]
}

// TestDeriveProjects checks that the same master key in another project would
// give other keys.
func TestDeriveProjects(t *testing.T) {
	d := Derivation{Purpose: PurposeCatalog, Suite: SuiteAES, Epoch: goldenVersion}
	if d.info(goldenProject, 32) == d.info(Project{}, 32) {
		t.Error("the project is not part of the derivation")
	}
}

func TestDeriveRefuses(t *testing.T) {
	tree, err := NewTree(goldenProject, goldenMaster())
	if err != nil {
		t.Fatal(err)
	}
	good := Derivation{Purpose: PurposeSealed, Suite: SuiteAES, Domain: goldenDomain, Epoch: goldenVersion}
	for name, c := range map[string]struct {
		change func(*Derivation)
		n      int
		want   error
		says   string
	}{
		"nothing wrong":     {func(*Derivation) {}, 32, nil, ""},
		"no purpose":        {func(d *Derivation) { d.Purpose = 0 }, 32, nil, "purpose 0 has no keys"},
		"unknown purpose":   {func(d *Derivation) { d.Purpose = 99 }, 32, nil, "purpose 99 has no keys"},
		"no suite":          {func(d *Derivation) { d.Suite = 0 }, 32, ErrSuite, "suite 0"},
		"reserved SM":       {func(d *Derivation) { d.Suite = SuiteSM }, 32, ErrSuite, "sm"},
		"reserved XAES":     {func(d *Derivation) { d.Suite = SuiteXAES }, 32, ErrSuite, "xaes"},
		"no domain":         {func(d *Derivation) { d.Domain = Domain{} }, 32, nil, "purpose sealed with a domain, or without one"},
		"domain of catalog": {func(d *Derivation) { d.Purpose = PurposeCatalog }, 32, nil, "purpose catalog with"},
		"long params":       {func(d *Derivation) { d.Params = strings.Repeat("p", ParamsBytesMax+1) }, 32, nil, "256 bytes"},
		"short key":         {func(*Derivation) {}, DerivedBytesMin - 1, nil, "15 bytes"},
		"long key":          {func(*Derivation) {}, DerivedBytesMax + 1, nil, "65 bytes"},
		"negative":          {func(*Derivation) {}, -1, nil, "-1 bytes"},
		"older epoch":       {func(d *Derivation) { d.Epoch = goldenVersion - 1 }, 32, ErrNoMaster, "epoch 257"},
	} {
		d := good
		c.change(&d)
		_, err := tree.Derive(d, c.n)
		switch {
		case c.says == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)):
			t.Errorf("%s: %v, want %q", name, err, c.says)
		case c.want != nil && !errors.Is(err, c.want):
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

// TestTreeEpochs checks which master key serves which epoch.
func TestTreeEpochs(t *testing.T) {
	k := newKEK(t)
	byVersion := map[uint16]*Master{}
	for _, version := range []uint16{10, 0, 300} { // in no order
		m, _, err := k.NewMaster(goldenProject, version)
		if err != nil {
			t.Fatal(err)
		}
		byVersion[version] = m
	}
	tree, err := NewTree(goldenProject, byVersion[10], byVersion[300], byVersion[0])
	if err != nil {
		t.Fatal(err)
	}
	for epoch, version := range map[uint16]uint16{0: 0, 1: 0, 9: 0, 10: 10, 11: 10, 299: 10, 300: 300, 65535: 300} {
		got, err := tree.MasterVersion(epoch)
		if err != nil || got != version {
			t.Errorf("epoch %d is served by %d, %v; want %d", epoch, got, err, version)
		}
		d := Derivation{Purpose: PurposeOrder, Suite: SuiteAES, Domain: goldenDomain, Epoch: epoch}
		key, err := tree.Derive(d, 32)
		if err != nil {
			t.Fatal(err)
		}
		want, err := derive(byVersion[version].key, d.info(goldenProject, 32), 32)
		if err != nil || !key.Equal(want) {
			t.Errorf("epoch %d does not derive from master %d: %v", epoch, version, err)
		}
	}
	tree.Wipe()
	_, err = tree.Derive(Derivation{Purpose: PurposeCatalog, Suite: SuiteAES}, 32)
	if !errors.Is(err, secret.ErrWiped) {
		t.Errorf("a wiped tree derives: %v", err)
	}
}

func TestNewTreeRefuses(t *testing.T) {
	m := goldenMaster()
	for name, masters := range map[string][]*Master{
		"none":          {},
		"twice":         {m, m},
		"other project": {m, {Project{}, 0, secret.Random(keyBytes)}},
	} {
		if _, err := NewTree(goldenProject, masters...); err == nil {
			t.Errorf("%s: a tree was made", name)
		}
	}
}

// TestPurposes holds the words apart: a word used twice would share keys.
func TestPurposes(t *testing.T) {
	seen := map[string]bool{}
	for p := PurposeSealed; p <= PurposeBackup; p++ {
		if word := p.String(); seen[word] || strings.Contains(word, " ") {
			t.Errorf("purpose %d is called %q", p, word)
		}
		seen[p.String()] = true
	}
	if len(seen) != len(purposes) {
		t.Errorf("%d purposes and %d words", len(seen), len(purposes))
	}
}

func BenchmarkDerive(b *testing.B) {
	tree, err := NewTree(goldenProject, goldenMaster())
	if err != nil {
		b.Fatal(err)
	}
	d := Derivation{Purpose: PurposeSealed, Suite: SuiteAES, Domain: goldenDomain, Epoch: goldenVersion}
	b.ReportAllocs()
	for b.Loop() {
		key, err := tree.Derive(d, 32)
		if err != nil {
			b.Fatal(err)
		}
		key.Wipe()
	}
}

// TestGrow: a tree that gets further master keys derives for the epochs before them what it
// derived before, and refuses a key that it has, of another project, and with them all others.
func TestGrow(t *testing.T) {
	k := newKEK(t)
	rapid.Check(t, func(t *rapid.T) {
		first := rapid.Uint16Range(0, 1000).Draw(t, "first")
		next := rapid.Uint16Range(first+1, 2000).Draw(t, "next")
		old, _, err := k.NewMaster(goldenProject, first)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := NewTree(goldenProject, old)
		if err != nil {
			t.Fatal(err)
		}
		d := Derivation{Purpose: PurposeSealed, Suite: SuiteAES, Domain: Domain{1}, Epoch: rapid.Uint16Range(first, next-1).Draw(t, "epoch")}
		before, err := tree.Derive(d, 32)
		if err != nil {
			t.Fatal(err)
		}
		fresh, wrapped, err := k.NewMaster(goldenProject, next)
		if err != nil {
			t.Fatal(err)
		}
		foreign, _, err := k.NewMaster(Project{9}, next+1)
		if err != nil {
			t.Fatal(err)
		}
		if err := tree.Grow(fresh, foreign); err == nil || tree.Newest() != first {
			t.Fatalf("with one of another project: %v", err)
		}
		both, err := tree.With(fresh)
		if err != nil || tree.Newest() != first || both.Newest() != next {
			t.Fatalf("%v; newest %d and %d", err, tree.Newest(), both.Newest())
		}
		if err := tree.Grow(fresh); err != nil || tree.Newest() != next || tree.Master(next) != fresh || tree.Master(next+1) != nil {
			t.Fatalf("%v; newest %d", err, tree.Newest())
		}
		if err := tree.Grow(fresh); err == nil {
			t.Fatal("the same key twice")
		}
		after, err := tree.Derive(d, 32)
		if err != nil || !after.Equal(before) {
			t.Fatalf("another key for epoch %d: %v", d.Epoch, err)
		}
		d.Epoch = next
		if now, err := tree.Derive(d, 32); err != nil || now.Equal(before) {
			t.Fatalf("the old key for epoch %d: %v", d.Epoch, err)
		}
		if !fresh.IsIn(wrapped) || old.IsIn(wrapped) || fresh.IsIn(wrapped[1:]) || fresh.IsIn(nil) {
			t.Fatal("a wrapped key is taken for another")
		}
		wrapped[offsetCheck] ^= 1
		if fresh.IsIn(wrapped) {
			t.Fatal("a wrapped key with another check value is taken for the key")
		}
	})
}
