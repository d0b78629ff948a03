package session

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tunic/internal/backend"
	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/config"
	"tunic/internal/crypt"
	"tunic/internal/exec"
	"tunic/internal/inflight"
	"tunic/internal/keys"
	"tunic/internal/keys/keystest"
	"tunic/internal/ledger"
	"tunic/internal/plan"
	"tunic/internal/policy"
	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/value"
	"tunic/internal/wire/wiretest"
)

// sandboxes are the flavors as the sandbox calls them.
var sandboxes = map[value.Flavor]sandbox.Flavor{value.MariaDB: sandbox.MariaDB, value.MySQL: sandbox.MySQL}

// noteTable is a table with a protected column v INT NOT NULL and a key over its
// equality layer, as an application has it in the schema plain, and stored in shop.
func noteTable(t *testing.T, db *sql.DB, f value.Flavor) *catalog.Catalog {
	t.Helper()
	const logical = " (id INT PRIMARY KEY, v INT NOT NULL, UNIQUE KEY one (v))"
	for _, s := range []string{
		"DROP DATABASE IF EXISTS plain", "DROP DATABASE IF EXISTS shop", "DROP DATABASE IF EXISTS _tunic",
		"CREATE DATABASE plain", "CREATE DATABASE shop", "CREATE DATABASE _tunic",
		"CREATE TABLE plain.note" + logical, "CREATE TABLE _tunic.t_1" + logical,
		"CREATE TABLE shop.note (id INT PRIMARY KEY, v VARBINARY(64) NOT NULL, `v$eq` BINARY(8) NOT NULL, UNIQUE KEY one (`v$eq`))",
	} {
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	types := catalog.TypesOf(f)
	number, err := types("int", "", true)
	if err != nil {
		t.Fatal(err)
	}
	table := &catalog.Table{
		ID: catalog.ID{1}, Schema: "shop", Name: "note", Twin: "t_1", Revision: 1,
		Columns: []catalog.Column{
			{ID: catalog.ID{2}, Name: "id", TypeText: "int", Type: number},
			{
				ID: catalog.ID{3}, Domain: catalog.ID{3}, Name: "v", TypeText: "int", Type: number,
				Protection: policy.Protection{Protected: true, Allowed: policy.Equality},
				Layers:     []catalog.Layer{{Capability: policy.Equality, Scheme: catalog.PRP64, State: catalog.Ready, Stored: "v$eq"}},
			},
		},
		Keys: []catalog.Key{
			{Name: "PRIMARY", Kind: catalog.Primary, Parts: []catalog.Part{{Column: "id"}}},
			{Name: "one", Kind: catalog.Unique, Parts: []catalog.Part{{Column: "v", Layer: policy.Equality}}},
		},
	}
	if err := table.Check(); err != nil {
		t.Fatal(err)
	}
	return catalog.New(false).Next(1, nil, []*catalog.Table{table})
}

// fixedLedger is a ledger in which nothing changes.
type fixedLedger struct {
	known    *catalog.Catalog
	gate     ledger.Gate
	inFlight inflight.Registry
}

func (l *fixedLedger) Catalog() *catalog.Catalog                       { return l.known }
func (l *fixedLedger) Version() uint64                                 { return l.known.Version }
func (l *fixedLedger) Connection(uint32, int) *ledger.Connection       { return nil }
func (l *fixedLedger) InFlight() *inflight.Registry                    { return &l.inFlight }
func (l *fixedLedger) Await(<-chan struct{}) error                     { return nil }
func (l *fixedLedger) Gate() *ledger.Gate                              { return &l.gate }
func (l *fixedLedger) Leased() bool                                    { return true }
func (l *fixedLedger) AwaitLease(<-chan struct{})                      {}
func (l *fixedLedger) Refresh(context.Context, []*catalog.Table) error { return nil }
func (l *fixedLedger) Usable() error                                   { return nil }
func (l *fixedLedger) Barred() bool                                    { return false }

func (l *fixedLedger) FenceOf(context.Context, *catalog.Table) (string, error) { return "", nil }
func (l *fixedLedger) CatchUp(<-chan struct{}, []*catalog.Table, uint64) bool {
	return false
}

// sharing is what sessions have in common that execute statements, with a catalog
// in which nothing changes.
func sharing(t *testing.T, server *sandbox.Server, known *catalog.Catalog) *Shared {
	t.Helper()
	return serving(t, server, &fixedLedger{known: known}, keystest.Tree(t))
}

// serving is what sessions with protected tables have in common.
func serving(t *testing.T, server *sandbox.Server, l Ledger, tree *keys.Tree) *Shared {
	t.Helper()
	target, err := backend.NewTarget(config.Backend{Address: server.Addr, TLS: config.TLSDisabled, ConnectTimeout: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	service, err := backend.NewService(target, config.Service{User: sandbox.ServiceUser, Password: config.NewSecret(sandbox.ServicePassword)})
	if err != nil {
		t.Fatal(err)
	}
	describer := backend.NewDescriber(service)
	t.Cleanup(func() { describer.Close(); _ = service.Close() })
	ring := crypt.NewRing(tree)
	all := shared(t, server.Addr)
	all.Target = target
	all.Planner = plan.New(plan.Options{Catalog: l.Catalog})
	all.Ledger = l
	all.Engine = exec.New(exec.Options{
		Forms:    binding.FormsOf{Column: func(c *catalog.Column) (binding.Forms, error) { return ring.Column(c) }, Family: ring.Family},
		Describe: describer, Log: slog.New(slog.DiscardHandler),
	})
	return all
}

// TestCarried: through a session, statements over a protected table answer as they
// do directly over a plain one, and so does SHOW WARNINGS after each of them.
func TestCarried(t *testing.T) {
	for _, flavor := range []value.Flavor{value.MariaDB, value.MySQL} {
		t.Run(flavor.String(), func(t *testing.T) {
			server := sandboxtest.Start(t, sandboxes[flavor])
			db, err := sql.Open("mysql", server.DSN("root", "root", ""))
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			all := sharing(t, server, noteTable(t, db, flavor))
			client, _, _ := startSession(t, all)
			tunnel := wiretest.NewPeer(client)
			if err := (wiretest.Client{User: "root", Password: "root", Database: "shop"}).Login(tunnel); err != nil {
				t.Fatal(err)
			}
			direct, err := wiretest.Client{User: "root", Password: "root", Database: "plain"}.Dial(t.Context(), server.Addr)
			if err != nil {
				t.Fatal(err)
			}
			defer direct.Close()
			for _, s := range executedStatements {
				for _, s := range []string{s, "SHOW WARNINGS", "SHOW COUNT(*) WARNINGS", "SHOW ERRORS", "SELECT @@warning_count"} {
					if diff := cmp.Diff(toldOf(t, direct, s), toldOf(t, tunnel, s)); diff != "" {
						t.Errorf("%s\n%s", s, diff)
					}
				}
			}
		})
	}
}

var executedStatements = []string{
	"INSERT INTO note VALUES (1, 10)",
	"INSERT INTO note VALUES (2, 10)",
	"INSERT INTO note VALUES (2, 'x')",
	"INSERT INTO note VALUES (2, NULL)",
	"SELECT v FROM note WHERE v = 10",
	"SET sql_mode = ''",
	"INSERT INTO note VALUES (3, '7x'), (4, 99999999999)",
	"INSERT IGNORE INTO note VALUES (5, '17x'), (6, '18y'), (7, 9)",
	"SELECT v FROM note ORDER BY id",
	"SET NAMES latin1, sql_mode = 'STRICT_ALL_TABLES'",
	"INSERT INTO note VALUES (8, 99999999999)",
	"SELECT nosuch FROM note",
	"DELETE FROM note WHERE v = 7",
}

// toldOf is everything that a client is told for a statement, without the values that
// tunic leaves out.
func toldOf(t *testing.T, p *wiretest.Peer, statement string) []string {
	t.Helper()
	sets, err := p.Query(statement)
	refusal, failed := errors.AsType[*wiretest.ServerError](err)
	if err != nil && !failed {
		t.Fatalf("%s: %v", statement, err)
	}
	if failed {
		return []string{withoutValue(refusal.Error())}
	}
	var all []string
	for _, set := range sets {
		all = append(all, fmt.Sprintf("%d affected, %d warnings, %q", set.OK.AffectedRows, set.OK.Warnings, set.OK.Info))
		if len(set.Rows) == 0 {
			continue
		}
		rows, err := set.Text()
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			all = append(all, withoutValue(strings.Join(row, " ")))
		}
	}
	return all
}

// withoutValue takes the values out of a server's message, and the schema of the
// plain table.
func withoutValue(message string) string {
	message = strings.ReplaceAll(message, "`plain`", "`shop`")
	for _, around := range [][3]string{{" value: '", "' for column", " value"}, {"Duplicate entry '", "' for key", "Duplicate entry"}} {
		from, to := strings.Index(message, around[0]), strings.LastIndex(message, around[1])
		if from >= 0 && to >= from {
			message = message[:from] + around[2] + message[to+1:]
		}
	}
	return message
}
