package ddl

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/crypt"
	"tunic/internal/ddl/form"
	"tunic/internal/ddl/service"
	"tunic/internal/ledger"
	"tunic/internal/policy"
	"tunic/internal/racetest"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// TestServerRefusesPlaintext: who writes around tunic is refused by the server, and
// sealed forms pass.
func TestServerRefusesPlaintext(t *testing.T) {
	onServers(t, func(b *bench) {
		b.must("CREATE TABLE g (n INT, s VARCHAR(20), t TEXT, d DATE NOT NULL, p INT COMMENT 'tunic: plain')")
		sealed := func(bytes int) string { return "CONCAT(x'010000', REPEAT('x', " + fmt.Sprint(bytes-3) + "))" }
		for _, c := range []struct {
			set    string
			passes bool
		}{
			{"n = NULL, s = NULL, d = " + sealed(39), true},
			{"n = " + sealed(39) + ", s = " + sealed(47) + ", t = " + sealed(63) + ", d = " + sealed(39) + ", p = 5", true},
			{"n = 5, d = " + sealed(39), false},
			{"n = '5', d = " + sealed(39), false},
			{"s = 'alice', d = " + sealed(39), false},
			{"s = '', d = " + sealed(39), false},
			{"s = " + sealed(46) + ", d = " + sealed(39), false},
			{"t = 'a text that is longer than any sealed form has to be, by far', d = " + sealed(39), false},
			{"d = '2020-01-01'", false},
			{"d = ''", false},
		} {
			err := b.client.Exec(t.Context(), "INSERT INTO shop.g SET "+c.set)
			number := numberOf(err)
			if c.passes != (err == nil) || err != nil && number != service.CheckViolated && number != service.ConstraintFails {
				t.Errorf("%s: %v", c.set, err)
			}
		}
	})
}

// TestSealedSizes: what crypt makes of a value, for every layer that the type can
// have, has a size that the stored column was made for.
func TestSealedSizes(t *testing.T) {
	racetest.InOrder(t)
	onServers(t, func(b *bench) {
		types := []string{
			"TINYINT", "INT UNSIGNED", "BIGINT", "DECIMAL(18,2)", "DECIMAL(19,2)", "DECIMAL(38,0)", "DECIMAL(39,0)", "DECIMAL(65,30)", "FLOAT",
			"DOUBLE", "BIT(7)", "YEAR", "DATE", "TIME(6)", "DATETIME", "TIMESTAMP NULL", "CHAR(5)", "VARCHAR(15)", "VARCHAR(16)", "VARCHAR(0)",
			"TINYTEXT", "TEXT", "BINARY(5)", "BINARY(8)", "BINARY(250)", "VARBINARY(31)", "BLOB", "ENUM('a','b')", "SET('a','b')", "JSON",
		}
		ring := crypt.NewRing(b.ledger.Tree())
		for i, typ := range types {
			annotation := " COMMENT 'tunic: order'"
			if typ == "JSON" {
				annotation = ""
			}
			b.must(fmt.Sprintf("CREATE TABLE sizes%d (c %s%s)", i, typ, annotation))
			c := &b.ledger.Catalog().Table("shop", fmt.Sprintf("sizes%d", i)).Columns[0]
			column, err := ring.Column(c)
			if err != nil {
				t.Fatalf("%s: %v", typ, err)
			}
			for _, n := range canonicalLengths(&c.Type) {
				sealed, err := column.AppendSealed(nil, make([]byte, n))
				if err != nil {
					t.Fatalf("%s: %d bytes: %v", typ, n, err)
				}
				if least, most := form.SealedSize(&c.Type); len(sealed) < least || len(sealed) > most {
					t.Errorf("%s: %d bytes sealed are %d, not %d to %d", typ, n, len(sealed), least, most)
				}
				for j := range c.Layers {
					token, err := column.AppendToken(nil, c.Layers[j].Capability, make([]byte, n))
					if want := form.TokenBytes(&c.Layers[j], &c.Type); err != nil || len(token) != want {
						t.Errorf("%s: a token of %s has %d bytes, not %d: %v", typ, c.Layers[j].Stored, len(token), want, err)
					}
				}
			}
		}
	})
}

