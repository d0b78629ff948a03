package sql

import (
	"errors"
	"fmt"
	"go/ast"
	goparser "go/parser"
	gotoken "go/token"
	"reflect"
	"slices"
	"strings"
	"testing"

	"vitess.io/vitess/go/vt/sqlparser"

	"tunic/internal/sql/lex"
	"tunic/internal/sql/sqltest"
)

// TestFill: what is printed with places, filled with the literals of another
// text of the template, is that text.
func TestFill(t *testing.T) {
	for _, c := range []struct{ first, second, want string }{
		{
			"SELECT a FROM t WHERE b = 1 AND c IN (2, 3) LIMIT 4",
			"SELECT a FROM t WHERE b = 10.5 AND c IN (-20 , 30,40) LIMIT 50",
			"select `a` from `t` where `b` = 10.5 and `c` in (-20, 30, 40) limit 50",
		},
		{
			"INSERT INTO t VALUES (1, f('a')), (2, f('b')) ON DUPLICATE KEY UPDATE a = 'x'",
			"INSERT INTO t VALUES (NULL, f('a''')), (-2, f('b' 'c')),(x'00', f(\"\")) ON DUPLICATE KEY UPDATE a = 'it''s'",
			"insert into `t` values (NULL, f('a''')), (-2, f('b' 'c')), (x'00', f(\"\")) on duplicate key update `a` = 'it''s'",
		},
		{
			"INSERT INTO t VALUES (1, a IN (1, 2))",
			"INSERT INTO t VALUES ('x', a IN (1, 2, 3))",
			"insert into `t` values ('x', `a` in (1, 2, 3))",
		},
		{
			"SELECT (a, b) IN ((1, 'x'), (2, 'y')), c IN (1, 2, 1e0), d IN (3, NULL)",
			"SELECT (a, b) IN ((1, 'x'), (2, 'y'), (3, 'z')), c IN (1, 2, 3, 1e0), d IN (3, NULL)",
			"select (`a`, `b`) in ((1, 'x'), (2, 'y'), (3, 'z')), `c` in (1, 2, 3, 1e0), `d` in (3, null) from dual",
		},
		{
			"DELETE IGNORE a FROM s.t AS a WHERE b = 1", "DELETE IGNORE a FROM s.t AS a WHERE b = 22",
			"delete ignore `a` from `s`.`t` as `a` where `b` = 22",
		},
		{
			"DELETE FROM t WHERE a = DATE '2026-01-01' OR b = _utf8mb4'x' OR c = N'n' RETURNING 5",
			"DELETE FROM t WHERE a = DATE '2027-01-01' OR b = _utf8mb4'y' 'z' OR c = N'n' 'm' RETURNING 6",
			"delete from `t` where `a` = date '2027-01-01' or `b` = _utf8mb4 'y' 'z' or `c` = N'n' 'm' returning 6",
		},
	} {
		stored, _, err := storedStatement(c.first, sqltest.ModelModes)
		if err != nil {
			t.Fatalf("%s: %v", c.first, err)
		}
		var f Fingerprinter
		first := string(f.Fingerprint([]byte(c.first), sqltest.ModelModes).Template)
		f.Record(true)
		if second := string(f.Fingerprint([]byte(c.second), sqltest.ModelModes).Template); first != second {
			t.Fatalf("%s\n%s", first, second)
		}
		got, err := stored.fillLiterals(nil, []byte(c.second), f.Literals(), nil)
		if err != nil || string(got) != c.want {
			t.Errorf("%s, %v\nwant %s", got, err, c.want)
		}
	}
}

// fillLiterals is Fill for the text that l was recorded of: places get the
// literals that the client wrote there, byte for byte; fill is asked for the
// rest and may be nil if there is none.
func (p *Printed) fillLiterals(dst, text []byte, l *Literals,
	fill func(dst []byte, h Hole, element int) ([]byte, error),
) ([]byte, error) {
	return p.Fill(dst, l.Elements, func(dst []byte, h Hole, element int) ([]byte, error) {
		if h.Kind != HolePlace {
			return fill(dst, h, element)
		}
		if h.Place.Group < 0 {
			element = 0
		}
		at := l.At(h.Place, element)
		return append(dst, text[at.From:at.To]...), nil
	})
}

// TestFillSlots: a place may become several slots, each filled once for each
// element of its group.
func TestFillSlots(t *testing.T) {
	tree, l, err := parseWithPlaces([]byte("INSERT INTO t (a, b) VALUES (1, 'x'), (2, 'y')"), sqltest.ModelModes)
	if err != nil {
		t.Fatal(err)
	}
	insert := sqlparser.Clone(tree.Root().(*sqlparser.Insert))
	rows := insert.Rows.(sqlparser.Values)
	b := rows[0][1].(*sqlparser.Argument)
	rows[0] = sqlparser.ValTuple{rows[0][0], Slot(0, b), Slot(1, b)}
	insert.Columns = append(insert.Columns, sqlparser.NewIdentifierCI("b$eq"))
	printed, err := NewTree(insert, nil).Print(sqltest.ModelModes)
	if err != nil {
		t.Fatal(err)
	}
	got, err := printed.Fill(nil, l.Elements, func(dst []byte, h Hole, element int) ([]byte, error) {
		return fmt.Appendf(dst, "<%d %d %d>", h.Kind, h.Number, element), nil
	})
	want := "insert into `t`(`a`, `b`, `b$eq`) values (<1 0 0>, <3 0 0>, <3 1 0>), (<1 0 1>, <3 0 1>, <3 1 1>)"
	if err != nil || string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
}

