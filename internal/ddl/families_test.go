package ddl

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tunic/internal/catalog"
	"tunic/internal/crypt"
	"tunic/internal/ddl/examination"
	"tunic/internal/ddl/form"
	"tunic/internal/ddl/service"
	"tunic/internal/sqlerr"
)

// orderLine is a table with a family, a column that is sealed by itself and a plain one.
const orderLine = "CREATE TABLE line (id INT AUTO_INCREMENT PRIMARY KEY, o INT NOT NULL COMMENT 'tunic: order family line', w SMALLINT NOT NULL COMMENT 'tunic: equality family line', " +
	"amount DECIMAL(6,2) DEFAULT 1 COMMENT 'tunic: family line', info CHAR(24), n INT COMMENT 'tunic: plain', CONSTRAINT low CHECK (n > 0), UNIQUE KEY k (w, o)) COMMENT = 'mine'"

// lineStored is what the server has of it: each column, its type, whether it takes NULL, and whether it has no value.
var lineStored = []string{
	"id int NO", "o tinyint YES -", "o$eq binary(8) NO", "o$ord binary(16) NO", "w tinyint YES -", "w$eq binary(8) NO", "amount tinyint YES -",
	"info varbinary(143) YES", "n int YES", "line$form varbinary(44) NO", "tunic$ tinyint YES -",
}

// storedColumns are the columns that the server has of a table, in their order, with types as both flavors have them.
func (b *bench) storedColumns(schema, table string) (all []string) {
	b.t.Helper()
	rows, err := b.client.Query(b.t.Context(), "SELECT COLUMN_NAME, COLUMN_TYPE, IS_NULLABLE, EXTRA FROM information_schema.COLUMNS"+
		" WHERE TABLE_SCHEMA = '"+schema+"' AND TABLE_NAME = '"+table+"' ORDER BY ORDINAL_POSITION")
	if err != nil {
		b.t.Fatal(err)
	}
	for _, r := range rows {
		name, typ := service.Text(r[0]), strings.NewReplacer("tinyint(4)", "tinyint", "int(11)", "int").Replace(service.Text(r[1]))
		if catalog.IsFence(name) {
			name = catalog.FencePrefix
		}
		column := name + " " + typ + " " + service.Text(r[2])
		if extra := strings.ToUpper(service.Text(r[3])); strings.Contains(extra, "VIRTUAL") {
			column += " -"
			if !strings.Contains(extra, "INVISIBLE") {
				column += " visible"
			}
		}
		all = append(all, column)
	}
	return all
}

// isLine holds a table to what orderLine makes.
func (b *bench) isLine(schema, table string) *catalog.Table {
	b.t.Helper()
	if diff := cmp.Diff(lineStored, b.storedColumns(schema, table)); diff != "" {
		b.t.Errorf("%s (-want +server):\n%s", table, diff)
	}
	t := b.ledger.Catalog().Table(schema, table)
	if t == nil {
		b.t.Fatalf("the catalog has no %s", table)
	}
	if len(t.Families) != 1 || len(t.Members(&t.Families[0])) != 3 || len(t.Families[0].Layouts) != 1 || t.Families[0].Layouts[0].Number != 1 {
		b.t.Fatalf("families %+v", t.Families)
	}
	f, err := crypt.NewRing(b.ledger.Tree()).Family(t, &t.Families[0])
	if err != nil {
		b.t.Fatal(err)
	}
	if ids := []catalog.ID{t.Columns[1].ID, t.Columns[2].ID, t.Columns[3].ID}; !cmp.Equal(f.Columns(), ids) {
		b.t.Errorf("the layout is not of the members in their order: %v", f.Columns())
	}
	return t
}

