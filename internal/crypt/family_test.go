package crypt

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"tunic/internal/catalog"
	"tunic/internal/keys"
	"tunic/internal/keys/keystest"
	"tunic/internal/racetest"
	"tunic/internal/record"
	"tunic/internal/scheme"
	"tunic/internal/secret"
	"tunic/internal/value"
)

// familyOf is a family of columns, in one layout.
func familyOf(t testing.TB, keyTree *keys.Tree, id byte, columns ...*catalog.Column) *Family {
	t.Helper()
	return layered(t, keyTree, id, 1, columns, columns)
}

// layered is a family that has had several layouts, of whose last one all values are asked.
func layered(t testing.TB, keyTree *keys.Tree, id byte, epoch uint16, layouts ...[]*catalog.Column) *Family {
	t.Helper()
	asked := layouts[len(layouts)-1]
	var written []catalog.Layout
	for i, columns := range layouts[:len(layouts)-1] {
		l, err := AppendLayout(nil, columns)
		if err != nil {
			t.Fatal(err)
		}
		written = append(written, catalog.Layout{Number: uint16(i + 1), Written: l})
	}
	var ids []catalog.ID
	for _, c := range asked {
		ids = append(ids, c.ID)
	}
	f, err := NewFamily(keyTree, catalog.ID{0xf0, id}, epoch, written, ids, nil, new(Seals))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// allKinds are columns of all kinds.
func allKinds(t testing.TB) (all []*catalog.Column) {
	for i, k := range kinds {
		all = append(all, column(t, byte(i+1), k.typ, k.collation))
	}
	return all
}

// drawn is a value of a column as the type can have it, nil for NULL.
func drawn(t *rapid.T, c *catalog.Column) []byte {
	if rapid.IntRange(0, 4).Draw(t, "null") == 0 {
		return nil
	}
	f := fieldOf(&c.Type)
	if f.Size == 0 {
		return []byte(rapid.StringOfN(rapid.RuneFrom([]rune("aZé ")), 0, 20, -1).Draw(t, c.TypeText))
	}
	b := make([]byte, f.Size)
	copy(b[f.Head:], rapid.SliceOfN(rapid.Byte(), f.Size-f.Head-f.Tail, f.Size-f.Head-f.Tail).Draw(t, c.TypeText))
	if f.Signed && b[f.Head] >= 0x80 {
		copy(b, bytes.Repeat([]byte{0xff}, f.Head))
	}
	return b
}

// TestFamilyOpensWhereItBelongs: in its family, of its project, and nowhere else, and not when a bit of it is another one.
func TestFamilyOpensWhereItBelongs(t *testing.T) {
	keyTree := keystest.Tree(t)
	columns := allKinds(t)
	f := familyOf(t, keyTree, 1, columns...)
	sameColumns, sameID := familyOf(t, keyTree, 2, columns...), familyOf(t, keyTree, 1, columns[1:]...)
	stranger := familyOf(t, keystest.Tree(t), 1, columns...)
	rapid.Check(t, func(t *rapid.T) {
		values := make([][]byte, len(columns))
		for i, c := range columns {
			values[i] = drawn(t, c)
		}
		sealed, err := f.AppendSealed([]byte("x"), values)
		if err != nil {
			t.Fatal(err)
		}
		sealed = sealed[1:]
		opened, r, err := f.AppendOpened([]byte("x"), sealed)
		if err != nil || opened[0] != 'x' || r.Layout() != 1 {
			t.Fatalf("%v, layout %d", err, r.Layout())
		}
		for i := range columns {
			if got, _, ok := r.Value(nil, i); !ok || !bytes.Equal(got, values[i]) || (got == nil) != (values[i] == nil) {
				t.Fatalf("%s: % x, want % x", columns[i].TypeText, got, values[i])
			}
		}
		for name, wrong := range map[string]*Family{"another family": sameColumns, "another layout": sameID, "another project": stranger} {
			if got, _, err := wrong.AppendOpened(nil, sealed); !errors.Is(err, scheme.ErrOpen) || len(got) > 0 {
				t.Fatalf("%s: %v", name, err)
			}
		}
		bit := rapid.IntRange(0, 8*len(sealed)-1).Draw(t, "bit")
		sealed[bit/8] ^= 1 << (bit % 8)
		if got, _, err := f.AppendOpened(nil, sealed); err == nil || len(got) > 0 {
			t.Fatalf("bit %d altered: it opens", bit)
		}
	})
}

// TestFamilyHeaders: what the header says of a form that nobody has sealed.
func TestFamilyHeaders(t *testing.T) {
	keyTree := keystest.Tree(t)
	f := layered(t, keyTree, 1, 3, allKinds(t)[:2], allKinds(t)[:2])
	for form, want := range map[string]error{
		"":             scheme.ErrForm,
		"010003000100": scheme.ErrForm,
		"0200030001000000000000000000000000000000000000000000000000000000000000": scheme.ErrSuite,
		"0100040001000000000000000000000000000000000000000000000000000000000000": scheme.ErrEpoch,
		"0100030000000000000000000000000000000000000000000000000000000000000000": scheme.ErrForm,
		"0100030002000000000000000000000000000000000000000000000000000000000000": scheme.ErrForm,
		"0100030001010000000000000000000000000000000000000000000000000000000000": scheme.ErrForm,
		"0100030001000000000000000000000000000000000000000000000000000000000000": scheme.ErrOpen,
		"0100010001000000000000000000000000000000000000000000000000000000000000": scheme.ErrOpen,
	} {
		b, err := hex.DecodeString(form)
		if err != nil {
			t.Fatal(err)
		}
		if got, _, err := f.AppendOpened(nil, b); !errors.Is(err, want) || len(got) > 0 {
			t.Errorf("%s: %v, want %v", form, err, want)
		}
	}
}

// TestFamilyLayouts: rows of earlier layouts and epochs open, without the columns that they have not; a later layout is unknown.
func TestFamilyLayouts(t *testing.T) {
	keyTree := keystest.Tree(t)
	a, b, c := column(t, 1, "int", ""), column(t, 2, "varchar(20)", "utf8mb4_bin"), column(t, 3, "date", "")
	wide := column(t, 1, "bigint", "")
	first, second := []*catalog.Column{a, b}, []*catalog.Column{c, wide}
	asked := []*catalog.Column{a, b, c}
	old := layered(t, keyTree, 1, 1, first, asked)
	now := layered(t, keyTree, 1, 2, first, second, asked)
	seven := []byte{0, 0, 0, 0, 0, 0, 0, 7}
	day := []byte{0x19, 0xb0, 0x42, 0, 0, 0, 0, 0}
	before, err := old.AppendSealed(nil, [][]byte{seven, []byte("x")})
	if err != nil {
		t.Fatal(err)
	}
	after, err := now.AppendSealed(nil, [][]byte{day, seven})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // once with a key that is derived, and once with one that is there
		for i, want := range []struct {
			sealed []byte
			layout uint16
			values string
		}{{before, 1, "[7 x none]"}, {after, 2, "[7 none day]"}} {
			_, r, err := now.AppendOpened(nil, want.sealed)
			if err != nil || r.Layout() != want.layout {
				t.Fatalf("form %d: %v, layout %d", i, err, r.Layout())
			}
			var got []string
			for k := range asked {
				v, _, ok := r.Value(nil, k)
				switch {
				case !ok:
					got = append(got, "none")
				case bytes.Equal(v, seven):
					got = append(got, "7")
				case bytes.Equal(v, day):
					got = append(got, "day")
				default:
					got = append(got, string(v))
				}
			}
			if fmt.Sprint(got) != want.values {
				t.Errorf("form %d: %v, want %s", i, got, want.values)
			}
		}
	}
	if _, _, err := old.AppendOpened(nil, after); !errors.Is(err, scheme.ErrForm) {
		t.Errorf("a layout that is not known: %v", err)
	}
}

