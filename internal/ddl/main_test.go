package ddl

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/catalog"
	"tunic/internal/ddl/service"
	"tunic/internal/keys"
	"tunic/internal/ledger"
	"tunic/internal/ledger/ledgertest"
	"tunic/internal/policy"
	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
	tsql "tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

var rewrite = flag.Bool("rewrite", false, "write golden files instead of comparing them; with servers, ask them for the facts anew")

// flavorOf is a flavor, and the name of its golden files.
type flavorOf struct {
	name    string
	flavor  value.Flavor
	sandbox sandbox.Flavor
}

var flavors = []flavorOf{{"mariadb", value.MariaDB, sandbox.MariaDB}, {"mysql", value.MySQL, sandbox.MySQL}}

func TestMain(m *testing.M) { os.Exit(sandboxtest.Main(m, sandboxtest.NoLeaks)) }

// bench is a server with empty schemas, and a Definer before it.
type bench struct {
	t       *testing.T
	flavor  value.Flavor
	server  *sandbox.Server
	db      *sql.DB // the service account's, recorded
	kek     *keys.KEK
	ledger  *ledger.Ledger
	definer *Definer
	client  *client
	session Session
	seen    *recorder
	around  bool // the test changes stored tables around tunic
}

// onServers runs a test on each server there is.
func onServers(t *testing.T, test func(*bench)) {
	t.Helper()
	for _, of := range flavors {
		t.Run(of.name, func(t *testing.T) {
			test(newBench(t, of.flavor, sandboxtest.Start(t, of.sandbox)))
		})
	}
}

func newBench(t *testing.T, flavor value.Flavor, server *sandbox.Server) *bench {
	t.Helper()
	b := &bench{t: t, flavor: flavor, server: server, seen: &recorder{}}
	ctx := context.Background()
	err := server.Exec(ctx, "DROP DATABASE IF EXISTS _tunic", "SET FOREIGN_KEY_CHECKS = 0", "DROP DATABASE IF EXISTS shop",
		"DROP DATABASE IF EXISTS other_schema", "DROP DATABASE IF EXISTS plain", "SET FOREIGN_KEY_CHECKS = 1",
		"DROP DATABASE IF EXISTS other_plain", "CREATE DATABASE other_plain", "CREATE DATABASE shop", "CREATE DATABASE other_schema", "CREATE DATABASE plain")
	if err != nil {
		t.Fatal(err)
	}
	b.db = b.open("tunic_service", "service", "")
	if b.kek, err = keys.NewKEK(); err != nil {
		t.Fatal(err)
	}
	b.client = b.connect("shop")
	b.session = b.sessionOf(b.client, "shop")
	b.hold()
	return b
}

// open opens a pool whose statements are recorded.
func (b *bench) open(user, password, schema string) *sql.DB {
	b.t.Helper()
	config, err := mysql.ParseDSN(b.server.DSN(user, password, schema))
	if err != nil {
		b.t.Fatal(err)
	}
	config.InterpolateParams = true
	connector, err := mysql.NewConnector(config)
	if err != nil {
		b.t.Fatal(err)
	}
	db := sql.OpenDB(recording{connector, b.seen})
	b.t.Cleanup(func() { _ = db.Close() })
	return db
}

// hold opens the ledger and makes the Definer.
func (b *bench) hold() {
	b.t.Helper()
	var err error
	log := slog.New(slog.DiscardHandler)
	b.ledger, err = ledgertest.Open(b.t.Context(), ledger.Options{DB: b.db, KEK: b.kek, Types: catalog.TypesOf(b.flavor), Wait: 10 * time.Second, Lease: 20 * time.Millisecond, Log: log})
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(b.ledger.Close)
	b.definer = New(Options{DB: b.db, Ledger: b.ledger, Policy: protecting(), Flavor: b.flavor, Log: log})
	b.t.Cleanup(b.definer.Close)
}

// protecting is the policy that protects by default, up to order.
func protecting() *policy.Policy {
	return &policy.Policy{Default: policy.Protection{Protected: true, Allowed: policy.Equality | policy.Order}}
}

