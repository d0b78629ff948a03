package plan

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"tunic/internal/catalog"
	"tunic/internal/policy"
	"tunic/internal/recipe"
	"tunic/internal/resolve"
	"tunic/internal/sql"
	"tunic/internal/value/charset"
)

// sbtest is the table of sysbench, with the layers that its key asks for.
func tables(t testing.TB) *catalog.Catalog {
	t.Helper()
	types := catalog.TypesOf(charset.MariaDB)
	id := byte(0)
	column := func(name, typ, protection string, layers ...catalog.Layer) catalog.Column {
		collation := ""
		if strings.Contains(typ, "char") || strings.Contains(typ, "enum") {
			collation = "utf8mb4_general_ci"
		}
		parsed, err := types(strings.TrimSuffix(typ, " null"), collation, !strings.HasSuffix(typ, " null"))
		if err != nil {
			t.Fatalf("%s: %v", typ, err)
		}
		p, err := policy.Parse(protection)
		if err != nil {
			t.Fatal(err)
		}
		id++
		c := catalog.Column{ID: catalog.ID{id}, Name: name, TypeText: typ, Type: parsed, Protection: p, Layers: layers}
		if p.Protected {
			c.Domain = c.ID
			c.Default.Kind = catalog.DefaultValue
		}
		if strings.HasSuffix(typ, " null") {
			c.Default.Kind = catalog.DefaultNull
		}
		return c
	}
	equality := func(name string, scheme catalog.Scheme) catalog.Layer {
		return catalog.Layer{Capability: policy.Equality, Scheme: scheme, State: catalog.Ready, Stored: name + "$eq"}
	}
	order := func(name string) catalog.Layer {
		return catalog.Layer{Capability: policy.Order, Scheme: catalog.ORD1, State: catalog.Ready, Stored: name + "$ord"}
	}
	by := func(name string, unit policy.Unit, size uint64) catalog.Layer {
		l := order(name)
		l.Grain = policy.Grain{Unit: unit, Size: size}
		return l
	}
	auto := column("id", "int(11)", "plain")
	auto.AutoIncrement = true
	stamp := column("at", "timestamp", "sealed")
	stamp.OnUpdateNow, stamp.Default = true, catalog.Default{Kind: catalog.DefaultNow}
	primary := catalog.Key{Name: "PRIMARY", Kind: catalog.Primary, Parts: []catalog.Part{{Column: "id"}}}
	all := []*catalog.Table{
		{
			ID: catalog.ID{0xf1}, Schema: "test", Name: "sbtest1", Twin: "t_1",
			Columns: []catalog.Column{
				auto, column("k", "int(11)", "equality", equality("k", catalog.PRP64)),
				column("c", "char(120)", "sealed"), column("pad", "char(60)", "sealed"),
			},
			Keys: []catalog.Key{primary},
		},
		{
			ID: catalog.ID{0xf2}, Schema: "test", Name: "person", Twin: "t_2",
			Columns: []catalog.Column{
				auto, column("name", "varchar(40)", "order", equality("name", catalog.CMAC), order("name")),
				column("age", "int(11) null", "order", equality("age", catalog.PRP64), order("age")),
				column("note", "varchar(40) null", "sealed"), column("town", "varchar(40) null", "plain"),
			},
			Keys: []catalog.Key{primary},
		},
		{ID: catalog.ID{0xf3}, Schema: "test", Name: "log", Twin: "t_3", Columns: []catalog.Column{auto, stamp, column("line", "varchar(40)", "sealed")}},
		{
			ID: catalog.ID{0xf4}, Schema: "test", Name: "visit", Twin: "t_4",
			Columns: []catalog.Column{
				auto, column("day", "date null", "order/month", by("day", policy.Month, 0)),
				column("fee", "decimal(10,2)", "equality, order/100", equality("fee", catalog.CMAC), by("fee", policy.Step, 100)),
			},
			Keys: []catalog.Key{primary, {Name: "fees", Kind: catalog.Index, Parts: []catalog.Part{{Column: "fee", Layer: policy.Order}}}},
		},
		{
			ID: catalog.ID{0xf5}, Schema: "test", Name: "bill", Twin: "t_5",
			Columns: []catalog.Column{
				auto, column("number", "int(11)", "order", equality("number", catalog.PRP64), order("number")),
				column("due", "date null", "order", equality("due", catalog.PRP64), order("due")),
				column("total", "int(11)", "order", equality("total", catalog.PRP64), order("total")),
				column("rest", "int(11)", "order", equality("rest", catalog.PRP64), order("rest")),
			},
			Keys: []catalog.Key{
				primary,
				{Name: "dues", Kind: catalog.Unique, Parts: []catalog.Part{{Column: "number", Layer: policy.Order}, {Column: "due", Layer: policy.Order}}},
				{Name: "totals", Kind: catalog.Index, Parts: []catalog.Part{{Column: "total", Layer: policy.Equality}}},
				{Name: "both", Kind: catalog.Index, Parts: []catalog.Part{{Column: "total", Layer: policy.Order}}},
			},
		},
	}
	for _, table := range all {
		if err := table.Check(); err != nil {
			t.Fatalf("%s: %v", table.Name, err)
		}
	}
	return catalog.New(false).Next(1, nil, all)
}

