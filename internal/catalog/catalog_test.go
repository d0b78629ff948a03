package catalog

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"tunic/internal/policy"
	"tunic/internal/value"
)

var rewrite = flag.Bool("rewrite", false, "rewrite golden files")

// id is an ID that is the same in every run.
func id(of string) (id ID) {
	sum := sha256.Sum256([]byte(of))
	copy(id[:], sum[:])
	return id
}

// types knows the types of the tables here.
func types(text, _ string, notNull bool) (value.Type, error) {
	switch text {
	case "int(11)":
		return value.Type{Kind: value.Int, NotNull: notNull}, nil
	case "varchar(40)":
		return value.Type{Kind: value.VarChar, Length: 40, NotNull: notNull}, nil
	}
	return value.Type{}, ErrContent
}

func mustType(text string, notNull bool) value.Type {
	t, err := types(text, "", notNull)
	if err != nil {
		panic(err)
	}
	return t
}

// patient has a column and a key of each sort.
func patient() *Table {
	t := &Table{
		ID: id("patient"), Schema: "shop", Name: "patient", Revision: 3, Twin: "t1", Definition: "CREATE TABLE `patient` (…)",
		Columns: []Column{
			{ID: id("id"), Name: "id", TypeText: "int(11)", Type: mustType("int(11)", true), AutoIncrement: true},
			{
				ID: id("name"), Domain: id("name"), Epoch: 7, Name: "Name", TypeText: "varchar(40)", CollationName: "utf8mb4_bin",
				Type: mustType("varchar(40)", true), Protection: policy.Protection{Protected: true, Allowed: policy.Equality},
				Layers:  []Layer{{Capability: policy.Equality, Scheme: CMAC, State: Ready, Stored: "Name$eq"}},
				Default: Default{Kind: DefaultValue, Canonical: []byte("nobody")},
			},
			{
				ID: id("age"), Domain: id("person"), Name: "age", TypeText: "int(11)", Type: mustType("int(11)", false),
				Protection: policy.Protection{Protected: true, Allowed: policy.Order, Grain: policy.Grain{Unit: policy.Step, Size: 10}},
				Layers: []Layer{{
					Capability: policy.Order, Scheme: ORD1, Grain: policy.Grain{Unit: policy.Step, Size: 10},
					State: Ready, Stored: "age$ord",
				}},
				Default: Default{Kind: DefaultNull}, Invisible: true, ValidJSON: true,
			},
		},
		Keys: []Key{
			{Name: "PRIMARY", Kind: Primary, Parts: []Part{{Column: "id"}}},
			{Name: "name", Kind: Unique, Parts: []Part{{Column: "Name", Layer: policy.Equality}}},
			{Name: "age", Parts: []Part{{Column: "age", Desc: true, Layer: policy.Order}}, Hidden: true},
		},
		ForeignKeys: []ForeignKey{{
			Name: "f", Columns: []string{"age"}, Schema: "shop", Table: "person", Referenced: []string{"age"},
			OnDelete: "CASCADE", OnRow: "RESTRICT", ReferencedStored: true,
		}},
	}
	if err := t.Check(); err != nil {
		panic(err)
	}
	return t
}

var ignoreIndex = cmpopts.IgnoreUnexported(Table{})

