package layers

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/policy"
	"tunic/internal/value"
)

// shadowed is the table when columns of other types are to take the places of k and name, and m is to be plain.
func (b *bench) shadowed(kType, nameType string) *catalog.Table {
	b.t.Helper()
	copyOf := func(id byte, of, typ, collation string, scheme catalog.Scheme) catalog.Column {
		c := protected(typed(b.t, id, of+"$copy", typ, collation, false), scheme, catalog.Backfilling)
		c.Backfilling, c.Invisible, c.Shadows = true, true, of
		return c
	}
	return b.changed(func(t *catalog.Table) {
		for i := 1; i <= 2; i++ {
			t.Columns[i].Layers = nil
		}
		t.Columns[3].Layers = []catalog.Layer{{Capability: catalog.PlainForm, Scheme: catalog.AsIs, State: catalog.Backfilling, Nullable: true, Stored: "m$bare"}}
		t.Columns = append(t.Columns, copyOf(7, "k", kType, "", catalog.PRP64), copyOf(8, "name", nameType, "utf8mb4_bin", catalog.CMAC))
	})
}

// shadowColumns adds what the stored table has of them.
func (b *bench) shadowColumns() {
	b.t.Helper()
	b.exec("ALTER TABLE shop.f ADD COLUMN `k$copy` VARBINARY(39), ADD COLUMN `k$copy$eq` BINARY(8), ADD COLUMN `name$copy` VARBINARY(63), ADD COLUMN `name$copy$eq` BINARY(16), ADD COLUMN `m$bare` INT")
}

// TestBackfillShadowsOfMembers: columns that are to take the places of members get the values of the family in forms of their own,
// those that are NULL none; and a member's plain form is its value.
func TestBackfillShadowsOfMembers(t *testing.T) {
	onFamilies(t, func(b *bench) {
		const rows = rowsBackfilled + 7
		b.shadowColumns()
		b.familyRows(rows)
		b.table = b.shadowed("bigint", "varchar(20)")
		job := b.job()
		job.Env = &value.Env{Flavor: value.MySQL, Version: 80400}
		if said := b.filled(job); said != fmt.Sprint(rows) { // each has an m
			t.Errorf("%s rows were filled", said)
		}
		if said := b.filled(job); said != "0" {
			t.Errorf("%s rows were filled again", said)
		}
		found, err := b.db.QueryContext(t.Context(), "SELECT id, `k$copy`, `k$copy$eq`, `name$copy`, `name$copy$eq`, `m$bare` FROM shop.f")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = found.Close() }()
		for n := 0; found.Next(); n++ {
			var id, m int
			var k, kToken, name, nameToken sql.RawBytes
			if err := found.Scan(&id, &k, &kToken, &name, &nameToken, &m); err != nil {
				t.Fatal(err)
			}
			v := valuesOf(id)
			b.isForm(id, 5, k, kToken, v.k)
			b.isForm(id, 6, name, nameToken, v.name)
			if m != 2*id {
				t.Errorf("row %d: m is %d", id, m)
			}
		}
		if err := found.Err(); err != nil {
			t.Fatal(err)
		}
		b.exec("UPDATE shop.f SET `m$bare` = 1 WHERE id = 3")
		if err := job.Backfill(t.Context()); !errors.Is(err, ErrForeignWrite) {
			t.Errorf("another plain form: %v", err)
		}
	})
}

// isForm wants a row to have the forms of a value in a column.
func (b *bench) isForm(id, column int, sealed, token, want []byte) {
	b.t.Helper()
	if want == nil {
		if sealed != nil || token != nil {
			b.t.Errorf("row %d: forms of NULL in column %d", id, column)
		}
		return
	}
	got, err := b.column(column).AppendOpened([]byte{}, sealed)
	if err != nil || !bytes.Equal(got, want) || !bytes.Equal(token, b.tokenOf(column, want)) {
		b.t.Errorf("row %d: column %d has other forms: %v", id, column, err)
	}
}

// TestMisfitsOfMembers: what a server says of the values of members that get another type is told by rows and columns.
func TestMisfitsOfMembers(t *testing.T) {
	onFamilies(t, func(b *bench) {
		b.shadowColumns()
		b.familyRows(130)
		b.table = b.shadowed("tinyint", "varchar(3)")
		job := b.job()
		job.Env = &value.Env{Flavor: value.MySQL, Version: 80400, Mode: value.StrictTransTables}
		var said []string
		if err := job.Misfits(t.Context(), func(m Misfit) bool {
			said = append(said, fmt.Sprint(m.Column.Name, " ", m.Row))
			return len(said) < 5
		}); err != nil {
			t.Fatal(err)
		}
		if want := []string{"name$copy 101", "name$copy 102", "name$copy 103", "name$copy 104", "name$copy 106"}; !slices.Equal(said, want) {
			t.Errorf("%v, want %v", said, want)
		}
		if err := job.Backfill(t.Context()); !errors.Is(err, ErrConversion) {
			t.Errorf("values that do not fit: %v", err)
		}
	})
}

