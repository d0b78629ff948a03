package ledger

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"os"
	"testing"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/keys"
	"tunic/internal/policy"
	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/value"
)

func TestMain(m *testing.M) { os.Exit(sandboxtest.Main(m, sandboxtest.NoLeaks)) }

// bench is a server with an empty schema, and the account's connections to it.
type bench struct {
	t   *testing.T
	db  *sql.DB
	dsn string
	kek *keys.KEK
}

// onServers runs a test on each server there is, on a ledger of its own.
func onServers(t *testing.T, test func(*bench)) {
	t.Helper()
	sandboxtest.Each(t, func(t *testing.T, s *sandbox.Server) { test(newBench(t, s)) })
}

func newBench(t *testing.T, s *sandbox.Server) *bench {
	t.Helper()
	dsn := s.DSN("root", "root", "test")
	db, err := sql.Open("mysql", dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	kek, err := keys.NewKEK()
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, db: db, dsn: dsn, kek: kek}
	b.exec("DROP DATABASE IF EXISTS "+catalog.Schema, "DROP DATABASE IF EXISTS shop", "CREATE DATABASE shop")
	return b
}

func (b *bench) exec(statements ...string) {
	b.t.Helper()
	for _, s := range statements {
		if _, err := b.db.ExecContext(context.Background(), s); err != nil {
			b.t.Fatalf("%s: %v", s, err)
		}
	}
}

func (b *bench) options() Options {
	return Options{DB: b.db, KEK: b.kek, Types: types, Log: slog.New(slog.DiscardHandler), beat: 50 * time.Millisecond, Wait: 30 * time.Second}
}

// initAndOpen opens the ledger of a database, and makes it if there is none.
func initAndOpen(ctx context.Context, o Options) (*Ledger, error) {
	if _, _, err := Init(ctx, o); err != nil {
		return nil, err
	}
	return Open(ctx, o)
}

// open opens the ledger and closes it at the end of the test.
func (b *bench) open() *Ledger {
	b.t.Helper()
	l, err := initAndOpen(b.t.Context(), b.options())
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(l.Close)
	return l
}

// opened opens the ledger, closes it and returns its catalog, or what is wrong.
func (b *bench) opened() (*catalog.Catalog, error) {
	l, err := initAndOpen(b.t.Context(), b.options())
	if err != nil {
		return nil, err
	}
	defer l.Close()
	return l.Catalog(), nil
}

func types(text, _ string, notNull bool) (value.Type, error) {
	if text != "int(11)" {
		return value.Type{}, catalog.ErrContent
	}
	return value.Type{Kind: value.Int, NotNull: notNull}, nil
}

// table is a protected table with one column.
func table(name string, seed byte) *catalog.Table {
	typ, _ := types("int(11)", "", true)
	id := catalog.ID{seed, 1}
	return &catalog.Table{
		ID: catalog.ID{seed}, Schema: "shop", Name: name, Revision: 1,
		Columns: []catalog.Column{{
			ID: id, Domain: id, Name: "a", TypeText: "int(11)", Type: typ, Protection: policy.Sealed,
		}},
	}
}

// again is a table with another definition.
func again(t *catalog.Table) *catalog.Table {
	next := *t
	next.Revision++
	return &next
}

// renamed is a table with another name.
func renamed(t *catalog.Table, name string) *catalog.Table {
	next := *t
	next.Name = name
	return &next
}

// fenced is a table with a fence.
func fenced(t *catalog.Table) *catalog.Table {
	next := *t
	next.Fenced = true
	return &next
}

// alter is the statement that gives a stored table a definition.
func alter(from, to *catalog.Table) string {
	return fmt.Sprintf("ALTER TABLE shop.%s RENAME COLUMN `%s` TO `%s`, COMMENT='%s'", from.Name, from.Fence(), to.Fence(), Mark(to))
}

// create is the stored definition of a table.
func create(t *catalog.Table) string {
	fence := ""
	if t.Fenced {
		fence = ", `" + t.Fence() + "` TINYINT AS (NULL) VIRTUAL INVISIBLE"
	}
	return fmt.Sprintf("CREATE TABLE shop.%s (a VARBINARY(39) NOT NULL%s) COMMENT='%s'", t.Name, fence, Mark(t))
}

// ran runs statements as the definition of a change.
func (b *bench) ran(statements ...string) func(context.Context) error {
	return func(ctx context.Context) error {
		for _, s := range statements {
			if _, err := b.db.ExecContext(ctx, s); err != nil {
				return err
			}
		}
		return nil
	}
}

// made makes tables through the ledger.
func (b *bench) made(l *Ledger, tables ...*catalog.Table) {
	b.t.Helper()
	for _, t := range tables {
		done, err := l.Change(b.t.Context(), []Step{{New: t}}, b.ran(create(t)))
		if err != nil || len(done) != 1 {
			b.t.Fatalf("%s: %v, %d done", t.Name, err, len(done))
		}
	}
}

// names are the tables of a catalog.
func names(c *catalog.Catalog) map[string]uint64 {
	out := map[string]uint64{}
	for t := range c.Tables() {
		out[t.Name] = t.Revision
	}
	return out
}
