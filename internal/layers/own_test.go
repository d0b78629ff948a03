package layers

import (
	"errors"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/policy"
)

// keyedFamily has the rows of a table with a key over m, whose values are in the family.
func (b *bench) keyedFamily(rows int) {
	b.t.Helper()
	b.table = b.changed(func(t *catalog.Table) {
		t.Columns[3].Layers = []catalog.Layer{{Capability: policy.Equality, Scheme: catalog.PRP64, State: catalog.Ready, Stored: "m$eq"}}
		t.Keys = []catalog.Key{{Name: "PRIMARY", Kind: catalog.Primary, Parts: []catalog.Part{{Column: "m", Layer: policy.Equality}}}}
	})
	b.familyRows(rows)
	b.exec("ALTER TABLE shop.f ADD `m$eq` BINARY(8)")
	for id := 1; id <= rows; id++ {
		b.exec("UPDATE shop.f SET `m$eq` = " + literal(b.tokenOf(3, valuesOf(id).m)) + ", changed = changed WHERE id = " + string(rune('0'+id)))
	}
	b.exec("ALTER TABLE shop.f DROP PRIMARY KEY, MODIFY `m$eq` BINARY(8) NOT NULL PRIMARY KEY")
}

// TestMovedFormIsNotTaken: a form that was moved to another row gives that row no layer, and is not sealed anew. In its own row it does and is.
func TestMovedFormIsNotTaken(t *testing.T) {
	onFamilies(t, func(b *bench) {
		b.keyedFamily(4)
		move := func(from members) {
			b.exec("UPDATE shop.f SET `row$form` = " + b.form(from) + ", changed = changed WHERE id = 2")
		}
		move(valuesOf(4))
		if err := b.job().Backfill(t.Context()); !errors.Is(err, ErrForeign) || !errors.Is(err, errOther) {
			t.Errorf("backfill: %v", err)
		}
		move(valuesOf(2))
		b.filled(b.job())
		b.unchanged(4)
		move(valuesOf(4))
		was := b.table
		b.table = b.nextEpoch()
		r := &Renewal{DB: b.db, Ring: b.ring, Table: b.table}
		if err := r.Run(t.Context()); !errors.Is(err, ErrForeign) || !errors.Is(err, errOther) {
			t.Errorf("renewal: %v", err)
		}
		b.table, was = was, b.table
		move(valuesOf(2))
		b.table = was
		if err := r.Run(t.Context()); err != nil {
			t.Error(err)
		}
		b.unchanged(4)
		i := Inspection{DB: b.db, Ring: b.ring, Table: b.ready()}
		if _, faults, err := i.Run(t.Context()); err != nil || faults != nil {
			t.Errorf("%v, %v", faults, err)
		}
	})
}