// TestFamilyOfAnotherReader: a form is what the tables say, made by GCM of the standard library alone.
func TestFamilyOfAnotherReader(t *testing.T) {
	keyTree := keystest.Tree(t)
	f := familyOf(t, keyTree, 1, column(t, 1, "smallint", ""), column(t, 2, "varchar(20)", "utf8mb4_bin"))
	const layoutHex = "01" +
		"01000000000000000000000000000000" + "03" + "010000" + "08060001" +
		"02000000000000000000000000000000" + "0a" + "0c0000" + "757466386d6234" + "00010000"
	written, err := hex.DecodeString(layoutHex)
	if err != nil {
		t.Fatal(err)
	}
	hash, project, id := sha256.Sum256(written), keyTree.Project(), catalog.ID{0xf0, 1}
	key, err := keyTree.Derive(keys.Derivation{Purpose: keys.PurposeSealed, Suite: keys.Suite(suite), Domain: keys.Domain(id), Epoch: 1}, suite.KeySize())
	if err != nil {
		t.Fatal(err)
	}
	defer key.Wipe()
	aead, err := secret.Use(key, func(k []byte) (cipher.AEAD, error) {
		block, err := aes.NewCipher(k)
		if err != nil {
			return nil, err
		}
		return cipher.NewGCM(block)
	})
	if err != nil {
		t.Fatal(err)
	}
	header, nonce := []byte{1, 0, 1, 0, 1, 0}, []byte("twelve bytes")
	plain := append([]byte{0, 0xff, 0xf9}, "ada\x80\x00\x00\x00\x00\x00\x00\x00\x00\x00"...)
	aad := slices.Concat(header, project[:], id[:], hash[:])
	form := slices.Concat(header, nonce, aead.Seal(nil, nonce, plain, aad))
	_, r, err := f.AppendOpened(nil, form)
	if err != nil {
		t.Fatal(err)
	}
	number, _, _ := r.Value(nil, 0)
	text, _, _ := r.Value(nil, 1)
	if hex.EncodeToString(number) != "fffffffffffffff9" || string(text) != "ada" {
		t.Errorf("%x, %q", number, text)
	}
}