// TestFamilies: a table with a family has the forms of its members in one column, and in their places columns without a value;
// it can be copied, renamed, emptied and dropped.
func TestFamilies(t *testing.T) {
	onServers(t, func(b *bench) {
		b.must(orderLine)
		first := b.isLine("shop", "line")
		b.must("CREATE TABLE IF NOT EXISTS line (x INT)")
		b.must("CREATE TABLE copy LIKE line")
		second := b.isLine("shop", "copy")
		if first.Families[0].ID == second.Families[0].ID || first.Columns[1].ID == second.Columns[1].ID {
			b.t.Error("a copy has the IDs of its source")
		}
		b.must("RENAME TABLE line TO other_schema.moved")
		b.must("ALTER TABLE copy RENAME TO line")
		if moved := b.isLine("other_schema", "moved"); moved.Families[0].ID != first.Families[0].ID || moved.Revision != first.Revision {
			b.t.Error("a table that was renamed is another one")
		}
		b.must("RENAME TABLE line TO a, other_schema.moved TO line, a TO other_schema.moved")
		b.isLine("shop", "line")
		b.must("TRUNCATE TABLE line")
		b.mustRead()
		b.isLine("shop", "line")
		b.must("DROP TABLE other_schema.moved")
		b.must("DROP TABLE line")
		if left := b.storedColumns("shop", "line"); len(left) > 0 || b.ledger.Catalog().Table("shop", "line") != nil {
			b.t.Errorf("after DROP TABLE: %v", left)
		}
		b.noTwinLeft()
	})
}

// mustRead opens the ledger anew: what was written of tables is what is read.
func (b *bench) mustRead() {
	b.t.Helper()
	b.definer.Close()
	b.ledger.Close()
	b.hold()
}

// TestFamiliesOfLike: a plain table's annotations make the families of its copy, and a temporary copy has none.
func TestFamiliesOfLike(t *testing.T) {
	onServers(t, func(b *bench) {
		if err := b.server.Exec(b.t.Context(), strings.Replace(orderLine, "TABLE line", "TABLE shop.plain", 1)); err != nil {
			b.t.Fatal(err)
		}
		b.must("CREATE TABLE line LIKE plain")
		b.isLine("shop", "line")
		b.refuses(2066, "CREATE TEMPORARY TABLE passing LIKE line")
		b.must("DROP TABLE line")
		b.noTwinLeft()
	})
}

// refuses wants a statement to be refused with a code.
func (b *bench) refuses(code int, statement string) {
	b.t.Helper()
	_, err := b.do(statement)
	if e, ok := errors.AsType[*sqlerr.Error](err); !ok || int(e.Code) != code {
		b.t.Errorf("%s: %v, not TUNIC-%04d", statement, err, code)
	}
}

// TestFamilyOfReferred: a foreign key by which rows follow gives a table with a family another fence, and leaves its columns.
func TestFamilyOfReferred(t *testing.T) {
	onServers(t, func(b *bench) {
		b.must(orderLine)
		b.must("CREATE TABLE child (id INT PRIMARY KEY, w SMALLINT, o INT, CONSTRAINT c FOREIGN KEY (w, o) REFERENCES line (w, o) ON DELETE SET NULL)")
		if now := b.isLine("shop", "line"); now.Revision != 2 {
			b.t.Errorf("revision %d", now.Revision)
		}
	})
}

// TestFamilyChecked: the server takes nothing but forms for a family, whoever sends it.
func TestFamilyChecked(t *testing.T) {
	onServers(t, func(b *bench) {
		b.must(orderLine)
		insert := "INSERT INTO shop.line (`o$eq`, `o$ord`, `w$eq`, `line$form`) VALUES (REPEAT('a', 8), REPEAT('b', 16), REPEAT('c', 8), "
		if err := b.server.Exec(b.t.Context(), insert+"'plain text that is long enough to be a sealed form')"); err == nil {
			b.t.Error("plain text was stored")
		}
		if err := b.server.Exec(b.t.Context(), insert+"CONCAT(CHAR(1), REPEAT('x', 43)))"); err != nil {
			b.t.Error(err)
		}
		if err := b.server.Exec(b.t.Context(), insert+"CONCAT(CHAR(1), REPEAT('x', 42)))"); err == nil {
			b.t.Error("a form that is too short was stored")
		}
	})
}

