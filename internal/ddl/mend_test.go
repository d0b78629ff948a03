package ddl

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"tunic/internal/sqlerr"
	"tunic/internal/waittest"
)

// breaking is a client whose connection breaks at the first statement that has a word in it.
type breaking struct {
	*client
	at     string
	broken bool
}

var errBreaks = errors.New("the connection is broken")

func (c *breaking) Exec(ctx context.Context, statement string) error {
	if c.broken = c.broken || strings.Contains(statement, c.at); c.broken {
		return errBreaks
	}
	return c.client.Exec(ctx, statement)
}

// left counts stored columns of a table that belong to nothing.
func (b *bench) left(table string) int {
	b.t.Helper()
	leftovers, err := b.definer.Upkeep.LeftoversOf(b.t.Context(), b.ledger.Catalog().Table("shop", table))
	if err != nil {
		b.t.Fatal(err)
	}
	return len(leftovers)
}

// TestMendsWhatBreaks: columns that a change has added before its connection broke are taken
// away again by the tunic that goes on, without another change and without a start.
func TestMendsWhatBreaks(t *testing.T) {
	onServers(t, func(b *bench) {
		p := b.beside()
		p.both("CREATE TABLE k (id INT PRIMARY KEY, v INT)")
		p.insert("k", "1", "2")
		b.around = true
		change := func(at, statement string) {
			t.Helper()
			c := &breaking{client: b.connect("shop"), at: at}
			_, err := b.definer.Do(t.Context(), parse(t, statement, b.session.Modes).Root(), b.session, c)
			if err == nil || !c.broken {
				t.Fatalf("%s: broken %v: %v", statement, c.broken, err)
			}
		}
		change("COMMENT=", "CREATE INDEX v ON k (v)")
		if n := b.left("k"); n != 1 {
			t.Errorf("%d columns are left, not the one of the layer", n)
		}
		end := b.definer.Upkeep.Keep(t.Context())
		defer end()
		change("COMMENT=", "CREATE INDEX v ON k (v)")
		waittest.Until(b.t, "the column of the layer is gone", func() bool { return b.left("k") == 0 })
		b.must("CREATE INDEX v ON k (v)")
	})
}

// TestMendsLater: a table that a transaction uses at the start is mended once it is over, with no
// other start; and what ends meanwhile ends that, too.
func TestMendsLater(t *testing.T) {
	onServers(t, func(b *bench) {
		b.must("CREATE TABLE old (id INT PRIMARY KEY, v INT)", "CREATE TABLE used (id INT PRIMARY KEY, v INT)")
		b.unfence("old")
		b.unfence("used")
		b.around, b.definer.Upkeep.Patience = true, 500*time.Millisecond
		begin := func(table string) *client {
			t.Helper()
			user := b.connect("shop")
			for _, s := range []string{"BEGIN", "SELECT id FROM " + table} {
				if err := user.Exec(t.Context(), s); err != nil {
					t.Fatal(err)
				}
			}
			return user
		}
		fenced := func(table string) bool {
			t.Helper()
			return b.ledger.Catalog().Table("shop", table).Fenced
		}
		first := begin("old")
		begin("used")
		end := b.definer.Upkeep.Keep(t.Context())
		if err := b.definer.Upkeep.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if fenced("old") || fenced("used") {
			t.Fatal("a table has a fence that a transaction uses")
		}
		if err := first.Exec(t.Context(), "COMMIT"); err != nil {
			t.Fatal(err)
		}
		waittest.Until(b.t, "the table has its fence", func() bool { return fenced("old") })
		end()
		if fenced("used") {
			t.Error("a table has got its fence in spite of a transaction that uses it")
		}
	})
}

// TestMendsBehindTransaction: a change fails when rows are filled, and a transaction uses the table. The client
// is told at once, others define their tables, and the table is as it was once the transaction is over.
func TestMendsBehindTransaction(t *testing.T) {
	onServers(t, func(b *bench) {
		p := b.beside()
		p.both("CREATE TABLE c (id INT AUTO_INCREMENT PRIMARY KEY, a INT, k INT)")
		p.insert("c", "1", "1", "1")
		p.insert("c", "2", "2", "2")
		if err := b.server.Exec(t.Context(), "UPDATE shop.c SET k = a WHERE id = 2"); err != nil { // another column's cell
			t.Fatal(err)
		}
		b.definer.Upkeep.Patience = 500 * time.Millisecond
		defer b.definer.Upkeep.Keep(t.Context())()
		user := b.connect("shop")
		h := &hooked{client: b.client, is: func(s string) bool { return strings.Contains(s, "COMMENT=") }, then: func() {
			if err := errors.Join(user.Exec(t.Context(), "BEGIN"), user.Exec(t.Context(), "SELECT id FROM c")); err != nil {
				t.Error(err)
			}
		}}
		told := make(chan error, 1)
		go func() {
			_, err := b.definer.Do(t.Context(), parse(t, "CREATE INDEX k ON c (k)", b.session.Modes).Root(), b.session, h)
			told <- err
		}()
		var err error
		waittest.Until(t, "the client is told", func() bool {
			select {
			case err = <-told:
				return true
			default:
				return false
			}
		})
		if !errors.Is(err, sqlerr.CannotBackfill("", "")) || !h.over {
			t.Errorf("%v; begun %v", err, h.over)
		}
		if !p.table("c").BackfillsForStatement() {
			t.Error("the transaction does not keep the table")
		}
		b.must("CREATE TABLE other (id INT PRIMARY KEY)")
		if err := user.Exec(t.Context(), "COMMIT"); err != nil {
			t.Fatal(err)
		}
		waittest.Until(t, "the table is as it was", func() bool { return !p.table("c").BackfillsForStatement() && b.left("c") == 0 })
		b.agrees("a change that failed beside a transaction")
	})
}
