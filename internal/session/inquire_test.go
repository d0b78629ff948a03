package session

import (
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tunic/internal/catalog"
	"tunic/internal/ddl"
	"tunic/internal/keys"
	"tunic/internal/ledger"
	"tunic/internal/ledger/ledgertest"
	"tunic/internal/policy"
	"tunic/internal/racetest"
	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/value"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// asked is one server with the same tables in schema plain, where a client is
// connected to it directly, and in schema shop, where another is through tunic, with
// all protected that can be.
type asked struct {
	flavor         value.Flavor
	server         *sandbox.Server
	shared         *Shared
	direct, tunnel *wiretest.Peer
	db             *sql.DB
}

// onServers runs a test on a server of each flavor, with the tables of newAsked.
func onServers(t *testing.T, test func(t *testing.T, a *asked)) {
	t.Helper()
	for _, flavor := range []value.Flavor{value.MariaDB, value.MySQL} {
		t.Run(flavor.String(), func(t *testing.T) {
			test(t, newAsked(t, flavor, sandboxtest.Start(t, sandboxes[flavor])))
		})
	}
}

// newAsked makes the tables of testdata/inquiries/schema.sql on both sides. All of them are
// protected, or what the rules say if there are some.
func newAsked(t *testing.T, flavor value.Flavor, server *sandbox.Server, rules ...policy.Rule) *asked {
	t.Helper()
	return newAskedOf(t, "schema.sql", flavor, server, rules...)
}

// newAskedOf makes the tables of a file in testdata/inquiries.
func newAskedOf(t *testing.T, file string, flavor value.Flavor, server *sandbox.Server, rules ...policy.Rule) *asked {
	t.Helper()
	a := &asked{flavor: flavor, server: server}
	var err error
	if a.db, err = sql.Open("mysql", server.DSN(sandbox.ServiceUser, sandbox.ServicePassword, "")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.db.Close() })
	err = server.Exec(t.Context(), "SET FOREIGN_KEY_CHECKS = 0", "DROP DATABASE IF EXISTS _tunic", "DROP DATABASE IF EXISTS plain",
		"DROP DATABASE IF EXISTS shop", "CREATE DATABASE plain", "CREATE DATABASE shop")
	if err != nil {
		t.Fatal(err)
	}
	a.shared = defining(t, flavor, server, a.db, rules...)
	a.direct, a.tunnel = a.connect(t, "root", "root")
	for _, s := range inquiries(t, file) {
		for _, p := range []*wiretest.Peer{a.direct, a.tunnel} {
			if _, err := p.Query(s); err != nil {
				t.Fatalf("%s: %v", s, err)
			}
		}
	}
	return a
}

// connect connects an account, directly and through tunic.
func (a *asked) connect(t *testing.T, user, password string) (direct, tunnel *wiretest.Peer) {
	t.Helper()
	client, _, _ := startSession(t, a.shared)
	tunnel = wiretest.NewPeer(client)
	if err := (wiretest.Client{User: user, Password: password, Database: "shop"}).Login(tunnel); err != nil {
		t.Fatal(err)
	}
	direct, err := wiretest.Client{User: user, Password: password, Database: "plain"}.Dial(t.Context(), a.server.Addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = direct.Close() })
	return direct, tunnel
}

// privileges: an account is told of what it may see, as on a plain server.
func (a *asked) privileges(t *testing.T) {
	err := a.server.Exec(t.Context(), "DROP USER IF EXISTS guest@'%'", "CREATE USER guest@'%' IDENTIFIED BY 'guest'",
		"GRANT SELECT ON plain.visit TO guest@'%'", "GRANT SELECT ON shop.visit TO guest@'%'",
		"GRANT SELECT (id, weight) ON plain.patient TO guest@'%'", "GRANT SELECT (id, weight) ON shop.patient TO guest@'%'")
	if err != nil {
		t.Fatal(err)
	}
	guest := *a
	guest.direct, guest.tunnel = a.connect(t, "guest", "guest")
	guest.compareAll(t, []string{
		"SHOW TABLES", "SHOW COLUMNS FROM visit", "SHOW FULL COLUMNS FROM patient", "SHOW COLUMNS FROM kinds", "SHOW INDEX FROM kinds",
		"SHOW CREATE TABLE visit", "SHOW CREATE TABLE kinds", "SHOW TABLE STATUS",
		"SELECT table_name, table_comment FROM information_schema.tables WHERE table_schema = 'THESCHEMA'",
		"SELECT table_name, column_name, column_type, ordinal_position FROM information_schema.columns WHERE table_schema = 'THESCHEMA'",
		"SELECT table_name, index_name, column_name FROM information_schema.statistics WHERE table_schema = 'THESCHEMA'",
		"SELECT table_name, constraint_name, column_name, referenced_table_name, referenced_column_name FROM information_schema.key_column_usage WHERE table_schema = 'THESCHEMA'",
		"SELECT constraint_name FROM information_schema.check_constraints WHERE constraint_schema = 'THESCHEMA'",
		"SELECT table_name, constraint_name FROM information_schema.table_constraints WHERE table_schema = 'THESCHEMA'",
		"SELECT schema_name FROM information_schema.schemata WHERE schema_name = 'THESCHEMA'",
	})
	// What it can read of its own statement has nothing of other tables in it.
	for _, row := range told(t, guest.tunnel, "SELECT info FROM information_schema.processlist, information_schema.columns WHERE id = CONNECTION_ID()") {
		if strings.Contains(row, "nokey") || !strings.Contains(row, "visit") && strings.HasPrefix(row, "info: ") {
			t.Fatalf("the statement is %.1000s", row)
		}
	}
}