// planned is the Run of a text, or what is said instead of one.
func planned(c *catalog.Catalog, text string) string {
	said, _ := plannedBy(c, text)
	return said
}

// plannedBy is planned with the name of the rule that has planned the statement; there is none of
// what no rule is asked about.
func plannedBy(c *catalog.Catalog, text string) (said, rule string) {
	lacks := &lacking{}
	r, rule, err := buildBy(c, text, mariadb, lacks)
	beyond := (*resolve.Beyond)(nil)
	switch {
	case err != nil && len(lacks.needs) > 0:
		return fmt.Sprintf("needs: %v\n", lacks.needs), rule
	case errors.As(err, &beyond):
		return "beyond: " + beyond.Error() + "\n", rule
	case err != nil:
		return "error: " + err.Error() + "\n", rule
	}
	return r.String(), rule
}

func buildText(c *catalog.Catalog, text string) (*recipe.Run, error) {
	return buildFor(c, text, mariadb)
}

// buildFor builds the Run of a text for a server.
func buildFor(c *catalog.Catalog, text string, modes sql.Modes) (*recipe.Run, error) {
	r, _, err := buildBy(c, text, modes, nil)
	return r, err
}

// buildBy is buildFor with the name of the rule that has planned the statement.
func buildBy(c *catalog.Catalog, text string, modes sql.Modes, lacks *lacking) (r *recipe.Run, rule string, err error) {
	fp := sql.Fingerprinter{}
	fp.Record(true)
	fp.Fingerprint([]byte(text), modes)
	read, err := sql.Parse([]byte(text), modes)
	if err != nil {
		return nil, "", err
	}
	tree, err := read[0].TreeWithPlaces(fp.Literals())
	if err != nil {
		return nil, "", err
	}
	b := &builder{catalog: c, schema: "test", modes: modes, tree: tree, plain: []*catalog.Table{town(), rate("rate", true), rate("seen", false)}, lacks: lacks}
	r, err = b.start()
	return r, b.rule, err
}

// town is a plain table.
func town() *catalog.Table {
	var columns []catalog.Column
	for _, name := range []string{"name", "zip"} {
		t, err := catalog.TypesOf(charset.MariaDB)("varchar(40)", "utf8mb4_general_ci", false)
		if err != nil {
			panic(err)
		}
		columns = append(columns, catalog.Column{Name: name, TypeText: "varchar(40)", Type: t})
	}
	return catalog.NewPlain("test", "town", columns)
}

// rate is a plain table that may be written: with the definition that the server has of it,
// or that of a view.
func rate(name string, table bool) *catalog.Table {
	var columns []catalog.Column
	for _, one := range [][2]string{{"id", "int(11)"}, {"who", "int(11)"}, {"n", "int(11)"}, {"said", "varchar(40)"}} {
		t, err := catalog.TypesOf(charset.MariaDB)(one[1], "utf8mb4_general_ci", one[0] == "id")
		if err != nil {
			panic(err)
		}
		columns = append(columns, catalog.Column{Name: one[0], TypeText: one[1], Type: t})
	}
	of := catalog.NewPlain("test", name, columns)
	if table {
		of.Define("CREATE TABLE `"+name+"` (\n  PRIMARY KEY (`id`)\n) ENGINE=InnoDB", []string{"id"})
	} else {
		of.Define("CREATE VIEW `"+name+"` AS select 1", nil)
	}
	return of
}

// TestRuns: the plans of statements over protected tables, as people read them. Each rule plans one.
func TestRuns(t *testing.T) {
	c := tables(t)
	expected := map[string]bool{}
	datadriven.Walk(t, "testdata/run", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(_ *testing.T, d *datadriven.TestData) string {
			said, rule := plannedBy(c, d.Input)
			if rule != "" {
				rule = "rule     " + rule + "\n"
			}
			if strings.HasPrefix(d.Expected, rule) {
				expected[strings.TrimSpace(strings.TrimPrefix(rule, "rule"))] = true
			}
			return rule + said
		})
	})
	for _, r := range buildRules() {
		if !expected[r.name] {
			t.Errorf("no case is planned by the rule %s", r.name)
		}
	}
}
