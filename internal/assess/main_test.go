package assess

import (
	"database/sql"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/go-sql-driver/mysql"

	"tunic/internal/catalog"
	"tunic/internal/ddl"
	"tunic/internal/keys"
	"tunic/internal/ledger"
	"tunic/internal/ledger/ledgertest"
	"tunic/internal/migrate"
	"tunic/internal/policy"
	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/value"
	"tunic/internal/workload"
)

func TestMain(m *testing.M) { os.Exit(sandboxtest.Main(m, sandboxtest.NoLeaks)) }

// house is a server with a ledger, and a schema shop.
type house struct {
	t       *testing.T
	server  *sandbox.Server
	root    *sql.DB
	options ledger.Options
	flavor  value.Flavor
}

func onServers(t *testing.T, test func(*house), options ...sandboxtest.Option) {
	t.Helper()
	if testing.Short() {
		t.Skip("it needs a database server")
	}
	sandboxtest.Each(t, func(t *testing.T, s *sandbox.Server) {
		h := &house{t: t, server: s, root: sandboxtest.Open(t, s.DSN("root", "root", ""))}
		h.exec("DROP DATABASE IF EXISTS _tunic", "DROP DATABASE IF EXISTS shop", "CREATE DATABASE shop")
		kek, err := keys.NewKEK()
		if err != nil {
			t.Fatal(err)
		}
		h.flavor = map[sandbox.Flavor]value.Flavor{sandbox.MariaDB: value.MariaDB, sandbox.MySQL: value.MySQL}[s.Flavor]
		h.options = ledger.Options{
			DB: sandboxtest.Open(t, s.DSN(sandbox.ServiceUser, sandbox.ServicePassword, "")), KEK: kek, Types: catalog.TypesOf(h.flavor), Log: slog.New(slog.DiscardHandler),
		}
		held, err := ledgertest.Open(t.Context(), h.options)
		if err != nil {
			t.Fatal(err)
		}
		held.Close()
		test(h)
	}, options...)
}

func (h *house) exec(statements ...string) {
	h.t.Helper()
	for _, s := range statements {
		if _, err := h.root.ExecContext(h.t.Context(), s); err != nil {
			h.t.Fatalf("%.200s: %v", s, err)
		}
	}
}

func rules() *policy.Policy {
	return &policy.Policy{Default: policy.Protection{Protected: true, Allowed: policy.Equality | policy.Order}}
}

// look assesses the schema.
func (h *house) look(measure bool, tables ...string) *Assessment {
	h.t.Helper()
	held, err := ledger.Inspect(h.t.Context(), h.options)
	if err != nil {
		h.t.Fatal(err)
	}
	a, err := Look(h.t.Context(), Options{DB: h.options.DB, Ledger: held, Policy: rules(), Flavor: h.flavor, Log: h.options.Log, Schema: "shop", Tables: tables, Measure: measure})
	if err != nil {
		h.t.Fatal(err)
	}
	return a
}

// encrypt encrypts a table, and returns the size of its file before its last step.
func (h *house) encrypt(table string) (before int64) {
	h.t.Helper()
	held, err := ledger.Open(h.t.Context(), h.options)
	if err != nil {
		h.t.Fatal(err)
	}
	defer held.Close()
	w := &migrate.Work{
		DB: h.options.DB, Ledger: held, Flavor: h.flavor, Schema: "shop", Table: table,
		Definer:  ddl.New(ddl.Options{DB: h.options.DB, Ledger: held, Policy: rules(), Flavor: h.flavor, Log: h.options.Log}),
		Progress: func(migrate.Progress) { before = max(before, h.size(table)) },
	}
	defer w.Definer.Close()
	if report, err := w.Encrypt(h.t.Context()); err != nil || report.At != migrate.Finished {
		h.t.Fatalf("%+v, %v", report, err)
	}
	return before
}

// size is that of the file of a table.
func (h *house) size(table string) int64 {
	file, err := os.Stat(filepath.Join(h.server.Dir, "data", "shop", table+".ibd"))
	if err != nil {
		return 0
	}
	return file.Size()
}

// readFile reads a log.
func readFile(name string, each func(workload.Statement) error) (workload.Read, error) {
	f, err := os.Open(name)
	if err != nil {
		return workload.Read{}, err
	}
	defer func() { _ = f.Close() }()
	return workload.Log(f, each)
}

// rowsOf makes rows of a pattern with %d.
func rowsOf(row string, from, to int) string {
	var all []string
	for i := from; i < to; i++ {
		all = append(all, strings.ReplaceAll(row, "%d", fmt.Sprint(i)))
	}
	return strings.Join(all, ", ")
}