// temporary: a temporary table is shown, also one that hides another, and
// information_schema does not know it.
func (a *asked) temporary(t *testing.T) {
	for _, s := range []string{
		"CREATE TEMPORARY TABLE visit (x INT NOT NULL, y ENUM('q','r') DEFAULT 'q' COMMENT 'short', KEY (x))",
		"CREATE TEMPORARY TABLE passing (z DATE)",
	} {
		told(t, a.direct, s)
		if got := told(t, a.tunnel, s); len(got) > 0 {
			t.Fatalf("%s: %v", s, got)
		}
	}
	about := []string{
		"SHOW FULL COLUMNS FROM visit", "SHOW INDEX FROM visit", "SHOW CREATE TABLE visit", "SHOW COLUMNS FROM passing", "SHOW TABLES",
		"SELECT column_name, column_type FROM information_schema.columns WHERE table_schema = 'THESCHEMA' AND table_name = 'visit'",
		"SELECT index_name, column_name FROM information_schema.statistics WHERE table_schema = 'THESCHEMA' AND table_name = 'visit'",
		"SELECT table_name FROM information_schema.tables WHERE table_schema = 'THESCHEMA'",
	}
	a.compareAll(t, about)
	for _, p := range []*wiretest.Peer{a.direct, a.tunnel} {
		told(t, p, "DROP TEMPORARY TABLE visit, passing")
	}
	a.compareAll(t, about)
}

// defining is what sessions have in common that define and execute.
func defining(t *testing.T, flavor value.Flavor, server *sandbox.Server, db *sql.DB, rules ...policy.Rule) *Shared {
	t.Helper()
	kek, err := keys.NewKEK()
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	l, err := ledgertest.Open(t.Context(), ledger.Options{DB: db, KEK: kek, Types: catalog.TypesOf(flavor), Wait: 10 * time.Second, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	protect := &policy.Policy{Default: policy.Protection{Protected: true, Allowed: policy.Equality | policy.Order}}
	if len(rules) > 0 {
		protect = &policy.Policy{Rules: rules}
	}
	all := serving(t, server, l, l.Tree())
	all.Types = catalog.TypesOf(flavor)
	all.Definer = ddl.New(ddl.Options{DB: db, Ledger: l, Policy: protect, Flavor: flavor, Log: log})
	t.Cleanup(all.Definer.Close)
	return all
}

// inquiries are the statements of a file, one a line.
func inquiries(t *testing.T, file string) (all []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "inquiries", file))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "-- ") {
			all = append(all, line)
		}
	}
	return all
}

// TestInquiries: questions about protected tables are answered as those about the
// plain ones are, as text and prepared.
func TestInquiries(t *testing.T) { askAll(t, "schema.sql") }

// TestInquiriesFamilies: so are those about tables with families.
func TestInquiriesFamilies(t *testing.T) { askAll(t, "schema_families.sql") }

// askAll asks everything about the tables of a file.
func askAll(t *testing.T, schema string) {
	racetest.InOrder(t)
	for _, flavor := range []value.Flavor{value.MariaDB, value.MySQL} {
		t.Run(flavor.String(), func(t *testing.T) {
			var log []sandboxtest.Option
			if flavor == value.MariaDB {
				log = append(log, sandboxtest.Args("--general-log=1", "--log-output=TABLE"))
			}
			server := sandboxtest.Start(t, sandboxes[flavor], log...)
			if len(log) > 0 { // it may be that of a test before
				if err := server.Exec(t.Context(), "TRUNCATE TABLE mysql.general_log"); err != nil {
					t.Fatal(err)
				}
			}
			a := newAskedOf(t, schema, flavor, server)
			files, err := filepath.Glob("testdata/inquiries/*.sql")
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range files {
				if file := filepath.Base(f); !strings.HasPrefix(file, "schema") {
					t.Run(file, func(t *testing.T) { a.compareAll(t, inquiries(t, file)) })
				}
			}
			t.Run("refused", a.refused)
			t.Run("inside", a.inside)
			t.Run("hidden", a.hidden)
			t.Run("cursor", a.cursor)
			t.Run("unknown", a.unknown)
			t.Run("fields", a.fields)
			t.Run("renewed", a.renewed)
			t.Run("privileges", a.privileges)
			t.Run("temporary", a.temporary)
			t.Run("parameters", a.parameters)
			t.Run("kept", a.kept)
			t.Run("reread", a.reread)
		})
	}
}

