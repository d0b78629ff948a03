package opening

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/environment"
	"tunic/internal/policy"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/value"
	"tunic/internal/value/charset"
	"tunic/internal/wire"
)

// shown are forms that anyone can read.
type shown struct{}

var (
	seal    = []byte("sealed ")
	errForm = errors.New("no stored form")
)

func (shown) AppendSealed(dst, canonical []byte) ([]byte, error) {
	return append(append(dst, seal...), canonical...), nil
}

func (shown) AppendOpened(dst, sealed []byte) ([]byte, error) {
	canonical, ok := bytes.CutPrefix(sealed, seal)
	if !ok {
		return dst, errForm
	}
	return append(dst, canonical...), nil
}

func (shown) AppendToken(dst []byte, _ policy.Capabilities, canonical []byte) ([]byte, error) {
	return append(append(dst, "token "...), canonical...), nil
}

// patients is a query over a number and a text that are sealed, and a plain number.
func patients(tb testing.TB, results string) (*binding.Statement, *environment.Environment) {
	tb.Helper()
	utf8mb4, ok := charset.Lookup(value.MySQL, "utf8mb4_bin")
	to, known := charset.CharsetByName(value.MySQL, results)
	if !ok || !known {
		tb.Fatal("no such character set")
	}
	protected := policy.Protection{Protected: true}
	t := &catalog.Table{Schema: "shop", Name: "patient", Columns: []catalog.Column{
		{Name: "age", Type: value.Type{Kind: value.TinyInt}, Protection: protected},
		{Name: "name", Type: value.Type{Kind: value.VarChar, Length: 300, Collation: utf8mb4}, Protection: protected},
		{Name: "visits", Type: value.Type{Kind: value.Int}},
	}}
	st := &binding.Statement{Run: recipe.Run{Kind: sql.Select, Table: t, Tables: []*catalog.Table{t}}}
	for i := range t.Columns {
		st.Run.AddFetch(recipe.CellOf(t, i), recipe.Fetch{Column: i})
	}
	if err := st.TakeColumns(binding.FormsOf{Column: func(*catalog.Column) (binding.Forms, error) { return shown{}, nil }}); err != nil {
		tb.Fatal(err)
	}
	return st, &environment.Environment{Value: value.Env{Flavor: value.MySQL, Version: 80400}, Results: to}
}

func sealed(canonical string) []byte { return append(bytes.Clone(seal), canonical...) }

func eight(n int64) string { return string(binary.BigEndian.AppendUint64(nil, uint64(n))) }

func cells(values ...[]byte) (all []wire.Cell) {
	for _, v := range values {
		all = append(all, wire.Cell{Bytes: v, Null: v == nil})
	}
	return all
}

// TestOpener: the client gets the row as the server would have sent it, in its character set.
func TestOpener(t *testing.T) {
	long := string(bytes.Repeat([]byte("x"), 260)) // its length takes more than one byte
	for name, c := range map[string]struct {
		results string
		row     []wire.Cell
		want    []wire.Cell
	}{
		"values":    {"utf8mb4", cells(sealed(eight(-7)), sealed("é"), []byte("3")), cells([]byte("-7"), []byte("é"), []byte("3"))},
		"converted": {"latin1", cells(sealed(eight(7)), sealed("é"), nil), cells([]byte("7"), []byte("\xe9"), nil)},
		"NULL":      {"utf8mb4", cells(nil, nil, nil), cells(nil, nil, nil)},
		"long":      {"utf8mb4", cells(nil, sealed(long), nil), cells(nil, []byte(long), nil)},
		"empty":     {"utf8mb4", cells(nil, sealed(""), []byte("")), cells(nil, []byte(""), []byte(""))},
	} {
		st, env := patients(t, c.results)
		p := Opener{Sought: &binding.Sought{}}
		if err := p.Begin(st, env); err != nil {
			t.Fatal(err)
		}
		got, _, err := p.AppendTextRow(nil, st, wire.AppendTextRow(nil, c.row))
		if want := wire.AppendTextRow(nil, c.want); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %q, %v; want %q", name, got, err, want)
		}
		p.End()
	}
}

