package migrate

import (
	"database/sql"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tunic/internal/ddl"
	"tunic/internal/ddl/revision"
	"tunic/internal/policy"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/value"
)

// hinderedTables have among them all that hinders an encryption.
var hinderedTables = []string{
	"CREATE TABLE shop.parent (id INT PRIMARY KEY COMMENT 'tunic: plain', code INT NOT NULL, UNIQUE KEY (code))",
	"CREATE TABLE shop.much (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(40) NOT NULL COMMENT 'as on the card', doc JSON, seen DATETIME ON UPDATE CURRENT_TIMESTAMP," +
		" made CHAR(40) NOT NULL DEFAULT (UUID()), shape POINT, initial VARCHAR(5) GENERATED ALWAYS AS (LEFT(name, 1)) STORED, code INT, parent INT," +
		" KEY by_initial (initial), CONSTRAINT named CHECK (name <> ''), CONSTRAINT to_code FOREIGN KEY (code) REFERENCES parent (code) ON DELETE CASCADE," +
		" CONSTRAINT to_parent FOREIGN KEY (parent) REFERENCES parent (id))",
	"CREATE TABLE shop.ward (id INT PRIMARY KEY COMMENT 'tunic: plain', code INT NOT NULL, UNIQUE KEY (code))",
	"CREATE TABLE shop.visit (id INT AUTO_INCREMENT PRIMARY KEY, code INT, CONSTRAINT to_ward FOREIGN KEY (code) REFERENCES ward (code))",
	"INSERT INTO shop.parent VALUES (1, 10)",
	"INSERT INTO shop.much (name, doc, shape, code, parent) VALUES ('Ann', '{\"a\": [1, 2]}', POINT(1, 2), 10, 1)",
	"CREATE TRIGGER shop.loud BEFORE INSERT ON shop.much FOR EACH ROW SET NEW.name = UPPER(NEW.name)",
	"CREATE EVENT shop.purge ON SCHEDULE EVERY 1 DAY DO DELETE FROM much WHERE code < 0",
	"CREATE PROCEDURE shop.counts() SELECT COUNT(*) FROM much",
	"CREATE VIEW shop.names AS SELECT id, name FROM shop.much WHERE name <> 'x'",
	"CREATE TABLE shop.parted (id INT PRIMARY KEY COMMENT 'tunic: plain', name VARCHAR(40)) PARTITION BY HASH (id) PARTITIONS 3",
	"CREATE TABLE shop.heap (a INT)",
	"CREATE TABLE shop.other (id INT AUTO_INCREMENT PRIMARY KEY, a INT) ENGINE=MyISAM",
	"CREATE TABLE shop.keyed (name VARCHAR(40) PRIMARY KEY, a INT)",
	"CREATE TABLE shop.joined (id INT AUTO_INCREMENT PRIMARY KEY, a INT COMMENT 'of it; tunic: equality family tunic', b INT COMMENT 'tunic: family tunic', c INT COMMENT 'tunic: family f')",
	"CREATE TABLE shop.words (id INT AUTO_INCREMENT PRIMARY KEY, a VARCHAR(40), b VARCHAR(40), c INT, FULLTEXT KEY (a), FULLTEXT KEY (b))",
	"CREATE TABLE shop.worded (id INT AUTO_INCREMENT PRIMARY KEY, a VARCHAR(40), aa VARCHAR(40), FULLTEXT KEY both_of_them (a, aa))",
}

// hinderedBy are the findings of each table, in their order.
var hinderedBy = []struct {
	table string
	by    []string
}{
	{"much", []string{
		"type", "JSON", "computed value", "computed value", "foreign key", "foreign key",
		"trigger", "program", "program", "generated column", "CHECK", "view",
	}},
	{"ward", []string{"referred to"}},
	{"parted", []string{"partitions"}},
	{"heap", []string{"no key"}},
	{"other", []string{"engine"}},
	{"keyed", []string{"key of rows"}},
	{"joined", []string{"family", "family"}},
	{"words", []string{"refused definition", "refused definition"}},
}