// SessionOf asks a connection for what a session knows of itself.
func (b *bench) sessionOf(c *client, schema string) Session {
	b.t.Helper()
	rows, err := c.Query(b.t.Context(), "SELECT @@version, @@sql_mode, @@collation_connection")
	if err != nil {
		b.t.Fatal(err)
	}
	version, mode, collation := service.Text(rows[0][0]), service.Text(rows[0][1]), service.Text(rows[0][2])
	s := Session{Schema: schema, Modes: tsql.Modes(0).WithServer(version).WithSQLMode(mode).WithCharset("utf8mb4"), Annotates: true}
	s.Env = value.Env{Flavor: b.flavor, Version: versionNumber(version)}
	for m := range strings.SplitSeq(mode, ",") {
		s.Env.Mode |= value.ModeNamed(m)
	}
	var ok bool
	if s.Collation, ok = charset.Lookup(b.flavor, collation); !ok {
		b.t.Fatalf("collation %s is not known", collation)
	}
	s.Connection = s.Collation
	return s
}

func versionNumber(version string) int {
	var major, minor, patch int
	_, _ = fmt.Sscanf(version, "%d.%d.%d", &major, &minor, &patch)
	return major*10000 + minor*100 + patch
}

// client is one connection as a client of tunic's has it.
type client struct {
	conn *sql.Conn
	fail error // if set, what Exec says instead of running anything
}

func (b *bench) connect(schema string) *client {
	b.t.Helper()
	conn, err := b.open("root", "root", schema).Conn(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = conn.Close() })
	return &client{conn: conn}
}

func (c *client) Exec(ctx context.Context, statement string) error {
	if c.fail != nil && statement != "COMMIT" {
		return c.fail
	}
	_, err := c.conn.ExecContext(ctx, statement)
	return service.Error(err)
}

func (c *client) Query(ctx context.Context, statement string) ([][]*string, error) {
	return (&service.Connection{Conn: c.conn}).Query(ctx, statement)
}

// parse reads one statement.
func parse(t *testing.T, statement string, m tsql.Modes) *tsql.Tree {
	t.Helper()
	all, err := tsql.Parse([]byte(statement), m)
	if err != nil || len(all) != 1 {
		t.Fatalf("%s: %d statements, %v", statement, len(all), err)
	}
	tree, err := all[0].Tree()
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	return tree
}

// do runs a statement through the Definer, and as it came where it is forwarded.
func (b *bench) do(statement string) (Result, error) {
	b.t.Helper()
	r, err := b.definer.Do(b.t.Context(), parse(b.t, statement, b.session.Modes).Root(), b.session, b.client)
	if err == nil && r.Forward {
		err = b.client.Exec(b.t.Context(), statement)
		if err == nil {
			rows, _ := b.client.Query(b.t.Context(), "SHOW WARNINGS")
			r.Warnings = service.ReadWarnings(rows, func(s string) string { return s })
		}
	}
	return r, err
}

// must is do for a statement that has to succeed.
func (b *bench) must(statements ...string) {
	b.t.Helper()
	for _, s := range statements {
		if _, err := b.do(s); err != nil {
			b.t.Fatalf("%s: %v", s, err)
		}
		if !b.around {
			b.asWritten(s)
		}
	}
}

// refused says that an error is a refusal of tunic's own.
func refused(err error) bool {
	e, ok := errors.AsType[*sqlerr.Error](err)
	return ok && e.Code != 0
}

// numberOf is the number of an error, 0 for none.
func numberOf(err error) uint16 {
	if e, ok := errors.AsType[*sqlerr.Error](err); ok {
		return e.Number
	}
	if err != nil {
		return 1
	}
	return 0
}

// corpusCase is a statement of the corpus under a policy.
type corpusCase struct {
	statement string
	policy    *policy.Policy
}

// readCorpus reads a file of the corpus: statements, one a line, and directives.
func readCorpus(t *testing.T, path string) (cases []corpusCase) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	current := protecting()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		switch directive, rest, _ := strings.Cut(strings.TrimPrefix(line, "-- "), ": "); {
		case line == "":
		case !strings.HasPrefix(line, "-- "):
			cases = append(cases, corpusCase{strings.TrimSuffix(line, ";"), current})
		case directive == "default":
			current = &policy.Policy{}
			if current.Default, err = policy.Parse(rest); err != nil {
				t.Fatal(err)
			}
		case directive == "rule":
			columns, protection, _ := strings.Cut(rest, " = ")
			rule, err := policy.ParseRule(columns, protection)
			if err != nil {
				t.Fatal(err)
			}
			next := *current
			next.Rules = append(append([]policy.Rule(nil), current.Rules...), rule)
			current = &next
		}
	}
	return cases
}

func corpusFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/corpus/*.sql")
	if err != nil || len(files) == 0 {
		t.Fatalf("no corpus: %v", err)
	}
	return files
}
