package eval

import (
	"errors"
	"strings"
	"testing"

	"tunic/internal/eval/program"
	tsql "tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// people is a Scope of one table, whose bind variables have the sources of one
// statement.
type people struct {
	session program.Session
	singles []value.Source
	items   [][]value.Source
}

func newPeople(f value.Flavor) *people {
	utf8mb4, _ := charset.CharsetByName(f, "utf8mb4")
	return &people{session: program.Session{Flavor: f, Version: 101106, DivPrecision: 4, Collation: utf8mb4.Default()}}
}

func (p *people) env() *value.Env { return &value.Env{Flavor: p.session.Flavor, Version: 101106} }

func (p *people) Column(name *ast.ColName) (int, *value.Type, error) {
	collation, _ := charset.Lookup(p.session.Flavor, "utf8mb4_general_ci")
	switch name.Name.String() {
	case "k":
		return 0, &value.Type{Kind: value.Int}, nil
	case "name":
		return 1, &value.Type{Kind: value.VarChar, Length: 40, Collation: collation}, nil
	case "price":
		return 2, &value.Type{Kind: value.Decimal, Length: 10, Decimals: 2}, nil
	case "number":
		return 3, &value.Type{Kind: value.BigInt, Unsigned: true}, nil
	case "compared": // as a subquery has the result of a comparison
		return 4, &value.Type{Kind: value.BigInt, Length: 1}, nil
	}
	return 0, nil, errors.New("no such column")
}

func (p *people) Bind(a *ast.Argument) (int, value.Source, error) {
	place, ok := tsql.PlaceOf(a)
	if !ok || place.Group >= 0 {
		return 0, value.Source{}, errors.New("not a single place")
	}
	return place.Cell, p.singles[place.Cell], nil
}

func (p *people) Items(a *ast.Argument) (int, []value.Source, error) {
	place, ok := tsql.PlaceOf(a)
	if !ok || place.Group < 0 {
		return 0, nil, errors.New("not a place of a group")
	}
	return place.Group, p.items[place.Group], nil
}

// whereOf parses a condition as the plan of a template has it.
func whereOf(t testing.TB, condition string) ast.Expr {
	t.Helper()
	text := []byte("SELECT name FROM people WHERE " + condition)
	var f tsql.Fingerprinter
	f.Record(true)
	f.Fingerprint(text, 0)
	statements, err := tsql.Parse(text, 0)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := statements[0].TreeWithPlaces(f.Literals())
	if err != nil {
		t.Fatal(condition, err)
	}
	s, ok := tree.Root().(*ast.Select)
	if !ok {
		t.Fatal("no query")
	}
	return s.Where.Expr
}

func alice() program.Row {
	return program.Row{{0, 0, 0, 0, 0, 0, 0, 7}, []byte("Alice"), {0, 0, 0, 0, 0, 0, 0x04, 0xd2}}
}

// TestBinds runs one expression with the literals of several statements.
func TestBinds(t *testing.T) {
	p := newPeople(value.MariaDB)
	p.singles = []value.Source{value.IntSource(7)}
	x, err := Compile(whereOf(t, "k = 5"), p, p.session)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		bind value.Source
		want program.Truth
		err  error
	}{
		{value.IntSource(7), program.True, nil},
		{value.IntSource(8), program.False, nil},
		{value.NullSource(), program.Unknown, nil},
		{value.DoubleSource(7), program.Unknown, program.ErrShape},
		{value.StringSource([]byte("7"), p.session.Collation), program.Unknown, program.ErrShape},
	} {
		r, err := x.Start(program.Inputs{Env: p.env(), Binds: []value.Source{c.bind}})
		if !errors.Is(err, c.err) {
			t.Errorf("%v: %v", c.bind, err)
		}
		if err != nil {
			continue
		}
		if got, err := r.Truth(alice()); got != c.want || err != nil {
			t.Errorf("%v: %v %v", c.bind, got, err)
		}
	}
}

// TestPinned compiles anew for digits that decide the type.
func TestPinned(t *testing.T) {
	p := newPeople(value.MySQL)
	p.singles = []value.Source{value.IntSource(1), value.IntSource(5)}
	x, err := Compile(whereOf(t, "ROUND(price, 1) = 5"), p, p.session)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x.Start(program.Inputs{Env: p.env(), Binds: []value.Source{value.IntSource(1), value.IntSource(9)}}); err != nil {
		t.Error(err)
	}
	if _, err := x.Start(program.Inputs{Env: p.env(), Binds: []value.Source{value.IntSource(2), value.IntSource(5)}}); !errors.Is(err, program.ErrShape) {
		t.Error(err)
	}
}

