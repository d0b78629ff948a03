package ddl

import (
	"context"
	"slices"
	"testing"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/ddl/examination"
	"tunic/internal/ddl/form"
	"tunic/internal/ddl/revision"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/ledger"
)

// TestFenceOfReferred: a foreign key by which rows follow gives the table that it refers to
// another fence as well, once: statements that were planned before do not know of the rows.
func TestFenceOfReferred(t *testing.T) {
	onServers(t, func(b *bench) {
		parent := func() *catalog.Table { return b.ledger.Catalog().Table("shop", "parent") }
		is := func(what string, revision uint64) {
			b.t.Helper()
			if got := parent().Revision; got != revision {
				b.t.Errorf("%s: revision %d, not %d", what, got, revision)
			}
			b.checkStored(parent())
		}
		b.must("CREATE TABLE parent (id INT PRIMARY KEY, code VARCHAR(10), UNIQUE KEY (code))")
		b.must("CREATE TABLE aside (id INT PRIMARY KEY, code VARCHAR(10), CONSTRAINT a FOREIGN KEY (code) REFERENCES parent (code))")
		is("a key that restricts", 1)
		b.must("CREATE TABLE child (id INT PRIMARY KEY, code VARCHAR(10), CONSTRAINT c FOREIGN KEY (code) REFERENCES parent (code) ON DELETE SET NULL)")
		is("a key that sets NULL", 2)
		b.must("ALTER TABLE child ADD COLUMN more INT")
		is("another change of the table that refers", 2)
		b.must("ALTER TABLE child DROP FOREIGN KEY c")
		is("the key is gone", 2)
		b.must("ALTER TABLE child ADD CONSTRAINT c FOREIGN KEY (code) REFERENCES parent (code) ON DELETE SET NULL")
		is("the key again", 3)
		b.must("ALTER TABLE parent ADD COLUMN more INT")
		is("its own change", 4)
	})
}

// TestGivesFences: a table that was made before there were fences gets one when tunic
// starts, and one that cannot have one is left as it is.
func TestGivesFences(t *testing.T) {
	onServers(t, func(b *bench) {
		b.must("CREATE TABLE old (id INT PRIMARY KEY, v INT)")
		b.must("CREATE TABLE fast (id INT PRIMARY KEY, v INT) ENGINE=MEMORY")
		if b.ledger.Catalog().Table("shop", "fast").Fenced {
			b.t.Error("a table in memory with a fence")
		}
		b.unfence("old")
		b.fenceHalf("old")
		if err := b.definer.Upkeep.Sweep(b.t.Context()); err != nil {
			b.t.Fatal(err)
		}
		now := b.ledger.Catalog().Table("shop", "old")
		if !now.Fenced || now.Revision != 3 {
			b.t.Errorf("fenced %v, revision %d", now.Fenced, now.Revision)
		}
		b.checkStored(now)
		b.must("ALTER TABLE old ADD COLUMN w INT")
		b.checkStored(b.ledger.Catalog().Table("shop", "old"))
	})
}

// TestSweepWaitsForNobody: who starts gives up on a table that a transaction uses, and keeps
// nobody from it; the next start mends it.
func TestSweepWaitsForNobody(t *testing.T) {
	onServers(t, func(b *bench) {
		b.must("CREATE TABLE old (id INT PRIMARY KEY, v INT)")
		b.unfence("old")
		check := form.CheckName(b.ledger.Catalog().Table("shop", "old"))
		user := b.connect("shop")
		for _, statement := range []string{"ALTER TABLE old DROP CONSTRAINT `" + check + "`", "BEGIN", "SELECT id FROM old"} {
			if err := user.Exec(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
		}
		b.definer.Upkeep.Patience, b.around = time.Second, true
		mended := func() (fenced, checked bool) {
			t.Helper()
			if err := b.definer.Upkeep.Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
			rows, err := b.connect("shop").Query(t.Context(), "SELECT 1 FROM information_schema.TABLE_CONSTRAINTS WHERE CONSTRAINT_NAME = '"+check+"'")
			if err != nil {
				t.Fatal(err)
			}
			return b.ledger.Catalog().Table("shop", "old").Fenced, len(rows) > 0
		}
		if fenced, checked := mended(); fenced || checked {
			t.Errorf("under a transaction: fenced %v, checked %v", fenced, checked)
		}
		if err := user.Exec(t.Context(), "COMMIT"); err != nil {
			t.Fatal(err)
		}
		if fenced, checked := mended(); !fenced || !checked {
			t.Errorf("after it: fenced %v, checked %v", fenced, checked)
		}
	})
}

// fenceHalf leaves a table as who was cut off while it gave it a fence: the column is there, and
// the mark does not know of it. Examine knows what that is.
func (b *bench) fenceHalf(name string) {
	b.t.Helper()
	t := b.ledger.Catalog().Table("shop", name)
	next := *t
	next.Fenced, next.Revision = true, t.Revision+1
	if err := b.client.Exec(b.t.Context(), "ALTER TABLE "+t.QuotedName()+" ADD COLUMN "+showcreate.WithoutValue(next.Fence())); err != nil {
		b.t.Fatal(err)
	}
	conn, err := b.db.Conn(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	found, err := Examine(b.t.Context(), conn, b.ledger.Catalog(), t)
	if want := []examination.Mismatch{{Of: "column", Name: next.Fence(), Problem: examination.Between}}; err != nil || !slices.Equal(found, want) {
		b.t.Errorf("%v, %v, want %v", found, err, want)
	}
}

// unfence makes of a table one as it was before there were fences.
func (b *bench) unfence(name string) {
	b.t.Helper()
	t := b.ledger.Catalog().Table("shop", name)
	next := *t
	next.Revision, next.Fenced = t.Revision+1, false
	_, err := b.ledger.Change(b.t.Context(), []ledger.Step{{Old: t, New: &next}}, func(ctx context.Context) error {
		return b.client.Exec(ctx, revision.Alter(t, &next, nil))
	})
	if err != nil {
		b.t.Fatal(err)
	}
}