// TestFields: a record has room for the least and the greatest value of each type, and for no more bytes than those need.
func TestFields(t *testing.T) {
	env := &value.Env{Mode: value.StrictAllTables}
	for _, c := range []struct {
		typ    string
		bytes  int
		values []string
	}{
		{"tinyint", 1, []string{"-128", "127"}},
		{"tinyint unsigned", 1, []string{"255"}},
		{"smallint", 2, []string{"-32768", "32767"}},
		{"mediumint unsigned", 3, []string{"16777215"}},
		{"int", 4, []string{"-2147483648", "2147483647", "0", "-1"}},
		{"bigint unsigned", 8, []string{"18446744073709551615"}},
		{"decimal(2,0)", 1, []string{"-99", "99"}},
		{"decimal(3,0)", 2, []string{"-999", "999"}},
		{"decimal(6,2)", 3, []string{"-9999.99", "9999.99"}},
		{"decimal(18,2)", 8, []string{"-9999999999999999.99"}},
		{"decimal(19,0)", 9, []string{"-9999999999999999999", "9999999999999999999"}},
		{"decimal(65,30)", 28, []string{"-99999999999999999999999999999999999.999999999999999999999999999999"}},
		{"float", 4, []string{"-3.4e38", "1e-30"}},
		{"double", 8, []string{"-1.7e308"}},
		{"year", 2, []string{"2155", "1901", "0"}},
		{"bit(1)", 1, []string{"1"}},
		{"bit(9)", 2, []string{"511"}},
		{"bit(64)", 8, []string{"18446744073709551615"}},
		{"date", 3, []string{"9999-12-31", "1000-01-01"}},
		{"datetime", 5, []string{"9999-12-31 23:59:59", "0001-01-01 00:00:00"}},
		{"datetime(3)", 8, []string{"9999-12-31 23:59:59.999"}},
		{"timestamp", 5, []string{"2037-12-31 23:59:59"}},
		{"time", 3, []string{"-838:59:59", "838:59:59", "00:00:00"}},
		{"time(6)", 6, []string{"-838:59:58.999999", "838:59:58.999999"}},
		{"enum('a','b')", 1, []string{"b"}},
		{"set('a','b','c','d','e','f','g','h','i')", 2, []string{"a,i"}},
		{"binary(5)", 5, []string{"abcde"}},
	} {
		collation := ""
		if c.typ[0] == 'e' || c.typ[0] == 's' && c.typ[1] == 'e' {
			collation = "utf8mb4_bin"
		}
		of := column(t, 1, c.typ, collation)
		f := fieldOf(&of.Type)
		if got := f.Size - f.Head - f.Tail; got != c.bytes {
			t.Errorf("%s: %d bytes, want %d", c.typ, got, c.bytes)
		}
		l, err := record.New([]record.Field{f})
		if err != nil {
			t.Fatalf("%s: %v", c.typ, err)
		}
		for _, text := range c.values {
			source := value.StringSource([]byte(text), column(t, 2, "varchar(9)", "utf8mb4_bin").Type.Collation)
			if n, err := strconv.ParseUint(text, 10, 64); err == nil && of.Type.Kind == value.Bit {
				source = value.UintSource(n)
			}
			canonical, outcome := value.Assign(nil, &of.Type, &source, env)
			if len(outcome.Conditions()) > 0 {
				t.Fatalf("%s: %s is no value", c.typ, text)
			}
			b, err := l.Append(nil, [][]byte{canonical})
			if err != nil {
				t.Errorf("%s: %s: %v", c.typ, text, err)
				continue
			}
			r, err := l.Read(b)
			if got, _ := r.Value(nil, 0); err != nil || !bytes.Equal(got, canonical) {
				t.Errorf("%s: %s: % x, %v; want % x", c.typ, text, got, err, canonical)
			}
		}
	}
}

