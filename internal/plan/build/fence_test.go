package build

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"tunic/internal/catalog"
	"tunic/internal/plan/plantest"
	"tunic/internal/policy"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/value"
)

// fencedTables are the tables of the tests with a fence.
func fencedTables(t *testing.T) *catalog.Catalog {
	c := plantest.Tables(t)
	var all []*catalog.Table
	for table := range c.Tables() {
		next := *table
		next.Fenced, next.ID[15] = true, table.ID[0]
		if err := next.Check(); err != nil {
			t.Fatal(err)
		}
		all = append(all, &next)
	}
	return catalog.New(false).Next(1, nil, all)
}

var (
	// storedLine is a stored statement in what a Run tells.
	storedLine = regexp.MustCompile(`^ *(?:remote|probe|back|or|guarded|insert|finds? .*?|row .*?) +(\(*(?:select|insert|replace|update|delete) .*)`)
	// storedTable is a table where a statement reads or writes it.
	storedTable = regexp.MustCompile("(?:from|into|update|join|,) (?:`test`\\.)?`(sbtest1|person|log)`")
)

// TestFenced: every stored statement of every plan names the fence of each table that it
// reads or writes, but those that mean all rows, and those that come behind one that does.
func TestFenced(t *testing.T) {
	c := fencedTables(t)
	statements := 0
	datadriven.Walk(t, "testdata/run", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			r, err := buildText(c, d.Input)
			if err != nil {
				return d.Expected
			}
			if plain, wrong := buildText(plantest.Tables(t), d.Input); wrong != nil || plain == nil {
				t.Errorf("%s: only with a fence: %v", d.Input, wrong)
			}
			statements += fencesIn(t, c, d.Input, r)
			return d.Expected
		})
	})
	if statements < 200 {
		t.Errorf("only %d stored statements were looked at", statements)
	}
}

func fencesIn(t *testing.T, c *catalog.Catalog, input string, r *recipe.Run) (statements int) {
	probed := false
	for line := range strings.SplitSeq(r.String(), "\n") {
		m := storedLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		stored := m[1]
		statements++
		probed = probed || strings.Contains(line, "probe ")
		for _, name := range storedTable.FindAllStringSubmatch(stored, -1) {
			fence := c.Table("test", name[1]).Fence()
			added := probed && (strings.HasPrefix(stored, "insert ") || strings.HasPrefix(stored, "replace "))
			if !added && !strings.Contains(stored, fence) {
				t.Errorf("%s\nno fence of %s in: %s", input, name[1], stored)
			}
		}
	}
	return statements
}

// TestFencePlace: where in a statement the fence is.
func TestFencePlace(t *testing.T) {
	const (
		f = "`tunic$0000000000f2$0`"
		d = "default(" + f + ")"
	)
	for _, one := range []struct{ text, mariadb, mysql string }{
		{
			"SELECT name FROM person WHERE id = 1",
			"select `name` from `person` where `id` = :p0 and (true or " + d + ")",
			"select `name` from `person` where `id` = :p0 and (true or " + f + ")",
		},
		{"SELECT name FROM person p", "select `name` from `person` as `p` where true or " + d, "where true or " + f},
		{"SELECT name FROM person WHERE id = 1 OR id = 2", "where (`id` = :p0 or `id` = :p1) and (true or " + d + ")", "and (true or " + f + ")"},
		{"DELETE FROM person WHERE id = 1", "delete from `person` where `id` = :p0 and (true or " + d + ")", "`id` = :p0 and (true or " + f + ")"},
		{"DELETE FROM person", "delete from `person` where true or " + d, "delete from `person` where true or " + f},
		{"DELETE FROM person LIMIT 1", "delete from `person` where true or " + d + " limit", "delete from `person` where true or " + f + " limit"},
		{"UPDATE person SET town = 'x'", "update `person` set `town` = :p0, " + f + " = default\n", ", " + f + " = default\n"},
		{"INSERT INTO person (note, town) VALUES ('a', 'b')", ", " + f + ") values (", ", " + f + ") values ("},
		{"REPLACE INTO person (note) VALUES ('a')", ", default)", ", default)"},
		{"INSERT INTO person (note) SELECT c FROM sbtest1", "probe    insert into `person`(" + f + ") values (default)", "probe    insert into `person`(" + f + ") values (default)"},
		{"SELECT p.name FROM person p JOIN sbtest1 s USING (id)", "(true or " + d + ")", "(true or `p`." + f + ")"},
		{
			"SELECT p.name FROM person p JOIN person q USING (id)",
			"where true or `p`." + f,
			"join (select `id`, " + f + " from `test`.`person` as `q`) as `q` on `p`.`id` = `q`.`id` where true or `p`." + f,
		},
		{ // a key has all of it
			"SELECT COUNT(*) FROM person WHERE age = 3",
			"from `person` where `age$eq` = :s0 and (true or " + d + ")",
			"from (select `age$eq`, " + f + " from `person`) as `person` where `age$eq` = :s0",
		},
		{"SELECT id FROM person p WHERE age = 3", "and (true or " + d + ")", "select `id` from (select `id`, `age$eq`, " + f + " from `person` as `p`) as `p` where"},
		{"SELECT id FROM person p FORCE INDEX (age) WHERE age = 3", "and (true or " + d + ")", f + " from `person` as `p` force index (`age`)) as `p` where"},
		{"SELECT COUNT(*) FROM person", "where true or " + d, "from (select " + f + " from `person`) as `person`"},
		{ // MAX of an INT would be a BIGINT
			"SELECT age, MAX(id) FROM person GROUP BY age",
			"where true or " + d, "from `person` where true or " + f + " group by",
		},
		{"SELECT MAX(id) FROM person WHERE age = 3", "(true or " + d + ")", "from (select `id`, `age$eq`, " + f + " from `person`) as `person`"},
		{"SELECT DEFAULT(town) FROM person", "where true or " + d, "from `person` where true or " + f},
		{ // rows are locked where they are
			"SELECT id FROM person WHERE age = 3 FOR UPDATE",
			"from `person` where `age$eq` = :s0 and (true or " + d + ") for update",
			"from `person` where `age$eq` = :s0 and (true or " + f + ") for update",
		},
		{"SELECT id, town FROM person WHERE age = 3", "(true or " + d + ")", "from `person` where `age$eq` = :s0 and (true or " + f + ")"},
		{
			"SELECT COUNT(*) FROM person p JOIN person q ON p.age = q.age",
			"from (select `age$eq`, " + f + " from `test`.`person` as `p`) as `p` join (select `age$eq`, ",
			"from (select `age$eq`, " + f + " from `test`.`person` as `p`) as `p` join (select `age$eq`, " + f + " from `test`.`person` as `q`) as `q` on `p`.`age$eq` = `q`.`age$eq`",
		},
	} {
		for modes, want := range map[sql.Modes]string{plantest.MariaDB: one.mariadb, plantest.MySQL: one.mysql} {
			r, err := buildFor(keyed(t), one.text, modes)
			if err != nil {
				t.Fatalf("%s: %v", one.text, err)
			}
			if !strings.Contains(r.String(), want) {
				t.Errorf("%s\nwithout %s\n%s", one.text, want, r)
			}
		}
	}
}

