package ddl

import (
	"context"
	"errors"
	"slices"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/ddl/upkeep"
)

// TestAborted: after each step before the swap, the table comes to be what it was, with what
// clients have written meanwhile; whoever takes it back may be cut off himself. Behind the
// swap it is too late.
func TestAborted(t *testing.T) { onServers(t, aborted) }

// TestAbortedTogether: so does a table whose columns were about to come into a family.
func TestAbortedTogether(t *testing.T) { onFamilies(t, aborted) }

func aborted(b *bench) {
	t, p := b.t, b.beside()
	p.plainBoth(encryptedTable)
	p.plainBoth(encryptedRows...)
	p.plainBoth("ALTER TABLE x AUTO_INCREMENT = 1000")
	for n := range 4 {
		e := b.encryption("x", "k", "c", "pad", "big")
		b.mustStep(b.definer.stagesOf(e)[:min(n, 3)]...)
		switch n {
		case 0: // an adoption that was cut off, of which nobody knows
			p.must("ALTER TABLE shop.x ADD COLUMN `k$copy` VARBINARY(60) DEFAULT NULL INVISIBLE AFTER k, ADD COLUMN `0123456789ab$form$copy` VARBINARY(60) DEFAULT NULL INVISIBLE")
		case 3: // a key was made ahead
			t := p.table("x")
			at := slices.IndexFunc(t.Columns, func(c catalog.Column) bool { return c.Shadows == "k" })
			token := t.Columns[at].Layers[0].Stored
			b.mustStep(func(ctx context.Context) error {
				return b.client.Exec(ctx, "ALTER TABLE shop.x ADD KEY `tunic$ahead$0` (`"+token+"`)")
			})
		}
		p.plainBoth("INSERT INTO x (k, c, b, t) VALUES (7, 'meanwhile', 'b', '')")
		if n == 2 { // cut off
			id := p.table("x").ID
			b.mustStep(func(ctx context.Context) error { return b.definer.ForgetShadows(ctx, id) }, func(ctx context.Context) error { return b.definer.Decryption.Solidify(ctx, id) })
		}
		b.ledger.Close()
		b.hold()
		if err := b.definer.Abort(t.Context(), b.encryption("x", "k", "c", "pad", "big"), nil); err != nil {
			t.Fatalf("after %d steps: %v", n, err)
		}
		p.asPlain()
	}
	e := b.encryption("x", "k")
	if err := b.definer.Abort(t.Context(), e, nil); !errors.Is(err, upkeep.ErrTableGone) {
		t.Errorf("a table of which nothing was begun: %v", err)
	}
	b.mustStep(b.definer.stagesOf(e)[:4]...)
	if err := b.definer.Abort(t.Context(), e, nil); !errors.Is(err, ErrSwapped) {
		t.Errorf("behind the exchange: %v", err)
	}
	b.mustStep(b.definer.stagesOf(e)[4:]...)
	p.compare("x")
}