// TestResealMembers: while nobody else uses the table, rows get the forms of columns that take the places of members.
func TestResealMembers(t *testing.T) {
	onFamilies(t, func(b *bench) {
		const rows = rowsLooked + 7 // in more than one page
		b.shadowColumns()
		b.familyRows(rows)
		old, next := b.table, b.shadowed("bigint", "varchar(20)")
		own, err := connect(t.Context(), b.db, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer own.close()
		r := Reseal{
			Exec:  func(ctx context.Context, statement string) error { return own.exec(ctx, statement) },
			Query: textsOf(own), Ring: b.ring, Table: old, Env: &value.Env{Flavor: value.MySQL, Version: 80400},
		}
		for i, of := range []int{1, 2} {
			to := &next.Columns[5+i]
			r.Columns = append(r.Columns, Replacement{Old: &old.Columns[of], New: to, Sealed: to.Name, Tokens: map[policy.Capabilities]string{policy.Equality: to.Layers[0].Stored}})
		}
		if err := r.Backfill(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.table = next
		left, err := own.query(t.Context(), "SELECT id, `k$copy`, `k$copy$eq`, `name$copy`, `name$copy$eq` FROM shop.f ORDER BY id")
		if err != nil || len(left) != rows {
			t.Fatal(len(left), err)
		}
		for i, cells := range left {
			b.isForm(i+1, 5, cells[1], cells[2], valuesOf(i+1).k)
			b.isForm(i+1, 6, cells[3], cells[4], valuesOf(i+1).name)
		}
	})
}

// textsOf has a connection answer as the one of a client's does.
func textsOf(own *ownLink) func(context.Context, string) ([][]*string, error) {
	return func(ctx context.Context, statement string) (all [][]*string, err error) {
		rows, err := own.query(ctx, statement)
		for _, cells := range rows {
			row := make([]*string, len(cells))
			for i, c := range cells {
				if text := string(c); c != nil {
					row[i] = &text
				}
			}
			all = append(all, row)
		}
		return all, err
	}
}

// backfillingFamily is the table of rows when a family of what its members have, but for m, and of the plain column p is being filled.
func (b *bench) backfillingFamily() *catalog.Table {
	b.t.Helper()
	return b.changed(func(t *catalog.Table) {
		for i := 1; i <= 2; i++ {
			t.Columns[i].Layers = nil
		}
		p := typed(b.t, 9, "p", "varchar(20)", "utf8mb4_bin", false)
		t.Columns = append(t.Columns, p)
		f := catalog.Family{ID: catalog.ID{10}, Stored: "x$form$copy", Takes: "x$form", Bytes: 1 << 10}
		for i, of := range []*catalog.Column{&t.Columns[1], &t.Columns[2], &p} {
			c := protected(*of, catalog.CMAC, catalog.Backfilling)
			c.ID, c.Domain, c.Name, c.Layers = catalog.ID{byte(20 + i)}, catalog.ID{byte(20 + i)}, of.Name+"$copy", nil
			c.Backfilling, c.Invisible, c.Shadows, c.Family = true, true, of.Name, f.Stored
			if of.Name == "p" {
				c.Layers = []catalog.Layer{{Capability: policy.Equality, Scheme: catalog.CMAC, State: catalog.Backfilling, Stored: "p$eq"}}
			}
			t.Columns = append(t.Columns, c)
		}
		last := len(t.Columns)
		f.Layouts = []catalog.Layout{layoutOf(b.t, 1, &t.Columns[last-1], &t.Columns[last-3], &t.Columns[last-2])}
		t.Families = append(t.Families, f)
	})
}

// TestBackfillFilledFamily: rows get one form of all that comes into a family, also those whose values are all NULL; what is not of the
// row's values is found.
func TestBackfillFilledFamily(t *testing.T) {
	onFamilies(t, func(b *bench) {
		const rows = rowsBackfilled + 7
		b.exec("ALTER TABLE shop.f ADD COLUMN p VARCHAR(20) COLLATE utf8mb4_bin, ADD COLUMN `p$eq` BINARY(16), ADD COLUMN `x$form$copy` VARBINARY(300)")
		b.familyRows(rows)
		b.exec("UPDATE shop.f SET p = CASE WHEN id % 3 = 0 THEN NULL WHEN id % 5 = 1 THEN '' ELSE CONCAT('p', id) END")
		b.table = b.backfillingFamily()
		if said := b.filled(b.job()); said != fmt.Sprint(rows) {
			b.t.Errorf("%s rows were filled", said)
		}
		if said := b.filled(b.job()); said != "0" {
			b.t.Errorf("%s rows were filled again", said)
		}
		f, err := b.ring.Family(b.table, &b.table.Families[1])
		if err != nil {
			b.t.Fatal(err)
		}
		found, err := b.db.QueryContext(t.Context(), "SELECT id, p, `p$eq` IS NULL, `x$form$copy` FROM shop.f")
		if err != nil {
			b.t.Fatal(err)
		}
		defer func() { _ = found.Close() }()
		for found.Next() {
			var id int
			var p *string
			var lacks bool
			var form sql.RawBytes
			if err := found.Scan(&id, &p, &lacks, &form); err != nil {
				b.t.Fatal(err)
			}
			want := [][]byte{nil, valuesOf(id).k, valuesOf(id).name}
			if p != nil {
				want[0] = []byte(*p)
			}
			_, record, err := f.AppendOpened(nil, form)
			if err != nil || lacks != (p == nil) {
				b.t.Fatalf("row %d: %v, a token is missing: %v", id, err, lacks)
			}
			for at := range want {
				if got, _, ok := record.Value(nil, at); !ok || !bytes.Equal(got, want[at]) || (got == nil) != (want[at] == nil) {
					b.t.Errorf("row %d: value %d is %q", id, at, got)
				}
			}
		}
		if err := found.Err(); err != nil {
			b.t.Fatal(err)
		}
		b.exec("UPDATE shop.f a JOIN shop.f b ON b.id = 4 SET a.`x$form$copy` = b.`x$form$copy` WHERE a.id = 5")
		if err := b.job().Backfill(t.Context()); !errors.Is(err, ErrForeignWrite) {
			b.t.Errorf("the form of another row: %v", err)
		}
	})
}