// TestKeepsType: of which columns MIN and MAX have the same type through a derived table, as measured on MySQL 9.7.
func TestKeepsType(t *testing.T) {
	for _, c := range []struct {
		typ  value.Type
		want bool
	}{
		{value.Type{Kind: value.TinyInt}, false}, {value.Type{Kind: value.Int}, false}, {value.Type{Kind: value.BigInt}, true},
		{value.Type{Kind: value.Float}, false}, {value.Type{Kind: value.Double}, true}, {value.Type{Kind: value.Decimal}, true},
		{value.Type{Kind: value.Year}, false}, {value.Type{Kind: value.Date}, true}, {value.Type{Kind: value.Time}, true},
		{value.Type{Kind: value.DateTime}, true}, {value.Type{Kind: value.Timestamp}, true}, {value.Type{Kind: value.Bit}, false},
		{value.Type{Kind: value.Char, Length: 5}, false}, {value.Type{Kind: value.Binary, Length: 4}, false},
		{value.Type{Kind: value.VarChar, Length: 512}, true}, {value.Type{Kind: value.VarChar, Length: 513}, false},
		{value.Type{Kind: value.VarBinary, Length: 513}, false}, {value.Type{Kind: value.Enum}, false}, {value.Type{Kind: value.Set}, false},
	} {
		if keepsType(&c.typ) != c.want {
			t.Errorf("%v of %d: kept is not %v", c.typ.Kind, c.typ.Length, c.want)
		}
	}
}

// keyed are the tables of fencedTables, of which person has a key over tokens.
func keyed(t *testing.T) *catalog.Catalog {
	c := fencedTables(t)
	next := *c.Table("test", "person")
	next.Keys = append(slices.Clip(next.Keys), catalog.Key{Name: "age", Parts: []catalog.Part{{Column: "age", Layer: policy.Equality}}})
	if err := next.Check(); err != nil {
		t.Fatal(err)
	}
	return c.Next(2, nil, []*catalog.Table{&next})
}

// TestUnnamedFences: for who may not name fences no stored statement does, and what is asked
// before rows are inserted names a column that is inserted.
func TestUnnamedFences(t *testing.T) {
	c := fencedTables(t).WithoutFences(2)
	for _, text := range []string{
		"SELECT p.name FROM person p JOIN sbtest1 s USING (id)", "DELETE FROM person WHERE id = 1", "UPDATE person SET town = 'x'",
		"INSERT INTO person (note, town) VALUES ('a', 'b')", "INSERT INTO person (note) SELECT c FROM sbtest1",
	} {
		r, err := buildText(c, text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if strings.Contains(r.String(), "tunic$") || r.From() != nil && !strings.Contains(r.String(), "probe    insert into `person`(`note`) values (default)") {
			t.Errorf("%s\n%s", text, r)
		}
	}
}
