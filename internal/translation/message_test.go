package translation

import (
	"strings"
	"testing"

	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/policy"
	"tunic/internal/recipe"
	"tunic/internal/value"
)

// translating is a statement over a table with a plain key and one over tokens.
func translating(t *testing.T) *binding.Statement {
	t.Helper()
	long := strings.Repeat("x", 64)
	number := value.Type{Kind: value.Int, NotNull: true}
	sealed := policy.Protection{Protected: true, Allowed: policy.Equality | policy.Order}
	made := func(n byte, name string) catalog.Column {
		return catalog.Column{
			ID: catalog.ID{n}, Domain: catalog.ID{n}, Name: name, Type: number, Protection: sealed,
			Layers: []catalog.Layer{{Capability: policy.Equality, Scheme: catalog.PRP64, State: catalog.Ready, Stored: catalog.StoredName(name, policy.Equality)}},
		}
	}
	table := &catalog.Table{
		ID: catalog.ID{1}, Schema: "shop", Name: "person", Twin: "t_7",
		Columns: []catalog.Column{{ID: catalog.ID{9}, Name: "id", Type: number}, made(2, "name"), made(3, long)},
		Keys: []catalog.Key{
			{Name: "PRIMARY", Kind: catalog.Primary, Parts: []catalog.Part{{Column: "id"}}},
			{Name: "who", Kind: catalog.Unique, Parts: []catalog.Part{{Column: "name", Layer: policy.Equality}}},
		},
	}
	if err := table.Check(); err != nil {
		t.Fatal(err)
	}
	st := &binding.Statement{Run: recipe.Run{Table: table, Tables: []*catalog.Table{table}}}
	for i := range table.Columns {
		st.Columns = append(st.Columns, &binding.Column{Column: &table.Columns[i]})
	}
	return st
}

// TestTranslateFamilies: a client knows nothing of the stored column of a family, and is told of one of its columns: of the
// table that the message names, and that the statement reads.
func TestTranslateFamilies(t *testing.T) {
	st := translating(t)
	with := func(name string, columns ...string) *catalog.Table {
		table := &catalog.Table{Schema: "shop", Name: name, Families: []catalog.Family{{Stored: "all$form"}}}
		for _, c := range columns {
			table.Columns = append(table.Columns, catalog.Column{Name: c, Family: "all$form", Type: value.Type{Kind: value.Int}})
		}
		return table
	}
	line, order := with("line", "item", "amount"), with("order", "day")
	st.Run.Table, st.Run.Tables = line, []*catalog.Table{line, order}
	denied := "SELECT command denied to user 'u'@'h' for column 'ALL$form' in table "
	for _, c := range []struct {
		fetched   int
		said, got string
	}{
		{0, denied + "'line'", strings.Replace(denied, "ALL$form", "item", 1) + "'line'"},
		{1, denied + "'line'", strings.Replace(denied, "ALL$form", "amount", 1) + "'line'"},
		{1, denied + "'order'", strings.Replace(denied, "ALL$form", "day", 1) + "'order'"},
		{0, "Column 'all$form' cannot be null", "Column 'item' cannot be null"},
		{0, "Unknown column 'line.all$form' in 'field list'", "Unknown column 'line.item' in 'field list'"},
		{0, "Data too long for column 'all$form' at row 1", "Data too long for column 'item' at row 1"},
	} {
		st.Run.Fetch = []recipe.Fetch{{Column: -1}, {Column: c.fetched, Opened: true}}
		if got := string(Message(st, 1143, []byte(c.said))); got != c.got {
			t.Errorf("%q\n got %q\nwant %q", c.said, got, c.got)
		}
	}
}

// TestTranslate: what a server says of the stored table, a client reads of the
// logical one, and no byte of a stored form with it.
func TestTranslate(t *testing.T) {
	st := translating(t)
	hashed := catalog.StoredName(strings.Repeat("x", 64), policy.Equality)
	for _, c := range []struct {
		number    uint16
		said, got string
	}{
		{1062, "Duplicate entry '\xff\x01'for key '\x80' for key 'who'", "Duplicate entry for key 'who'"},
		{1062, `Duplicate entry '\xFF\x01' for key 'person.who'`, "Duplicate entry for key 'person.who'"},
		{1062, "Duplicate entry '7' for key 'person.PRIMARY'", "Duplicate entry '7' for key 'person.PRIMARY'"},
		{1062, "Duplicate entry '7' for key 'PRIMARY'", "Duplicate entry '7' for key 'PRIMARY'"},
		{1062, "Duplicate entry '\xff' for key 'unheard of'", "Duplicate entry for key 'unheard of'"},
		{1062, "Doppelter Eintrag '\xff' f\xc3\xbcr Schl\xc3\xbcssel 'who'", "Duplicate entry"},
		{1586, "Duplicate entry '\xff' for key 'who'", "Duplicate entry for key 'who'"},
		{1048, "Column 'name$eq' cannot be null", "Column 'name' cannot be null"},
		{1364, "Field 'NAME$EQ' doesn't have a default value", "Field 'name' doesn't have a default value"},
		{1406, "Data too long for column '" + hashed + "' at row 1", "Data too long for column '" + strings.Repeat("x", 64) + "' at row 1"},
		{1054, "Unknown column 't_7.nosuch' in 'field list'", "Unknown column 'person.nosuch' in 'field list'"},
		{1146, "Table '_tunic.t_7' doesn't exist", "Table 'shop.person' doesn't exist"},
		{1064, "You have an error in your SQL syntax; check the manual for the right syntax to use near 'x'00ff''", "You have an error in your SQL syntax; check the manual for the right syntax to use"},
		{
			1452, "Cannot add or update a child row: a foreign key constraint fails (`shop`.`person`, CONSTRAINT `f` FOREIGN KEY (`name$eq`) REFERENCES `other` (`label$eq`))",
			"Cannot add or update a child row: a foreign key constraint fails (`shop`.`person`, CONSTRAINT `f` FOREIGN KEY (`name`) REFERENCES `other` (`label`))",
		},
		{1366, "Incorrect string value: '\xff\xfe' for column 'x' at row 1", "Incorrect string value: '' for column 'x' at row 1"},
		{1205, "Lock wait timeout exceeded; try restarting transaction", "Lock wait timeout exceeded; try restarting transaction"},
		{9999, "an unpaired ' quote", "an unpaired ' quote"},
		{9999, "", ""},
	} {
		if got := string(Message(st, c.number, []byte(c.said))); got != c.got {
			t.Errorf("%d %q\n got %q\nwant %q", c.number, c.said, got, c.got)
		}
	}
}

// FuzzTranslate: no message panics, and none shows a stored form that is in quotes.
func FuzzTranslate(f *testing.F) {
	f.Add(uint16(1062), []byte("Duplicate entry '\xff' for key 'who'"))
	f.Add(uint16(1054), []byte("`a`.`b$eq` '"))
	f.Fuzz(func(t *testing.T, number uint16, message []byte) {
		st := translating(t)
		got := Message(st, number, message)
		if number == DuplicateEntry && strings.Contains(string(got), "\xff\xff") && !strings.Contains(string(message), "PRIMARY") {
			if at := strings.LastIndex(string(message), " for key "); at >= 0 && !strings.Contains(string(message[at:]), "\xff\xff") {
				t.Errorf("%q became %q", message, got)
			}
		}
	})
}
