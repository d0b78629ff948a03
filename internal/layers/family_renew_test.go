package layers

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"tunic/internal/catalog"
)

// renewingFamily is a bench whose table is whole, and whose family is of another epoch now than its rows.
func (b *bench) renewingFamily(rows int) *Renewal {
	b.t.Helper()
	b.familyRows(rows)
	b.filled(b.job())
	b.table = b.nextEpoch()
	return &Renewal{DB: b.db, Ring: b.ring, Table: b.table}
}

// nextEpoch is the table when its family has a key of epoch 1.
func (b *bench) nextEpoch() *catalog.Table {
	b.t.Helper()
	return b.changed(func(t *catalog.Table) {
		t.Families[0].Epoch = 1
		for i := 1; i <= 3; i++ {
			t.Columns[i].Epoch = 1
		}
	})
}

// TestRenewalOfFamily: every row has a form of the new epoch in the end, of all values that it had, and is otherwise as it was,
// also if the work is cut off at each transaction.
func TestRenewalOfFamily(t *testing.T) {
	onFamilies(t, func(b *bench) {
		const rows = 2*rowsBackfilled + 7
		r := b.renewingFamily(rows)
		if n, epoch, err := r.Oldest(t.Context()); n != rows || epoch != 0 || err != nil {
			t.Errorf("%d rows are of an old epoch, the oldest of %d: %v", n, epoch, err)
		}
		told, cuts := 0, 0
		for left := int64(rows); left > 0; cuts++ {
			ctx, cancel := context.WithCancel(t.Context())
			r.Told = func(rows int) { told += rows; cancel() }
			err := r.Run(ctx)
			cancel()
			now := b.count(r)
			if now > 0 && !errors.Is(err, context.Canceled) || now >= left {
				t.Fatalf("%d rows left of %d: %v", now, left, err)
			}
			left = now
		}
		if cuts != 3 || told != rows {
			t.Errorf("cut off %d times, and told of %d rows", cuts, told)
		}
		b.unchanged(rows)
		i := Inspection{DB: b.db, Ring: b.ring, Table: b.ready()}
		if _, faults, err := i.Run(t.Context()); err != nil || faults != nil || fmt.Sprint(i.Forms()) != fmt.Sprint([]Forms{{familyStored, 1, 1, rows}}) {
			t.Errorf("%v, %v, %v", faults, i.Forms(), err)
		}
	})
}

// TestRenewalOfFamilyLeavesNewerForms: a form is put in the place of the very one that was read, whichever member has changed.
func TestRenewalOfFamilyLeavesNewerForms(t *testing.T) {
	onFamilies(t, func(b *bench) {
		r := b.renewingFamily(3)
		w, err := r.worker()
		if err != nil {
			t.Fatal(err)
		}
		own, err := connect(t.Context(), b.db, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer own.close()
		w.link = own
		batch, err := w.read(t.Context(), w.selectSome(w.older(), nil, rowsBackfilled))
		if err != nil || len(batch) != 3 {
			t.Fatal(len(batch), err)
		}
		newer := valuesOf(2)
		newer.m = number(77)
		b.exec("UPDATE shop.f SET `row$form` = " + b.form(newer) + " WHERE id = 2")
		if n, err := w.seal(t.Context(), own, batch); err != nil || n != 2 {
			t.Errorf("%d rows sealed, %v", n, err)
		}
		if all := b.wholeFamily(); !all[2].is(newer) || !all[1].is(valuesOf(1)) || b.count(r) != 0 {
			t.Errorf("%+v", all)
		}
	})
}

// TestRenewalOfRowsFromBefore: rows from before a column came have its default of then, which a layer that comes has a token of, and
// a form of a newer epoch has as their value.
func TestRenewalOfRowsFromBefore(t *testing.T) {
	onFamilies(t, func(b *bench) {
		before := b.withoutName()
		b.table = b.withName()
		b.familyRows(9)
		b.laidOut(before, 2, 3)
		b.table = b.changed(func(t *catalog.Table) {
			t.Families[0].Added = []catalog.AddedColumn{{Column: catalog.ID{3}, Value: []byte("then")}}
		})
		b.filled(b.job())
		then := func(what string, id int) {
			b.t.Helper()
			v := valuesOf(id)
			if v.name = []byte("then"); !b.wholeFamily()[id].is(v) {
				t.Errorf("%s: row %d is %+v", what, id, b.wholeFamily()[id])
			}
		}
		then("with a layer", 2)
		b.table = b.nextEpoch()
		r := &Renewal{DB: b.db, Ring: b.ring, Table: b.table}
		if err := r.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.table = b.changed(func(t *catalog.Table) { t.Families[0].Added = nil }) // nobody needs it any more
		then("renewed", 2)
		then("renewed", 3)
		i := Inspection{DB: b.db, Ring: b.ring, Table: b.ready()}
		if _, faults, err := i.Run(t.Context()); err != nil || faults != nil || fmt.Sprint(i.Forms()) != fmt.Sprint([]Forms{{familyStored, 2, 1, 9}}) {
			t.Errorf("%v, %v, %v", faults, i.Forms(), err)
		}
	})
}

// TestRenewalTakesLayouts: rows of older layouts get the one that is written. They do not count as those of an older epoch, and one
// whose layout lacks a column stays as it is and is told.
func TestRenewalTakesLayouts(t *testing.T) {
	onFamilies(t, func(b *bench) {
		before := b.withoutName()
		b.familyRows(9)
		b.filled(b.job())
		b.table = b.changed(func(t *catalog.Table) {
			t.Families[0].Layouts = append(t.Families[0].Layouts[:1:1], layoutOf(b.t, 2, &t.Columns[1], &t.Columns[2], &t.Columns[3]))
		})
		r := &Renewal{DB: b.db, Ring: b.ring, Table: b.table}
		if n := b.count(r); n != 0 {
			t.Errorf("%d rows are of an old epoch", n)
		}
		for range 2 {
			if err := r.Run(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		b.unchanged(9)
		i := Inspection{DB: b.db, Ring: b.ring, Table: b.ready()}
		if _, faults, err := i.Run(t.Context()); err != nil || faults != nil || fmt.Sprint(i.Forms()) != fmt.Sprint([]Forms{{familyStored, 2, 0, 9}}) {
			t.Errorf("%v, %v, %v", faults, i.Forms(), err)
		}
		r.Table = b.withName()
		b.table = r.Table
		b.laidOut(before, 8)
		if err := r.Run(t.Context()); !errors.Is(err, ErrForeign) || !errors.Is(err, errUnlaid) {
			t.Errorf("a row without a column: %v", err)
		}
	})
}