// canonicalLengths are the shortest and the longest canonical forms of a type.
func canonicalLengths(t *value.Type) []int {
	if n := value.FixedBytes(t); n > 0 {
		return []int{n}
	}
	return []int{0, min(value.CanonicalMax(t), 1<<17)}
}

// TestNothingIsGivenAway: labels, defaults and comments of protected columns, and
// comments of their table and keys, are in nothing that is sent to the server.
func TestNothingIsGivenAway(t *testing.T) {
	definitions := []string{
		"CREATE TABLE w (id INT AUTO_INCREMENT PRIMARY KEY, e ENUM('canary-on','canary-off') DEFAULT 'canary-on' COMMENT 'canary-comment; tunic: equality', " +
			"s VARCHAR(50) NOT NULL DEFAULT 'canary-default', st SET('canary-x','canary-y') DEFAULT 'canary-x', n INT DEFAULT 770077, d DATE DEFAULT '1977-07-07', " +
			"KEY k (s) COMMENT 'canary-key') COMMENT='canary-table'",
		"CREATE TABLE w (id INT)",
		"CREATE TABLE w2 (e ENUM('canary-a','canary-a'))",
		"CREATE TABLE w3 (n INT DEFAULT 'canary-number')",
		"ALTER TABLE w ADD COLUMN more VARCHAR(20) COMMENT 'canary-more', ADD KEY k2 (e) COMMENT 'canary-key2'",
		"ALTER TABLE w MODIFY e ENUM('canary-on','canary-off','canary-else') DEFAULT 'canary-else'",
		"ALTER TABLE w ALTER COLUMN s SET DEFAULT 'canary-other', COMMENT='canary-table2'",
		"ALTER TABLE w ALTER COLUMN n SET DEFAULT 770077",
		"CREATE TABLE w4 LIKE w",
		"RENAME TABLE w TO w5",
		"DROP TABLE w5, w4",
	}
	onServers(t, func(b *bench) {
		b.seen.forget()
		for _, d := range definitions {
			if _, err := b.do(d); err != nil && strings.Contains(err.Error(), "canary") {
				t.Errorf("%s: the error has a value: %v", d, err)
			}
		}
		for _, canary := range []string{"canary", "770077", "1977-07-07"} {
			if at := strings.Index(b.seen.text(), canary); at >= 0 {
				t.Errorf("sent to the server: …%s…", b.seen.text()[max(0, at-60):at+len(canary)])
			}
		}
		// The search finds what is there: plain columns are the server's to know.
		b.must("CREATE TABLE w6 (a INT, e ENUM('canary-plain') COMMENT 'tunic: plain')")
		if !strings.Contains(b.seen.text(), "canary-plain") {
			t.Error("the search finds nothing")
		}
	})
}

// TestRows: a change that would need stored values made anew is refused once there
// are any, and leaves everything as it was; others go on.
func TestRows(t *testing.T) {
	onServers(t, func(b *bench) {
		b.must("CREATE TABLE r (id INT AUTO_INCREMENT PRIMARY KEY, a INT, s VARCHAR(10), k INT COMMENT 'tunic: equality')")
		if err := b.client.Exec(t.Context(), "INSERT INTO shop.r (id, a, s) VALUES (1, CONCAT(x'010000', REPEAT('a', 36)), CONCAT(x'010000', REPEAT('s', 44)))"); err != nil {
			t.Fatal(err)
		}
		before := b.ledger.Catalog().Table("shop", "r")
		for _, change := range []string{
			"ALTER TABLE r MODIFY a VARCHAR(20)", "ALTER TABLE r MODIFY s INT", "ALTER TABLE r MODIFY a INT COMMENT 'tunic: plain'",
			"ALTER TABLE r MODIFY s INT, ADD KEY (a)", "ALTER TABLE r ADD COLUMN n JSON NOT NULL", "ALTER TABLE r DROP COLUMN a, ADD COLUMN a INT NOT NULL",
			"ALTER TABLE r ADD COLUMN n DATE NOT NULL",
		} {
			if _, err := b.do(change); !errors.Is(err, sqlerr.NeedsRewrite("", "")) {
				t.Errorf("%s: %v", change, err)
			}
			if now := b.ledger.Catalog().Table("shop", "r"); now.Revision != before.Revision || now.Definition != before.Definition {
				t.Fatalf("%s: the table has changed", change)
			}
		}
		b.must("CREATE INDEX ik ON r (k)", "ALTER TABLE r ADD COLUMN n INT", "ALTER TABLE r DROP COLUMN a")
		if _, err := b.do("ALTER TABLE r MODIFY s VARCHAR(200)"); !errors.Is(err, sqlerr.CannotBackfill("", "")) {
			t.Errorf("another stored form of rows that tunic has not written: %v", err)
		}
		rows, err := b.client.Query(t.Context(), "SELECT COUNT(*) FROM shop.r")
		if err != nil || service.Text(rows[0][0]) != "1" {
			t.Errorf("rows: %v, %v", rows, err)
		}
		b.noTwinLeft()
	})
}