// TestLayoutsRefused: what is no layout, and columns that have none.
func TestLayoutsRefused(t *testing.T) {
	id := "01000000000000000000000000000000"
	for _, written := range []string{
		"", "02", "01", "01" + id, "01" + id + "03010000080600", "01" + id + "0301000008060002", "01" + id + "0301000000050000", "01" + id + "0301000000010100",
		"01" + id + "0301000008080000", "01" + id + "0301000008060001" + id + "0301000008060001",
	} {
		b, err := hex.DecodeString(written)
		if err != nil {
			t.Fatal(err)
		}
		if l, err := readLayout(b); !errors.Is(err, ErrLayout) || l != nil {
			t.Errorf("%s: %v", written, err)
		}
	}
	if got, err := AppendLayout([]byte("x"), []*catalog.Column{{Type: value.Type{Kind: 255}}}); !errors.Is(err, errType) || string(got) != "x" {
		t.Errorf("a column of no type: %q, %v", got, err)
	}
	if got, err := AppendLayout([]byte("x"), nil); !errors.Is(err, ErrLayout) || string(got) != "x" {
		t.Errorf("no column: %q, %v", got, err)
	}
	one, err := AppendLayout(nil, []*catalog.Column{column(t, 1, "int", "")})
	if err != nil {
		t.Fatal(err)
	}
	for name, layouts := range map[string][]catalog.Layout{
		"none": nil, "a number twice": {{Number: 1, Written: one}, {Number: 1, Written: one}}, "no number": {{Written: one}}, "no bytes": {{Number: 1}},
	} {
		if _, err := NewFamily(keystest.Tree(t), catalog.ID{1}, 1, layouts, nil, nil, new(Seals)); !errors.Is(err, ErrLayout) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if f, err := NewFamily(keystest.Tree(t), catalog.ID{1}, 1, []catalog.Layout{{Number: 7, Written: one}, {Number: 3, Written: one}}, nil, nil, new(Seals)); err != nil || f.written.number != 3 {
		t.Errorf("layouts whose numbers have gaps: %v", err)
	}
}

// TestFamilyRefuses: what is no value, a row without a key, and a form that is authentic and no record.
func TestFamilyRefuses(t *testing.T) {
	f := familyOf(t, keystest.Tree(t), 1, column(t, 1, "tinyint", ""))
	for name, c := range map[string]struct {
		values [][]byte
		want   error
	}{
		"too few values": {nil, record.ErrValue},
		"out of range":   {[][]byte{{0, 0, 0, 0, 0, 0, 1, 0}}, record.ErrValue},
	} {
		if got, err := f.AppendSealed([]byte("x"), c.values); !errors.Is(err, c.want) || string(got) != "x" {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	for _, plain := range [][]byte{nil, {0}, {2, 0}, {1, 7}, {0, 1, 2}} {
		if got, _, err := f.AppendOpened([]byte("x"), f.bound.AppendSeal(nil, plain)); !errors.Is(err, record.ErrRecord) || string(got) != "x" {
			t.Errorf("% x: %q, %v", plain, got, err)
		}
	}
}

// TestFamilySealsAreCounted: under the family's key.
func TestFamilySealsAreCounted(t *testing.T) {
	written, err := AppendLayout(nil, []*catalog.Column{column(t, 1, "int", "")})
	if err != nil {
		t.Fatal(err)
	}
	var seals Seals
	id := catalog.ID{0xf0}
	f, err := NewFamily(keystest.Tree(t), id, 3, []catalog.Layout{{Number: 1, Written: written}}, nil, nil, &seals)
	if err != nil {
		t.Fatal(err)
	}
	for range 5000 { // one in 64 is counted for all
		if _, err := f.AppendSealed(nil, [][]byte{nil}); err != nil {
			t.Fatal(err)
		}
	}
	if taken := seals.Take(); len(taken) != 1 || taken[keys.Use{Domain: keys.Domain(id), Epoch: 3}] == 0 {
		t.Error(taken)
	}
}

// TestFamilyHeadersKept: forms of more headers than are kept open all the same.
func TestFamilyHeadersKept(t *testing.T) {
	keyTree := keystest.Tree(t)
	columns := []*catalog.Column{column(t, 1, "int", "")}
	const epochs = headersMax + 10
	now := layered(t, keyTree, 1, epochs+1, columns, columns)
	for epoch := range uint16(epochs) {
		sealed, err := layered(t, keyTree, 1, epoch+1, columns, columns).AppendSealed(nil, [][]byte{nil})
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := now.AppendOpened(nil, sealed); err != nil {
			t.Fatalf("epoch %d: %v", epoch+1, err)
		}
		if n := len(*now.others.known.Load()); n > headersMax {
			t.Fatalf("%d headers are kept", n)
		}
	}
}

// TestLayoutNames: a longer text and other labels have the layout of before, as long as no more bytes are needed.
func TestLayoutNames(t *testing.T) {
	written := func(typ, collation string) string {
		l, err := AppendLayout(nil, []*catalog.Column{column(t, 1, typ, collation)})
		if err != nil {
			t.Fatal(err)
		}
		return string(l)
	}
	const bin = "utf8mb4_bin"
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"varchar(10)", "varchar(63)", true}, {"varchar(63)", "varchar(64)", false}, {"varchar(64)", "text", true},
		{"enum('a')", "enum('a','b')", true}, {"set('a')", "set('a','b','c','d','e','f','g','h','i')", false},
	} {
		if same := written(c.a, bin) == written(c.b, bin); same != c.same {
			t.Errorf("%s and %s: the same is %v", c.a, c.b, same)
		}
	}
}

// TestFamilyAllocatesNothing: of a row, once the slices have room and the epoch is known.
func TestFamilyAllocatesNothing(t *testing.T) {
	f := familyOf(t, keystest.Tree(t), 1, column(t, 1, "int", ""), column(t, 2, "varchar(20)", "utf8mb4_bin"))
	values := [][]byte{{0, 0, 0, 0, 0, 0, 0, 7}, []byte("ada")}
	sealed, opened, wide := make([]byte, 0, 256), make([]byte, 0, 256), make([]byte, 0, 64)
	if n := testing.AllocsPerRun(1000, func() {
		var err error
		if sealed, err = f.AppendSealed(sealed[:0], values); err != nil {
			t.Fatal(err)
		}
		_, r, err := f.AppendOpened(opened, sealed)
		if err != nil {
			t.Fatal(err)
		}
		for i := range values {
			if v, _, ok := r.Value(wide, i); !ok || !bytes.Equal(v, values[i]) {
				t.Fatal("another value")
			}
		}
	}); n > 0 && !racetest.On {
		t.Errorf("%v allocations", n)
	}
}

// TestFamilyAtOnce: many goroutines open forms of several epochs and layouts.
func TestFamilyAtOnce(t *testing.T) {
	keyTree := keystest.Tree(t)
	columns := []*catalog.Column{column(t, 1, "int", "")}
	var forms [][]byte
	layouts := [][]*catalog.Column{columns, {column(t, 1, "bigint", "")}}
	for n := range layouts {
		for epoch := range uint16(3) {
			f := layered(t, keyTree, 1, epoch+1, append(slices.Clone(layouts[:n+1]), columns)...)
			sealed, err := f.AppendSealed(nil, [][]byte{{0, 0, 0, 0, 0, 0, 0, byte(len(forms))}})
			if err != nil {
				t.Fatal(err)
			}
			forms = append(forms, sealed)
		}
	}
	f := layered(t, keyTree, 1, 3, append(layouts, columns)...)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for i := range 200 {
				n := i % len(forms)
				_, r, err := f.AppendOpened(nil, forms[n])
				if err != nil {
					t.Error(err)
					return
				}
				if v, _, _ := r.Value(nil, 0); len(v) != 8 || int(v[7]) != n {
					t.Errorf("form %d: % x", n, v)
				}
			}
		})
	}
	all.Wait()
}

