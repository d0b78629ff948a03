package description

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"tunic/internal/backend"
	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/environment"
	"tunic/internal/local"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/value/charset"
	"tunic/internal/wire"
)

// server describes every statement in one way.
type server struct {
	params, columns []wire.ColumnDefinition
	err             error
	asked           []string
}

func (s *server) Describe(statement, _ []byte, _ backend.DescribeAs) (params, columns []wire.ColumnDefinition, err error) {
	s.asked = append(s.asked, string(statement))
	return slices.Clone(s.params), slices.Clone(s.columns), s.err
}

func column(schema, table, name string) wire.ColumnDefinition {
	return wire.ColumnDefinition{Schema: []byte(schema), Table: []byte(table), OrgTable: []byte(table), Name: []byte(name)}
}

// session is what a session reads and shows text in.
func session(t *testing.T) *environment.Environment {
	t.Helper()
	utf8mb4, ok := charset.CharsetByName(value.MySQL, "utf8mb4")
	if !ok {
		t.Fatal("no utf8mb4")
	}
	return &environment.Environment{Client: utf8mb4, Results: utf8mb4, Value: value.Env{Flavor: value.MySQL, Version: 80400}}
}

// bound is a query of a client over table shop.person, whose twin is t_7, with a binder that has its literals.
func bound(t *testing.T, text string) (*binding.Statement, *binding.Binder) {
	t.Helper()
	var f sql.Fingerprinter
	f.Record(true)
	f.Fingerprint([]byte(text), 0)
	all, err := sql.Parse([]byte(text), 0)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := all[0].TreeWithPlaces(f.Literals())
	if err != nil {
		t.Fatal(err)
	}
	printed, err := tree.Print(0)
	if err != nil {
		t.Fatal(err)
	}
	person := &catalog.Table{Schema: "shop", Name: "person", Twin: "t_7"}
	st := &binding.Statement{Run: recipe.Run{Kind: sql.Select, Table: person, Tables: []*catalog.Table{person}, Answer: recipe.Answer{Describe: printed}}}
	b := binding.New()
	b.Env, b.Text, b.Literals = session(t), []byte(text), f.Literals()
	return st, b
}

// TestOf: a statement is described once for all sessions with the same settings, with another literal than
// the client's, and in the names of its tables.
func TestOf(t *testing.T) {
	st, b := bound(t, "SELECT name, 'secret' FROM t_7 p WHERE id = 4711")
	other := column("elsewhere", "t_8", "x")
	s := &server{columns: []wire.ColumnDefinition{column(catalog.Schema, "t_7", "name"), other}}
	var known Known
	first, err := known.Of(st, s, backend.DescribeAs{}, b)
	if err != nil {
		t.Fatal(err)
	}
	if c := first.Columns[0]; string(c.Schema) != "shop" || string(c.Table) != "person" || string(c.OrgTable) != "person" {
		t.Errorf("the twin is told: %s.%s, %s", c.Schema, c.Table, c.OrgTable)
	}
	if c := first.Columns[1]; string(c.Schema) != "elsewhere" || string(c.Table) != "t_8" {
		t.Errorf("a plain table has another name: %s.%s", c.Schema, c.Table)
	}
	if again, err := known.Of(st, s, backend.DescribeAs{}, b); err != nil || again != first || len(s.asked) != 1 {
		t.Errorf("asked %d times, %v", len(s.asked), err)
	}
	if again, err := known.Of(st, s, backend.DescribeAs{SQLMode: "ANSI_QUOTES"}, b); err != nil || again == first || len(s.asked) != 2 {
		t.Errorf("in another session: asked %d times, %v", len(s.asked), err)
	}
	if asked := strings.Join(s.asked, "\n"); strings.Contains(asked, "secret") || strings.Contains(asked, "4711") {
		t.Errorf("the server is told literals: %s", asked)
	}
	for range 2 * descriptionsMax { // the oldest is forgotten, and asked for again
		if _, err := known.Of(st, s, backend.DescribeAs{ConcatMax: len(s.asked)}, b); err != nil {
			t.Fatal(err)
		}
	}
	if kept := len(*known.known.Load()); kept != descriptionsMax {
		t.Errorf("%d descriptions are kept", kept)
	}
}