var errStop = errors.New("stop")

// TestFillEnds: the error of fill is Fill's, wherever the hole is.
func TestFillEnds(t *testing.T) {
	stored, l, err := storedStatement("INSERT INTO t VALUES (1), (2) ON DUPLICATE KEY UPDATE a = 5", sqltest.ModelModes)
	if err != nil {
		t.Fatal(err)
	}
	for n := range 3 {
		left := n
		if _, err := stored.Fill(nil, l.Elements, func(dst []byte, _ Hole, _ int) ([]byte, error) {
			if left == 0 {
				return dst, errStop
			}
			left--
			return dst, nil
		}); !errors.Is(err, errStop) {
			t.Errorf("hole %d: %v", n, err)
		}
	}
}

// TestPrintRefuses: what cannot be printed as it was read.
// TestFillAround: what stands around elements is written for those of the first group, whatever comes behind them.
func TestFillAround(t *testing.T) {
	p := &Printed{
		pieces: []piece{
			{"INSERT INTO t VALUES ", Hole{}}, {"(", Hole{Kind: HolePlace}}, {", ", Hole{Kind: HoleSlot}}, {")", Hole{}},
			{" ON DUPLICATE KEY UPDATE a = ", Hole{Kind: HoleParam}}, {" AND b IN (", Hole{}}, {"", Hole{Kind: HolePlace}}, {")", Hole{}},
		},
		runs: []run{{0, 1, 4}, {1, 6, 7}},
	}
	if n := p.ElementHoles(); n != 2 {
		t.Errorf("an element has %d holes", n)
	}
	got, err := p.FillAround(nil, func(int) int { return 2 }, func(dst []byte, h Hole, element int) ([]byte, error) {
		return fmt.Appendf(dst, "%d.%d", h.Kind, element), nil
	}, &Around{
		Before: func(dst []byte, element int) []byte { return fmt.Appendf(dst, "<%d>", element) },
		After:  func(dst []byte) []byte { return append(dst, "<end>"...) },
	})
	if want := "INSERT INTO t VALUES <0>(1.0, 3.0), <1>(1.1, 3.1)<end> ON DUPLICATE KEY UPDATE a = 2.0 AND b IN (1.0, 1.1)"; string(got) != want || err != nil {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
}

func TestPrintRefuses(t *testing.T) {
	row := func(e ...sqlparser.Expr) sqlparser.Values { return sqlparser.Values{sqlparser.ValTuple(e)} }
	insert := func(rows sqlparser.Values, dup sqlparser.OnDup) *sqlparser.Insert {
		table := sqlparser.NewAliasedTableExpr(sqlparser.NewTableName("t"), "")
		return &sqlparser.Insert{Table: table, Rows: rows, OnDup: dup}
	}
	set := func(e sqlparser.Expr) sqlparser.OnDup {
		return sqlparser.OnDup{&sqlparser.UpdateExpr{Name: sqlparser.NewColName("a"), Expr: e}}
	}
	for name, c := range map[string]struct {
		root sqlparser.Statement
		want error
	}{
		"a foreign bind variable": {insert(row(sqlparser.NewArgument("x")), nil), ErrPrintHole},
		"a group outside its rows": {
			insert(row(sqlparser.NewArgument("r0_0")), set(sqlparser.NewArgument("r0_1"))), ErrPrintHole,
		},
		"two groups in a row":   {insert(row(sqlparser.NewArgument("r0_0"), sqlparser.NewArgument("r1_0")), nil), ErrPrintHole},
		"a group of items":      {insert(row(sqlparser.NewArgument("g0_0")), nil), ErrPrintHole},
		"a node of the library": {&sqlparser.Stream{Comments: nil, SelectExpr: &sqlparser.StarExpr{}, Table: sqlparser.NewTableName("t")}, ErrPrintNode},
		"an operator of no use": {
			insert(row(&sqlparser.BinaryExpr{Operator: 99, Left: sqlparser.NewIntLiteral("1"), Right: sqlparser.NewIntLiteral("1")}), nil), ErrPrintReading,
		},
		"a literal that is none": {insert(row(sqlparser.NewIntLiteral("1); DROP TABLE t; --")), nil), ErrPrintReading},
	} {
		if p, err := NewTree(c.root, nil).Print(sqltest.ModelModes); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, %v", name, p, err)
		}
	}
}

