package ddl

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"tunic/internal/ledger"
	"tunic/internal/waittest"
)

// hooked is a client that does something once behind the first of its statements of a kind.
type hooked struct {
	*client
	is   func(statement string) bool
	then func()
	over bool
}

func (h *hooked) Exec(ctx context.Context, statement string) error {
	err := h.client.Exec(ctx, statement)
	if err == nil && !h.over && h.is(statement) {
		h.over = true
		h.then()
	}
	return err
}

// TestLedgerLostInPlace: the ledger is lost when the server has made a change in place, and before
// that is written. What belongs to the table as it is to be stays.
func TestLedgerLostInPlace(t *testing.T) {
	onServers(t, func(b *bench) {
		p := b.beside()
		for i, change := range []string{
			"ALTER TABLE %s ADD COLUMN e VARCHAR(20), ADD UNIQUE KEY ke (e)",
			"ALTER TABLE %s RENAME COLUMN n TO nn, DROP COLUMN q",
		} {
			name := fmt.Sprintf("r%d", i)
			change = fmt.Sprintf(change, name)
			p.both("CREATE TABLE " + name + " (id INT AUTO_INCREMENT PRIMARY KEY, n INT, q INT COMMENT 'tunic: plain', KEY kn (n))")
			p.insert(name, "1", "2", "3")
			p.insert(name, "2", "3", "4")
			before := p.table(name).Revision
			h := &hooked{client: b.client, is: func(s string) bool { return strings.Contains(s, "LOCK=NONE") }, then: func() {
				id, err := b.ledger.Link(t.Context())
				if err == nil {
					err = b.server.Exec(t.Context(), fmt.Sprintf("KILL %d", id))
				}
				if err != nil {
					t.Error(err)
				}
			}}
			_, err := b.definer.Do(t.Context(), parse(t, change, b.session.Modes).Root(), b.session, h)
			if !h.over {
				t.Fatalf("%s was not made in place: %v", change, err)
			}
			end := b.definer.Upkeep.Keep(t.Context())
			waittest.Until(t, "the ledger knows of the change", func() bool { return b.ledger.Usable() == nil && p.table(name).Revision > before })
			if err := b.definer.Upkeep.Sweep(t.Context()); err != nil { // as the next start does
				t.Fatal(err)
			}
			end()
			if n := b.left(name); n != 0 {
				t.Errorf("%d columns are left", n)
			}
			if err := p.plain.Exec(t.Context(), change); err != nil {
				t.Fatal(err)
			}
			p.compare(name)
		}
	})
}

// TestLeftoverOfAnotherRevision: who has not heard of a table's next revision drops no column of it.
func TestLeftoverOfAnotherRevision(t *testing.T) {
	onServers(t, func(b *bench) {
		p := b.beside()
		p.both("CREATE TABLE s (id INT PRIMARY KEY, n INT)")
		p.insert("s", "1", "2")
		old := p.table("s")
		p.both("CREATE INDEX kn ON s (n)")
		if err := b.definer.Upkeep.DropLeftover(t.Context(), old, "n$eq", time.Second); !errors.Is(err, ledger.ErrOutdated) {
			t.Errorf("not outdated: %v", err)
		}
		p.compare("s")
		if err := b.server.Exec(t.Context(), "ALTER TABLE shop.s ADD COLUMN `x$eq` BINARY(8)"); err != nil {
			t.Fatal(err)
		}
		if err := b.definer.Upkeep.DropLeftover(t.Context(), p.table("s"), "x$eq", time.Second); err != nil || b.left("s") != 0 {
			t.Errorf("%v; %d columns are left", err, b.left("s"))
		}
	})
}

// TestShadowBehindAhead: where the server cannot make a change in place, and a transaction keeps what was
// added ahead of it, the copy takes that away.
func TestShadowBehindAhead(t *testing.T) {
	if testing.Short() {
		t.Skip("-short; it waits until tunic leaves the columns for later")
	}
	onServers(t, func(b *bench) {
		p := b.beside()
		p.both("CREATE TABLE f (id INT AUTO_INCREMENT PRIMARY KEY, n INT, q INT COMMENT 'tunic: plain', KEY kn (n))")
		p.insert("f", "1", "2", "3")
		other := b.connect("shop")
		ended := make(chan error, 1)
		h := &hooked{client: b.client, is: func(s string) bool { return strings.Contains(s, "ADD COLUMN") && !strings.Contains(s, "LOCK=NONE") }, then: func() {
			if err := errors.Join(other.Exec(t.Context(), "BEGIN"), other.Exec(t.Context(), "DO (SELECT COUNT(*) FROM f)")); err != nil {
				t.Error(err)
			}
			time.AfterFunc(asideMost+time.Second, func() { ended <- other.Exec(t.Context(), "COMMIT") })
		}}
		const change = "ALTER TABLE f MODIFY q BIGINT COMMENT 'tunic: plain', ADD COLUMN e VARCHAR(20), ADD KEY ke (e)"
		_, err := b.definer.Do(t.Context(), parse(t, change, b.session.Modes).Root(), b.session, h)
		if !h.over || err != nil {
			t.Fatalf("added ahead: %v; %v", h.over, err)
		}
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		if err := p.plain.Exec(t.Context(), change); err != nil {
			t.Fatal(err)
		}
		p.compare("f")
		if n := b.left("f"); n != 0 {
			t.Errorf("%d columns are left", n)
		}
	})
}
