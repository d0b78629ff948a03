package ddl

import (
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/ddl/service"
	"tunic/internal/ddl/viewtext"
	"tunic/internal/ledger"
	"tunic/internal/racetest"
	tsql "tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// TestKilledMade is TestKilled for CREATE TABLE … SELECT: there is the table with all of
// its rows, or there is none, at the server as in the catalog.
func TestKilledMade(t *testing.T) {
	racetest.InOrder(t)
	onServers(t, func(b *bench) {
		b.must("CREATE TABLE k (a INT COMMENT 'tunic: plain', s VARCHAR(10))")
		for cut := 1; b.madeKilledAt(cut); cut += stride() {
		}
	})
}

// madeKilledAt kills tunic at a statement of making the table m; false says that it was
// made before it.
func (b *bench) madeKilledAt(cut int) (killed bool) {
	b.t.Helper()
	b.seen.forget()
	b.seen.mu.Lock()
	b.seen.cut, b.seen.answerLost = cut, cut%2 == 0
	b.seen.mu.Unlock()
	_, _ = b.definer.DoMade(b.t.Context(), b.made(), b.session, b.client) // what came of it is looked at
	b.seen.mu.Lock()
	killed = b.seen.dead
	b.seen.mu.Unlock()
	b.comesBack()
	b.madeAgrees(cut)
	return killed
}

// made is CREATE TABLE m SELECT a, s FROM k, of two rows.
func (b *bench) made() *Made {
	b.t.Helper()
	all, err := tsql.Parse([]byte("CREATE TABLE m (a INT COMMENT 'tunic: plain') SELECT a, s FROM k"), b.session.Modes)
	if err != nil {
		b.t.Fatal(err)
	}
	tree, err := all[0].Tree()
	if err != nil {
		b.t.Fatal(err)
	}
	stmt, ok := tree.Root().(*ast.CreateTable)
	if !ok {
		b.t.Fatalf("%T", tree.Root())
	}
	k := b.ledger.Catalog().Table("shop", "k")
	return &Made{
		CreateTable: stmt, ReadsProtected: true,
		View: viewtext.View{
			Described: "select `a`, `s` from `_tunic`.`" + k.Twin + "` as `k`", Text: "select `a`, `s` from `shop`.`k`", Names: []string{"a", "s"},
			Reads: []viewtext.Reads{{ViewOver: catalog.ViewOver{Schema: "shop", Name: "k", Twin: k.Twin}, Table: k, Columns: []string{"a", "s"}}},
		},
		Ready: func(*catalog.Table, []string) error { return nil },
		Insert: func(*catalog.Table, []string) error {
			return b.client.Exec(b.t.Context(), "INSERT INTO shop.m (a) VALUES (1), (2)")
		},
	}
}

// madeAgrees holds the catalog's table m and the server's to each other, and drops it.
func (b *bench) madeAgrees(cut int) {
	b.t.Helper()
	rows, err := b.client.Query(b.t.Context(), "SELECT TABLE_COMMENT FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'shop' AND TABLE_NAME = 'm'")
	if err != nil {
		b.t.Fatal(err)
	}
	m := b.ledger.Catalog().Table("shop", "m")
	if m == nil {
		if len(rows) != 0 {
			b.t.Errorf("killed at %d: the server has a table that is not in the catalog", cut)
		}
		return
	}
	if len(rows) != 1 || service.Text(rows[0][0]) != ledger.Mark(m) {
		b.t.Errorf("killed at %d: the server's table is not the one of the catalog", cut)
		return
	}
	rows, err = b.client.Query(b.t.Context(), "SELECT COUNT(*), COUNT(s) FROM shop.m")
	if err != nil || len(rows) != 1 || service.Text(rows[0][0]) != "2" {
		b.t.Errorf("killed at %d: the table has not got its rows: %v", cut, err)
	}
	b.must("DROP TABLE m")
}
