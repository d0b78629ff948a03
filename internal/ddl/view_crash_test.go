package ddl

import (
	"strings"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/ddl/service"
	"tunic/internal/ddl/viewtext"
	"tunic/internal/identifier"
	"tunic/internal/ledger"
	"tunic/internal/racetest"
	tsql "tunic/internal/sql"
)

// TestKilledView is TestKilled for views: the catalog has one if and only if the stored
// view has its mark, each has its twin and no other is left, and what was asked for can be
// asked for again.
func TestKilledView(t *testing.T) {
	racetest.InOrder(t)
	onServers(t, func(b *bench) {
		b.must("CREATE TABLE k (a INT, s VARCHAR(10) NOT NULL, KEY (s))")
		for _, change := range []func() error{
			func() error { return b.view(false) },
			func() error { return b.view(true) },
			func() error { _, err := b.do("RENAME TABLE v TO w"); return err },
			func() error { _, err := b.do("DROP VIEW IF EXISTS v, w"); return err },
		} {
			for cut := 1; b.viewKilledAt(cut, change); cut += stride() {
			}
		}
	})
}

// view makes the view v.
func (b *bench) view(replace bool) error {
	k := b.ledger.Catalog().Table("shop", "k")
	v := &viewtext.View{
		View:      tsql.View{Name: tsql.TableName{Name: "v"}, Replace: replace},
		Described: "select `s` from `_tunic`.`" + k.Twin + "` as `k`", Text: "select `s` from `shop`.`k`", Names: []string{"s"},
		Reads: []viewtext.Reads{{ViewOver: catalog.ViewOver{Schema: "shop", Name: "k", Twin: k.Twin}, Table: k, Columns: []string{"s"}}},
	}
	_, err := b.definer.DoView(b.t.Context(), v, b.session, b.client)
	return err
}

// viewKilledAt kills tunic at a statement of a change of views; false says that it was
// done before it.
func (b *bench) viewKilledAt(cut int, change func() error) (killed bool) {
	b.t.Helper()
	b.seen.forget()
	b.seen.mu.Lock()
	b.seen.cut, b.seen.answerLost = cut, cut%2 == 0
	b.seen.mu.Unlock()
	_ = change() // what came of it is looked at
	b.seen.mu.Lock()
	killed = b.seen.dead
	b.seen.mu.Unlock()
	b.comesBack()
	b.viewsAgree(cut)
	return killed
}

// viewsAgree holds the catalog's views and the server's to each other.
func (b *bench) viewsAgree(cut int) {
	b.t.Helper()
	query := func(text string) [][]*string {
		rows, err := b.client.Query(b.t.Context(), text)
		if err != nil {
			b.t.Fatal(err)
		}
		return rows
	}
	twins := map[string]bool{}
	for _, r := range query("SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = '_tunic' AND TABLE_NAME LIKE 'v!_%' ESCAPE '!'") {
		twins[service.Text(r[0])] = true
	}
	known := map[string]string{}
	for v := range b.ledger.Catalog().Views() {
		known[v.Name] = ledger.ViewMark(v)
		if !twins[v.Twin] {
			b.t.Errorf("killed at %d: view %s has no twin", cut, v.Name)
		}
		delete(twins, v.Twin)
	}
	for twin := range twins {
		b.t.Errorf("killed at %d: twin %s is nobody's", cut, twin)
	}
	for _, r := range query("SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'shop' AND TABLE_TYPE = 'VIEW'") {
		name := service.Text(r[0])
		shown := service.Text(query("SHOW CREATE VIEW shop." + identifier.Quoted(name))[0][1])
		if known[name] == "" || !strings.Contains(shown, known[name]) {
			b.t.Errorf("killed at %d: view %s is not the one of the catalog", cut, name)
		}
		delete(known, name)
	}
	for name := range known {
		b.t.Errorf("killed at %d: view %s is in the catalog alone", cut, name)
	}
}
