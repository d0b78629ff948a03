package form

import (
	"strconv"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/crypt"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/policy"
	"tunic/internal/value"
)

// column is a protected column of a type, as MySQL shows it.
func column(t *testing.T, name, typ string) catalog.Column {
	t.Helper()
	collation := ""
	if typ[0] == 'v' || typ[0] == 't' {
		collation = "utf8mb4_bin"
	}
	parsed, err := catalog.TypesOf(value.MySQL)(typ, collation, true)
	if err != nil {
		t.Fatal(err)
	}
	return catalog.Column{Name: name, TypeText: typ, Type: parsed, Protection: policy.Protection{Protected: true, Allowed: policy.Equality | policy.Order}}
}

// TestSealedType: values of one width have a BINARY of it, others as much room as the longest needs, and what
// is to leave the row is a BLOB.
func TestSealedType(t *testing.T) {
	for _, c := range []struct {
		typ    string
		asBlob bool
		want   string
	}{
		{"int", false, "binary(39)"},
		{"bigint", false, "binary(39)"},
		{"varchar(20)", false, "varbinary(127)"},
		{"varchar(20)", true, "blob"},
		{"varchar(5000)", false, "blob"},
		{"mediumtext", false, "longblob"},
	} {
		of := column(t, "c", c.typ)
		if got := SealedType(&of.Type, c.asBlob); got != c.want {
			t.Errorf("%s, %t: %s, want %s", c.typ, c.asBlob, got, c.want)
		}
	}
}

// TestBlobsFor: the widest columns leave the row until the rest fits into it.
func TestBlobsFor(t *testing.T) {
	table := &catalog.Table{Columns: []catalog.Column{column(t, "a", "int"), column(t, "b", "varchar(2000)"), column(t, "c", "varchar(3000)")}}
	if got := BlobsFor(table); len(got) > 0 {
		t.Errorf("a row that fits: %v", got)
	}
	for i := range 5 {
		table.Columns = append(table.Columns, column(t, "d"+strconv.Itoa(i), "varchar(2900)"))
	}
	got := BlobsFor(table)
	if got["a"] || !got["c"] {
		t.Errorf("a row that is too wide: %v", got)
	}
	total := 0
	for i := range table.Columns {
		if !got[table.Columns[i].Name] {
			total += sealedRowBytes(&table.Columns[i].Type)
		}
	}
	if total > rowMax {
		t.Errorf("%d bytes are left in a row", total)
	}
}