// FuzzLayout: whatever bytes a catalog has for a layout, they are one that makes and reads records, or an error.
func FuzzLayout(f *testing.F) {
	all, err := AppendLayout(nil, allKinds(f))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(all)
	f.Add([]byte{layoutVersion})
	f.Fuzz(func(t *testing.T, written []byte) {
		l, err := readLayout(written)
		if err != nil {
			if l != nil || !errors.Is(err, ErrLayout) {
				t.Errorf("%v, %v", l, err)
			}
			return
		}
		nulls, err := l.fields.Append(nil, make([][]byte, len(l.columns)))
		if err != nil {
			t.Fatal(err)
		}
		r, err := l.fields.Read(nulls)
		if err != nil {
			t.Fatal(err)
		}
		for i := range l.columns {
			if v, _ := r.Value(nil, i); v != nil {
				t.Errorf("column %d: % x is no NULL", i, v)
			}
		}
	})
}

// BenchmarkFamily is of a row like TPC-C's order lines.
func BenchmarkFamily(b *testing.B) {
	var columns []*catalog.Column
	for i, typ := range []string{"int", "tinyint", "smallint", "tinyint", "int", "smallint", "datetime", "tinyint", "decimal(6,2)", "char(24)"} {
		collation := ""
		if typ[0] == 'c' {
			collation = "utf8mb4_bin"
		}
		columns = append(columns, column(b, byte(i+1), typ, collation))
	}
	f := familyOf(b, keystest.Tree(b), 1, columns...)
	values := make([][]byte, len(columns))
	for i := range values {
		values[i] = make([]byte, 8)
	}
	values[len(values)-1] = []byte("twenty-four characters..")
	sealed, err := f.AppendSealed(nil, values)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("seal", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			sealed, _ = f.AppendSealed(sealed[:0], values)
		}
	})
	opened, wide := make([]byte, 0, 256), make([]byte, 0, 128)
	for name, n := range map[string]int{"open, one value": 1, "open, all values": len(columns)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, r, err := f.AppendOpened(opened, sealed)
				if err != nil {
					b.Fatal(err)
				}
				longer := wide
				for i := range n {
					_, longer, _ = r.Value(longer, len(columns)-1-i)
				}
			}
		})
	}
	b.Logf("%d bytes", len(sealed))
}