// TestNotDescribed: what a client is told of a statement that the server does not describe.
func TestNotDescribed(t *testing.T) {
	answered := func(number uint16, message string) error {
		return &backend.AnswerError{Err: wire.Err{Number: number, State: "42000", Message: []byte(message)}}
	}
	for _, c := range []struct {
		err    error
		number uint16
		says   string
	}{
		{answered(1054, "Unknown column 't_7.nosuch' in 'field list'"), 1054, "Unknown column 'person.nosuch' in 'field list'"},
		{answered(deniesRoutine, "execute command denied to user 'tunic'@'%' for routine 'f'"), 0, "a stored function"},
		{errors.New("the connection is lost"), 0, sqlerr.NotDescribed().Message},
	} {
		st, b := bound(t, "SELECT name FROM t_7")
		var known Known
		_, err := known.Of(st, &server{err: c.err}, backend.DescribeAs{}, b)
		e, ok := errors.AsType[*sqlerr.Error](err)
		if !ok || c.number != 0 && e.Number != c.number || !strings.Contains(e.Message, c.says) || strings.Contains(e.Message, "tunic'@") {
			t.Errorf("%v: %v", c.err, err)
		}
		if known.known.Load() != nil {
			t.Errorf("%v: a description is kept", c.err)
		}
	}
}

