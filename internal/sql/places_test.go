package sql

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"tunic/internal/sql/sqltest"

	"vitess.io/vitess/go/vt/sqlparser"
)

// parseWithPlaces is what a session does with a text that it sees first.
func parseWithPlaces(text []byte, m Modes) (*Tree, *Literals, error) {
	var f Fingerprinter
	f.Record(true)
	if fp := f.Fingerprint(text, m); !fp.Clean {
		return nil, nil, ErrUnclean
	}
	all, err := Parse(text, m)
	if err != nil || len(all) == 0 {
		return nil, nil, errors.Join(err, ErrNoTree)
	}
	tree, err := all[0].TreeWithPlaces(f.Literals())
	return tree, f.Literals(), err
}

// goldenPlaces prints the tree with places of each line, and what stands there.
func goldenPlaces(text []byte, m Modes) string {
	var b strings.Builder
	for line := range strings.SplitSeq(string(text), "\n") {
		tree, l, err := parseWithPlaces([]byte(line), m)
		if err != nil {
			fmt.Fprintf(&b, "%v\n", err)
			continue
		}
		fmt.Fprintf(&b, "%s\n ", sqlparser.String(tree.root))
		for i := range l.Singles() {
			writePlace(&b, tree, l, []byte(line), Place{Group: -1, Cell: i}, m)
		}
		for g := range l.Groups() {
			for c := range l.Cells(g) {
				writePlace(&b, tree, l, []byte(line), Place{Group: g, Cell: c}, m)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

var markNames = [...]string{"any", "exact", "float", "hex", "string", "national"}

func writePlace(b *strings.Builder, t *Tree, l *Literals, text []byte, p Place, m Modes) {
	elements := 1
	if p.Group >= 0 {
		elements = l.Elements(p.Group)
	}
	fmt.Fprintf(b, " %s=%s[", argumentName(l, p), markNames[t.Mark(p)])
	for e := range elements {
		value, kind := l.At(p, e).AppendValue(nil, text, m)
		if e > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(b, "%v:%q", kind, value)
	}
	b.WriteByte(']')
}

func argumentName(l *Literals, p Place) string {
	h := hole{what: 'p', n: p.Cell, group: p.Group}
	h.rows = p.Group >= 0 && l.Rows(p.Group)
	return h.name()
}

// TestOneTreePerTemplate: texts with one template have one tree with places.
func TestOneTreePerTemplate(t *testing.T) {
	for _, pair := range [][2]string{
		{"SELECT a FROM t WHERE b = 1 AND c IN (1, 2) LIMIT 3", "SELECT a /* x */ FROM t WHERE b = 99.5 AND c IN (-1, 2, +3.5)\nLIMIT 4"},
		{"INSERT INTO t VALUES (1, 'a', NOW(6))", "INSERT INTO t VALUES (-1.5e3, NULL, NOW(6))"},
		{"INSERT INTO t VALUES (1, 'a', f('b', 2)), (3, 'c', f('d', 4))", "INSERT INTO t VALUES (1, x'00', f('b', 2)), (3, true, f('x', 4)) , (-7, 'c' 'd', f('d', 4))"},
		{"INSERT INTO t VALUES (1), (2) ON DUPLICATE KEY UPDATE a = VALUES(a) + 3", "INSERT INTO t VALUES (1),(2),(4),('x') ON DUPLICATE KEY UPDATE a = VALUES(a) + 3.0"},
		{"SELECT DATE '2026-01-01' + INTERVAL '1' DAY", "SELECT DATE '2027-01-01' + INTERVAL '2' DAY"},
	} {
		var trees [2]*Tree
		var templates [2]string
		for i, text := range pair {
			var f Fingerprinter
			templates[i] = string(f.Fingerprint([]byte(text), sqltest.ModelModes).Template)
			var err error
			if trees[i], _, err = parseWithPlaces([]byte(text), sqltest.ModelModes); err != nil {
				t.Fatalf("%q: %v", text, err)
			}
		}
		if templates[0] != templates[1] {
			t.Errorf("%q\n%q", templates[0], templates[1])
		}
		if !sqlparser.Equals.SQLNode(trees[0].root, trees[1].root) {
			t.Errorf("%s\n%s", sqlparser.String(trees[0].root), sqlparser.String(trees[1].root))
		}
	}
}

// TestPlacesOfManyRows: a megabyte of rows is parsed as one.
func TestPlacesOfManyRows(t *testing.T) {
	text := []byte("INSERT INTO t (a, b) VALUES " + strings.Repeat("(17, 'abc'), ", 80_000) + "(18, 'def')")
	tree, l, err := parseWithPlaces(text, sqltest.ModelModes)
	if err != nil {
		t.Fatal(err)
	}
	if s := sqlparser.String(tree.root); s != "insert into t(a, b) values (:r0_0, :r0_1)" || l.Elements(0) != 80_001 {
		t.Errorf("%d elements, %s", l.Elements(0), s)
	}
}

// TestPlacesOfManyStatements: each statement of a text has its own places.
func TestPlacesOfManyStatements(t *testing.T) {
	text := []byte("SELECT 1, 2 FROM t WHERE a IN (3, 4); SELECT 5; DELETE FROM t WHERE b IN (6, 7) AND c = 8 AND d IN ((9, 10), (11, 12))")
	var f Fingerprinter
	f.Record(true)
	f.Fingerprint(text, sqltest.ModelModes)
	all, err := Parse(text, sqltest.ModelModes)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"select :p0, :p1 from t where a in (:g0_0)",
		"select :p2 from dual",
		"delete from t where b in (:g1_0) and c = :p3 and d in ((:g2_0, :g2_1))",
	}
	for i := range all {
		tree, err := all[i].TreeWithPlaces(f.Literals())
		if err != nil {
			t.Fatal(err)
		}
		if got := sqlparser.String(tree.root); got != want[i] {
			t.Errorf("%s, want %s", got, want[i])
		}
	}
}

// TestArgumentNames: only names that were given out are read.
func TestArgumentNames(t *testing.T) {
	for name, want := range map[string]string{
		"p0": "place {-1 0}", "p12": "place {-1 12}", "g3_4": "place {3 4}", "r0_1": "place {0 1}", "v1": "param 0", "v9": "param 8",
		"s0": "slot 0 of -1", "s12g3": "slot 12 of 3", "s12r0": "slot 12 of 0",
		"p": "", "p01": "", "p-1": "", "p1.x": "", "p+1": "", "g1": "", "g1_": "", "g_1": "", "g1_2_3": "", "g-1_2": "", "v0": "", "v": "",
		"s": "", "s1x0": "", "sr0": "", "s1r": "", "s1r0g0": "", "s1r-1": "", "x1": "", "": "", "p99999999999999999999": "",
	} {
		a := sqlparser.NewArgument(name)
		got := ""
		if p, ok := PlaceOf(a); ok {
			got += fmt.Sprintf("place %v", p)
		}
		if n, ok := ParamOf(a); ok {
			got += fmt.Sprintf("param %d", n)
		}
		if n, ok := SlotOf(a); ok {
			h, _ := readHole(name)
			got += fmt.Sprintf("slot %d of %d", n, h.group)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

// TestSlots: a slot is in the group that its model is in.
func TestSlots(t *testing.T) {
	for of, want := range map[string]string{"p1": "s7", "v1": "s7", "g2_1": "s7g2", "r0_0": "s7r0", "s1r4": "s7r4"} {
		if got := Slot(7, sqlparser.NewArgument(of)).Name; got != want {
			t.Errorf("of %s: %s, want %s", of, got, want)
		}
	}
	if got := Slot(7, nil).Name; got != "s7" {
		t.Errorf("of nothing: %s", got)
	}
}

// FuzzPlaces: whatever the text, a tree with places has each place and
// parameter of the statement's own once, and the tree without places is the same but for them.
func FuzzPlaces(f *testing.F) {
	sqltest.Seed(f, "testdata/golden")
	f.Fuzz(func(t *testing.T, text []byte, modes uint32) {
		m := Modes(modes)
		var fp Fingerprinter
		fp.Record(true)
		if !fp.Fingerprint(text, m).Clean || !fp.Literals().Regular() {
			return
		}
		all, err := Parse(text, m)
		if err != nil {
			return
		}
		for i := range all {
			checkPlaces(t, &all[i], fp.Literals(), text)
			if all[i].Effects.ChangesModes() {
				return
			}
		}
	})
}

func checkPlaces(t *testing.T, s *Statement, l *Literals, text []byte) {
	t.Helper()
	tree, err := s.TreeWithPlaces(l)
	if err != nil {
		return
	}
	places := map[string]bool{}
	_ = sqlparser.Walk(func(n sqlparser.SQLNode) (bool, error) {
		if a, ok := n.(*sqlparser.Argument); ok {
			if n, ok := ParamOf(a); ok && n >= FirstVariable {
				return true, nil // a user variable, which may be read more than once
			}
			if places[a.Name] {
				t.Errorf("%q: %s twice", text, a.Name)
			}
			places[a.Name] = true
		}
		return true, nil
	}, tree.root)
	if want := len(tree.marks) + tree.params; len(places) != want {
		t.Errorf("%q: %d places in %s, want %d", text, len(places), sqlparser.String(tree.root), want)
	}
}