// TestRingFamily: a ring makes the family that the catalog says, once; one whose layout is of other columns, or of columns
// of other types, is refused, and a member has no sealed form of its own.
func TestRingFamily(t *testing.T) {
	a, b := column(t, 1, "int", ""), column(t, 2, "varchar(20)", "utf8mb4_bin")
	written, err := AppendLayout(nil, []*catalog.Column{b, a})
	if err != nil {
		t.Fatal(err)
	}
	table := func(change func(*catalog.Table)) *catalog.Table {
		made := &catalog.Table{
			Columns:  []catalog.Column{*a, *b},
			Families: []catalog.Family{{ID: catalog.ID{0xf1}, Epoch: a.Epoch, Stored: "row$form", Layouts: []catalog.Layout{{Number: 1, Written: written}}, Bytes: 60}},
		}
		for i := range made.Columns {
			made.Columns[i].Family = "row$form"
		}
		if change != nil {
			change(made)
		}
		return made
	}
	ring := NewRing(keystest.Tree(t))
	good := table(nil)
	f, err := ring.Family(good, &good.Families[0])
	if err != nil || !slices.Equal(f.Columns(), []catalog.ID{b.ID, a.ID}) {
		t.Fatalf("columns %v, %v", f.Columns(), err)
	}
	if again, err := ring.Family(good, &good.Families[0]); again != f || err != nil {
		t.Errorf("asked again: %p, %v, and not %p", again, err, f)
	}
	for name, change := range map[string]func(*catalog.Table){
		"of another type": func(t *catalog.Table) { t.Columns[0].Type.Unsigned = true },
		"a further member": func(tab *catalog.Table) {
			c := *column(t, 3, "date", "")
			c.Family = "row$form"
			tab.Columns = append(tab.Columns, c)
		},
		"a member less": func(t *catalog.Table) { t.Columns[0].Family = "" },
		"no layout":     func(t *catalog.Table) { t.Families[0].Layouts = nil },
	} {
		bad := table(change)
		if _, err := ring.Family(bad, &bad.Families[0]); !errors.Is(err, ErrLayout) {
			t.Errorf("%s: %v", name, err)
		}
	}
	member, err := ring.Column(&good.Columns[0])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := member.AppendSealed(nil, make([]byte, 8)); !errors.Is(err, errFamily) {
		t.Errorf("a member is sealed by itself: %v", err)
	}
	if _, err := member.AppendOpened(nil, make([]byte, 40)); !errors.Is(err, errFamily) {
		t.Errorf("a member is opened by itself: %v", err)
	}
}