// TestManyMembers: a table of more columns than it could have sealed forms of.
func TestManyMembers(t *testing.T) {
	onServers(t, func(b *bench) {
		columns := []string{"id INT PRIMARY KEY"}
		for i := range 900 {
			columns = append(columns, fmt.Sprintf("c%d INT COMMENT 'tunic: sealed family all'", i))
		}
		b.must("CREATE TABLE many (" + strings.Join(columns, ", ") + ")")
	})
}

// TestTogether: nobody's columns are together without having asked for it where an UPDATE of one of them could not read the row first.
func TestTogether(t *testing.T) {
	onServers(t, func(b *bench) {
		together := protecting()
		together.Together = true
		b.definer.SetPolicy(together)
		for definition, want := range map[string][]string{
			"(id INT PRIMARY KEY, a INT, b VARCHAR(64), note TEXT)":                                 {"row$form", "row$form", "row$form", ""},
			"(id INT NOT NULL, a INT, UNIQUE KEY (id))":                                             {"row$form", "row$form"},
			"(id FLOAT PRIMARY KEY COMMENT 'tunic: plain', a INT, b INT COMMENT 'tunic: family f')": {"", "", "f$form"},
			"(id INT COMMENT 'tunic: plain', a INT, UNIQUE KEY (id))":                               {"", ""},
			"(a INT, b INT)": {"", ""},
			"(id INT PRIMARY KEY COMMENT 'tunic: plain', a INT, b INT COMMENT 'tunic: apart')":                  {"", "row$form", ""},
			"(id INT PRIMARY KEY COMMENT 'tunic: plain', a INT, b INT COMMENT 'tunic: family f') ENGINE=MyISAM": {"", "", "f$form"},
		} {
			b.must("CREATE TABLE joined " + definition)
			var got []string
			for _, c := range b.ledger.Catalog().Table("shop", "joined").Columns {
				got = append(got, c.Family)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				b.t.Errorf("%s (-want +got):\n%s", definition, diff)
			}
			b.must("DROP TABLE joined")
		}
	})
}

// TestExamineFamilies: what is done around tunic to the columns of a family is told of, and upkeep leaves them alone.
func TestExamineFamilies(t *testing.T) {
	onServers(t, func(b *bench) {
		for _, test := range []struct {
			around string
			want   []examination.Mismatch
		}{
			{"ALTER TABLE line DROP COLUMN o, ADD COLUMN o INT AFTER id", []examination.Mismatch{{Of: "column", Name: "o", Problem: examination.Different}}},
			{"ALTER TABLE line DROP COLUMN amount", []examination.Mismatch{{Of: "column", Name: "amount", Problem: examination.Missing}}},
			{"ALTER TABLE line MODIFY COLUMN `line$form` VARBINARY(60) NOT NULL", []examination.Mismatch{{Of: "column", Name: "line$form", Problem: examination.Different}}},
			{"ALTER TABLE line ADD COLUMN `x$form` INT", []examination.Mismatch{{Of: "column", Name: "x$form", Problem: examination.Unknown}}},
		} {
			b.must(orderLine)
			if err := b.server.Exec(t.Context(), "USE shop", test.around); err != nil {
				b.t.Fatalf("%s: %v", test.around, err)
			}
			conn, err := b.db.Conn(t.Context())
			if err != nil {
				b.t.Fatal(err)
			}
			found, err := Examine(t.Context(), conn, b.ledger.Catalog(), b.ledger.Catalog().Table("shop", "line"))
			_ = conn.Close()
			if err != nil || !slices.Equal(found, test.want) {
				b.t.Errorf("%s: %v, %v, want %v", test.around, found, err, test.want)
			}
			b.must("DROP TABLE line")
		}
		b.must(orderLine)
		if err := b.server.Exec(t.Context(), "USE shop", "ALTER TABLE line DROP CONSTRAINT `"+form.CheckName(b.isLine("shop", "line"))+"`"); err != nil {
			b.t.Fatal(err)
		}
		if err := b.definer.Upkeep.Sweep(t.Context()); err != nil {
			b.t.Fatal(err)
		}
		b.isLine("shop", "line")
		b.asWritten("a sweep")
	})
}