// TestConvertedUnderGuards: a plain column that a CHECK or a generated column over a
// protected one reads is not given another type in a table with rows: the server would
// convert its values, and hold them to nothing. Nor does the server change it by itself.
func TestConvertedUnderGuards(t *testing.T) {
	onServers(t, func(b *bench) {
		b.must("CREATE TABLE u (id INT PRIMARY KEY COMMENT 'tunic: plain')", "CREATE TABLE g (id INT AUTO_INCREMENT PRIMARY KEY, "+
			"q DECIMAL(7,3) COMMENT 'tunic: plain', v VARCHAR(20) COMMENT 'tunic: plain', r INT COMMENT 'tunic: plain', s INT, "+
			"h VARCHAR(40) AS (CONCAT(v, s)) STORED, m INT AS (r + s) VIRTUAL, CHECK (q < s))")
		for _, change := range []string{
			"ALTER TABLE g ADD FOREIGN KEY (r) REFERENCES u (id) ON UPDATE CASCADE", "ALTER TABLE g ADD FOREIGN KEY (r) REFERENCES u (id) ON DELETE SET NULL",
			"CREATE TABLE g2 (r INT COMMENT 'tunic: plain', s INT, m INT AS (r + s) VIRTUAL, FOREIGN KEY (r) REFERENCES u (id) ON UPDATE CASCADE)",
		} {
			if _, err := b.do(change); !errors.Is(err, sqlerr.GeneratedColumn("", "")) {
				t.Errorf("%s: %v", change, err)
			}
		}
		if err := b.client.Exec(t.Context(), "INSERT INTO shop.g (q) VALUES (4.6)"); err != nil {
			t.Fatal(err)
		}
		before := b.ledger.Catalog().Table("shop", "g")
		for _, change := range []string{
			"ALTER TABLE g MODIFY q DECIMAL(7,0) COMMENT 'tunic: plain'", "ALTER TABLE g MODIFY v VARCHAR(3) COMMENT 'tunic: plain'",
			"ALTER TABLE g MODIFY q DECIMAL(7,3) NOT NULL COMMENT 'tunic: plain'", "ALTER TABLE g MODIFY r BIGINT COMMENT 'tunic: plain'",
			"ALTER TABLE g ADD n INT DEFAULT (1 + 1)",
		} {
			if _, err := b.do(change); !errors.Is(err, sqlerr.CheckRows("")) {
				t.Errorf("%s: %v", change, err)
			}
			if now := b.ledger.Catalog().Table("shop", "g"); now.Revision != before.Revision || now.Definition != before.Definition {
				t.Fatalf("%s: the table has changed", change)
			}
		}
		b.must("ALTER TABLE g ADD FOREIGN KEY (r) REFERENCES u (id) ON DELETE CASCADE", "TRUNCATE TABLE g", "ALTER TABLE g MODIFY q DECIMAL(7,0) COMMENT 'tunic: plain'")
		b.noTwinLeft()
	})
}

// noTwinLeft holds tunic's schema to the twins of the catalog.
func (b *bench) noTwinLeft(but ...string) {
	b.t.Helper()
	rows, err := b.client.Query(b.t.Context(), "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = '_tunic' AND TABLE_NAME LIKE 't\\_%'")
	if err != nil {
		b.t.Fatal(err)
	}
	used := map[string]bool{}
	for _, name := range but {
		used[name] = true
	}
	for t := range b.ledger.Catalog().Tables() {
		used[t.Twin] = true
	}
	for _, r := range rows {
		if !used[service.Text(r[0])] {
			b.t.Errorf("twin %s belongs to no table", service.Text(r[0]))
		}
		delete(used, service.Text(r[0]))
	}
	for name := range used {
		b.t.Errorf("twin %s is missing", name)
	}
}

