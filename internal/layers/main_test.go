package layers

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"

	_ "github.com/go-sql-driver/mysql" // the driver

	"tunic/internal/catalog"
	"tunic/internal/crypt"
	"tunic/internal/keys/keystest"
	"tunic/internal/policy"
	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/value"
)

func TestMain(m *testing.M) { os.Exit(sandboxtest.Main(m, sandboxtest.NoLeaks)) }

// bench is a server with a table that is being filled: t has the plain primary key
// id, the protected column k with a layer that is being filled, and the column more,
// which is itself being filled.
type bench struct {
	t     *testing.T
	db    *sql.DB
	ring  *crypt.Ring
	table *catalog.Table
}

func onServers(t *testing.T, test func(b *bench)) {
	t.Helper()
	sandboxtest.Each(t, func(t *testing.T, s *sandbox.Server) {
		db, err := sql.Open("mysql", s.DSN(sandbox.ServiceUser, sandbox.ServicePassword, ""))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		b := &bench{t: t, db: db, ring: crypt.NewRing(keystest.Tree(t)), table: backfilling(t)}
		b.exec("DROP DATABASE IF EXISTS shop", "CREATE DATABASE shop", "CREATE TABLE shop.t (id INT NOT NULL PRIMARY KEY, "+
			"k BINARY(39), `k$eq` BINARY(8), changed TIMESTAMP NULL DEFAULT NULL ON UPDATE CURRENT_TIMESTAMP, more VARBINARY(63), `more$eq` BINARY(16), `"+b.table.Fence()+"` TINYINT AS (NULL) VIRTUAL)")
		test(b)
	})
}

// typed is a column of a type.
func typed(t testing.TB, id byte, name, typ, collation string, notNull bool) catalog.Column {
	t.Helper()
	known, err := catalog.TypesOf(value.MySQL)(typ, collation, notNull)
	if err != nil {
		t.Fatal(err)
	}
	return catalog.Column{ID: catalog.ID{id}, Domain: catalog.ID{id}, Name: name, TypeText: typ, CollationName: collation, Type: known}
}

// protected is a protected column with an equality layer.
func protected(c catalog.Column, scheme catalog.Scheme, state catalog.State) catalog.Column {
	c.Protection = policy.Protection{Protected: true, Allowed: policy.Equality}
	c.Default.Kind = catalog.DefaultNull
	c.Layers = []catalog.Layer{{Capability: policy.Equality, Scheme: scheme, State: state, Stored: c.Name + "$eq"}}
	return c
}

// backfilling is the table of the bench.
func backfilling(t testing.TB) *catalog.Table {
	t.Helper()
	more := protected(typed(t, 4, "more", "varchar(4)", "utf8mb4_general_ci", true), catalog.CMAC, catalog.Backfilling)
	more.Backfilling, more.Invisible = true, true
	more.Default = catalog.Default{Kind: catalog.DefaultValue, Canonical: []byte("now")}
	changed := typed(t, 3, "changed", "timestamp", "", false)
	changed.OnUpdateNow = true
	table := &catalog.Table{
		ID: catalog.ID{1}, Schema: "shop", Name: "t", Revision: 2, Fenced: true,
		Columns: []catalog.Column{
			typed(t, 1, "id", "int", "", true),
			protected(typed(t, 2, "k", "int", "", false), catalog.PRP64, catalog.Backfilling), changed, more,
		},
		Keys: []catalog.Key{{Name: "PRIMARY", Kind: catalog.Primary, Parts: []catalog.Part{{Column: "id"}}}},
	}
	if err := table.Check(); err != nil {
		t.Fatal(err)
	}
	return table
}

func (b *bench) exec(statements ...string) {
	b.t.Helper()
	for _, s := range statements {
		if _, err := b.db.ExecContext(b.t.Context(), s); err != nil {
			b.t.Fatalf("%.200s: %v", s, err)
		}
	}
}

func (b *bench) column(i int) *crypt.Column {
	b.t.Helper()
	c, err := b.ring.Column(&b.table.Columns[i])
	if err != nil {
		b.t.Fatal(err)
	}
	return c
}

// canonical is the canonical form of an INT.
func canonical(n int) []byte { return fmt.Appendf(make([]byte, 0, 8), "%08d", n) }

// sealed and token are the forms of a number in k, as literals.
func (b *bench) sealed(n int) string {
	b.t.Helper()
	s, err := b.column(1).AppendSealed(nil, canonical(n))
	if err != nil {
		b.t.Fatal(err)
	}
	return fmt.Sprintf("x'%x'", s)
}

func (b *bench) token(n int) string {
	b.t.Helper()
	s, err := b.column(1).AppendToken(nil, policy.Equality, canonical(n))
	if err != nil {
		b.t.Fatal(err)
	}
	return fmt.Sprintf("x'%x'", s)
}

// fill adds rows from before: id is 1 to n, k the same but NULL for each tenth.
func (b *bench) rows(n int) {
	b.t.Helper()
	for from := 1; from <= n; from += 500 {
		var values []string
		for id := from; id < min(from+500, n+1); id++ {
			cell := "NULL"
			if id%10 != 0 {
				cell = b.sealed(id)
			}
			values = append(values, fmt.Sprintf("(%d, %s, '2001-01-01')", id, cell))
		}
		b.exec("INSERT INTO shop.t (id, k, changed) VALUES " + strings.Join(values, ", "))
	}
}

func (b *bench) job() *Job {
	return &Job{
		DB: b.db, Ring: b.ring, Table: b.table, Log: slog.New(slog.DiscardHandler),
		Given: map[catalog.ID][]byte{{4}: []byte("then")},
	}
}

// found is a row as it is found, opened.
type found struct {
	k    string // the canonical form of k, "NULL"
	more string
}

// whole reads all rows and makes sure that each has all of its forms, of more one of
// its own.
func (b *bench) whole() map[int]found {
	b.t.Helper()
	rows, err := b.db.QueryContext(context.WithoutCancel(b.t.Context()), "SELECT id, k, `k$eq`, more, `more$eq` FROM shop.t")
	if err != nil {
		b.t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	all, forms := map[int]found{}, map[string]bool{}
	for rows.Next() {
		var id int
		var k, token, more, moreToken []byte
		if err := rows.Scan(&id, &k, &token, &more, &moreToken); err != nil {
			b.t.Fatal(err)
		}
		if forms[string(more)] {
			b.t.Errorf("row %d has the sealed form of another", id)
		}
		forms[string(more)] = true
		all[id] = found{b.open(id, 1, k, token), b.open(id, 3, more, moreToken)}
	}
	if err := rows.Err(); err != nil {
		b.t.Fatal(err)
	}
	return all
}

func (b *bench) open(id, column int, sealed, token []byte) string {
	b.t.Helper()
	if sealed == nil {
		if token != nil {
			b.t.Errorf("row %d: a token of nothing", id)
		}
		return "NULL"
	}
	canonical, err := b.column(column).AppendOpened(nil, sealed)
	if err != nil {
		b.t.Errorf("row %d: %v", id, err)
		return ""
	}
	want, err := b.column(column).AppendToken(nil, policy.Equality, canonical)
	if err != nil || !bytes.Equal(want, token) {
		b.t.Errorf("row %d: token %x of %q, not %x: %v", id, token, canonical, want, err)
	}
	return string(canonical)
}