// TestOpenerBinary: a value has its column's own form in the binary protocol.
func TestOpenerBinary(t *testing.T) {
	st, env := patients(t, "utf8mb4")
	p := Opener{Sought: &binding.Sought{}, Types: []wire.Type{wire.TypeBlob, wire.TypeBlob, wire.TypeLong}}
	if err := p.Begin(st, env); err != nil {
		t.Fatal(err)
	}
	row, ok := wire.AppendBinaryRow(nil, cells(sealed(eight(-7)), sealed("ada"), []byte{3, 0, 0, 0}), p.Types)
	if !ok {
		t.Fatal("no row")
	}
	got, _, err := p.AppendBinaryRow(nil, st, row)
	want := append([]byte{0, 0}, 0xf9, 3, 'a', 'd', 'a', 3, 0, 0, 0)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	p.Types = p.Types[:2]
	if _, _, err := p.AppendBinaryRow(nil, st, row); !errors.Is(err, wire.ErrMalformed) {
		t.Errorf("types of another result: %v", err)
	}
}

// TestSharedCell: a cell may have several values of a row, and one may be NULL.
func TestSharedCell(t *testing.T) {
	st, env := patients(t, "utf8mb4")
	share := func(i int) bool { return st.Run.ShareCell(recipe.CellOf(st.Run.Table, i), recipe.Fetch{Column: i}) }
	if !share(1) || !share(0) {
		t.Fatal("no cell of a sealed form")
	}
	if share(2) || len(st.Run.Cells) != 3 {
		t.Error("a plain column is not returned once more")
	}
	p := Opener{Sought: &binding.Sought{}, Types: []wire.Type{wire.TypeBlob, wire.TypeBlob, wire.TypeLong}}
	if err := p.Begin(st, env); err != nil {
		t.Fatal(err)
	}
	of := cells(nil, sealed("ada"), []byte("3"))
	if got, _, err := p.AppendTextRow(nil, st, wire.AppendTextRow(nil, of)); err != nil || string(got) != "\xfb\x03ada\x013\x03ada\xfb" {
		t.Errorf("%q, %v", got, err)
	}
	of[2].Bytes = []byte{3, 0, 0, 0}
	row, _ := wire.AppendBinaryRow(nil, of, p.Types)
	if got, _, err := p.AppendBinaryRow(nil, st, row); err != nil || string(got) != "\x00\x44\x03ada\x03\x00\x00\x00\x03ada" {
		t.Errorf("%q, %v", got, err)
	}
}

// TestForeign: what does not open is an error that says where, whoever opens it.
func TestForeign(t *testing.T) {
	st, env := patients(t, "utf8mb4")
	row := cells(sealed(eight(7)), []byte("CANARY"), []byte("3"))
	p := Opener{Sought: &binding.Sought{}}
	if err := p.Begin(st, env); err != nil {
		t.Fatal(err)
	}
	if _, at, err := p.AppendTextRow(nil, st, wire.AppendTextRow(nil, row)); !errors.Is(err, errForm) || at != 1 {
		t.Errorf("column %d: %v", at, err)
	}
	f := Fetcher{Sought: &binding.Sought{}}
	if err := f.Begin(st, env); err != nil {
		t.Fatal(err)
	}
	if r, at, err := f.Read(st, row, nil); !errors.Is(err, errForm) || at != 1 || r != nil {
		t.Errorf("column %d: %v, %q", at, err, r)
	}
}

// TestFetcher: all values of a row are canonical, whatever the server has sent them as.
func TestFetcher(t *testing.T) {
	st, env := patients(t, "latin1")
	f := Fetcher{Sought: &binding.Sought{}}
	if err := f.Begin(st, env); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		row   []wire.Cell
		types []wire.Type
	}{
		"text":   {cells(sealed(eight(7)), nil, []byte("-3")), nil},
		"binary": {cells(sealed(eight(7)), nil, []byte{0xfd, 0xff, 0xff, 0xff}), []wire.Type{wire.TypeBlob, wire.TypeBlob, wire.TypeLong}},
	} {
		row, _, err := f.Read(st, c.row, c.types)
		if err != nil || len(row) != 3 || string(row[0]) != eight(7) || row[1] != nil || string(row[2]) != eight(-3) {
			t.Errorf("%s: %q, %v", name, row, err)
		}
	}
	row, _, err := f.Read(st, cells(nil, sealed(""), []byte("1")), nil)
	if err != nil || row[0] != nil || row[1] == nil || len(row[1]) != 0 {
		t.Errorf("what is empty is not NULL: %q, %v", row, err)
	}
	if _, _, err := f.Read(st, cells(nil, nil, []byte("many")), nil); !errors.Is(err, wire.ErrMalformed) {
		t.Errorf("no number: %v", err)
	}
	f.End()
}