// TestAppendString: a string reads as its value in every mode, quotes,
// backslashes and characters of two bytes included.
func TestAppendString(t *testing.T) {
	for _, m := range sqltest.FuzzModes {
		for _, value := range []string{"", "a", "it's", `\`, `\'`, `a\%`, "\x00\n\r\x1a\"", "\x95\\", "\x81\\'", "\x81", "\x95'", "é", "\\\\", `%_`} {
			if m == lex.UnsafeCharset && !lex.ASCII([]byte(value)) {
				continue
			}
			literal := AppendString(nil, []byte(value), m)
			text := append([]byte("SELECT "), literal...)
			var f Fingerprinter
			f.Record(true)
			fp := f.Fingerprint(text, m)
			if !fp.Clean || f.Literals().Singles() != 1 {
				t.Errorf("%#x %q: %q is clean %t", uint32(m), value, text, fp.Clean)
				continue
			}
			if got, kind := f.Literals().At(Place{Group: -1}, 0).AppendValue(nil, text, m); string(got) != value || kind != LiteralString {
				t.Errorf("%#x %q: %q is %v %q", uint32(m), value, literal, kind, got)
			}
		}
	}
}

// TestModesOfPrinting: what is printed in one mode is of that mode.
func TestModesOfPrinting(t *testing.T) {
	text := `SELECT "it's", a AS 'x' FROM t GROUP BY GROUP_CONCAT(b SEPARATOR '\'\\')`
	all, err := Parse([]byte(text), sqltest.ModelModes)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := all[0].Tree()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range sqltest.FuzzModes {
		p, err := tree.Print(m)
		if err != nil {
			continue // the library's own strings are of one mode
		}
		again, err := Parse([]byte(p.String()), m)
		if err != nil || len(again) != 1 {
			t.Fatalf("%s: %v", p, err)
		}
		other, err := again[0].Tree()
		if err != nil || !sqlparser.Equals.SQLNode(tree.root, other.root) {
			t.Errorf("%#x: %s, %v", uint32(m), p, err)
		}
	}
}

// TestEveryPrintableNode: each type in the list of what is printed occurs in
// testdata, is printed and read again.
func TestEveryPrintableNode(t *testing.T) {
	seen := map[string]bool{}
	for _, path := range statementFiles(t) {
		for _, line := range statementsOf(t, path) {
			for _, m := range []Modes{sqltest.ModelModes, Modes(0).WithServer("8.0.36")} {
				all, err := Parse([]byte(line), m)
				if err != nil || len(all) != 1 {
					continue
				}
				tree, err := all[0].Tree()
				if err != nil {
					continue
				}
				if _, err := tree.Print(m); err == nil {
					noteTypes(seen, tree)
				}
			}
		}
	}
	file, err := goparser.ParseFile(gotoken.NewFileSet(), "print_nodes.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	listed := 0
	ast.Inspect(file, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		if !ok || s.Sel.Name == "SQLNode" {
			return true
		}
		listed++
		if !seen[s.Sel.Name] {
			t.Errorf("%s is never printed", s.Sel.Name)
		}
		return true
	})
	if listed < 100 {
		t.Errorf("only %d types are listed", listed)
	}
}

func noteTypes(seen map[string]bool, tree *Tree) {
	buf := sqlparser.NewTrackedBuffer(func(buf *sqlparser.TrackedBuffer, node sqlparser.SQLNode) {
		seen[strings.TrimPrefix(reflect.TypeOf(node).String(), "*")[len("sqlparser."):]] = true
		node.Format(buf)
	})
	for _, n := range tree.nodes() {
		buf.Myprintf("%v", n)
	}
}

// FuzzPrint: what is printed of any statement reads as it, and prints the same
// again; its holes are the places and parameters.
func FuzzPrint(f *testing.F) {
	sqltest.Seed(f, "testdata/golden")
	for _, path := range statementFiles(f) {
		for _, line := range statementsOf(f, path) {
			f.Add([]byte(line), uint32(sqltest.ModelModes))
			f.Add([]byte(line), uint32(ANSIQuotes|NoBackslashEscapes))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, modes uint32) {
		m := Modes(modes)
		stored, l, err := storedStatement(string(text), m)
		if err != nil {
			return
		}
		if slices.ContainsFunc(stored.Holes(), func(h Hole) bool { return h.Kind == HoleParam }) {
			return
		}
		filled, err := stored.fillLiterals(nil, text, l, nil)
		if err != nil {
			t.Fatal(err)
		}
		if before, after := treeOf(text, m), treeOf(filled, m); before == nil || after == nil ||
			!sqlparser.Equals.SQLNode(before.root, after.root) {
			t.Errorf("%q\n%s\n%s", text, stored, filled)
		}
	})
}

// treeOf is the tree of the text's first statement.
func treeOf(text []byte, m Modes) *Tree {
	all, err := Parse(text, m)
	if err != nil || len(all) == 0 {
		return nil
	}
	tree, err := all[0].Tree()
	if err != nil {
		return nil
	}
	return tree
}