// TestHindrancesGo: all that hinders a table is told at once; each goes by the SQL that is told with it, and comes
// back by the SQL for afterwards, where there is some.
func TestHindrancesGo(t *testing.T) {
	onServers(t, func(b *bench) {
		b.exec(b.server, hinderedTables...)
		seen := map[string]bool{}
		var restore []string
		if b.flavor == value.MySQL {
			b.exec(b.server, "CREATE TABLE shop.lowered (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(40), KEY by_name ((LOWER(name))))")
			b.unhindered("lowered", []string{refusedColumn}, seen)
		}
		b.ruled()
		for _, h := range hinderedBy {
			restore = append(restore, b.unhindered(h.table, h.by, seen)...)
		}
		for _, table := range []string{"parent", "ward", "visit", "much"} { // those of which something comes back
			w, end := b.work(table)
			if report, err := w.Encrypt(b.t.Context()); err != nil || report.At != Finished {
				b.t.Fatalf("%s: %+v, %v", table, report, err)
			}
			end()
		}
		for _, s := range restore {
			if _, err := b.tunics[0].ExecContext(b.t.Context(), s); err != nil {
				b.t.Errorf("%s: %v", s, err)
			}
		}
		b.apart(seen)
		for _, h := range Hindrances() {
			if !seen[h.Name] && h.Name != oldServer && h.Name != departed { // which has a test of its own
				b.t.Errorf("nothing of %s", h.Name)
			}
		}
	})
}

// unhindered finds what hinders a table and takes one after the other away, each of which is gone then. It returns
// the SQL for afterwards.
func (b *bench) unhindered(table string, by []string, seen map[string]bool) (restore []string) {
	b.t.Helper()
	w, end := b.work(table)
	defer end()
	found := b.hinderedIn(w)
	if diff := cmp.Diff(slices.Sorted(slices.Values(by)), slices.Sorted(slices.Values(names(found)))); diff != "" {
		b.t.Errorf("%s: %s", table, diff)
	}
	for i, f := range found {
		seen[f.Name] = true
		if len(f.Remove) == 0 {
			b.t.Errorf("%s: %s: no SQL", table, f.What)
		}
		b.exec(b.server, f.Remove...)
		if left := b.hinderedIn(w); len(left) != len(found)-i-1 || slices.ContainsFunc(left, func(g Finding) bool { return g.What == f.What }) {
			b.t.Errorf("%s: behind %v there is %v", table, f.Remove, names(left))
		}
		restore = append(restore, f.Restore...)
	}
	return restore
}