// TestFamiliesStay: no column that is there comes to a family, nor a new one that rows from before would have to be given; nothing
// has changed at the server then.
func TestFamiliesStay(t *testing.T) {
	onServers(t, func(b *bench) {
		b.must(orderLine)
		b.must("CREATE TABLE other (id INT PRIMARY KEY, a INT, INDEX (a))")
		b.must("CREATE TABLE plain (id INT AUTO_INCREMENT PRIMARY KEY, a INT COMMENT 'tunic: plain')")
		shown := func() (all string) {
			for _, table := range []string{"line", "other", "plain"} {
				rows, err := b.client.Query(t.Context(), "SHOW CREATE TABLE shop."+table)
				if err != nil {
					b.t.Fatal(err)
				}
				all += service.Text(rows[0][1])
			}
			return all
		}
		before, version := shown(), b.ledger.Catalog().Version
		for _, statement := range []string{
			"ALTER TABLE other ADD COLUMN x INT COMMENT 'tunic: family f'", "ALTER TABLE other MODIFY a INT COMMENT 'tunic: family f'",
			"ALTER TABLE other CHANGE a b INT COMMENT 'tunic: equality family f'", "ALTER TABLE plain ADD COLUMN x INT COMMENT 'tunic: family f'",
			"ALTER TABLE plain MODIFY a INT COMMENT 'tunic: family f'", "ALTER TABLE line MODIFY amount DECIMAL(6,2) COMMENT 'tunic: family other'",
			"ALTER TABLE line MODIFY amount DECIMAL(6,2) COMMENT 'tunic: apart'", "ALTER TABLE line ADD COLUMN x INT COMMENT 'tunic: equality family line', ADD KEY (x)",
			"ALTER TABLE line ADD COLUMN x DATETIME DEFAULT CURRENT_TIMESTAMP COMMENT 'tunic: family line'",
		} {
			b.refuses(2066, statement)
		}
		if after := shown(); after != before || b.ledger.Catalog().Version != version {
			b.t.Errorf("what was refused has changed something:\n%s\nwas\n%s", after, before)
		}
		b.must("ALTER TABLE line AUTO_INCREMENT = 7")
		b.must("ALTER TABLE line FORCE")
		b.isLine("shop", "line")
		b.noTwinLeft()
	})
}

