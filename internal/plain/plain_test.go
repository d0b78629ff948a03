package plain

import (
	"fmt"
	"strings"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/policy"
	"tunic/internal/resolve"
	"tunic/internal/value"
)

// TestKnown: a table that was found is known for one version of the catalog and one policy, and so many of them.
func TestKnown(t *testing.T) {
	var known Known
	one, other := new(policy.Policy), new(policy.Policy)
	n := resolve.Name{Schema: "shop", Table: "a"}
	if known.Has(n, 1, one) {
		t.Error("a table is known that nobody has found")
	}
	known.Add(n, 1, one)
	if !known.Has(n, 1, one) || known.Has(n, 2, one) || known.Has(n, 1, other) || known.Has(resolve.Name{Schema: "shop", Table: "b"}, 1, one) {
		t.Error("a table that was found is not known, or at another time, or another one is")
	}
	for i := range existingMax {
		known.known.Load().tables[resolve.Name{Table: fmt.Sprint(i)}] = struct{}{}
	}
	last := resolve.Name{Schema: "shop", Table: "last"}
	known.Add(last, 1, one)
	if tables := known.known.Load().tables; !known.Has(last, 1, one) || len(tables) != 1 {
		t.Errorf("%d tables are known", len(tables))
	}
	if known.Forget(); known.Has(last, 1, one) {
		t.Error("a table is known that was forgotten")
	}
}

// row is one of SHOW FULL COLUMNS.
func row(name, typ, collation, null, key, extra string) []*string {
	return []*string{&name, &typ, &collation, &null, &key, nil, &extra, new(string), new(string)}
}

// TestColumns: what the server says of a plain table is read, or nothing of it is.
func TestColumns(t *testing.T) {
	types := catalog.TypesOf(value.MySQL)
	columns, key, ok := Columns([][]*string{
		row("id", "int", "", "NO", "PRI", "auto_increment"),
		row("name", "varchar(20)", "utf8mb4_bin", "YES", "", "DEFAULT_GENERATED on update CURRENT_TIMESTAMP"),
		row("twice", "int", "", "YES", "", "VIRTUAL GENERATED INVISIBLE"),
	}, types)
	if !ok || len(columns) != 3 || strings.Join(key, " ") != "id" {
		t.Fatalf("%d columns, the key %q, %t", len(columns), key, ok)
	}
	if c := columns[0]; !c.AutoIncrement || c.Generated || c.Invisible {
		t.Errorf("%+v", c)
	}
	if c := columns[1]; c.Generated || !c.OnUpdateNow {
		t.Errorf("%+v", c)
	}
	if c := columns[2]; !c.Generated || !c.Invisible {
		t.Errorf("%+v", c)
	}
	for what, bad := range map[string][]*string{
		"short": row("id", "int", "", "NO", "", "")[:5], "no name": append([]*string{nil}, row("id", "int", "", "NO", "", "")[1:]...),
		"a name outside ASCII": row("é", "int", "", "NO", "", ""), "an unknown type": row("id", "nosuch", "", "NO", "", ""),
	} {
		if _, _, ok := Columns([][]*string{bad}, types); ok {
			t.Errorf("%s: it is read", what)
		}
	}
}

// TestQuestion: no word is in the question as it is.
func TestQuestion(t *testing.T) {
	got := question("Shop", []string{"a", "x') OR ('1"})
	for _, want := range []string{"_utf8mb4 x'61'", "_utf8mb4 x'782729204f52202827", "_utf8mb4 x'73686f70'"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s has no %s", got, want)
		}
	}
	if strings.Contains(got, "OR (") {
		t.Errorf("a word is in %s", got)
	}
}

// TestHasProtected: rules have no case, so that the names of protected tables have none for them.
func TestHasProtected(t *testing.T) {
	c := catalog.New(false).Next(1, nil, []*catalog.Table{{Schema: "shop", Name: "Patient"}})
	if !HasProtected(c, "SHOP", "patient") || HasProtected(c, "shop", "patients") || HasProtected(c, "other", "Patient") {
		t.Error("a protected table is not found, or another one is")
	}
}