// ruled are columns that a rule protects: an annotation would not help, and no SQL says so. A key of words goes instead, and
// nothing says that it comes back.
func (b *bench) ruled() {
	b.t.Helper()
	ruled := func(table, column string) (*Work, func()) {
		w, end := b.work(table)
		rule, err := policy.ParseRule("shop."+table+"."+column, "equality")
		if err != nil {
			b.t.Fatal(err)
		}
		w.Definer.Close()
		w.Definer = ddl.New(ddl.Options{DB: b.options.DB, Ledger: w.Ledger, Policy: &policy.Policy{Rules: []policy.Rule{rule}}, Flavor: b.flavor, Log: b.options.Log})
		return w, end
	}
	words, end := ruled("worded", "*a")
	defer end()
	plan, err := words.Look(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	var remove, restore []string
	for _, f := range plan.Findings {
		remove, restore = append(remove, f.Remove...), append(restore, f.Restore...)
	}
	if len(remove) != 1 || len(restore) > 0 {
		b.t.Errorf("remove %q, restore %q", remove, restore)
	}
	b.exec(b.server, remove...)
	if left := b.hinderedIn(words); len(left) > 0 {
		b.t.Errorf("behind %v there is %v", remove, names(left))
	}
	w, end := ruled("keyed", "name")
	defer end()
	if found := b.hinderedIn(w); len(found) != 1 || found[0].Name != rowKey || len(found[0].Remove) > 0 || !strings.Contains(found[0].Fix, "a rule of the policy") {
		b.t.Errorf("%+v", found)
	}
}

// TestFurtherColumn: a column that is plain in a protected table, and that is asked for or that a rule protects, be it that
// the rule waits, is not taken for done.
func TestFurtherColumn(t *testing.T) {
	onServers(t, func(b *bench) {
		if _, err := b.tunics[0].ExecContext(b.t.Context(), "CREATE TABLE shop.further (id INT PRIMARY KEY COMMENT 'tunic: plain', a INT, b INT COMMENT 'tunic: plain')"); err != nil {
			b.t.Fatal(err)
		}
		rule, err := policy.ParseRule("shop.further.b", "sealed")
		if err != nil {
			b.t.Fatal(err)
		}
		rule.Waits = true
		for _, c := range []struct {
			columns []string
			rules   []policy.Rule
			want    error
		}{
			{nil, nil, nil}, {[]string{"a"}, nil, nil}, {[]string{"a", "b"}, nil, ErrProtected}, {nil, []policy.Rule{rule}, ErrProtected}, {[]string{"a"}, []policy.Rule{rule}, nil},
		} {
			w, end := b.work("further", c.columns...)
			w.Definer.SetPolicy(&policy.Policy{Rules: c.rules})
			if _, err := w.Look(b.t.Context()); !errors.Is(err, c.want) || err != nil && !strings.Contains(err.Error(), "column b ") {
				b.t.Errorf("%v, %d rules: %v", c.columns, len(c.rules), err)
			}
			end()
		}
	})
}

// hindering are the findings that hinder the encryption of a table.
func (b *bench) hindering(table string, columns ...string) []Finding {
	b.t.Helper()
	w, end := b.work(table, columns...)
	defer end()
	return b.hinderedIn(w)
}

func (b *bench) hinderedIn(w *Work) []Finding {
	b.t.Helper()
	plan, err := w.Look(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	return slices.DeleteFunc(plan.Findings, func(f Finding) bool { return !f.Hinders })
}

func names(findings []Finding) (all []string) {
	for _, f := range findings {
		all = append(all, f.Name)
	}
	return all
}

// apart finds what is not of a table's definition.
func (b *bench) apart(seen map[string]bool) {
	b.t.Helper()
	has := func(found []Finding, name string) *Finding {
		i := slices.IndexFunc(found, func(f Finding) bool { return f.Name == name })
		if i < 0 {
			b.t.Errorf("nothing of %s: %v", name, names(found))
			return &Finding{}
		}
		seen[name] = true
		return &found[i]
	}
	b.exec(b.server, "CREATE TABLE shop.simple (id INT PRIMARY KEY COMMENT 'tunic: plain', a INT)")
	has(b.hindering("simple", "nosuch"), noColumn)
	has(b.hindering("simple", "id"), unprotected)

	b.exec(b.server, "SET GLOBAL innodb_file_per_table = OFF")
	f := has(b.hindering("simple"), sharedTablespace)
	b.exec(b.server, f.Remove...)
	if left := b.hindering("simple"); len(left) > 0 {
		b.t.Errorf("behind %v there is %v", f.Remove, names(left))
	}
	b.exec(b.server, f.Restore...)
	b.exec(b.server, "SET GLOBAL innodb_file_per_table = ON")

	b.exec(b.server, "DROP USER IF EXISTS poor@'%'", "CREATE USER poor@'%' IDENTIFIED BY 'poor'", "GRANT SELECT ON shop.* TO poor@'%'", "GRANT ALL ON _tunic.* TO poor@'%'")
	w, end := b.work("simple")
	defer end()
	w.DB = b.as("poor")
	f = has(b.hinderedIn(w), privilege)
	b.exec(b.server, f.Remove...)
	_ = w.DB.Close()
	w.DB = b.as("poor")
	b.exec(b.server, has(b.hinderedIn(w), unseen).Remove...) // see TestUnseen
	if left := b.hinderedIn(w); len(left) > 0 {
		b.t.Errorf("behind %v there is %v", f.Remove, names(left))
	}

	b.exec(b.server, "ALTER TABLE shop.simple ADD COLUMN `"+revision.LeftFence+"` INT INVISIBLE")
	has(b.hindering("simple"), leftColumn)
}

// TestUnseen: what the service account does not see hinders until it does, or somebody says that he has looked; what it
// sees then hinders by itself.
func TestUnseen(t *testing.T) {
	onServers(t, func(b *bench) {
		b.exec(b.server, "DROP USER IF EXISTS blind@'%'", "CREATE USER blind@'%' IDENTIFIED BY 'blind'",
			"GRANT SELECT, INSERT, UPDATE, CREATE, ALTER, DROP, REFERENCES, SHOW VIEW, TRIGGER, EVENT ON shop.* TO blind@'%'", "GRANT ALL ON _tunic.* TO blind@'%'",
			"CREATE TABLE shop.watched (id INT PRIMARY KEY COMMENT 'tunic: plain', a INT)", "CREATE DATABASE beside", "CREATE TABLE beside.t (a INT)",
			"CREATE VIEW beside.v AS SELECT a FROM shop.watched", "CREATE PROCEDURE beside.p() UPDATE shop.watched SET a = 1", "CREATE PROCEDURE shop.p() UPDATE watched SET a = 1",
			"CREATE TRIGGER beside.g AFTER INSERT ON beside.t FOR EACH ROW INSERT INTO shop.watched VALUES (NEW.a, 1)",
			"CREATE EVENT beside.e ON SCHEDULE EVERY 1 DAY DISABLE DO DELETE FROM shop.watched")
		defer b.exec(b.server, "DROP DATABASE beside", "DROP PROCEDURE shop.p", "DROP USER blind@'%'")
		w, end := b.work("watched")
		defer end()
		look := func() []Finding {
			w.DB = b.as("blind")
			defer func() { _ = w.DB.Close() }()
			return b.hinderedIn(w)
		}
		found := look()
		if !slices.Equal(names(found), []string{unseen}) {
			b.t.Fatalf("hindered by %v", names(found))
		}
		w.IgnoreUnseen = true
		if found := look(); len(found) > 0 {
			b.t.Errorf("hindered by %v, though somebody has looked", names(found))
		}
		w.IgnoreUnseen = false
		b.exec(b.server, found[0].Remove...)
		found = look() // the query of a view takes a privilege on the view
		if want := []string{program, program, program, program, unseen}; !slices.Equal(names(found), want) {
			b.t.Fatalf("hindered by %v, not %v", names(found), want)
		}
		b.exec(b.server, found[len(found)-1].Remove...)
		if want := []string{program, program, program, program, view}; !slices.Equal(names(look()), want) {
			b.t.Errorf("hindered by %v, not %v", names(look()), want)
		}
	})
}

// TestUnseenByRevokes: on MySQL an account may have its privileges everywhere but on a schema.
func TestUnseenByRevokes(t *testing.T) {
	onServers(t, func(b *bench) {
		if b.flavor != value.MySQL {
			b.t.Skip("MariaDB has no partial revokes")
		}
		b.exec(b.server, "SET GLOBAL partial_revokes = ON", "CREATE DATABASE apart", "CREATE TABLE shop.looked (id INT PRIMARY KEY COMMENT 'tunic: plain', a INT)", "CREATE TABLE apart.t (a INT)",
			"CREATE TRIGGER apart.g AFTER INSERT ON apart.t FOR EACH ROW INSERT INTO shop.looked VALUES (NEW.a, 1)",
			"CREATE USER less@'%' IDENTIFIED BY 'less'", "GRANT ALL ON *.* TO less@'%'", "REVOKE ALL ON apart.* FROM less@'%'")
		defer b.exec(b.server, "DROP DATABASE apart", "DROP USER less@'%'", "SET GLOBAL partial_revokes = OFF")
		w, end := b.work("looked")
		defer end()
		look := func() []Finding {
			w.DB = b.as("less")
			defer func() { _ = w.DB.Close() }()
			return b.hinderedIn(w)
		}
		found := look()
		if !slices.Equal(names(found), []string{unseen}) {
			b.t.Fatalf("hindered by %v", names(found))
		}
		b.exec(b.server, found[0].Remove...)
		if found := look(); !slices.Contains(names(found), program) {
			b.t.Errorf("hindered by %v", names(found))
		}
	})
}

// as is the server for another account.
func (b *bench) as(user string) *sql.DB { return sandboxtest.Open(b.t, b.dsn(user, user, "")) }

// TestHindrancesAreDocumented: the table of docs/assess.md is the list of the code, and that of
// docs/encrypting.md has all checks in their order.
func TestHindrancesAreDocumented(t *testing.T) {
	var want []string
	for _, h := range Hindrances() {
		want = append(want, strings.TrimSpace(strings.Join([]string{h.Name, h.Check, h.What, h.Fix}, " | ")))
	}
	if diff := cmp.Diff(want, rowsOf(t, "../../docs/assess.md", "| name | check | what hinders | the SQL |")); diff != "" {
		t.Error(diff)
	}
	checks := map[string]bool{}
	for _, h := range Hindrances() {
		checks[h.Check] = true
	}
	var told []string
	for _, row := range rowsOf(t, "../../docs/encrypting.md", "| check | what prevents the command |") {
		name, _, _ := strings.Cut(row, " | ")
		told = append(told, name)
	}
	if diff := cmp.Diff(Checks(), told); diff != "" {
		t.Error(diff)
	}
	for name := range checks {
		if !slices.Contains(Checks(), name) {
			t.Errorf("there is no check %s", name)
		}
	}
}

// byDefinition is the reason of hindrances that Adopt refuses itself; TestAdoptRefuses.
const byDefinition = "the definition says it, which Adopt reads itself"

// stays are the hindrances that are not looked for again when the work has begun, and why.
var stays = map[string][]string{
	byDefinition: {
		otherEngine, partitions, noColumn, unprotected, leftColumn, refusedColumn, family, documents, computedValue, otherType, rowKey, noKey, generatedColumn,
		checkConstraint,
	},
	"it is of the server, of other tunics or of the service account, and no client makes it": {oldServer, sharedTablespace, privilege, departed, unseen},
}

// TestHindrancesComeOrStay: of each hindrance it has been decided whether it may come while the work runs.
func TestHindrancesComeOrStay(t *testing.T) {
	decided := map[string]int{}
	for name := range comes {
		decided[name]++
	}
	for _, names := range stays {
		for _, name := range names {
			decided[name]++
		}
	}
	for _, h := range Hindrances() {
		if decided[h.Name] != 1 {
			t.Errorf("%s: say in comes (and look for it in stillFree), or in stays, whether a client can make it while the work runs", h.Name)
		}
	}
}

// rowsOf are the rows of a table in a document, below its head.
func rowsOf(t *testing.T, document, head string) (rows []string) {
	t.Helper()
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	_, below, ok := strings.Cut(string(text), head+"\n")
	if !ok {
		t.Fatalf("%s has no %s", document, head)
	}
	for i, line := range strings.Split(below, "\n") {
		if i > 0 {
			if !strings.HasPrefix(line, "|") {
				break
			}
			rows = append(rows, strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|")))
		}
	}
	return rows
}

// TestOldServers: servers that cannot do it beside clients.
func TestOldServers(t *testing.T) {
	for _, c := range []struct {
		flavor  value.Flavor
		version string
		old     bool
	}{
		{value.MariaDB, "10.5.1-MariaDB", true},
		{value.MariaDB, "10.5.2-MariaDB-log", false},
		{value.MariaDB, "11.4.2-MariaDB", false},
		{value.MySQL, "8.0.28", true},
		{value.MySQL, "8.0.29-debug", false},
		{value.MySQL, "9.1.0", false},
	} {
		found := tooOld(c.flavor, c.version)
		if len(found) > 0 != c.old || c.old && found[0].Name != oldServer {
			t.Errorf("%v %s: %+v", c.flavor, c.version, found)
		}
	}
}

// TestViewsOverViewsHinder: views over views of a table are told of as well, each behind what it reads:
// of a view of tunic's they would show no rows.
func TestViewsOverViewsHinder(t *testing.T) {
	onServers(t, func(b *bench) {
		b.exec(b.server, "CREATE TABLE shop.under (id INT PRIMARY KEY COMMENT 'tunic: plain', name VARCHAR(40))", "INSERT INTO shop.under VALUES (1, 'Alice')",
			"CREATE VIEW shop.seen AS SELECT id, name FROM shop.under", "CREATE VIEW shop.above AS SELECT name FROM shop.seen",
			"CREATE VIEW shop.beside AS SELECT above.name FROM shop.above JOIN shop.under ON above.name = under.name")
		w, end := b.work("under")
		defer end()
		found := b.hinderedIn(w)
		var order []string
		for _, f := range found {
			order = append(order, f.Of)
			b.exec(b.server, f.Remove...)
		}
		if diff := cmp.Diff([]string{"shop.seen", "shop.above", "shop.beside"}, order); diff != "" {
			b.t.Fatal(diff)
		}
		if report, err := w.Encrypt(b.t.Context()); err != nil || report.At != Finished {
			b.t.Fatalf("%+v, %v", report, err)
		}
		for _, f := range found {
			b.exec(b.tunics[0], f.Restore...)
		}
		var name string
		if err := b.tunics[0].QueryRowContext(b.t.Context(), "SELECT name FROM shop.beside").Scan(&name); err != nil || name != "Alice" {
			b.t.Errorf("%q, %v", name, err)
		}
	})
}