// TestWholeGuard: where a server may compare other than doubles, constants that doubles do not
// tell from their neighbours are refused.
func TestWholeGuard(t *testing.T) {
	const limit = 1 << 53
	double, whole := value.DoubleSource(limit), value.IntSource(limit)
	for _, c := range []struct {
		flavor    value.Flavor
		condition string
		bind      value.Source
		refused   bool
	}{
		{value.MariaDB, "number = 1e0", double, true},
		{value.MySQL, "number = 1e0", double, true},
		{value.MySQL, "number > 1e0", value.DoubleSource(1e30), true},
		{value.MySQL, "1e0 <= number", double, true},
		{value.MySQL, "number <=> 1e0", double, true},
		{value.MySQL, "number + number = 1e0", double, true},
		{value.MariaDB, "number = 1e0", value.DoubleSource(limit - 1), false},
		{value.MariaDB, "k = 1e0", double, false},
		{value.MariaDB, "price = 1e0", double, false},
		{value.MariaDB, "number = 1", whole, false},
		{value.MariaDB, "name = 1", whole, false}, // decimals are compared
		{value.MySQL, "name = 1", whole, false},
		{value.MariaDB, "name = 1", value.IntSource(limit - 1), false},
	} {
		p := newPeople(c.flavor)
		p.singles = []value.Source{c.bind}
		x, err := Compile(whereOf(t, c.condition), p, p.session)
		if err != nil {
			t.Fatalf("%s: %v", c.condition, err)
		}
		r, err := x.Start(program.Inputs{Env: p.env(), Binds: p.singles})
		if err == nil {
			row := append(alice(), []byte{0, 0, 0, 0, 0, 0, 0, 9})
			row[1] = []byte("12") // a number, as text
			_, err = r.Truth(row)
		}
		if isRefusal(err) != c.refused || err != nil && !c.refused {
			t.Errorf("%v: %s with %v: %v", c.flavor, c.condition, c.bind, err)
		}
	}
}

// TestItems looks values up in lists of several lengths.
func TestItems(t *testing.T) {
	for _, c := range []struct {
		column, item string
		source       func(i int) value.Source
	}{
		{"k", "1, 2, 3", func(i int) value.Source { return value.IntSource(int64(i)) }},
		{"name", "'a', 'b', 'c'", func(i int) value.Source {
			name := []string{"bob", "carol", "dave", "eve", "frank", "grace", "heidi", "ALICE ", "ivan", "judy"}[i%10]
			return value.StringSource([]byte(name), newPeople(value.MariaDB).session.Collation)
		}},
	} {
		p := newPeople(value.MariaDB)
		p.items = [][]value.Source{{c.source(0)}}
		x, err := Compile(whereOf(t, c.column+" IN ("+c.item+")"), p, p.session)
		if err != nil {
			t.Fatal(err)
		}
		for n := 1; n <= 12; n++ {
			var list []value.Source
			for i := range n {
				list = append(list, c.source(i))
			}
			for _, withNull := range []bool{false, true} {
				if withNull { // whatever the forms of the example
					list = append(list, value.NullSource())
				}
				want := program.False
				switch {
				case n >= 8:
					want = program.True
				case withNull:
					want = program.Unknown
				}
				checkItems(t, p, x, list, want)
			}
		}
	}
}

func checkItems(t *testing.T, p *people, x *program.Expression, list []value.Source, want program.Truth) {
	t.Helper()
	r, err := x.Start(program.Inputs{Env: p.env(), Lists: [][]value.Source{list}})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := r.Truth(alice()); got != want || err != nil {
		t.Errorf("%d items: %v %v, want %v", len(list), got, err, want)
	}
}

// TestConstantsOfIn finds text among constants that are items of their own, as parameters
// are: each of them counts, whichever is first.
func TestConstantsOfIn(t *testing.T) {
	for _, names := range [][]string{{"ali", "bo", "carol"}, {"bo", "ali", "carol"}, {"bo", "carol", "ali"}, {"bo", "carol", "dave"}} {
		p := newPeople(value.MariaDB)
		want := program.False
		for _, name := range names {
			if name == "ali" {
				want = program.True
			}
			for _, part := range [...]string{name, map[string]string{"ali": "ce", "bo": "b"}[name]} {
				p.singles = append(p.singles, value.StringSource([]byte(part), p.session.Collation))
			}
		}
		x, err := Compile(whereOf(t, "name IN (CONCAT('a', 'b'), CONCAT('c', 'd'), CONCAT('e', 'f'))"), p, p.session)
		if err != nil {
			t.Fatal(err)
		}
		r, err := x.Start(program.Inputs{Env: p.env(), Binds: p.singles})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if got, err := r.Truth(alice()); got != want || err != nil {
				t.Errorf("Alice in %v: %v %v, want %v", names, got, err, want)
			}
		}
	}
}