// TestTemporary: temporary tables are the session's, hide others, and go with DROP.
func TestTemporary(t *testing.T) {
	onServers(t, func(b *bench) {
		own := map[string]*catalog.Table{}
		b.session.Temporary = func(_, table string) *catalog.Table { return own[table] }
		b.must("CREATE TABLE t (a INT)")
		r, err := b.do("CREATE TEMPORARY TABLE t (b VARCHAR(5) DEFAULT 'x', KEY (b))")
		if err != nil || r.Temporary == nil {
			t.Fatal(r, err)
		}
		own["t"] = r.Temporary
		if b.ledger.Catalog().Table("shop", "t").Columns[0].Name != "a" {
			t.Error("the catalog has the temporary table")
		}
		if _, err := b.do("CREATE TEMPORARY TABLE t (b INT)"); numberOf(err) != tableExists {
			t.Errorf("twice: %v", err)
		}
		if r, err = b.do("ALTER TABLE t ADD COLUMN c INT NOT NULL"); err != nil || r.Temporary == nil || len(r.Temporary.Columns) != 2 {
			t.Fatal(r, err)
		}
		own["t"] = r.Temporary
		b.noTwinLeft(r.Temporary.Twin)
		if _, err := b.do("RENAME TABLE t TO u"); !errors.Is(err, sqlerr.DefinitionForm("", "")) {
			t.Errorf("rename: %v", err)
		}
		if r, err = b.do("DROP TABLE t"); err != nil || len(r.Dropped) != 1 {
			t.Fatal(r, err)
		}
		delete(own, "t")
		if b.ledger.Catalog().Table("shop", "t") == nil {
			t.Error("the table that was hidden is gone")
		}
		b.noTwinLeft()
		b.must("CREATE TEMPORARY TABLE v (a INT)")
		if err := b.definer.Upkeep.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.noTwinLeft()
	})
}

// TestChangedAround: what somebody else has made of a stored table is not lost by a
// change through tunic, which is made once it is undone.
func TestChangedAround(t *testing.T) {
	onServers(t, func(b *bench) {
		b.must("CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, a INT COMMENT 'tunic: order', p INT COMMENT 'tunic: plain')")
		const change = "ALTER TABLE t ADD COLUMN late INT"
		for _, c := range [][2]string{
			{"ALTER TABLE t ADD COLUMN own INT", "ALTER TABLE t DROP COLUMN own"},
			{"ALTER TABLE t COMMENT 'ours now'", "ALTER TABLE t COMMENT '" + ledger.Mark(b.ledger.Catalog().Table("shop", "t")) + "'"},
		} {
			if err := b.server.Exec(t.Context(), "USE shop", c[0]); err != nil {
				t.Fatal(err)
			}
			if _, err := b.do(change); !errors.Is(err, sqlerr.ChangedAround("", "")) {
				t.Errorf("%s: %v", c[0], err)
			}
			b.noTwinLeft()
			if err := b.server.Exec(t.Context(), "USE shop", c[1]); err != nil {
				t.Fatal(err)
			}
		}
		b.must(change)
	})
}