// TestFamiliesChange: columns come to a family, leave it and are called otherwise, and its rows stay as they are.
func TestFamiliesChange(t *testing.T) {
	onServers(t, func(b *bench) {
		b.must(orderLine)
		for _, c := range []struct {
			statement string
			layout    uint16 // that is written then
			added     int    // columns whose values rows of layouts before have
			stored    string // of the family
		}{
			{"ALTER TABLE line ADD COLUMN x INT NOT NULL DEFAULT 5 COMMENT 'tunic: family line' AFTER o", 2, 1, "varbinary(48)"},
			{"ALTER TABLE line ADD COLUMN y VARCHAR(20) COMMENT 'tunic: family line'", 3, 2, "varbinary(130)"},
			{"ALTER TABLE line CHANGE o oo INT NOT NULL COMMENT 'tunic: order family line'", 3, 2, "varbinary(130)"},
			{"ALTER TABLE line MODIFY y VARCHAR(30) FIRST", 3, 2, "varbinary(178)"},
			{"ALTER TABLE line MODIFY x BIGINT NOT NULL DEFAULT 6", 4, 2, "varbinary(178)"},
			{"ALTER TABLE line DROP COLUMN x", 5, 1, "varbinary(178)"},
			{"ALTER TABLE line DROP COLUMN n, ADD COLUMN n2 INT", 5, 1, "varbinary(178)"},
			{"ALTER TABLE line ALTER COLUMN amount SET DEFAULT 2", 5, 1, "varbinary(178)"},
			{"ALTER TABLE line MODIFY amount DECIMAL(6,2) COMMENT 'mine'", 5, 1, "varbinary(178)"},
		} {
			b.must(c.statement)
			t := b.ledger.Catalog().Table("shop", "line")
			f := &t.Families[0]
			if _, err := crypt.NewRing(b.ledger.Tree()).Family(t, f); err != nil {
				b.t.Fatalf("%s: %v", c.statement, err)
			}
			columns := b.storedColumns("shop", "line")
			if last := f.Layouts[len(f.Layouts)-1]; last.Number != c.layout || len(f.Added) != c.added || !slices.Contains(columns, "line$form "+c.stored+" NO") {
				b.t.Errorf("%s: layout %d, %d added, stored as\n%s", c.statement, last.Number, len(f.Added), strings.Join(columns, "\n"))
			}
			b.asWritten(c.statement)
		}
		b.must("ALTER TABLE line DROP KEY k, DROP COLUMN y, DROP COLUMN amount, DROP COLUMN oo, DROP COLUMN w")
		if t := b.ledger.Catalog().Table("shop", "line"); len(t.Families) > 0 {
			b.t.Errorf("the family stays: %+v", t.Families)
		}
		if columns := b.storedColumns("shop", "line"); slices.ContainsFunc(columns, func(c string) bool { return strings.Contains(c, "form") }) {
			b.t.Errorf("stored as\n%s", strings.Join(columns, "\n"))
		}
		b.noTwinLeft()
	})
}

// TestLastProtectedGoes: a table whose last protected columns are dropped is a plain one.
func TestLastProtectedGoes(t *testing.T) {
	onServers(t, func(b *bench) {
		for _, comment := range []string{"tunic: sealed", "tunic: sealed family f"} {
			b.must("CREATE TABLE going (id INT AUTO_INCREMENT PRIMARY KEY, n INT COMMENT 'tunic: plain', s INT COMMENT '" + comment + "')")
			b.must("ALTER TABLE going DROP COLUMN s")
			if b.ledger.Catalog().Table("shop", "going") != nil {
				b.t.Errorf("%s: the table is protected still", comment)
			}
			if columns := b.storedColumns("shop", "going"); !slices.Equal(columns, []string{"id int NO", "n int YES"}) {
				b.t.Errorf("%s: stored as %v", comment, columns)
			}
			b.must("DROP TABLE going")
			if _, err := b.client.Query(b.t.Context(), "DROP TABLE IF EXISTS shop.going"); err != nil {
				b.t.Fatal(err)
			}
		}
	})
}

// TestFamilyEpoch: a table's families are of the epoch that it gets, in another revision.
func TestFamilyEpoch(t *testing.T) {
	onServers(t, func(b *bench) {
		b.must(orderLine)
		line := b.isLine("shop", "line")
		epoch, err := b.ledger.AddMaster(t.Context())
		if err != nil {
			b.t.Fatal(err)
		}
		for range 2 {
			if err := b.definer.Layers.MoveEpoch(t.Context(), line.ID, epoch); err != nil {
				b.t.Fatal(err)
			}
		}
		now := b.isLine("shop", "line")
		if now.Revision != line.Revision+1 || now.Families[0].Epoch != epoch || now.Columns[1].Epoch != epoch || line.Families[0].Epoch == epoch {
			b.t.Errorf("revision %d, epoch %d", now.Revision, now.Families[0].Epoch)
		}
		b.asWritten("another epoch")
	})
}
