package transaction

import (
	"fmt"
	"strings"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/ddl"
	"tunic/internal/plan"
	"tunic/internal/policy"
	"tunic/internal/recipe"
	"tunic/internal/resolve"
	"tunic/internal/sql"
)

// TestSinceOf: a transaction goes by what there was when its snapshot may have been made, and by all that there is until
// then.
func TestSinceOf(t *testing.T) {
	before := catalog.New(false)
	now := before.Next(1, nil, []*catalog.Table{{ID: catalog.ID{1}, Schema: "shop", Name: "a", Unchecked: true, Columns: []catalog.Column{{Name: "v", Protection: policy.Protection{Protected: true}}}}})
	var fp sql.Fingerprinter
	planner := plan.New(plan.Options{Catalog: func() *catalog.Catalog { return before }})
	for _, c := range []struct {
		text string
		late bool
	}{
		{"BEGIN", false},
		{"START TRANSACTION WITH CONSISTENT SNAPSHOT", true},
		{"SELECT 1", false},
		{"SELECT id FROM t", true},
		{"SAVEPOINT s", false},
		{"CALL p()", true},
	} {
		var s Since
		if s.Open() || s.Late(now) || s.Of(now) != now {
			t.Fatal("a transaction that is none goes by less than there is")
		}
		s.Begins(before, false)
		if !s.Unsent() || s.Of(now) != now {
			t.Fatalf("%s: it goes by less than there is before the server was told anything", c.text)
		}
		s.Sees(planner.Plan(&fp, []byte(c.text), 0, "shop"))
		s.Sends(before)
		s.GoesOn()
		s.Sees(planner.Plan(&fp, []byte("SELECT id FROM t"), 0, "shop"))
		if c.late != s.Late(now) {
			t.Errorf("%s: late %t, want %t", c.text, s.Late(now), c.late)
		}
		if s.Late(before) || s.Of(before) != before {
			t.Errorf("%s: it does not go by the catalog of its beginning", c.text)
		}
		if seen := s.Of(now); s.Of(now) != seen {
			t.Errorf("%s: a catalog is made for each statement", c.text)
		}
		if s.Ends(); s.Open() || s.Of(now) != now {
			t.Errorf("%s: it goes by less than there is behind its end", c.text)
		}
	}
}

// TestSendsAgain: a statement that is planned again sees what there is then if nothing of it was seen.
func TestSendsAgain(t *testing.T) {
	began := catalog.New(false)
	for name, c := range map[string]struct {
		alone  bool
		sees   func(*Since)
		unsent bool
	}{
		"alone":        {true, (*Since).SeesRows, true},
		"nothing seen": {false, (*Since).SeesNothing, true},
		"rows seen":    {false, (*Since).SeesRows, false},
		"a query":      {false, func(s *Since) { s.Sees(&plan.Plan{Action: &plan.Execute{Run: &recipe.Run{Kind: sql.Select}}}) }, true},
		"rows, then a query": {false, func(s *Since) {
			s.SeesRows()
			s.Sees(&plan.Plan{Action: &plan.Execute{Run: &recipe.Run{Kind: sql.Select}}})
		}, false},
		"a statement for rows": {false, func(s *Since) { s.Sees(&plan.Plan{Action: &plan.Execute{Run: &recipe.Run{Kind: sql.Update}}}) }, true},
	} {
		var s Since
		s.Begins(began, c.alone)
		c.sees(&s)
		s.Sends(began)
		if s.SendsAgain(false); s.Unsent() != c.unsent {
			t.Errorf("%s: unsent %t, want %t", name, s.Unsent(), c.unsent)
		}
	}
}

// TestTemporaries: a session's own tables hide those of all, are dropped by their definitions, and forgotten together.
func TestTemporaries(t *testing.T) {
	table := func(id byte) *catalog.Table { return &catalog.Table{ID: catalog.ID{id}, Schema: "shop", Name: "a"} }
	base := catalog.New(false).Next(1, nil, []*catalog.Table{table(1)})
	var own Temporaries
	if own.Any() || own.Over(base) != base {
		t.Fatal("there are tables before any was made")
	}
	first := table(2)
	own.Change(ddl.Result{Temporary: first})
	seen := own.Over(base)
	switch {
	case !own.Any(), !own.Has(first):
		t.Error("a table that was made is not there")
	case seen.Table("shop", "a") != first:
		t.Error("it does not hide one of the same name")
	case own.Over(base) != seen:
		t.Error("a catalog is made for each statement")
	case seen.Version < 1<<63:
		t.Error("its version may be one of all")
	}
	own.Change(ddl.Result{}) // of something else
	if own.Over(base) != seen {
		t.Error("a definition of something else makes another catalog")
	}
	own.Change(ddl.Result{Dropped: []*catalog.Table{first}})
	if own.Any() || own.Over(base) != base {
		t.Error("a table that was dropped is there")
	}
	own.Change(ddl.Result{Temporary: first})
	if all := own.Forget(); len(all) != 1 || all[0] != first || own.Any() {
		t.Errorf("%d tables were forgotten, and some are left: %t", len(all), own.Any())
	}
}