// TestNamed: a column that nobody has named has the words of the text that is answered, and all others keep theirs.
func TestNamed(t *testing.T) {
	st, b := bound(t, "SELECT p.*, 'abc', id+1, 'x' AS alias FROM t_7 p")
	st.Run.Answer.Stars = []int{2}
	described := "111" // what stands for the client's literal
	s := &server{columns: []wire.ColumnDefinition{column("", "", "id"), column("", "", "name"), column("", "", described), column("", "", "id+1"), column("", "", "alias")}}
	var known Known
	text, err := b.Describes(st)
	if err != nil {
		t.Fatal(err)
	}
	items := sql.AppendItems(nil, text, 0)
	for i, item := range items[1:3] {
		s.columns[2+i].Name = nameOfItem(b.Env, text, item)
	}
	d, err := known.Of(st, s, backend.DescribeAs{}, b)
	if err != nil {
		t.Fatal(err)
	}
	var n Namer
	for text, want := range map[string]string{
		"SELECT p.*, 'abc', id+1, 'x' AS alias FROM t_7 p":       "id name abc id+1 alias",
		"SELECT p.*, 'other', id + 12, 'x' AS alias FROM t_7 p":  "id name other id + 12 alias",
		"SELECT p.*, 'a  b', id  +  1, 'x' AS alias FROM person": "id name a  b id  +  1 alias",
	} {
		var names []string
		for _, c := range n.Named(d, []byte(text), b.Env) {
			names = append(names, string(c.Name))
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
		n.End()
	}
	if string(d.Columns[2].Name) == "other" {
		t.Error("the description itself has the words of one text")
	}
	plain := &Description{Columns: s.columns}
	if got := n.Named(plain, nil, b.Env); &got[0] != &plain.Columns[0] {
		t.Error("definitions that are as described are copied")
	}
}

// TestSet: where servers put the rows of a set into a table of their own its columns are described otherwise.
func TestSet(t *testing.T) {
	year := wire.ColumnDefinition{Name: []byte("y"), Type: wire.TypeYear, Decimals: 0}
	blob := wire.ColumnDefinition{Name: []byte("b"), OrgName: []byte("of a table"), Type: wire.TypeBlob, Decimals: 31}
	number := wire.ColumnDefinition{Name: []byte("n"), Type: wire.TypeLong, Flags: 1 << 7}
	given := []wire.ColumnDefinition{year, blob, number}
	for _, a := range []local.SetAnswer{local.NoSet, local.PlainUnion, local.Sifted} {
		for _, flavor := range []value.Flavor{value.MySQL, value.MariaDB} {
			got := Set(a, given, flavor)
			changed := a != local.NoSet && (a == local.PlainUnion || flavor == value.MySQL)
			if (&got[0] != &given[0]) != changed {
				t.Errorf("%v, %v: copied is %v", a, flavor, !changed)
			}
			switch {
			case !changed:
			case flavor == value.MariaDB && got[1].OrgName != nil:
				t.Errorf("%v: MariaDB names columns of a set by those of a table, %s", a, got[1].OrgName)
			case flavor == value.MySQL && (string(got[1].OrgName) != "b" || got[1].Decimals != 0 || got[1].Flags != 1<<4 || got[0].Flags != 1<<6):
				t.Errorf("%v: MySQL has a table of its own, %+v", a, got)
			case flavor == value.MySQL && (got[2].Flags == 0) != (a == local.Sifted):
				t.Errorf("%v: a number is binary or not, %+v", a, got[2])
			}
		}
	}
	if given[1].Flags != 0 || given[1].Decimals != 31 {
		t.Error("the description itself has changed")
	}
}

// TestParams: parameters are as the server has them, or as it has one of which it knows nothing.
func TestParams(t *testing.T) {
	known := &Description{Params: []wire.ColumnDefinition{{Name: []byte("?"), Type: wire.TypeLong}}}
	if got := Params(known, 1, value.MySQL); &got[0] != &known.Params[0] {
		t.Errorf("others than described: %+v", got)
	}
	for flavor, want := range map[value.Flavor]wire.Type{value.MySQL: wire.TypeVarString, value.MariaDB: wire.TypeNull} {
		for _, d := range []*Description{nil, known} {
			got := Params(d, 2, flavor)
			if len(got) != 2 || got[1].Type != want || got[1].Charset != BinaryCollation {
				t.Errorf("%v: %+v", flavor, got)
			}
		}
	}
}

// TestReadsAlike: rows are read by the type of a column, whether it is text, and its sign.
func TestReadsAlike(t *testing.T) {
	is := wire.ColumnDefinition{Type: wire.TypeLong, Charset: BinaryCollation, Flags: 1}
	with := func(change func(*wire.ColumnDefinition)) []wire.ColumnDefinition {
		c := is
		change(&c)
		return []wire.ColumnDefinition{c}
	}
	d := &Description{Columns: []wire.ColumnDefinition{is}}
	for name, c := range map[string]struct {
		columns []wire.ColumnDefinition
		want    bool
	}{
		"the same":          {with(func(*wire.ColumnDefinition) {}), true},
		"another name":      {with(func(c *wire.ColumnDefinition) { c.Name = []byte("x") }), true},
		"another flag":      {with(func(c *wire.ColumnDefinition) { c.Flags = 0 }), true},
		"another sign":      {with(func(c *wire.ColumnDefinition) { c.Flags |= UnsignedColumn }), false},
		"another type":      {with(func(c *wire.ColumnDefinition) { c.Type = wire.TypeTiny }), false},
		"another collation": {with(func(c *wire.ColumnDefinition) { c.Charset = 45 }), false},
		"no columns":        {nil, false},
	} {
		if got := d.ReadsAlike(c.columns); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if none := (*Description)(nil); !none.ReadsAlike(nil) || none.ReadsAlike(d.Columns) {
		t.Error("an answer without rows is not told apart from one with rows")
	}
}

// TestOfTwin: the logical columns, by their names, as of the logical table.
func TestOfTwin(t *testing.T) {
	number := value.Type{Kind: value.Int}
	table := &catalog.Table{Schema: "shop", Name: "person", Twin: "t_7", Columns: []catalog.Column{{Name: "ID", Type: number}, {Name: "name", Type: number}}}
	s := &server{columns: []wire.ColumnDefinition{column(catalog.Schema, "t_7", "ID"), column(catalog.Schema, "t_7", "name")}}
	got, err := OfTwin(s, table, backend.DescribeAs{})
	if err != nil {
		t.Fatal(err)
	}
	if want := "SELECT `ID`, `name` FROM " + catalog.Schema + ".`t_7`"; len(s.asked) != 1 || s.asked[0] != want {
		t.Errorf("asked %q", s.asked)
	}
	if c, ok := got["id"]; !ok || len(got) != 2 || string(c.Schema) != "shop" || string(c.Table) != "person" || string(c.OrgTable) != "person" {
		t.Errorf("%+v", got)
	}
	for name, s := range map[string]*server{"an error": {err: errors.New("lost")}, "too few columns": {columns: s.columns[:1]}} {
		if _, err := OfTwin(s, table, backend.DescribeAs{}); !errors.Is(err, sqlerr.NotDescribed()) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
