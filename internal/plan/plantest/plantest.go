// Package plantest has the catalog that tests of the planner plan for: tables with columns of many
// protections, plain ones beside them, and a view.
package plantest

import (
	"strings"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/policy"
	"tunic/internal/sql"
	"tunic/internal/value/charset"
)

// maker makes columns, each with an ID of its own.
type maker struct {
	t           testing.TB
	id          byte
	auto, stamp catalog.Column
}

var primary = catalog.Key{Name: "PRIMARY", Kind: catalog.Primary, Parts: []catalog.Part{{Column: "id"}}}

// Tables is a catalog of tables as the golden plans have them: sbtest1 is that of sysbench, with the
// layers that its key asks for.
func Tables(t testing.TB) *catalog.Catalog {
	t.Helper()
	m := &maker{t: t}
	m.auto = m.column("id", "int(11)", "plain")
	m.auto.AutoIncrement = true
	m.stamp = m.column("at", "timestamp", "sealed")
	m.stamp.OnUpdateNow, m.stamp.Default = true, catalog.Default{Kind: catalog.DefaultNow}
	all := append(append(m.people(), m.numbers()...), m.basket(), m.seat())
	for _, table := range all {
		if err := table.Check(); err != nil {
			t.Fatalf("%s: %v", table.Name, err)
		}
	}
	return catalog.New(false).Next(1, nil, all)
}

// column makes a column; a type that ends in null may be NULL.
func (m *maker) column(name, typ, protection string, layers ...catalog.Layer) catalog.Column {
	m.t.Helper()
	collation := ""
	if strings.Contains(typ, "char") || strings.Contains(typ, "enum") {
		collation = "utf8mb4_general_ci"
	}
	parsed, err := catalog.TypesOf(charset.MariaDB)(strings.TrimSuffix(typ, " null"), collation, !strings.HasSuffix(typ, " null"))
	if err != nil {
		m.t.Fatalf("%s: %v", typ, err)
	}
	p, err := policy.Parse(protection)
	if err != nil {
		m.t.Fatal(err)
	}
	m.id++
	c := catalog.Column{ID: catalog.ID{m.id}, Name: name, TypeText: typ, Type: parsed, Protection: p, Layers: layers}
	if p.Protected {
		c.Domain = c.ID
		c.Default.Kind = catalog.DefaultValue
	}
	if strings.HasSuffix(typ, " null") {
		c.Default.Kind = catalog.DefaultNull
	}
	return c
}

func equality(name string, scheme catalog.Scheme) catalog.Layer {
	return catalog.Layer{Capability: policy.Equality, Scheme: scheme, State: catalog.Ready, Stored: name + "$eq"}
}

func order(name string) catalog.Layer {
	return catalog.Layer{Capability: policy.Order, Scheme: catalog.ORD1, State: catalog.Ready, Stored: name + "$ord"}
}

// by is an order layer with a grain.
func by(name string, unit policy.Unit, size uint64) catalog.Layer {
	l := order(name)
	l.Grain = policy.Grain{Unit: unit, Size: size}
	return l
}

// people are tables of texts.
func (m *maker) people() []*catalog.Table {
	return []*catalog.Table{
		{
			ID: catalog.ID{0xf1}, Schema: "test", Name: "sbtest1", Twin: "t_1",
			Columns: []catalog.Column{
				m.auto, m.column("k", "int(11)", "equality", equality("k", catalog.PRP64)),
				m.column("c", "char(120)", "sealed"), m.column("pad", "char(60)", "sealed"),
			},
			Keys: []catalog.Key{primary},
		},
		{
			ID: catalog.ID{0xf2}, Schema: "test", Name: "person", Twin: "t_2",
			Columns: []catalog.Column{
				m.auto, m.column("name", "varchar(40)", "order", equality("name", catalog.CMAC), order("name")),
				m.column("age", "int(11) null", "order", equality("age", catalog.PRP64), order("age")),
				m.column("note", "varchar(40) null", "sealed"), m.column("town", "varchar(40) null", "plain"),
			},
			Keys: []catalog.Key{primary},
		},
		{ID: catalog.ID{0xf3}, Schema: "test", Name: "log", Twin: "t_3", Columns: []catalog.Column{m.auto, m.stamp, m.column("line", "varchar(40)", "sealed")}},
	}
}

