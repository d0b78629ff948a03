package rotation

import (
	"context"
	"errors"
	"testing"

	"tunic/internal/ddl/upkeep"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/waittest"
)

// TestDamaged: a rotation that goes on after it was cut off has the server look through the table before keys are made
// and columns dropped, and leaves one alone that has lost a row from one of its indexes.
func TestDamaged(t *testing.T) {
	onServers(t, func(b *bench) {
		b.exec(b.tunic, "CREATE TABLE shop.person"+keyed)
		b.people("person", 10)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		r := b.rotation()
		r.Layers, r.Progress = true, func(p Progress) {
			if p.Layers && p.Done == 2 { // keys would be made
				cancel()
			}
		}
		if _, err := r.Run(ctx); !errors.Is(err, context.Canceled) {
			t.Fatalf("cut off: %v", err)
		}
		r.Ledger.Close()
		sandboxtest.Damage(t, b.sandbox, "shop", "person")
		before := b.shown("person")
		r = b.rotation()
		r.Layers = true
		var report *Report
		waittest.Until(t, "tunic is there again", func() bool {
			var err error
			report, err = r.Run(t.Context())
			return err == nil
		})
		unsound, ok := errors.AsType[*upkeep.UnsoundError](report.table("person").Failed)
		if !ok || !unsound.Damaged || b.shown("person") != before {
			t.Errorf("%v: %s, before %s", report.table("person").Failed, b.shown("person"), before)
		}
		b.exec(b.server, "ALTER TABLE shop.person FORCE")
		report, err := r.Run(t.Context())
		if err != nil || report.table("person").Failed != nil {
			t.Fatalf("%v, %+v", err, report)
		}
		if epochs, shadows := b.layerEpochs(r, "person"); len(epochs) != 1 || epochs[0] != 1 || shadows {
			t.Errorf("layers are of the epochs %v, shadows %v", epochs, shadows)
		}
		b.inspect()
	})
}