// TestWrittenForm: the bytes in people's databases change only when a person
// looks at them.
func TestWrittenForm(t *testing.T) {
	const golden = "testdata/patient.json"
	written, err := patient().Encode()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := json.Indent(&b, written, "", "  "); err != nil {
		t.Fatal(err)
	}
	b.WriteByte('\n')
	if *rewrite {
		if err := os.WriteFile(golden, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("the form of a table has changed; a new format needs a new number (-want +got):\n%s", diff)
	}
	got, err := Decode(want, types)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(patient(), got, ignoreIndex); diff != "" {
		t.Errorf("-written +read:\n%s", diff)
	}
}

// TestDecodeTakesAllOrNothing: a definition that is understood in part protects
// in part.
func TestDecodeTakesAllOrNothing(t *testing.T) {
	good, _ := patient().Encode()
	for old, broken := range map[string]struct {
		text string
		err  error
	}{
		`"format":1`:                             {`"format":3`, ErrFormat},
		`"format":1,`:                            {`"format":2,`, ErrContent},
		`"twin":"t1"`:                            {`"twin":"t1","more":1`, ErrContent},
		`"kind":"unique"`:                        {`"kind":"clustered"`, ErrContent},
		`"scheme":"cmac"`:                        {`"scheme":"rot13"`, ErrContent},
		`"state":"ready"`:                        {`"state":"filling"`, ErrContent},
		`"capability":"order"`:                   {`"capability":"search"`, ErrContent},
		`"protection":"equality"`:                {`"protection":"equalty"`, ErrContent},
		`"type":"varchar(40)"`:                   {`"type":"xml"`, ErrContent},
		`"grain":"10"`:                           {`"grain":"ten"`, ErrContent},
		`"name":"age","type"`:                    {`"name":"NAME","type"`, ErrContent},
		`"stored":"age$ord"`:                     {`"stored":"name$EQ"`, ErrContent},
		`"layer":"order"`:                        {`"layer":"equality"`, ErrContent},
		`"column":"Name"`:                        {`"column":"nam"`, ErrContent},
		`"auto_increment":true`:                  {`"layers":[{"capability":"equality","scheme":"cmac","state":"ready","stored":"x"}]`, ErrContent},
		`"invisible":true`:                       {`"auto_increment":true`, ErrContent},
		`"domain":"` + id("name").String() + `"`: {`"domain":"` + ID{}.String() + `"`, ErrContent},
		`{"format"`:                              {`{}{"format"`, ErrContent},
	} {
		text := strings.Replace(string(good), old, broken.text, 1)
		if text == string(good) {
			t.Errorf("%s is not in the written form", old)
			continue
		}
		if _, err := Decode([]byte(text), types); !errors.Is(err, broken.err) {
			t.Errorf("%s for %s: %v", broken.text, old, err)
		}
	}
	if _, err := Decode(append(good, '{'), types); !errors.Is(err, ErrContent) {
		t.Errorf("with something after it: %v", err)
	}
}

func FuzzDecode(f *testing.F) {
	good, _ := patient().Encode()
	f.Add(good)
	f.Add([]byte(`{"format":1}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		table, err := Decode(data, types)
		if err != nil {
			return
		}
		written, err := table.Encode()
		if err != nil {
			t.Fatal(err)
		}
		again, err := Decode(written, types)
		if err != nil {
			t.Fatalf("what Encode writes: %v", err)
		}
		if diff := cmp.Diff(table, again, ignoreIndex, cmpopts.EquateEmpty()); diff != "" {
			t.Error(diff)
		}
	})
}

// TestVersionsDoNotChange: whoever holds a version sees what it had.
func TestVersionsDoNotChange(t *testing.T) {
	for _, folds := range []bool{false, true} {
		empty := New(folds)
		one := empty.Next(1, nil, []*Table{patient()})
		moved := patient()
		moved.Name = "Person"
		two := one.Next(2, []*Table{one.Table("shop", "patient")}, []*Table{moved})
		three := two.Next(3, []*Table{moved}, nil)
		for i, c := range []struct {
			c               *Catalog
			patient, person bool
		}{{empty, false, false}, {one, true, false}, {two, false, true}, {three, false, false}} {
			if c.c.Version != uint64(i) || (c.c.Table("shop", "patient") != nil) != c.patient || (c.c.Table("shop", "Person") != nil) != c.person {
				t.Errorf("version %d: %d tables, patient %v, person %v", c.c.Version, c.c.Len(), c.patient, c.person)
			}
		}
		if got := one.Table("SHOP", "Patient") != nil; got != folds {
			t.Errorf("folds %v: found by another case: %v", folds, got)
		}
	}
}

// TestProtectedErrsTowardsYes: whatever the case, and what cannot be read.
func TestProtectedErrsTowardsYes(t *testing.T) {
	c := New(false).Next(1, nil, []*Table{patient()})
	for name, want := range map[string]bool{"patient": true, "PATIENT": true, "Shop": true, "": true, "_TUNIC": true, "patients": false} {
		if got := c.Protected([]byte(name)); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
	if !New(true).Protected([]byte(Schema)) {
		t.Error("tunic's own schema is not protected before any table is")
	}
}

func TestColumnsWhateverTheirCase(t *testing.T) {
	p := patient()
	for name, want := range map[string]int{"id": 0, "ID": 0, "name": 1, "Name": 1, "NAME": 1, "age": 2, "nam": -1, "": -1} {
		if got := p.Column(name); got != want {
			t.Errorf("%q: %d", name, got)
		}
	}
}

func TestRowKey(t *testing.T) {
	p := patient()
	if k := p.RowKey(); k == nil || k.Kind != Primary {
		t.Errorf("with a primary key: %+v", k)
	}
	p.Keys = p.Keys[1:]
	if k := p.RowKey(); k == nil || k.Name != "name" {
		t.Errorf("with a unique key: %+v", k)
	}
	p.Keys[0].Parts[0].Prefix = 3
	if k := p.RowKey(); k != nil {
		t.Errorf("two rows may share a prefix: %+v", k)
	}
	p.Keys[0].Parts[0].Prefix = 0
	p.Columns[1].Type.NotNull = false
	if k := p.RowKey(); k != nil {
		t.Errorf("two rows may have NULL: %+v", k)
	}
}

// TestStoredNames: they fit, they are told from logical ones, and two columns
// never share one.
func TestStoredNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringOfN(rapid.SampledFrom([]rune("aé$x日")), 1, 64, -1)
		a, b := name.Draw(t, "a"), name.Draw(t, "b")
		for _, c := range policy.Each() {
			s := StoredName(a, c)
			switch {
			case len([]rune(s)) > nameMax:
				t.Errorf("%q is too long", s)
			case !Reserved(s):
				t.Errorf("%q could be a logical name", s)
			case !strings.EqualFold(a, b) && strings.EqualFold(s, StoredName(b, c)):
				t.Errorf("%q and %q share %q", a, b, s)
			}
		}
	})
}

func TestIDs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var a, b ID
		copy(a[:], rapid.SliceOfN(rapid.Byte(), len(a), len(a)).Draw(t, "id"))
		text, _ := a.MarshalText()
		if err := b.UnmarshalText(text); err != nil || a != b {
			t.Errorf("%s reads as %s, %v", a, b, err)
		}
	})
	var none ID
	for _, text := range []string{"", "00", strings.Repeat("0", 31) + "g", strings.Repeat("0", 33)} {
		if err := none.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q passes for an ID", text)
		}
	}
}

// TestBackfilling: what is being filled is written down, has no name that a statement
// could use, and carries no key.
func TestBackfilling(t *testing.T) {
	p := patient()
	if p.Backfills() || len(p.Known()) != len(p.Columns) {
		t.Error("a table whose layers are ready is being filled")
	}
	p.Columns[1].Layers = append(p.Columns[1].Layers, Layer{Capability: policy.Order, Scheme: ORD1, State: Backfilling, Stored: "Name$ord"})
	p.Columns[1].Protection.Allowed |= policy.Order
	hidden := Column{
		ID: id("more"), Domain: id("more"), Name: "more", TypeText: "int(11)", Type: mustType("int(11)", true),
		Protection: policy.Protection{Protected: true}, Default: Default{Kind: DefaultValue, Canonical: make([]byte, 8)},
		Invisible: true, Backfilling: true,
	}
	p.Columns = append(p.Columns, hidden)
	if err := p.Check(); err != nil {
		t.Fatal(err)
	}
	written, _ := p.Encode()
	read, err := Decode(written, types)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(p, read, ignoreIndex); diff != "" {
		t.Errorf("-written +read:\n%s", diff)
	}
	if read.Column("more") >= 0 || !read.Backfills() || len(read.Known()) != 3 {
		t.Error("a column that is being filled is found by its name")
	}
	for what, spoil := range map[string]func(p *Table){
		"a key over a layer that is being filled":  func(p *Table) { p.Keys[1].Parts[0].Layer = policy.Order },
		"a key over a column that is being filled": func(p *Table) { p.Keys[0].Parts[0].Column = "more" },
		"a visible column":                         func(p *Table) { p.Columns[3].Invisible = false },
		"a column without a value":                 func(p *Table) { p.Columns[3].Default.Kind = NoDefault },
		"a plain column":                           func(p *Table) { p.Columns[3].Protection = policy.Protection{} },
		"a column with the name of another":        func(p *Table) { p.Columns[3].Name = "NAME" },
		"a column before others":                   func(p *Table) { p.Columns[2], p.Columns[3] = p.Columns[3], p.Columns[2] },
	} {
		again, err := Decode(written, types)
		if err != nil {
			t.Fatal(err)
		}
		spoil(again)
		if err := again.Check(); !errors.Is(err, ErrContent) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestAmong: whether the case of a name tells tables apart is the server's to say.
func TestAmong(t *testing.T) {
	tables := []*Table{{Schema: "s", Name: "a"}, {Schema: "s", Name: "B"}, {Schema: "t", Name: "b"}}
	for _, folds := range []bool{false, true} {
		c := New(folds)
		if c.Among(tables, "s", "a") != tables[0] || c.Among(tables, "t", "b") != tables[2] || c.Among(tables, "s", "c") != nil {
			t.Errorf("folds %t: a table is not found by its name, or by another", folds)
		}
		if got := c.Among(tables, "s", "b"); (got == tables[1]) != folds {
			t.Errorf("folds %t: s.b is %v", folds, got)
		}
	}
}

// TestNextOfComing: a table that others know as one that is coming is read by them while it is settled.
func TestNextOfComing(t *testing.T) {
	one := &Table{ID: ID{1}, Schema: "s", Name: "one", Columns: []Column{{Name: "a"}, {Name: "B"}}}
	before := New(false)
	coming := before.WithComing(1, []*Table{one})
	read := make(chan int)
	go func() { read <- coming.Table("s", "one").Column("b") }()
	settled := before.Next(2, nil, []*Table{one})
	if got := <-read; got != 1 || settled.Table("s", "one").Column("b") != 1 {
		t.Errorf("column %d", got)
	}
	changed := *one
	changed.Columns = []Column{{Name: "B"}}
	if got := settled.Next(3, []*Table{one}, []*Table{&changed}).Table("s", "one").Column("b"); got != 0 || one.Column("b") != 1 {
		t.Errorf("of the changed table, column %d", got)
	}
}