// TestPlainTemporaries: names of plain temporary tables are known from when they are made or renamed until they are dropped, and
// which of them are those of protected tables is known anew with each catalog.
func TestPlainTemporaries(t *testing.T) {
	empty := catalog.New(false)
	protects := empty.Next(1, nil, []*catalog.Table{{ID: catalog.ID{1}, Schema: "shop", Name: "a"}, {ID: catalog.ID{2}, Schema: "shop", Name: "b"}})
	var fp sql.Fingerprinter
	planner := plan.New(plan.Options{Catalog: func() *catalog.Catalog { return empty }})
	for _, c := range []struct {
		texts []string
		want  string
	}{
		{[]string{"CREATE TEMPORARY TABLE a (x INT)"}, "a"},
		{[]string{"CREATE TABLE a (x INT)"}, ""},
		{[]string{"CREATE TEMPORARY TABLE other.a (x INT)"}, ""},
		{[]string{"CREATE TEMPORARY TABLE IF NOT EXISTS shop.a SELECT 1", "CREATE TEMPORARY TABLE b LIKE a"}, "a b"},
		{[]string{"CREATE TEMPORARY TABLE a (x INT)", "DROP TABLE c, a"}, ""},
		{[]string{"CREATE TEMPORARY TABLE a (x INT)", "DROP TEMPORARY TABLE IF EXISTS a"}, ""},
		{[]string{"CREATE TEMPORARY TABLE a (x INT)", "DROP TABLE other.a"}, "a"},
		{[]string{"CREATE TEMPORARY TABLE c (x INT)", "ALTER TABLE c RENAME a"}, "a"},
		{[]string{"CREATE TEMPORARY TABLE a (x INT)", "ALTER TABLE a ADD y INT, RENAME TO c"}, ""},
		{[]string{"CREATE TEMPORARY TABLE c (x INT)", "RENAME TABLE c TO d, d TO b"}, "b"},
		{[]string{"CREATE TEMPORARY TABLE mine (x INT)", "ALTER TABLE c RENAME a"}, ""},
		{[]string{"CREATE TEMPORARY TABLE own (x INT)", "ALTER TABLE own RENAME a"}, ""}, // it is the session's protected one
	} {
		own := Temporaries{tables: []*catalog.Table{{Schema: "shop", Name: "own"}}}
		var p PlainTemporaries
		for _, text := range c.texts {
			if p.Hidden(empty) != nil {
				t.Errorf("%q: a table is hidden where none is protected", c.texts)
			}
			p.Follow(planner.Plan(&fp, []byte(text), 0, "shop"), "shop", &own, false)
		}
		var got []string
		for _, n := range p.Hidden(protects) {
			got = append(got, n.Table)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q: %q are hidden, want %q", c.texts, got, c.want)
		}
	}
	var p PlainTemporaries
	for i := 0; !p.Full(); i++ {
		p.Follow(planner.Plan(&fp, fmt.Appendf(nil, "CREATE TEMPORARY TABLE t%d (x INT)", i), 0, "shop"), "shop", &Temporaries{}, true)
	}
	if !p.Has("shop", "T4095", true) || p.Has("shop", "T4095", false) || p.Has("shop", "t4096", true) {
		t.Error("which names are known is not what was made")
	}
}

// TestNames: a transaction knows the plain tables that it has used until it ends, if the server keeps their definitions
// for it.
func TestNames(t *testing.T) {
	c := catalog.New(false)
	used := &catalog.Table{Schema: "shop", Name: "a"}
	var fp sql.Fingerprinter
	planner := plan.New(plan.Options{Catalog: func() *catalog.Catalog { return c }})
	for text, want := range map[string]bool{
		"SELECT * FROM shop.a": true, "INSERT INTO shop.a VALUES (1)": true, "SELECT * FROM shop.b": false, "ANALYZE TABLE shop.a": false,
		"LOAD DATA LOCAL INFILE 'f' INTO TABLE shop.a":     true,
		"WITH x AS (SELECT * FROM shop.a) SELECT * FROM x": true, "WITH x AS (SELECT 1) DELETE FROM shop.a": true,
		"(SELECT * FROM shop.a)": true, "SELECT 1 UNION SELECT * FROM shop.a": true,
	} {
		var held Touched
		held.AddNames(planner.Plan(&fp, []byte(text), 0, "shop"))
		if got := held.hasName(used, c); got != want {
			t.Errorf("%s: %t, want %t", text, got, want)
		}
		if held.Clear(); held.HasNames() {
			t.Errorf("%s: a name is known behind the transaction", text)
		}
	}
}

// TestFails: an error that may have ended the transaction has it hold nothing that it would use as it was.
func TestFails(t *testing.T) {
	a := resolve.Name{Schema: "shop", Table: "a"}
	for _, c := range []struct {
		number      uint16
		plain, held bool
	}{
		{1062, true, true}, {1062, false, true}, {1213, true, false}, {1213, false, false}, {1205, true, false}, {1205, false, true},
	} {
		var held Touched
		held.Add(catalog.ID{1}, nil)
		if c.plain {
			held.AddName(a)
		}
		held.Fails(c.number)
		if held.Any() != c.held || held.HasNames() != (c.plain && c.held) {
			t.Errorf("%+v: any is %t, names %t", c, held.Any(), held.HasNames())
		}
	}
}

// TestPassing: a transaction goes on without a table that comes to be protected, if it has used it as a plain one.
func TestPassing(t *testing.T) {
	table := func(name string) *catalog.Table {
		return &catalog.Table{ID: catalog.ID{name[0]}, Schema: "shop", Name: name}
	}
	a, b := table("a"), table("b")
	base := catalog.New(false).WithComing(1, []*catalog.Table{a, b})
	var held Touched
	var passing Passing
	if passing.Of(base, &held) != base {
		t.Error("a transaction that has used nothing goes by less than there is")
	}
	held.AddName(resolve.Name{Schema: "shop", Table: "a"})
	own := passing.Of(base, &held)
	if own.Table("shop", "a") != nil || own.Table("shop", "b") != b {
		t.Error("a table that was used is protected for the transaction, or another one is not")
	}
	if passing.Of(base, &held) != own {
		t.Error("a catalog is made for each statement")
	}
	if held.Clear(); passing.Of(base, &held) != base {
		t.Error("the next transaction goes by less than there is")
	}
}