// numbers are tables of numbers and dates, some with keys over their layers.
func (m *maker) numbers() []*catalog.Table {
	return []*catalog.Table{
		{
			ID: catalog.ID{0xf4}, Schema: "test", Name: "visit", Twin: "t_4",
			Columns: []catalog.Column{
				m.auto, m.column("day", "date null", "order/month", by("day", policy.Month, 0)),
				m.column("fee", "decimal(10,2)", "equality, order/100", equality("fee", catalog.CMAC), by("fee", policy.Step, 100)),
			},
			Keys: []catalog.Key{primary, {Name: "fees", Kind: catalog.Index, Parts: []catalog.Part{{Column: "fee", Layer: policy.Order}}}},
		},
		{
			ID: catalog.ID{0xf5}, Schema: "test", Name: "bill", Twin: "t_5",
			Columns: []catalog.Column{
				m.auto, m.column("number", "int(11)", "order", equality("number", catalog.PRP64), order("number")),
				m.column("due", "date null", "order", equality("due", catalog.PRP64), order("due")),
				m.column("total", "int(11)", "order", equality("total", catalog.PRP64), order("total")),
				m.column("rest", "int(11)", "order", equality("rest", catalog.PRP64), order("rest")),
			},
			Keys: []catalog.Key{
				primary,
				{Name: "dues", Kind: catalog.Unique, Parts: []catalog.Part{{Column: "number", Layer: policy.Order}, {Column: "due", Layer: policy.Order}}},
				{Name: "totals", Kind: catalog.Index, Parts: []catalog.Part{{Column: "total", Layer: policy.Equality}}},
				{Name: "both", Kind: catalog.Index, Parts: []catalog.Part{{Column: "total", Layer: policy.Order}}},
			},
		},
	}
}

// in puts a column into a family.
func in(family string, c catalog.Column) catalog.Column {
	c.Family = family
	return c
}

func family(id byte, stored string) catalog.Family {
	return catalog.Family{ID: catalog.ID{id}, Stored: stored, Layouts: []catalog.Layout{{Number: 1, Written: []byte{1}}}, Bytes: 100}
}

// seat is a table with two families, one of which has the columns of the key.
func (m *maker) seat() *catalog.Table {
	const row, cost = "row$form", "cost$form"
	return &catalog.Table{
		ID: catalog.ID{0xf7}, Schema: "test", Name: "seat", Twin: "t_7",
		Columns: []catalog.Column{
			in(row, m.column("hall", "varchar(10)", "equality", equality("hall", catalog.CMAC))),
			in(row, m.column("number", "int(11)", "order", order("number"))),
			in(row, m.column("guest", "varchar(40) null", "equality", equality("guest", catalog.CMAC))),
			in(cost, m.column("fee", "int(11)", "sealed")), in(cost, m.column("tax", "int(11)", "sealed")),
			m.column("place", "int(11)", "plain"),
		},
		Keys: []catalog.Key{{Name: "PRIMARY", Kind: catalog.Primary, Parts: []catalog.Part{
			{Column: "hall", Layer: policy.Equality}, {Column: "number", Layer: policy.Order},
		}}},
		Families: []catalog.Family{family(0xe3, row), family(0xe4, cost)},
	}
}

// basket is a table with two families: the values of cost have tokens, those of row some.
func (m *maker) basket() *catalog.Table {
	const row, cost = "row$form", "cost$form"
	id := m.column("id", "int(11)", "plain")
	return &catalog.Table{
		ID: catalog.ID{0xf6}, Schema: "test", Name: "basket", Twin: "t_6",
		Columns: []catalog.Column{
			id, in(row, m.column("item", "int(11)", "equality", equality("item", catalog.PRP64))),
			in(cost, m.column("price", "int(11)", "equality", equality("price", catalog.PRP64))),
			in(row, m.column("amount", "int(11)", "sealed")), in(row, m.column("note", "varchar(40) null", "sealed")),
			m.column("memo", "varchar(40)", "sealed"), in(cost, m.column("tax", "int(11)", "equality", equality("tax", catalog.PRP64))),
			m.column("place", "int(11)", "plain"),
		},
		Keys:     []catalog.Key{primary, {Name: "items", Kind: catalog.Index, Parts: []catalog.Part{{Column: "item", Layer: policy.Equality}}}},
		Families: []catalog.Family{family(0xe1, row), family(0xe2, cost)},
	}
}

// Town is a plain table.
func Town() *catalog.Table {
	var columns []catalog.Column
	for _, name := range []string{"name", "zip"} {
		t, err := catalog.TypesOf(charset.MariaDB)("varchar(40)", "utf8mb4_general_ci", false)
		if err != nil {
			panic(err)
		}
		columns = append(columns, catalog.Column{Name: name, TypeText: "varchar(40)", Type: t})
	}
	of := catalog.NewPlain("test", "town", columns)
	of.Keyed()
	return of
}

// Rate is a plain table that may be written: with the definition that the server has of it,
// or that of a view.
func Rate(name string, table bool) *catalog.Table {
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

// MariaDB are the modes of sessions with a MariaDB of today.
var MariaDB = sql.Modes(0).WithServer("10.11.6-MariaDB")

// MySQL are those with a MySQL of today.
var MySQL = sql.Modes(0).WithServer("9.1.0")

// WithView is the catalog of these tests with a view over person.
func WithView(t testing.TB, query string, columns ...string) *catalog.Catalog {
	t.Helper()
	c := Tables(t)
	v := &catalog.Table{
		ID: catalog.ID{9}, Schema: "test", Name: "v", Revision: 1, Twin: "v_9",
		View: &catalog.View{Query: query, Over: []catalog.ViewOver{{Schema: "test", Name: "person", Twin: c.Table("test", "person").Twin}}},
	}
	for _, name := range columns {
		v.Columns = append(v.Columns, catalog.Column{Name: name})
	}
	return c.Next(c.Version+1, nil, []*catalog.Table{v})
}