func (a *asked) compareAll(t *testing.T, statements []string) {
	for _, s := range statements {
		want := told(t, a.direct, strings.ReplaceAll(s, "THESCHEMA", "plain"))
		got := told(t, a.tunnel, strings.ReplaceAll(s, "THESCHEMA", "shop"))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-plain +tunic)\n%.2000s", s, diff)
			continue
		}
		if strings.HasPrefix(s, "SET ") {
			continue
		}
		want = toldPrepared(t, a.direct, strings.ReplaceAll(s, "THESCHEMA", "plain"), 0)
		got = toldPrepared(t, a.tunnel, strings.ReplaceAll(s, "THESCHEMA", "shop"), 0)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("prepared: %s (-plain +tunic)\n%.2000s", s, diff)
		}
	}
}

// refused: the errors are tunic's own, and have a code.
func (a *asked) refused(t *testing.T) {
	for _, s := range inquiries(t, "refused.txt") {
		if got := told(t, a.tunnel, s); len(got) != 1 || !strings.Contains(got[0], "TUNIC-") {
			t.Errorf("%s: %q", s, got)
		}
	}
}

// inside: where information_schema is the session's own, it is not named.
func (a *asked) inside(t *testing.T) {
	a.compareAll(t, []string{
		"USE information_schema",
		"SELECT column_name, columns.column_type FROM columns WHERE table_schema = 'THESCHEMA' ORDER BY table_name, ordinal_position",
		"SELECT t.table_name, t.table_comment FROM `tables` t WHERE t.table_schema = 'THESCHEMA'",
		"SHOW FULL COLUMNS FROM THESCHEMA.patient",
		"USE THESCHEMA",
	})
}

// hidden: tunic's own schema is not told of, to a client that may see all there is.
func (a *asked) hidden(t *testing.T) {
	for _, s := range []string{
		"SHOW DATABASES", "SHOW DATABASES LIKE '%tunic%'", "SHOW SCHEMAS", "SHOW OPEN TABLES",
		"SELECT * FROM information_schema.schemata", "SELECT table_schema, table_name FROM information_schema.tables",
		"SELECT table_schema, table_name, column_name FROM information_schema.columns", "SELECT * FROM information_schema.table_constraints",
		"SELECT * FROM information_schema.statistics", "SELECT * FROM information_schema.key_column_usage",
		"SELECT * FROM information_schema.check_constraints", "SELECT * FROM information_schema.partitions",
	} {
		for _, row := range told(t, a.tunnel, s) {
			for _, mark := range []string{`"_tunic"`, `$eq"`, `$ord"`, `$form"`, `"tunic$`, "error 1"} {
				if strings.Contains(row, mark) {
					t.Errorf("%s: %s", s, row)
				}
			}
		}
	}
}

// fields: COM_FIELD_LIST lists the logical columns, with their types and defaults.
func (a *asked) fields(t *testing.T) {
	for _, table := range []string{"patient", "visit", "kinds", "nokey", "mixed", "open_book", "missing"} {
		if diff := cmp.Diff(toldFields(t, a.direct, table), toldFields(t, a.tunnel, table)); diff != "" {
			t.Errorf("%s (-plain +tunic)\n%.3000s", table, diff)
		}
	}
}

// toldFields is told of a table by COM_FIELD_LIST.
func toldFields(t *testing.T, p *wiretest.Peer, table string) (all []string) {
	t.Helper()
	if err := p.Command(wire.FieldList{Table: []byte(table), Pattern: []byte("%")}.AppendTo(nil)); err != nil {
		t.Fatal(err)
	}
	sets, err := p.ReadAnswer(wire.ComFieldList, nil)
	if refusal, ok := errors.AsType[*wiretest.ServerError](err); ok {
		return []string{leveled(refusal.Error())}
	}
	if err != nil {
		t.Fatalf("%s: %v", table, err)
	}
	for _, d := range sets[0].Definitions {
		c, err := wire.DecodeColumn(d, p.Caps)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, leveled(fmt.Sprintf("%s.%s.%s %s type %d flags %x length %d decimals %d charset %d default %q",
			c.Schema, c.Table, c.OrgTable, c.Name, c.Type, c.Flags, c.Length, c.Decimals, c.Charset, c.Default)))
	}
	return all
}