// TestSweepGoesOn: a table that was changed around tunic so that it can have no CHECK
// keeps no other table from being mended, and tunic from no start.
func TestSweepGoesOn(t *testing.T) {
	onServers(t, func(b *bench) {
		b.around = true
		server := b.connect("shop")
		around := func(statement string) {
			t.Helper()
			if err := server.Exec(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
		}
		for _, name := range []string{"whole", "lacking", "written", "gone"} {
			if _, err := b.do("CREATE TABLE " + name + " (id INT AUTO_INCREMENT PRIMARY KEY, a INT, s VARCHAR(5))"); err != nil { // those before it are not whole
				t.Fatal(err)
			}
			around("ALTER TABLE " + name + " DROP CONSTRAINT `" + form.CheckName(b.ledger.Catalog().Table("shop", name)) + "`")
		}
		around("ALTER TABLE lacking DROP COLUMN s")
		around("INSERT INTO written (a, s) VALUES (RPAD('x', 39, 'x'), 'plain')")
		around("DROP TABLE gone")
		if err := b.definer.Upkeep.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		rows, err := server.Query(t.Context(), "SELECT TABLE_NAME FROM information_schema.TABLE_CONSTRAINTS"+
			" WHERE CONSTRAINT_SCHEMA = 'shop' AND CONSTRAINT_NAME LIKE 'tunic$%'")
		if err != nil || len(rows) != 1 || service.Text(rows[0][0]) != "whole" {
			t.Errorf("mended: %d tables, %v", len(rows), err)
		}
	})
}

// TestStrayCheck: a CHECK that MySQL has left under the name that it has while a table is copied
// gets its own again; those of clients are left.
func TestStrayCheck(t *testing.T) {
	onServers(t, func(b *bench) {
		if b.flavor != value.MySQL {
			b.t.Skip("a name that MySQL gives")
		}
		b.around = true
		b.must("CREATE TABLE stray (id INT PRIMARY KEY COMMENT 'tunic: plain', a INT, CONSTRAINT `#cc_1_2_3` CHECK (id > 0))")
		stray, server := b.ledger.Catalog().Table("shop", "stray"), b.connect("shop")
		checks := func() (names []string) {
			t.Helper()
			rows, err := server.Query(t.Context(), "SELECT CONSTRAINT_NAME FROM information_schema.TABLE_CONSTRAINTS"+
				" WHERE CONSTRAINT_SCHEMA = 'shop' AND TABLE_NAME = 'stray' AND CONSTRAINT_TYPE = 'CHECK' ORDER BY CONSTRAINT_NAME")
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range rows {
				names = append(names, service.Text(row[0]))
			}
			return names
		}
		want := []string{"#cc_1_2_3", form.CheckName(stray)}
		for what, mends := range map[string]func() error{
			"a start":       func() error { return b.definer.Upkeep.Sweep(t.Context()) },
			"a cut off one": func() error { return b.definer.Upkeep.Step(t.Context(), stray.ID, b.definer.Upkeep.TakeBack) },
		} {
			err := server.Exec(t.Context(), "ALTER TABLE stray DROP CHECK `"+form.CheckName(stray)+"`, ADD CONSTRAINT `#cc_1_2_4` CHECK ("+form.CheckText(stray)+")")
			if err != nil {
				t.Fatal(err)
			}
			if err := mends(); err != nil {
				t.Fatal(err)
			}
			if got := checks(); !slices.Equal(got, want) {
				t.Errorf("after %s: %q, not %q", what, got, want)
			}
		}
	})
}

// TestBlindAccount: a schema that is there and that the service account cannot see is
// not said to be missing, and one that is missing is.
func TestBlindAccount(t *testing.T) {
	onServers(t, func(b *bench) {
		err := b.server.Exec(t.Context(), "CREATE USER IF NOT EXISTS blind IDENTIFIED BY 'blind'", "GRANT ALL ON _tunic.* TO blind")
		if err != nil {
			t.Fatal(err)
		}
		b.definer = New(Options{
			DB: b.open("blind", "blind", ""), Ledger: b.ledger, Policy: protecting(), Flavor: b.flavor, Log: slog.New(slog.DiscardHandler),
		})
		b.t.Cleanup(b.definer.Close)
		if _, err := b.do("CREATE TABLE t (a INT)"); !errors.Is(err, sqlerr.AccountBlind("")) {
			t.Errorf("a schema that is not seen: %v", err)
		}
		if _, err := b.do("CREATE TABLE nowhere.t (a INT)"); numberOf(err) != 1049 {
			t.Errorf("a schema that is not there: %v", err)
		}
	})
}

// TestViewlessAccount: a service account that cannot look at views makes none, since it
// could not settle one that was cut off.
func TestViewlessAccount(t *testing.T) {
	onServers(t, func(b *bench) {
		b.must("CREATE TABLE k (id INT AUTO_INCREMENT PRIMARY KEY, s VARCHAR(20))")
		err := b.server.Exec(t.Context(), "CREATE USER IF NOT EXISTS viewless IDENTIFIED BY 'viewless'", "GRANT ALL ON _tunic.* TO viewless",
			"GRANT SELECT, INSERT, UPDATE, CREATE, ALTER ON shop.* TO viewless")
		if err != nil {
			t.Fatal(err)
		}
		b.definer = New(Options{
			DB: b.open("viewless", "viewless", ""), Ledger: b.ledger, Policy: protecting(), Flavor: b.flavor, Log: slog.New(slog.DiscardHandler),
		})
		b.t.Cleanup(b.definer.Close)
		if err := b.view(false); !errors.Is(err, sqlerr.AccountBlind("")) {
			t.Errorf("without SHOW VIEW: %v", err)
		}
		if err := b.server.Exec(t.Context(), "GRANT SHOW VIEW ON shop.* TO viewless"); err != nil {
			t.Fatal(err)
		}
		if err := b.view(false); err != nil {
			t.Errorf("with it: %v", err)
		}
	})
}

// TestModes: definitions mean the same whatever the session's way of writing them.
func TestModes(t *testing.T) {
	onServers(t, func(b *bench) {
		const statement = `CREATE TABLE "m" ("a b" INT, p VARCHAR(20) DEFAULT 'x\y''z' COMMENT 'tunic: plain', s VARCHAR(20) DEFAULT 'x\y''z', KEY "k" (s))`
		plain := b.connect("plain")
		for _, c := range []*client{b.client, plain} {
			if err := c.Exec(t.Context(), "SET sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES,STRICT_ALL_TABLES'"); err != nil {
				t.Fatal(err)
			}
		}
		b.session = b.sessionOf(b.client, "shop")
		b.must(statement)
		if err := plain.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
		b.must(`ALTER TABLE "m" ADD COLUMN q INT`)
		if err := plain.Exec(t.Context(), `ALTER TABLE "m" ADD COLUMN q INT`); err != nil {
			t.Fatal(err)
		}
		b.compareTable(b.connect("plain"), statement, b.ledger.Catalog().Table("shop", "m"), false)
		rows, err := b.connect("shop").Query(t.Context(), "SELECT COLUMN_DEFAULT FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = 'shop' AND COLUMN_NAME = 'p'")
		if err != nil || !strings.Contains(service.Text(rows[0][0]), "x") || !strings.Contains(service.Text(rows[0][0]), `\`) {
			t.Errorf("the plain default: %v, %v", rows, err)
		}
	})
}

// TestPrivileges: the client's own privileges decide, and what it may not do leaves
// nothing behind.
func TestPrivileges(t *testing.T) {
	onServers(t, func(b *bench) {
		b.client.fail = &sqlerr.Error{Number: 1142, State: "42000", Message: "CREATE command denied"}
		for _, d := range []string{"CREATE TABLE x (a INT)", "CREATE TEMPORARY TABLE x (a INT)"} {
			if _, err := b.do(d); numberOf(err) != 1142 {
				t.Errorf("%s: %v", d, err)
			}
		}
		b.client.fail = nil
		b.must("CREATE TABLE x (a INT)")
		b.client.fail = &sqlerr.Error{Number: 1142, State: "42000", Message: "ALTER command denied"}
		for _, d := range []string{"ALTER TABLE x ADD b INT", "ALTER TABLE x ADD b INT NOT NULL", "RENAME TABLE x TO y", "DROP TABLE x"} {
			if _, err := b.do(d); numberOf(err) != 1142 {
				t.Errorf("%s: %v", d, err)
			}
		}
		if b.ledger.Catalog().Table("shop", "x").Revision != 1 {
			t.Error("a change that was refused is in the catalog")
		}
		b.noTwinLeft()
	})
}

// TestNamesTwice: a constraint with the name of another is not taken for a new one.
func TestNamesTwice(t *testing.T) {
	onServers(t, func(b *bench) {
		const foreign = "CONSTRAINT f FOREIGN KEY (a) REFERENCES q (a)"
		b.must("CREATE TABLE q (a INT PRIMARY KEY)", "CREATE TABLE x (a INT, CONSTRAINT c CHECK (a > 0), "+foreign+")")
		for _, d := range []string{
			"ALTER TABLE x ADD CONSTRAINT C CHECK (a > 1)", "ALTER TABLE x ADD " + foreign,
			"ALTER TABLE x ADD CONSTRAINT d CHECK (a > 1), ADD CONSTRAINT d CHECK (a > 2)",
			"CREATE TABLE y (a INT, CONSTRAINT c1 CHECK (a > 0), CONSTRAINT c1 CHECK (a > 1))",
			"CREATE TABLE y (a INT, CONSTRAINT f1 FOREIGN KEY (a) REFERENCES q (a), CONSTRAINT f1 FOREIGN KEY (a) REFERENCES q (a))",
		} {
			if _, err := b.do(d); !errors.Is(err, sqlerr.DefinitionForm("", "")) {
				t.Errorf("%s: %v", d, err)
			}
		}
		b.must("ALTER TABLE x DROP FOREIGN KEY f, ADD " + foreign)
		b.noTwinLeft()
	})
}

// TestOwnSchema: nobody defines anything in tunic's own schema.
func TestOwnSchema(t *testing.T) {
	onServers(t, func(b *bench) {
		for _, d := range []string{
			"CREATE TABLE _tunic.x (a INT)", "DROP TABLE _tunic.object", "ALTER TABLE `_TUNIC`.object ADD x INT", "DROP DATABASE _tunic",
			"RENAME TABLE _tunic.object TO shop.x", "TRUNCATE TABLE _tunic.object", "CREATE TABLE x LIKE _tunic.object",
			"CREATE TABLE x (a INT COMMENT 'tunic: plain', FOREIGN KEY (a) REFERENCES _tunic.object (id))",
		} {
			if _, err := b.do(d); !errors.Is(err, sqlerr.OwnSchema()) {
				t.Errorf("%s: %v", d, err)
			}
		}
	})
}

// TestPlainTables: tables that are not protected stay the server's business, until
// a statement speaks of protection.
func TestPlainTables(t *testing.T) {
	onServers(t, func(b *bench) {
		b.definer.SetPolicy(&policy.Policy{})
		for _, d := range []string{
			"CREATE TABLE q (id INT PRIMARY KEY, e ENUM('a'))", "ALTER TABLE q ADD COLUMN x INT DEFAULT (1 + 1)", "CREATE INDEX i ON q (x)",
			"RENAME TABLE q TO q2", "TRUNCATE TABLE q2", "CREATE TABLE q3 LIKE q2", "DROP TABLE q2, q3", "CREATE DATABASE shop2", "DROP DATABASE shop2",
		} {
			if r, err := b.do(d); err != nil || !r.Forward {
				t.Errorf("%s: %+v, %v", d, r, err)
			}
		}
		rule, err := policy.ParseRule("*.known*.*", "equality")
		if err != nil {
			b.t.Fatal(err)
		}
		b.definer.SetPolicy(&policy.Policy{Rules: []policy.Rule{rule}})
		b.must("CREATE TABLE q (id INT PRIMARY KEY)", "CREATE TABLE p (id INT PRIMARY KEY COMMENT 'tunic: equality')")
		for d, want := range map[string]error{
			"ALTER TABLE q ADD COLUMN s INT COMMENT 'tunic: sealed'":      sqlerr.ProtectionChanges(""),
			"ALTER TABLE q MODIFY id INT COMMENT 'tunic: sealed'":         sqlerr.ProtectionChanges(""),
			"ALTER TABLE q ADD s CHAR(1) DEFAULT 'a', RENAME TO known":    sqlerr.ProtectionChanges(""),
			"ALTER TABLE q RENAME shop.known2, ADD (a INT, s ENUM('a'))":  sqlerr.ProtectionChanges(""),
			"ALTER TABLE q ADD FOREIGN KEY (id) REFERENCES p (id)":        sqlerr.ForeignKeyPlain(""),
			"CREATE TABLE z (id INT, FOREIGN KEY (id) REFERENCES p (id))": sqlerr.ForeignKeyPlain(""),
			"CREATE TABLE z SELECT * FROM p":                              sqlerr.CreateSelect("", ""),
		} {
			if _, err := b.do(d); !errors.Is(err, want) {
				t.Errorf("%s: %v", d, err)
			}
		}
	})
}