// TestCheckText: each sealed form is to begin with a suite and to be as long as one is; a column that is being
// backfilled is no sealed form yet.
func TestCheckText(t *testing.T) {
	table := &catalog.Table{Columns: []catalog.Column{column(t, "a", "int"), column(t, "b", "int"), {Name: "c"}}}
	table.Columns[1].Backfilling = true
	if got, want := CheckText(table), "ascii(`a`) BETWEEN 1 AND 3 AND length(`a`) >= 39"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestNewLayer: a column has a layer where values of its type are compared as they are written.
func TestNewLayer(t *testing.T) {
	for _, c := range []struct {
		typ        string
		capability policy.Capabilities
		scheme     catalog.Scheme
		tokens     string
	}{
		{"bigint", policy.Equality, catalog.PRP64, "binary(8)"},
		{"varchar(20)", policy.Equality, catalog.CMAC, "binary(16)"},
		{"bigint", policy.Order, catalog.ORD1, "binary(32)"},
	} {
		of := column(t, "c", c.typ)
		l, err := NewLayer(&of, c.capability, policy.Grain{})
		if err != nil || l.Scheme != c.scheme || TokenType(&l, &of.Type) != c.tokens || l.Stored != catalog.StoredName("c", c.capability) {
			t.Errorf("%s: %+v, %v, %s", c.typ, l, err, TokenType(&l, &of.Type))
		}
	}
}

// TestEpochOfLayer: a layer keeps its epoch, else it has that of what it is compared with, else the newest.
func TestEpochOfLayer(t *testing.T) {
	mine := catalog.Column{ID: catalog.ID{1}, Domain: catalog.ID{7}}
	theirs := catalog.Column{ID: catalog.ID{2}, Name: "b", Domain: catalog.ID{7}, Layers: []catalog.Layer{{Capability: policy.Equality, Epoch: 4}}}
	old := mine
	old.Layers = []catalog.Layer{{Capability: policy.Equality, Epoch: 2}}
	alone := catalog.New(false)
	tied := alone.Next(1, nil, []*catalog.Table{{ID: catalog.ID{9}, Schema: "s", Name: "t", Columns: []catalog.Column{theirs}}})
	for _, c := range []struct {
		name  string
		old   *catalog.Column
		known *catalog.Catalog
		want  uint16
	}{{"kept", &old, tied, 2}, {"tied", nil, tied, 4}, {"new", nil, alone, 9}} {
		if got := EpochOfLayer(&mine, c.old, policy.Equality, c.known, 9); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// TestKey: a key over a protected column is over its layer, and says nothing of it.
func TestKey(t *testing.T) {
	account, err := showcreate.Read("CREATE TABLE `t` (\n  `a` int NOT NULL,\n  KEY `k` (`a` DESC) COMMENT 'of the card'\n) ENGINE=InnoDB")
	if err != nil {
		t.Fatal(err)
	}
	of := column(t, "a", "int")
	of.Layers = []catalog.Layer{{Capability: policy.Equality, Stored: catalog.StoredName("a", policy.Equality)}}
	table := &catalog.Table{Columns: []catalog.Column{of}}
	_ = table.Check() // for lookups by name
	made := Key(table, &account.Keys[0], &catalog.Key{Name: "k", Parts: []catalog.Part{{Column: "a", Layer: policy.Equality, Desc: true}}})
	if got, want := made.SQL(), "KEY `k` (`a$eq` DESC) COMMENT ''"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestColumn: a stored column takes NULL or does not, and never has a value of its own.
func TestColumn(t *testing.T) {
	for notNull, want := range map[bool]string{true: "`a` blob NOT NULL", false: "`a` blob DEFAULT NULL"} {
		if got := Column("a", "blob", notNull); got.Text != want || got.Name != "a" {
			t.Errorf("%+v, want %s", got, want)
		}
	}
	if !InPlaceType("varbinary(260)", "varbinary(300)") || InPlaceType("varbinary(200)", "varbinary(300)") || InPlaceType("varbinary(300)", "blob") {
		t.Error("a longer column is made in place if its length has as many bytes")
	}
}

// family is a table with a column that is sealed by itself, and a family of the others.
func family(t *testing.T, types ...string) *catalog.Table {
	t.Helper()
	table := &catalog.Table{Columns: []catalog.Column{column(t, "alone", "varchar(20)")}, Families: []catalog.Family{{ID: catalog.ID{9}, Stored: "f$form"}}}
	for i, typ := range types {
		c := column(t, "m"+strconv.Itoa(i), typ)
		c.ID, c.Family = catalog.ID{byte(i + 1)}, "f$form"
		table.Columns = append(table.Columns, c)
	}
	var members []*catalog.Column
	for i := range types {
		members = append(members, &table.Columns[i+1])
	}
	var err error
	if table.Families[0].Bytes, err = crypt.FamilyMost(members); err != nil {
		t.Fatal(err)
	}
	return table
}

// TestFamilyType: the stored column of a family is as wide as its longest record.
func TestFamilyType(t *testing.T) {
	for _, c := range []struct {
		types  []string
		asBlob bool
		want   string
	}{
		{[]string{"int", "bigint"}, false, "varbinary(47)"},
		{[]string{"int", "bigint"}, true, "blob"},
		{[]string{"int", "varchar(20)"}, false, "varbinary(130)"},
		{[]string{"varchar(2000)", "varchar(2000)"}, false, "varbinary(16050)"},
		{[]string{"varchar(2000)", "varchar(3000)"}, false, "blob"},
		{[]string{"int", "text"}, false, "mediumblob"},
		{[]string{"mediumtext"}, false, "longblob"},
	} {
		table := family(t, c.types...)
		if got := FamilyType(&table.Families[0], c.asBlob); got != c.want {
			t.Errorf("%v, %t: %s, want %s", c.types, c.asBlob, got, c.want)
		}
	}
}

// TestBlobsForFamily: a family leaves the row as a column does, and its members take no room in it.
func TestBlobsForFamily(t *testing.T) {
	table := family(t, "varchar(2500)", "varchar(1500)")
	if got := BlobsFor(table); len(got) > 0 {
		t.Errorf("a row that fits: %v", got)
	}
	for i := range 5 {
		table.Columns = append(table.Columns, column(t, "d"+strconv.Itoa(i), "varchar(2900)"))
	}
	if got := BlobsFor(table); !got["f$form"] || len(got) != 1 {
		t.Errorf("a row that is too wide: %v", got)
	}
	many := make([]string, 900)
	for i := range many {
		many[i] = "int"
	}
	if got := BlobsFor(family(t, many...)); len(got) > 0 {
		t.Errorf("many members: %v", got)
	}
}

// TestCheckTextFamily: the CHECK is over the family's column, and over none of its members.
func TestCheckTextFamily(t *testing.T) {
	want := "ascii(`alone`) BETWEEN 1 AND 3 AND length(`alone`) >= 47 AND ascii(`f$form`) BETWEEN 1 AND 3 AND length(`f$form`) >= 35"
	if got := CheckText(family(t, "int", "int")); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
