package migrate

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/catalog"
	"tunic/internal/crypt"
	"tunic/internal/ddl"
	"tunic/internal/keys"
	"tunic/internal/layers"
	"tunic/internal/ledger"
	"tunic/internal/ledger/ledgertest"
	"tunic/internal/policy"
	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/value"
)

func TestMain(m *testing.M) { os.Exit(sandboxtest.Main(m, sandboxtest.NoLeaks)) }

// bench is a server, two tunics that serve it, and the connections to all.
type bench struct {
	t       *testing.T
	server  *sql.DB
	sandbox *sandbox.Server // that it is
	dir     string          // of the server
	addr    string          // the same
	tunics  [2]*sql.DB
	procs   [2]*sandbox.Proc
	dsn     func(user, password, schema string) string
	options ledger.Options
	flavor  value.Flavor
	// together says that work is by a policy that has short columns in one family.
	together bool
}

// onFamilies is onServers where columns come into a family.
func onFamilies(t *testing.T, test func(*bench)) {
	t.Helper()
	onServers(t, func(b *bench) {
		b.together = true
		test(b)
	})
}

func onServers(t *testing.T, test func(*bench)) {
	t.Helper()
	if testing.Short() {
		t.Skip("it builds tunic")
	}
	sandboxtest.Each(t, func(t *testing.T, s *sandbox.Server) {
		for _, drop := range []string{"_tunic", "shop"} {
			if err := s.Exec(t.Context(), "DROP DATABASE IF EXISTS "+drop); err != nil {
				t.Fatal(err)
			}
		}
		b := &bench{t: t, server: sandboxtest.Open(t, s.DSN("root", "root", "")), sandbox: s, dir: s.Dir, addr: s.Addr, dsn: s.DSN}
		first := b.start(0, sandbox.TunicOptions{Backend: s.Addr, Protect: true})
		key := filepath.Join(first.Dir, "key")
		b.start(1, sandbox.TunicOptions{Backend: s.Addr, Args: []string{"--key", key, "--policy-default", "protect", "--drain", "1s"}})
		kek, err := keys.File{Path: key}.KEK(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		b.flavor = map[sandbox.Flavor]value.Flavor{sandbox.MariaDB: value.MariaDB, sandbox.MySQL: value.MySQL}[s.Flavor]
		b.options = ledger.Options{
			DB: sandboxtest.Open(t, s.DSN(sandbox.ServiceUser, sandbox.ServicePassword, "")), KEK: kek, Types: catalog.TypesOf(b.flavor), Log: slog.New(slog.DiscardHandler),
		}
		b.exec(b.server, "CREATE DATABASE shop")
		test(b)
	})
}

// start starts one of the tunics.
func (b *bench) start(i int, o sandbox.TunicOptions) *sandbox.Proc {
	b.t.Helper()
	tunic, err := sandbox.StartTunic(b.t.Context(), o)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() {
		if err := tunic.Stop(); err != nil {
			b.t.Error(err)
		}
	})
	b.tunics[i] = sandboxtest.Open(b.t, tunic.DSN(sandbox.AppUser, sandbox.AppPassword, "shop")+"?multiStatements=true")
	b.procs[i] = tunic
	return tunic
}

func (b *bench) exec(db *sql.DB, statements ...string) {
	b.t.Helper()
	for _, s := range statements {
		if _, err := db.ExecContext(b.t.Context(), s); err != nil {
			b.t.Fatalf("%.200s: %v", s, err)
		}
	}
}

// work opens the ledger as another process would; end ends it.
func (b *bench) work(table string, columns ...string) (w *Work, end func()) {
	b.t.Helper()
	held, err := ledgertest.Open(b.t.Context(), b.options)
	if err != nil {
		b.t.Fatal(err)
	}
	rules := &policy.Policy{Default: policy.Protection{Protected: true, Allowed: policy.Equality | policy.Order}, Together: b.together}
	w = &Work{
		DB: b.options.DB, Ledger: held, Flavor: b.flavor, Schema: "shop", Table: table, Columns: columns,
		Definer: ddl.New(ddl.Options{DB: b.options.DB, Ledger: held, Policy: rules, Flavor: b.flavor, Log: b.options.Log}),
	}
	return w, func() { w.Definer.Close(); held.Close() }
}

// canary is in every name, and is to be nowhere in the file of a table that is protected.
const canary = "canary-7f1c"

// person makes a plain table with so many rows.
func (b *bench) person(rows int) {
	b.t.Helper()
	b.exec(b.server, "DROP TABLE IF EXISTS shop.person",
		"CREATE TABLE shop.person (id INT PRIMARY KEY, n INT NOT NULL, name VARCHAR(60) NOT NULL, seen INT NOT NULL DEFAULT 0, KEY (n))")
	for from := 1; from <= rows; from += 500 {
		var list []string
		for id := from; id < min(from+500, rows+1); id++ {
			list = append(list, fmt.Sprintf("(%d, %d, '%s %d')", id, 10*id, canary, id))
		}
		b.exec(b.server, "INSERT INTO shop.person (id, n, name) VALUES "+strings.Join(list, ", "))
	}
}

// isProtected makes sure that all is stored as it is to be, and nothing else is.
func (b *bench) isProtected(table string) {
	b.t.Helper()
	now, err := ledger.Inspect(b.t.Context(), b.options)
	if err != nil {
		b.t.Fatal(err)
	}
	t := now.Catalog.Table("shop", table)
	if t == nil || t.Encrypting() || !t.Fenced {
		b.t.Fatalf("the table is not protected: %+v", t)
	}
	if (len(t.Families) > 0) != b.together {
		b.t.Errorf("families %+v", t.Families)
	}
	_, faults, err := (&layers.Inspection{DB: b.options.DB, Ring: crypt.NewRing(now.Tree), Table: t}).Run(b.t.Context())
	if err != nil || len(faults) > 0 {
		b.t.Errorf("%v, %v", faults, err)
	}
	var left int
	err = b.server.QueryRowContext(b.t.Context(), "SELECT COUNT(*) FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = 'shop' AND TABLE_NAME = ?"+
		" AND (COLUMN_NAME LIKE '%$plain' OR COLUMN_NAME LIKE '%$copy')", table).Scan(&left)
	if err != nil || left > 0 {
		b.t.Errorf("%d columns are left of the work: %v", left, err)
	}
	b.exec(b.server, "FLUSH TABLES shop."+table+" FOR EXPORT", "UNLOCK TABLES")
	file, err := os.ReadFile(filepath.Join(b.dir, "data", "shop", table+".ibd"))
	if err != nil {
		b.t.Fatal(err)
	}
	if strings.Contains(string(file), canary) {
		b.t.Error("the file of the table has a value in the clear")
	}
}

// passes reports whether an error is one that clients of a plain server have to live with.
func passes(err error) bool {
	said, ok := errors.AsType[*mysql.MySQLError](err)
	return ok && said.Number == 1213
}

// ended makes sure of an end by a context.
func ended(ctx context.Context, err error) bool { return err == nil || ctx.Err() != nil }