// secretTexts are in testdata/inquiries/schema.sql, and no server is to see them.
var secretTexts = []string{"how they feel", "those who come", "it''s fine", "x''y", "tunic: order"}

// unknown: nothing that the session has sent to the server has a label, a default or
// a comment of what is protected. The service account's statements are looked at
// too: twins are defined with other texts.
func (a *asked) unknown(t *testing.T) {
	if a.flavor != value.MariaDB {
		t.Skip("one flavor keeps a log in a table here")
	}
	rows := told(t, a.direct, "SELECT argument FROM mysql.general_log WHERE thread_id <> CONNECTION_ID()")
	if len(rows) < 50 {
		t.Fatalf("only %d statements", len(rows))
	}
	for _, row := range rows {
		for _, secret := range secretTexts {
			if strings.Contains(row, secret) {
				t.Errorf("the server was told %q in %.200s", secret, row)
			}
		}
	}
}

// told is an answer: the names of its columns and its rows. Rows that nothing puts
// in order are sorted.
func told(t *testing.T, p *wiretest.Peer, statement string) []string {
	t.Helper()
	sets, err := p.Query(statement)
	if refusal, ok := errors.AsType[*wiretest.ServerError](err); ok {
		return []string{leveled(refusal.Error())}
	}
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	var all []string
	for _, set := range sets {
		if set.Columns == 0 {
			continue
		}
		all = append(all, rowsOf(t, p, statement, set, nil)...)
	}
	return all
}

func leveled(message string) string { return strings.ReplaceAll(message, "plain", "shop") }

// unsteady are columns of answers that differ from one table to the next, and
// MariaDB's version of a table's definition, which the stored one's constraint sets.
var unsteady = []string{
	"version",
	"create_time", "update_time", "check_time", "data_length", "index_length", "avg_row_length", "data_free", "cardinality",
}

// uncounted reports whether a value is the AUTO_INCREMENT of a table that has given no number
// yet. MySQL tells NULL of one, and 1 once a change has gone through it in place, as that of
// a fence does.
func uncounted(name string, number []byte, t wire.Type) bool {
	return strings.EqualFold(name, "auto_increment") && (string(number) == "1" || isInteger(t) && len(number) == 8 && binary.LittleEndian.Uint64(number) == 1)
}

// isInteger reports whether a value is a number that the binary protocol sends as
// such.
func isInteger(t wire.Type) bool {
	return t == wire.TypeTiny || t == wire.TypeShort || t == wire.TypeInt24 || t == wire.TypeLong || t == wire.TypeLongLong
}

// rowsOf are the rows of a result, as text. types are those of the binary protocol.
func rowsOf(t *testing.T, p *wiretest.Peer, statement string, set wiretest.Set, binaryRows func([]byte, []wire.Type) ([]wire.Cell, error)) []string {
	t.Helper()
	names := make([]string, set.Columns)
	types := make([]wire.Type, set.Columns)
	for i, d := range set.Definitions {
		c, err := wire.DecodeColumn(d, p.Caps)
		if err != nil {
			t.Fatal(err)
		}
		names[i], types[i] = string(c.Name), c.Type
	}
	var rows []string
	for _, row := range set.Rows {
		var cells []wire.Cell
		var err error
		if binaryRows != nil {
			cells, err = binaryRows(row, types)
		} else {
			cells, err = wire.DecodeTextRow(nil, row, set.Columns)
		}
		if err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
		var values []string
		for i, c := range cells {
			switch {
			case slices.Contains(unsteady, strings.ToLower(names[i])):
			case c.Null, uncounted(names[i], c.Bytes, types[i]):
				values = append(values, names[i]+": NULL")
			case binaryRows != nil && isInteger(types[i]):
				var eight [8]byte
				copy(eight[:], c.Bytes)
				values = append(values, fmt.Sprintf("%s: %d", names[i], binary.LittleEndian.Uint64(eight[:])))
			case types[i] == wire.TypeNewDecimal, isInteger(types[i]): // which MySQL makes of numbers of two types
				values = append(values, names[i]+": "+string(c.Bytes))
			default:
				values = append(values, fmt.Sprintf("%s: %q", names[i], c.Bytes))
			}
		}
		rows = append(rows, leveled(strings.Join(values, "  ")))
	}
	if !strings.Contains(strings.ToUpper(statement), "ORDER BY") && !strings.HasPrefix(statement, "SHOW") {
		slices.Sort(rows)
	}
	return append([]string{leveled(strings.Join(names, " "))}, rows...)
}
