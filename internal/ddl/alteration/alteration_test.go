package alteration

import (
	"maps"
	"strings"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/ddl/showcreate"
	tsql "tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// parsed is the tree of a statement.
func parsed[T ast.Statement](t *testing.T, text string) T {
	t.Helper()
	all, err := tsql.Parse([]byte(text), 0)
	if err != nil || len(all) != 1 {
		t.Fatal(text, err)
	}
	tree, err := all[0].Tree()
	if err != nil {
		t.Fatal(text, err)
	}
	root, ok := tree.Root().(T)
	if !ok {
		t.Fatalf("%s is a %T", text, tree.Root())
	}
	return root
}

const definitionOf = "CREATE TABLE `t` (\n  `a` int DEFAULT NULL,\n  `b` int DEFAULT NULL,\n  KEY `k` (`a`)\n) ENGINE=InnoDB"

// changed is what becomes of table t by the options of an ALTER TABLE.
func changed(t *testing.T, alter string) (*Change, error) {
	t.Helper()
	table := &catalog.Table{Schema: "s", Name: "t", Definition: definitionOf, Columns: []catalog.Column{{Name: "a"}, {Name: "b"}}}
	_ = table.Check() // for lookups by name
	c, err := NewChange(table, parsed[*ast.CreateTable](t, definitionOf).TableSpec)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range parsed[*ast.AlterTable](t, "ALTER TABLE t "+alter).AlterOptions {
		if err := c.Apply(o); err != nil {
			return nil, err
		}
	}
	c.SettleColumns()
	return c, nil
}

// TestSettleColumns: options name columns as they are when the statement begins, in whatever order they stand.
func TestSettleColumns(t *testing.T) {
	for _, c := range []struct {
		alter   string
		names   map[string]string // the old ones by the new
		crosses bool
	}{
		{"ADD COLUMN c INT", map[string]string{"a": "a", "b": "b"}, false},
		{"RENAME COLUMN a TO x", map[string]string{"x": "a", "b": "b"}, false},
		{"RENAME COLUMN a TO b, RENAME COLUMN b TO a", map[string]string{"b": "a", "a": "b"}, true},
		{"DROP COLUMN a, CHANGE COLUMN b a BIGINT", map[string]string{"a": "b"}, true},
	} {
		got, err := changed(t, c.alter)
		if err != nil || !maps.Equal(got.Names, c.names) || got.Crosses() != c.crosses {
			t.Errorf("%s: %v, %v", c.alter, got, err)
		}
	}
	if _, err := changed(t, "ADD COLUMN c INT, RENAME TO u"); err == nil {
		t.Error("a form that is not known is not refused")
	}
}

// TestStatement: what differs is changed in one statement, and what does not is not in it.
func TestStatement(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"`a` int DEFAULT NULL,\n  KEY `k` (`a`)", "`a` int DEFAULT NULL,\n  KEY `k` (`a`)", ""},
		{"`a` int DEFAULT NULL", "`a` int DEFAULT NULL,\n  `b` blob DEFAULT NULL", "ADD COLUMN `b` blob DEFAULT NULL AFTER `a`"},
		{"`a` int DEFAULT NULL,\n  `b` blob DEFAULT NULL", "`a` int DEFAULT NULL", "DROP COLUMN `b`"},
		{"`a` int DEFAULT NULL,\n  KEY `k` (`a`)", "`a` int DEFAULT NULL", "DROP KEY `k`"},
		{"`a` int DEFAULT NULL", "`a` bigint DEFAULT NULL", "MODIFY COLUMN `a` bigint DEFAULT NULL"},
	} {
		x := &Difference{Schema: "s", Names: map[string]string{"a": "a"}, Keys: map[string]bool{"k": true}, CheckStays: true}
		for text, into := range map[string]**showcreate.Table{c.from: &x.From, c.to: &x.To} {
			read, err := showcreate.Read("CREATE TABLE `t` (\n  " + text + "\n) ENGINE=InnoDB")
			if err != nil {
				t.Fatal(err)
			}
			*into = read
		}
		if c.from == c.to {
			x.From = x.To
		}
		got := x.Statement("t")
		if rest := strings.TrimPrefix(got, "ALTER TABLE `s`.`t` "); rest != c.want {
			t.Errorf("from %s to %s: %s, want %s", c.from, c.to, rest, c.want)
		}
	}
}

// TestMostNeeded: the column whose values take most decides.
func TestMostNeeded(t *testing.T) {
	for _, c := range []struct {
		needs  map[string]Need
		column string
		most   Need
		wants  bool
	}{
		{nil, "", NeedsNothing, false},
		{map[string]Need{"a": NeedsNothing, "b": NeedsToken}, "b", NeedsToken, true},
		{map[string]Need{"a": NeedsValue, "b": NeedsToken}, "a", NeedsValue, true},
		{map[string]Need{"a": NeedsValue, "b": NeedsForms}, "b", NeedsForms, true},
	} {
		column, most := MostNeeded(c.needs)
		if column != c.column || most != c.most || Wanting(c.needs) != c.wants {
			t.Errorf("%v: %s, %d, %t", c.needs, column, most, Wanting(c.needs))
		}
	}
}

// TestPassive: what changes neither definition nor stored form is the server's business.
func TestPassive(t *testing.T) {
	table := &catalog.Table{Definition: definitionOf}
	for alter, want := range map[string]bool{
		"ENGINE=InnoDB": true, "FORCE": true, "AUTO_INCREMENT=7": true, "ENGINE=MyISAM": false, "ADD COLUMN c INT": false, "COMMENT='x'": false,
	} {
		if got := Passive(table, parsed[*ast.AlterTable](t, "ALTER TABLE t "+alter)); got != want {
			t.Errorf("%s: %t", alter, got)
		}
	}
}

// TestWithoutZeroDates: a mode is left with all else that it asks for.
func TestWithoutZeroDates(t *testing.T) {
	if got, want := WithoutZeroDates("STRICT_ALL_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ANSI_QUOTES"), "STRICT_ALL_TABLES,ANSI_QUOTES"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
