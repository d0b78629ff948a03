package ddl

import (
	"strings"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/ddl/service"
	"tunic/internal/ddl/viewtext"
	"tunic/internal/ledger"
	tsql "tunic/internal/sql"
)

// TestKilledAdoption kills tunic while a view takes the place that two views of the server's read,
// one by the other: never is one of tunic's below one of the server's, whether the name was free or
// that of a plain view, and what was asked for can be asked for again.
func TestKilledAdoption(t *testing.T) {
	onServers(t, func(b *bench) {
		b.must("CREATE TABLE k (a INT, s VARCHAR(10) NOT NULL, KEY (s))")
		b.session.Adopt = adoptsForTest
		for _, replace := range []bool{false, true} {
			change := func() error { return b.view(replace) }
			for cut := 1; ; cut += 1 + 2*stride() { // with and without the lost answer
				b.placeholders(replace)
				killed := b.adoptionKilledAt(cut, change)
				if err := change(); err != nil && (replace || !tells(err, tableExists)) {
					t.Errorf("killed at %d, again: %v", cut, err)
				}
				if got := strings.Join(b.adopted(), " "); got != "a b v" {
					t.Errorf("killed at %d: views of tunic's are %q", cut, got)
				}
				if !killed {
					break
				}
			}
		}
	})
}

func tells(err error, number uint16) bool { return numberOf(err) == number }

// placeholders makes views of the server's over a view v, which is dropped again if it is not to
// be replaced.
func (b *bench) placeholders(stays bool) {
	b.t.Helper()
	b.must("DROP VIEW IF EXISTS a, b, v")
	statements := []string{
		"CREATE VIEW v AS SELECT 1 AS s", "CREATE SQL SECURITY INVOKER VIEW b AS SELECT s FROM v", "CREATE VIEW a AS SELECT s FROM b",
	}
	if !stays {
		statements = append(statements, "DROP VIEW v")
	}
	for _, s := range statements {
		if err := b.client.Exec(b.t.Context(), s); err != nil {
			b.t.Fatalf("%s: %v", s, err)
		}
	}
}

// adoptsForTest plans a view `select s from` another, as the room session would.
func adoptsForTest(c *catalog.Catalog, v *catalog.Table) (*viewtext.View, error) {
	of := map[string]string{"a": "b", "b": "v"}[v.Name]
	under := c.View(v.Schema, of)
	return &viewtext.View{
		View:      tsql.View{Name: tsql.TableName{Schema: v.Schema, Name: v.Name}, Query: []byte(v.View.Query)},
		Described: "select `s` from `_tunic`.`" + under.Twin + "` as `" + of + "`", Text: "select `s` from `shop`.`" + of + "`", Names: []string{"s"},
		Reads: []viewtext.Reads{{ViewOver: catalog.ViewOver{Schema: "shop", Name: of, Twin: under.Twin}, Table: under, Columns: []string{"s"}}},
	}, nil
}

// adopted are the names of tunic's views.
func (b *bench) adopted() (names []string) {
	for _, v := range b.ledger.Catalog().ViewsOf("shop") {
		names = append(names, v.Name)
	}
	return names
}

// adoptionKilledAt kills tunic at a statement, and looks at what is left; false says that it was done
// before.
func (b *bench) adoptionKilledAt(cut int, change func() error) (killed bool) {
	b.t.Helper()
	b.seen.forget()
	b.seen.mu.Lock()
	b.seen.cut, b.seen.answerLost = cut, cut%2 == 0
	b.seen.mu.Unlock()
	err := change()
	b.seen.mu.Lock()
	killed = b.seen.dead
	b.seen.mu.Unlock()
	if !killed && err != nil {
		b.t.Errorf("not killed: %v", err)
	}
	b.comesBack()
	for _, name := range []string{"a", "b", "v"} {
		rows, err := b.client.Query(b.t.Context(), "SHOW CREATE VIEW shop."+name)
		marked := err == nil && strings.Contains(service.Text(rows[0][1]), "`tunic$")
		known := b.ledger.Catalog().View("shop", name)
		if marked != (known != nil) || known != nil && !strings.Contains(service.Text(rows[0][1]), ledger.ViewMark(known)) {
			b.t.Errorf("killed at %d: view %s is one of the catalog (%v) or of the server (%v)", cut, name, known != nil, marked)
		}
		if err != nil && name != "v" {
			b.t.Errorf("killed at %d: view %s is lost: %v", cut, name, err)
		}
	}
	for _, pair := range [][2]string{{"v", "b"}, {"b", "a"}} {
		if c := b.ledger.Catalog(); c.View("shop", pair[0]) != nil && c.View("shop", pair[1]) == nil {
			b.t.Errorf("killed at %d: %s of the server's is over %s of tunic's", cut, pair[1], pair[0])
		}
	}
	return killed
}

// TestLateReader: a view of the server's that comes while others are made tunic's keeps the name plain.
func TestLateReader(t *testing.T) {
	onServers(t, func(b *bench) {
		b.must("CREATE TABLE k (a INT, s VARCHAR(10) NOT NULL, KEY (s))")
		b.placeholders(true)
		late := b.connect("shop")
		b.session.Adopt = func(c *catalog.Catalog, v *catalog.Table) (*viewtext.View, error) {
			if err := late.Exec(b.t.Context(), "CREATE OR REPLACE VIEW late AS SELECT s FROM v"); err != nil {
				b.t.Error(err)
			}
			return adoptsForTest(c, v)
		}
		if err := b.view(true); !refused(err) || !strings.Contains(err.Error(), "late") {
			t.Errorf("a view that came late: %v", err)
		}
		if got := strings.Join(b.adopted(), " "); got != "a b" {
			t.Errorf("views of tunic's are %q", got)
		}
		b.session.Adopt = nil
		b.must("DROP VIEW a, b, late")
		if err := b.view(true); err != nil {
			t.Errorf("without readers: %v", err)
		}
	})
}
