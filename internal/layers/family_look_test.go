package layers

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tunic/internal/catalog"
	"tunic/internal/policy"
)

// changed is a copy of the bench's table to which something is done.
func (b *bench) changed(change func(t *catalog.Table)) *catalog.Table {
	b.t.Helper()
	next := *b.table
	next.Columns, next.Families = slices.Clone(next.Columns), slices.Clone(next.Families)
	for i := range next.Columns {
		next.Columns[i].Layers = slices.Clone(next.Columns[i].Layers)
	}
	change(&next)
	if err := next.Check(); err != nil {
		b.t.Fatal(err)
	}
	return &next
}

// ready is the table when its layers are used.
func (b *bench) ready() *catalog.Table {
	b.t.Helper()
	return b.changed(func(t *catalog.Table) {
		for i := 1; i <= 2; i++ {
			t.Columns[i].Layers[0].State, t.Columns[i].Layers[0].Job = catalog.Ready, 0
		}
	})
}

// laidOut gives rows that have ids forms as another version of the table makes them.
func (b *bench) laidOut(by *catalog.Table, ids ...int) {
	b.t.Helper()
	for _, id := range ids {
		b.exec(fmt.Sprintf("UPDATE shop.f SET `row$form` = %s, changed = changed WHERE id = %d", b.formBy(by, valuesOf(id)), id))
	}
}

// withoutName is the table before name was added to its family.
func (b *bench) withoutName() *catalog.Table {
	b.t.Helper()
	return b.changed(func(t *catalog.Table) {
		t.Columns = slices.Delete(t.Columns, 2, 3)
		t.Families[0].Layouts = []catalog.Layout{layoutOf(b.t, 1, &t.Columns[2], &t.Columns[1])}
	})
}

// withName is the table when it has been added: rows have two layouts.
func (b *bench) withName() *catalog.Table {
	b.t.Helper()
	return b.changed(func(t *catalog.Table) {
		t.Families[0].Layouts = []catalog.Layout{layoutOf(b.t, 1, &t.Columns[3], &t.Columns[1]), layoutOf(b.t, 2, &t.Columns[3], &t.Columns[1], &t.Columns[2])}
	})
}

// TestInspectFamily: of each row the form is opened, and every token compared with its member's value. What is wrong with a form
// is told of its column, and what can be repaired is.
func TestInspectFamily(t *testing.T) {
	onFamilies(t, func(b *bench) {
		b.exec("ALTER TABLE shop.f MODIFY `row$form` VARBINARY(200)")
		before := b.withoutName()
		b.table = b.withName()
		b.familyRows(20)
		b.filled(b.job())
		b.table = b.ready()
		i := Inspection{DB: b.db, Ring: b.ring, Table: b.table, Repair: true}
		if n, faults, err := i.Run(t.Context()); n != 20 || faults != nil || err != nil {
			t.Fatal(n, faults, err)
		}
		b.laidOut(before, 8)
		b.laidOut(b.nextEpoch(), 10)
		emptied := valuesOf(11)
		emptied.m = nil
		k, _ := b.tokens(valuesOf(1))
		b.exec("UPDATE shop.f SET `row$form` = "+b.form(emptied)+", changed = changed WHERE id = 11",
			"UPDATE shop.f SET `row$form` = REVERSE(`row$form`), changed = changed WHERE id = 13", "UPDATE shop.f SET `row$form` = NULL, changed = changed WHERE id = 14",
			"UPDATE shop.f SET `k$eq` = "+k+", changed = changed WHERE id IN (2, 3)", "UPDATE shop.f SET `name$eq` = NULL, changed = changed WHERE id IN (4, 5, 7)")
		eq, key := policy.Equality, "PRIMARY (id)"
		want := []Fault{
			{familyStored, 0, Unopened, 2, 0, []int64{10, 13}, key}, {familyStored, 0, Emptied, 1, 0, []int64{14}, key},
			{"k", eq, Wrong, 1, 1, []int64{2}, key}, {"k", eq, Surplus, 1, 1, []int64{3}, key},
			{"name", 0, Unlaid, 1, 0, []int64{8}, key}, {"name", eq, Lacking, 2, 2, []int64{4, 7}, key},
			{"m", 0, Emptied, 1, 0, []int64{11}, key},
		}
		if _, faults, err := i.Run(t.Context()); err != nil || cmp.Diff(want, faults) != "" {
			t.Errorf("%v: %s", err, cmp.Diff(want, faults))
		}
		if diff := cmp.Diff([]Forms{{familyStored, 1, 0, 1}, {familyStored, 2, 0, 16}}, i.Forms()); diff != "" {
			t.Error(diff)
		}
		i.Table = b.changed(func(t *catalog.Table) { t.Keys = nil })
		if _, faults, err := i.Run(t.Context()); err != nil || len(faults) != 4 {
			t.Errorf("without a key, behind a repair: %v, %v", faults, err)
		}
	})
}

// TestSampleFamily: how many rows have a value is told by those that are read.
func TestSampleFamily(t *testing.T) {
	onFamilies(t, func(b *bench) {
		const rows = 3000
		b.familyRows(rows)
		sample := func(column int, s Sample) (with int64, seen map[string]bool) {
			s.DB, s.Ring, s.Table, s.Column, seen = b.db, b.ring, b.table, &b.table.Columns[column], map[string]bool{}
			with, err := s.Run(t.Context(), func(canonical []byte) { seen[string(canonical)] = true })
			if err != nil {
				t.Fatal(err)
			}
			return with, seen
		}
		if with, seen := sample(1, Sample{Rows: rows, Bytes: math.MaxInt64}); with != rows-rows/3 || len(seen) != rows-rows/3 || !seen[string(number(2999))] {
			t.Errorf("%d of %d values", len(seen), with)
		}
		if with, seen := sample(3, Sample{Rows: rows, Bytes: math.MaxInt64}); with != rows || len(seen) != rows {
			t.Errorf("%d of %d values of a column that takes no NULL", len(seen), with)
		}
		with, seen := sample(1, Sample{Rows: 600, Bytes: math.MaxInt64})
		if share := float64(with) / rows; math.Abs(share-2.0/3) > 0.12 || len(seen) < 300 || len(seen) > 500 {
			t.Errorf("%d of %d values, which would be %d", len(seen), rows, with)
		}
		if _, seen := sample(3, Sample{Rows: rows, Bytes: 1}); len(seen) != 1 {
			t.Errorf("%d values of a byte", len(seen))
		}
	})
}

// TestJudgeFamily: a CHECK is looked at in every row, of members of a family, NULL ones too.
func TestJudgeFamily(t *testing.T) {
	onFamilies(t, func(b *bench) {
		const rows = rowsLooked + 9
		b.familyRows(rows)
		for clause, fails := range map[string]bool{
			fmt.Sprintf("(`k` <= %d)", rows): false, fmt.Sprintf("(`k` < %d)", rows-1): true, "(`k` is not null)": true,
			"(`m` = `k` * 2)": false, "(`m` > 2)": true, "(`name` is null or `name` = '' or `name` like 'n%' and `m` > 0)": false, "(`name` <> '')": true,
		} {
			seen := 0
			job := b.judge(b.table, clause, func(rows [][]*string, statement string) {
				seen += len(rows)
				if n := strings.Count(statement, familyStored); n != 1 {
					t.Errorf("the family is read %d times: %s", n, statement)
				}
			})
			bad, err := job.Look(t.Context())
			if err != nil || (bad != nil) != fails || !fails && seen != rows {
				t.Errorf("%s: %v, %v, %d rows", clause, bad, err, seen)
			}
		}
	})
}
