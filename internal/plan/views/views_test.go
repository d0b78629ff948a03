package views

import (
	"errors"
	"strings"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/resolve"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
)

// house is a catalog with a table and views over it.
func house(t *testing.T) *catalog.Catalog {
	t.Helper()
	column := func(name string) catalog.Column { return catalog.Column{Name: name} }
	table := &catalog.Table{ID: catalog.ID{1}, Schema: "test", Name: "person", Twin: "t_1", Columns: []catalog.Column{column("id"), column("name")}}
	view := func(id byte, name, query, twin string) *catalog.Table {
		return &catalog.Table{
			ID: catalog.ID{id}, Schema: "test", Name: name, Revision: 1, Twin: "v_" + name, Columns: []catalog.Column{column("id"), column("who")},
			View: &catalog.View{Query: query, Updatable: true, Over: []catalog.ViewOver{{Schema: "test", Name: "person", Twin: twin}}},
		}
	}
	return catalog.New(false).Next(1, nil, []*catalog.Table{
		table,
		view(2, "v", "select `id`, `name` as `who` from `test`.`person` where `id` > 3", "t_1"),
		view(3, "some", "select `id`, `name` as `who` from `test`.`person` limit 5", "t_1"),
		view(4, "old", "select `id`, `name` as `who` from `test`.`person`", "t_0"),
	})
}

// expanded is a statement with the queries of views in it.
func expanded(t *testing.T, c *catalog.Catalog, text string) (x Expander, out string, err error) {
	t.Helper()
	all, err := sql.Parse([]byte(text), 0)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := all[0].Tree()
	if err != nil {
		t.Fatal(err)
	}
	x = Expander{Catalog: c, Schema: "test"}
	root, err := x.Expand(tree.Root())
	if err != nil {
		return x, "", err
	}
	printed, err := tree.WithRoot(root).Print(0)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return x, printed.String(), nil
}

// TestExpand: a view is merged where that comes to the same, and is a derived table elsewhere.
func TestExpand(t *testing.T) {
	c := house(t)
	for text, want := range map[string]string{
		"SELECT id FROM person":                    "select id from person",
		"SELECT who FROM v WHERE id = 7":           "select person.`name` from test.person where id > 3 and person.id = 7",
		"SELECT who FROM some":                     "select who from (select id, `name` as who from test.person limit 5) as some(id, who)",
		"UPDATE v SET who = 'x' WHERE id = 7":      "update test.person set person.`name` = 'x' where id > 3 and person.id = 7",
		"INSERT INTO person SELECT id, who FROM v": "insert into person select person.id, person.`name` from test.person where id > 3",
	} {
		x, got, err := expanded(t, c, text)
		plain := strings.NewReplacer("`", "").Replace
		if err != nil || plain(got) != plain(want) {
			t.Errorf("%s: %v\n\t%s\n\t%s", text, err, got, want)
		}
		if named := strings.Contains(text, "person"); len(x.Named) > 0 == named && text != "INSERT INTO person SELECT id, who FROM v" {
			t.Errorf("%s names %d views", text, len(x.Named))
		}
		if writes := strings.HasPrefix(text, "UPDATE"); (x.Written != nil) != writes {
			t.Errorf("%s writes to a view: %t", text, !writes)
		}
	}
}

// TestOutdated: a view whose table has changed is told of, not expanded.
func TestOutdated(t *testing.T) {
	c := house(t)
	for _, text := range []string{"SELECT who FROM old", "UPDATE old SET who = 'x'", "INSERT INTO person SELECT * FROM old"} {
		if x, _, err := expanded(t, c, text); err != nil || !x.Outdated || len(x.Named) != 1 {
			t.Errorf("%s: %v, outdated %t, %d views", text, err, x.Outdated, len(x.Named))
		}
	}
	if x, _, err := expanded(t, c, "SELECT who FROM v"); err != nil || x.Outdated {
		t.Errorf("%v, outdated %t", err, x.Outdated)
	}
}

// TestRefusedViews: what cannot be followed is refused.
func TestRefusedViews(t *testing.T) {
	c := house(t)
	if _, _, err := expanded(t, c, "WITH v AS (SELECT 1) SELECT * FROM v"); !errors.As(err, new(*resolve.Beyond)) {
		t.Errorf("a common table expression with the name of a view: %v", err)
	}
	if _, _, err := expanded(t, c, "DELETE v FROM v JOIN person"); !errors.Is(err, sqlerr.ViewWritten()) {
		t.Errorf("a view among several tables that are written: %v", err)
	}
}

// TestAsked: what a server is asked, to find out who may write to a view, writes nothing, and reads
// what the statement reads.
func TestAsked(t *testing.T) {
	c := house(t)
	v := c.View("test", "v")
	all, err := sql.Parse([]byte("UPDATE v SET who = 'x' WHERE id = 7"), 0)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := all[0].Tree()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := WritesNone(v, tree.Root()), "UPDATE `test`.`v` SET `who` = NULL WHERE FALSE"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	printed, err := sql.NewTree(Guard(v, ReadsOf(tree.Root())), nil).Print(0)
	if want := "select 1 from test.v where id is null"; err != nil || strings.ReplaceAll(printed.String(), "`", "") != want {
		t.Errorf("%v: got %s, want %s", err, printed, want)
	}
}

// TestReader: of a view's query the catalog keeps the names of its columns, with those of a *, what it
// reads, and its text with all names written out.
func TestReader(t *testing.T) {
	c := house(t)
	town := catalog.NewPlain("test", "town", []catalog.Column{{Name: "zip"}, {Name: "name"}})
	for text, want := range map[string]struct{ names, reads, kept string }{
		"SELECT * FROM person": {
			"id name", "person(id name)", "select person.id, person.name from test.person",
		},
		"SELECT p.id, t.*, 1 + 1 FROM v AS p JOIN town AS t ON p.who = t.name": {
			"id zip name 1 + 1", "v(id who) town(zip name)", "select p.id, t.zip, t.name, 1 + 1 from test.v as p join test.town as t on p.who = t.name",
		},
		"WITH c AS (SELECT id FROM person) SELECT id FROM c": {
			"id", "person(id)", "with c as (select id from test.person) select id from c",
		},
	} {
		all, err := sql.Parse([]byte(text), 0)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := all[0].Tree()
		if err != nil {
			t.Fatal(err)
		}
		q, ok := tree.Root().(ast.TableStatement)
		if !ok {
			t.Fatalf("%s is no query", text)
		}
		r := Reader{Catalog: c, Schema: "test", Plain: []*catalog.Table{town}}
		of, err := r.Read(tree, q, []byte(text))
		var reads []string
		for _, read := range of.Reads {
			reads = append(reads, read.Name+"("+strings.Join(read.Columns, " ")+")")
			if plain := read.Name == "town"; (read.Table == nil) != plain {
				t.Errorf("%s: %s is plain: %t", text, read.Name, !plain)
			}
		}
		if names := strings.Join(of.Names, " "); err != nil || names != want.names || strings.Join(reads, " ") != want.reads {
			t.Errorf("%s: %v\n\t%s\n\t%s", text, err, names, reads)
		}
		if kept := strings.ReplaceAll(of.Text, "`", ""); kept != want.kept {
			t.Errorf("%s\n\tis kept as %s", text, kept)
		}
	}
}
