package opening

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/crypt"
	"tunic/internal/environment"
	"tunic/internal/keys/keystest"
	"tunic/internal/policy"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/value"
	"tunic/internal/value/charset"
	"tunic/internal/wire"
)

// seats is a query of the notes of a table whose key is in the family: its rows have a sealed form, and tokens of these columns of
// the key.
type seats struct {
	st     *binding.Statement
	env    *environment.Environment
	family *crypt.Family
	forms  map[string]*crypt.Column
	key    []string
}

func newSeats(tb testing.TB, key ...string) *seats {
	tb.Helper()
	folded, _ := charset.Lookup(value.MySQL, "utf8mb4_general_ci")
	to, _ := charset.CharsetByName(value.MySQL, "utf8mb4")
	column := func(id byte, name string, t value.Type, c policy.Capabilities, s catalog.Scheme) catalog.Column {
		made := catalog.Column{ID: catalog.ID{id}, Domain: catalog.ID{id}, Name: name, Type: t, Family: "row$form", Protection: policy.Protection{Protected: true, Allowed: c}}
		if c != 0 {
			made.Layers = []catalog.Layer{{Capability: c, Scheme: s, State: catalog.Ready, Stored: name + "$layer"}}
		}
		return made
	}
	t := &catalog.Table{Schema: "shop", Name: "seat", Columns: []catalog.Column{
		column(1, "hall", value.Type{Kind: value.VarChar, Length: 10, Collation: folded, NotNull: true}, policy.Equality, catalog.CMAC),
		column(2, "number", value.Type{Kind: value.Int, NotNull: true}, policy.Equality, catalog.PRP64),
		column(3, "rank", value.Type{Kind: value.Int, NotNull: true}, policy.Order, catalog.ORD1),
		column(4, "note", value.Type{Kind: value.VarChar, Length: 40, Collation: folded}, 0, 0),
	}}
	members := make([]*catalog.Column, len(t.Columns))
	for i := range t.Columns {
		members[i] = &t.Columns[i]
	}
	written, err := crypt.AppendLayout(nil, members)
	if err != nil {
		tb.Fatal(err)
	}
	t.Families = []catalog.Family{{ID: catalog.ID{9}, Stored: "row$form", Layouts: []catalog.Layout{{Number: 1, Written: written}}, Bytes: 100}}
	s := &seats{forms: map[string]*crypt.Column{}, key: key, env: &environment.Environment{Value: value.Env{Flavor: value.MySQL, Version: 80400}, Results: to}}
	ring := crypt.NewRing(keystest.Tree(tb))
	if s.family, err = ring.Family(t, &t.Families[0]); err != nil {
		tb.Fatal(err)
	}
	s.st = &binding.Statement{Run: recipe.Run{Kind: sql.Select, Table: t, Tables: []*catalog.Table{t}}}
	s.st.Run.AddFetch(recipe.CellOf(t, 3), recipe.Fetch{Column: 3})
	for _, name := range key {
		i := s.column(name)
		s.st.Run.AddCell(recipe.Cell{Column: i, Layer: t.Columns[i].Layers[0].Capability})
	}
	err = s.st.TakeColumns(binding.FormsOf{
		Column: func(c *catalog.Column) (binding.Forms, error) {
			made, err := ring.Column(c)
			s.forms[c.Name] = made
			return made, err
		},
		Family: ring.Family,
	})
	if err == nil {
		err = s.st.TakeValues()
	}
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// column is the number of a column.
func (s *seats) column(name string) int {
	return slices.IndexFunc(s.st.Run.Table.Columns, func(c catalog.Column) bool { return c.Name == name })
}

// seat is a row.
type seat struct {
	hall         string
	number, rank int64
	note         string
}

func (s *seat) canonical() map[string][]byte {
	return map[string][]byte{"hall": []byte(s.hall), "number": []byte(eight(s.number)), "rank": []byte(eight(s.rank)), "note": []byte(s.note)}
}

// row is what the server returns of a row: the form of one, and the tokens of another.
func (s *seats) row(tb testing.TB, form, tokens seat) []wire.Cell {
	tb.Helper()
	values := form.canonical()
	sealed, err := s.family.AppendSealed(nil, [][]byte{values["hall"], values["number"], values["rank"], values["note"]})
	if err != nil {
		tb.Fatal(err)
	}
	all := [][]byte{sealed}
	for _, name := range s.key {
		token, err := s.forms[name].AppendToken(nil, s.st.Run.Table.Columns[s.column(name)].Layers[0].Capability, tokens.canonical()[name])
		if err != nil {
			tb.Fatal(err)
		}
		all = append(all, token)
	}
	return cells(all...)
}

// TestMovedForm: a form opens beside the tokens of its own row's key, however their values are written, and beside no others. So it does
// for rows of a cursor.
func TestMovedForm(t *testing.T) {
	s := newSeats(t, "hall", "number", "rank")
	types := []wire.Type{wire.TypeBlob, wire.TypeBlob, wire.TypeBlob, wire.TypeBlob}
	p, f := Opener{Sought: &binding.Sought{}, Types: types}, Fetcher{Sought: &binding.Sought{}}
	if err := errors.Join(p.Begin(s.st, s.env), f.Begin(s.st, s.env)); err != nil {
		t.Fatal(err)
	}
	open := func(row []wire.Cell) (column string, err error) {
		binary, _ := wire.AppendBinaryRow(nil, row, types)
		_, _, err = p.AppendTextRow(nil, s.st, wire.AppendTextRow(nil, row))
		_, _, inBinary := p.AppendBinaryRow(nil, s.st, binary)
		_, _, fetched := f.Read(s.st, row, nil)
		if (err == nil) != (inBinary == nil) || (err == nil) != (fetched == nil) {
			t.Errorf("%v in text, %v in binary, %v for local work", err, inBinary, fetched)
		}
		if other, ok := errors.AsType[*binding.OtherValueError](err); ok {
			column = other.Column.Name
		}
		return column, err
	}
	own := seat{"blue", 7, -1, "mine"}
	for name, c := range map[string]struct {
		tokens seat
		column string // whose token is another one's
	}{
		"its own row":           {own, ""},
		"another note":          {seat{"blue", 7, -1, "yours"}, ""},
		"the same hall":         {seat{"BLUE", 7, -1, "mine"}, ""},
		"another hall":          {seat{"red", 7, -1, "mine"}, "hall"},
		"another number":        {seat{"blue", 8, -1, "mine"}, "number"},
		"another order":         {seat{"blue", 7, 1, "mine"}, "rank"},
		"a row with all others": {seat{"red", 8, 1, "yours"}, "hall"},
	} {
		for range 2 { // what was computed for the row before is kept
			if column, err := open(s.row(t, own, c.tokens)); column != c.column || (err == nil) != (c.column == "") {
				t.Errorf("in %s: %q, %v", name, column, err)
			}
		}
	}
	row := s.row(t, own, own)
	row[2] = wire.Cell{Null: true}
	if column, err := open(row); column != "number" {
		t.Errorf("a token that is NULL: %q, %v", column, err)
	}
}

// BenchmarkRowTokens opens rows in the order of their key, of which the number is another one in each, and compares them.
func BenchmarkRowTokens(b *testing.B) {
	for _, key := range [][]string{nil, {"hall"}, {"number"}, {"rank"}, {"hall", "number"}} {
		b.Run(fmt.Sprint(key), func(b *testing.B) {
			s := newSeats(b, key...)
			p := Opener{Sought: &binding.Sought{}}
			if err := p.Begin(s.st, s.env); err != nil {
				b.Fatal(err)
			}
			rows := make([][]byte, 2*repeatedAfter) // more than tokens are kept of
			for i := range rows {
				one := seat{"blue", int64(i), int64(i), "a note of thirty characters..."}
				rows[i] = wire.AppendTextRow(nil, s.row(b, one, one))
			}
			var out []byte
			var err error
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if i%repeatedAfter == 0 {
					p.records.begin() // each row is a new one
				}
				if out, _, err = p.AppendTextRow(out[:0], s.st, rows[i%len(rows)]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