// TestItemsOfBothSigns looks an unsigned value up in lists of signed and unsigned
// integers: which of them stands first changes nothing.
func TestItemsOfBothSigns(t *testing.T) {
	const most = 1<<64 - 1
	p := newPeople(value.MariaDB)
	row := append(alice(), []byte{255, 255, 255, 255, 255, 255, 255, 255})
	for _, list := range [][]value.Source{
		{value.IntSource(0), value.UintSource(most), value.IntSource(5)},
		{value.UintSource(most), value.IntSource(0)},
		{value.IntSource(-1), value.UintSource(most)},
	} {
		p.items = [][]value.Source{list}
		x, err := Compile(whereOf(t, "number IN (1, 2)"), p, p.session)
		if err != nil {
			t.Fatal(err)
		}
		r, err := x.Start(program.Inputs{Env: p.env(), Lists: p.items})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := r.Truth(row); got != program.True || err != nil {
			t.Errorf("%v: %v %v", list, got, err)
		}
	}
	p.items = [][]value.Source{{value.IntSource(-1), value.IntSource(5)}}
	x, err := Compile(whereOf(t, "number IN (1, 2)"), p, p.session)
	if err != nil {
		t.Fatal(err)
	}
	r, err := x.Start(program.Inputs{Env: p.env(), Lists: p.items})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := r.Truth(row); got != program.False || err != nil {
		t.Errorf("-1 is taken for the greatest number: %v %v", got, err)
	}
}

// TestRefusals names what is refused, and no value.
func TestRefusals(t *testing.T) {
	p := newPeople(value.MySQL)
	for text, operation := range map[string]string{
		"RAND() = name":                 "RAND",
		"k = ANY (SELECT 1)":            "ANY",
		"name REGEXP CAST(k AS BINARY)": "REGEXP",
		"LN(price) = k":                 "LN",
	} {
		_, err := Compile(whereOf(t, text), p, p.session)
		if !isRefusal(err) || !strings.Contains(err.Error(), operation) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestNamedTruth: whether a result that has a name, and may be that of a comparison, is true or 1
// in a document depends on MariaDB's plan. It is refused.
func TestNamedTruth(t *testing.T) {
	for _, f := range []value.Flavor{value.MariaDB, value.MySQL} {
		p := newPeople(f)
		for _, text := range []string{"JSON_ARRAY(compared)", "JSON_OBJECT(name, compared)"} {
			if _, err := Compile(whereOf(t, text), p, p.session); (f == value.MariaDB) != isRefusal(err) {
				t.Errorf("%v, %s: %v", f, text, err)
			}
		}
		if _, err := Compile(whereOf(t, "JSON_ARRAY(k)"), p, p.session); err != nil {
			t.Errorf("%v: %v", f, err)
		}
	}
}

func BenchmarkTruth(b *testing.B) {
	for _, text := range []string{
		"k = 7", "k + 1 > 3 AND price < 20.00", "name = 'alice'", "name LIKE 'al%'", "k BETWEEN 1 AND 9", "price * 2 > 24.5", "name IS NULL OR k <> 3",
	} {
		b.Run(text, func(b *testing.B) {
			p := newPeople(value.MariaDB)
			statements, _ := tsql.Parse([]byte("SELECT "+text), 0)
			tree, err := statements[0].Tree()
			if err != nil {
				b.Fatal(err)
			}
			s, _ := tree.Root().(*ast.Select)
			e, _ := s.SelectExprs.Exprs[0].(*ast.AliasedExpr)
			x, err := Compile(e.Expr, p, p.session)
			if err != nil {
				b.Fatal(err)
			}
			r, err := x.Start(program.Inputs{Env: p.env()})
			if err != nil {
				b.Fatal(err)
			}
			row := alice()
			b.ReportAllocs()
			for b.Loop() {
				if _, err := r.Truth(row); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkCompile is what a plan that is not in the cache pays for its expressions.
func BenchmarkCompile(b *testing.B) {
	for _, text := range []string{
		"k = 7", "k + 1 > 3 AND price < 20.00", "name LIKE 'al%'", "ROUND(price, 1) * 2 > 24.5", "CASE WHEN k > 3 THEN UPPER(name) ELSE LPAD(name, 9, ' ') END",
		"DATE_ADD('2026-01-31', INTERVAL k DAY)", "JSON_ARRAY(k, name)", "CAST(name AS CHAR(3)) IN ('a', 'b', 'c')",
	} {
		b.Run(text, func(b *testing.B) {
			p := newPeople(value.MariaDB)
			statements, _ := tsql.Parse([]byte("SELECT "+text), 0)
			tree, err := statements[0].Tree()
			if err != nil {
				b.Fatal(err)
			}
			s, _ := tree.Root().(*ast.Select)
			e, _ := s.SelectExprs.Exprs[0].(*ast.AliasedExpr)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Compile(e.Expr, p, p.session); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
