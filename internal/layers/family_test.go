package layers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/crypt"
	"tunic/internal/policy"
)

// members are the values of a row of a family: k, name and m, whose canonical forms these are, nil for NULL.
type members struct{ k, name, m []byte }

// familyStored is the stored column of the family.
const familyStored = "row$form"

// onFamilies runs a test with a table whose protected columns are one family. k and name take NULL and have an equality
// layer each that is being backfilled, m has none.
func onFamilies(t *testing.T, test func(b *bench)) {
	t.Helper()
	onServers(t, func(b *bench) {
		b.table = familyTable(t)
		b.exec("CREATE TABLE shop.f (id INT NOT NULL PRIMARY KEY, k TINYINT AS (NULL) VIRTUAL, `k$eq` BINARY(8), name TINYINT AS (NULL) VIRTUAL, `name$eq` BINARY(16), m TINYINT AS (NULL) VIRTUAL, " +
			"changed TIMESTAMP NULL DEFAULT NULL ON UPDATE CURRENT_TIMESTAMP, `row$form` VARBINARY(200) NOT NULL, `" + b.table.Fence() + "` TINYINT AS (NULL) VIRTUAL)")
		test(b)
	})
}

func familyTable(t testing.TB) *catalog.Table {
	t.Helper()
	k := protected(typed(t, 2, "k", "int", "", false), catalog.PRP64, catalog.Backfilling)
	name := protected(typed(t, 3, "name", "varchar(9)", "utf8mb4_general_ci", false), catalog.CMAC, catalog.Backfilling)
	m := protected(typed(t, 4, "m", "int", "", true), catalog.PRP64, catalog.Backfilling)
	k.Layers[0].Job, name.Layers[0].Job, m.Layers = 7, 7, nil
	changed := typed(t, 5, "changed", "timestamp", "", false)
	changed.OnUpdateNow = true
	table := &catalog.Table{
		ID: catalog.ID{2}, Schema: "shop", Name: "f", Revision: 2, Fenced: true,
		Columns: []catalog.Column{typed(t, 1, "id", "int", "", true), k, name, m, changed},
		Keys:    []catalog.Key{{Name: "PRIMARY", Kind: catalog.Primary, Parts: []catalog.Part{{Column: "id"}}}},
	}
	for i := 1; i <= 3; i++ {
		table.Columns[i].Family = familyStored
	}
	table.Families = []catalog.Family{{ID: catalog.ID{6}, Stored: familyStored, Layouts: []catalog.Layout{layoutOf(t, 1, &table.Columns[3], &table.Columns[1], &table.Columns[2])}, Bytes: 1 << 10}}
	if err := table.Check(); err != nil {
		t.Fatal(err)
	}
	return table
}

// layoutOf is a layout of columns, whose order is not that of the table.
func layoutOf(t testing.TB, number uint16, columns ...*catalog.Column) catalog.Layout {
	t.Helper()
	written, err := crypt.AppendLayout(nil, columns)
	if err != nil {
		t.Fatal(err)
	}
	return catalog.Layout{Number: number, Written: written}
}

// family is the table's.
func (b *bench) family() *crypt.Family {
	b.t.Helper()
	f, err := b.ring.Family(b.table, &b.table.Families[0])
	if err != nil {
		b.t.Fatal(err)
	}
	return f
}

// form is a form of the family, as a literal.
func (b *bench) form(v members) string {
	b.t.Helper()
	return b.formBy(b.table, v)
}

// formBy is a form as another version of the table makes it.
func (b *bench) formBy(t *catalog.Table, v members) string {
	b.t.Helper()
	f, err := b.ring.Family(t, &t.Families[0])
	if err != nil {
		b.t.Fatal(err)
	}
	var values [][]byte
	for _, column := range f.Columns() {
		values = append(values, *v.of(column))
	}
	s, err := f.AppendSealed(nil, values)
	if err != nil {
		b.t.Fatal(err)
	}
	return fmt.Sprintf("x'%x'", s)
}

// of is the value of a column of the table.
func (v *members) of(column catalog.ID) *[]byte {
	return map[catalog.ID]*[]byte{{2}: &v.k, {3}: &v.name, {4}: &v.m}[column]
}

// int of the table as canonical form: 8 bytes of a number below 2^31.
func number(n int) []byte {
	return []byte{0, 0, 0, 0, byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}
}

// valuesOf are the values of a row from before: each third k is NULL, each fifth name, and each seventh is empty.
func valuesOf(id int) members {
	v := members{number(id), fmt.Append(nil, "n", id), number(2 * id)}
	if id%3 == 0 {
		v.k = nil
	}
	switch {
	case id%5 == 0:
		v.name = nil
	case id%7 == 0:
		v.name = []byte{}
	}
	return v
}

// familyRows adds rows from before, which have no tokens.
func (b *bench) familyRows(n int) {
	b.t.Helper()
	var values []string
	for id := 1; id <= n; id++ {
		if values = append(values, fmt.Sprintf("(%d, '2001-01-01', %s)", id, b.form(valuesOf(id)))); len(values) == 500 || id == n {
			b.exec("INSERT INTO shop.f (id, changed, `row$form`) VALUES " + strings.Join(values, ", "))
			values = nil
		}
	}
}

// tokens are those of k and name, as literals.
func (b *bench) tokens(v members) (k, name string) {
	b.t.Helper()
	return literal(b.tokenOf(1, v.k)), literal(b.tokenOf(2, v.name))
}

func literal(cell []byte) string { return string(appendHex(nil, cell)) }

func (b *bench) tokenOf(column int, value []byte) []byte {
	b.t.Helper()
	if value == nil {
		return nil
	}
	token, err := b.column(column).AppendToken(nil, policy.Equality, value)
	if err != nil {
		b.t.Fatal(err)
	}
	return token
}

// wholeFamily reads all rows, and makes sure that each opens and has its tokens.
func (b *bench) wholeFamily() map[int]members {
	b.t.Helper()
	rows, err := b.db.QueryContext(context.WithoutCancel(b.t.Context()), "SELECT id, `row$form`, `k$eq`, `name$eq` FROM shop.f")
	if err != nil {
		b.t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	all := map[int]members{}
	for rows.Next() {
		var id int
		var form, k, name []byte
		if err := rows.Scan(&id, &form, &k, &name); err != nil {
			b.t.Fatal(err)
		}
		_, opened, err := b.family().AppendOpened(nil, form)
		if err != nil {
			b.t.Fatalf("row %d: %v", id, err)
		}
		v := members{}
		for i, column := range b.family().Columns() {
			*v.of(column), _, _ = opened.Value(nil, i)
		}
		all[id] = v
		if !bytes.Equal(k, b.tokenOf(1, v.k)) || !bytes.Equal(name, b.tokenOf(2, v.name)) {
			b.t.Errorf("row %d: tokens %x and %x are not those of its values", id, k, name)
		}
	}
	if err := rows.Err(); err != nil {
		b.t.Fatal(err)
	}
	return all
}

func (v members) is(w members) bool {
	same := func(a, b []byte) bool { return bytes.Equal(a, b) && (a == nil) == (b == nil) }
	return same(v.k, w.k) && same(v.name, w.name) && same(v.m, w.m)
}

// unchanged wants all rows to have the values that they had, and none to say that somebody has changed it.
func (b *bench) unchanged(rows int) {
	b.t.Helper()
	all := b.wholeFamily()
	for id := 1; id <= rows; id++ {
		if !all[id].is(valuesOf(id)) {
			b.t.Fatalf("row %d is %+v", id, all[id])
		}
	}
	var changed int
	if err := b.db.QueryRowContext(b.t.Context(), "SELECT COUNT(*) FROM shop.f WHERE changed <> '2001-01-01'").Scan(&changed); err != nil || changed > 0 || len(all) != rows {
		b.t.Errorf("%d rows, and %d say that somebody has changed them: %v", len(all), changed, err)
	}
}

// filled runs a job, and is how many rows it says that it has given something.
func (b *bench) filled(j *Job) string {
	b.t.Helper()
	var log bytes.Buffer
	j.Log = slog.New(slog.NewTextHandler(&log, nil))
	if err := j.Backfill(b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
	_, said, _ := strings.Cut(log.String(), "filled=")
	said, _, _ = strings.Cut(said, " ")
	return said
}

// TestBackfillFamily: rows get the tokens of all members whose layers come; those that have them keep them, and where values
// are NULL there is nothing to do, however often the work is begun.
func TestBackfillFamily(t *testing.T) {
	onFamilies(t, func(b *bench) {
		const rows = 2*rowsBackfilled + 7
		b.familyRows(rows)
		k, name := b.tokens(valuesOf(1))
		b.exec("UPDATE shop.f SET `k$eq` = " + k + ", `name$eq` = " + name + ", changed = changed WHERE id = 1")
		nothing := rows / 15 // are NULL in both
		if said, want := b.filled(b.job()), fmt.Sprint(rows-1-nothing); said != want {
			t.Errorf("%s rows were filled, want %s", said, want)
		}
		b.unchanged(rows)
		for _, j := range []*Job{b.job(), b.paced(b.kept(), nil)} {
			if said := b.filled(j); said != "0" {
				t.Errorf("%s rows were filled again", said)
			}
		}
		b.unchanged(rows)
	})
}

// TestBackfillFamilyResumed: work that is stopped before each of its chunks ends as if it had never been, and what is NULL does
// not have it look at anything twice.
func TestBackfillFamilyResumed(t *testing.T) {
	onFamilies(t, func(b *bench) {
		const rows = 3*chunkFirst + 7
		b.familyRows(rows)
		k := b.kept()
		for stops := 0; ; stops++ {
			passed := 0
			err := b.paced(k, func(context.Context) error {
				if passed++; passed > 1 {
					return errStopped
				}
				return nil
			}).Backfill(t.Context())
			if err == nil {
				break
			}
			if !errors.Is(err, errStopped) || stops > 20 {
				t.Fatal(stops, err)
			}
		}
		last := int64(0)
		for _, m := range k.marks {
			if m.Done < last {
				t.Errorf("it is at %d behind %d", m.Done, last)
			}
			last = m.Done
		}
		if last != 2*rows {
			t.Errorf("it has gone through %d rows, which is each of %d twice", last, rows)
		}
		b.unchanged(rows)
	})
}

// TestBackfillFamilyMoved: a row that a client moves behind the place before it was filled is filled all the same.
func TestBackfillFamilyMoved(t *testing.T) {
	onFamilies(t, func(b *bench) {
		b.familyRows(2*chunkFirst + 50)
		b.exec("DELETE FROM shop.f WHERE id = 1")
		passed := 0
		err := b.paced(b.kept(), func(context.Context) error {
			if passed++; passed == 2 { // the first chunk is done
				b.exec("UPDATE shop.f SET id = 1 WHERE id = 248")
			}
			return nil
		}).Backfill(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if all := b.wholeFamily(); !all[1].is(valuesOf(248)) {
			t.Errorf("%+v", all[1])
		}
	})
}

// TestBackfillFamilyBesideClients: clients change members that have no layer, others with their tokens, and move rows, in
// transactions that hold them for a while.
func TestBackfillFamilyBesideClients(t *testing.T) {
	onFamilies(t, func(b *bench) {
		const rows, clients = 3 * chunkFirst, 3
		b.familyRows(rows)
		stop := make(chan struct{})
		var wg sync.WaitGroup
		last := make([]map[int]members, clients)
		for i := range clients {
			last[i] = map[int]members{}
			for id := i + 1; id <= rows; id += clients {
				last[i][id] = valuesOf(id)
			}
			wg.Go(func() { b.changeFamily(i, clients, rows, last[i], stop) })
		}
		err := b.job().Backfill(t.Context())
		close(stop)
		wg.Wait()
		if err != nil {
			t.Fatal(err)
		}
		all := b.wholeFamily()
		for i := range clients {
			for id, v := range last[i] {
				if !all[id].is(v) {
					t.Errorf("row %d is %+v; %+v was written", id, all[id], v)
				}
			}
		}
	})
}

// changeFamily changes rows whose number is i modulo n until it is stopped.
func (b *bench) changeFamily(i, n, rows int, last map[int]members, stop chan struct{}) {
	random := rand.New(rand.NewPCG(3, uint64(i)))
	for at := 1; ; at++ {
		select {
		case <-stop:
			return
		default:
		}
		tx, err := b.db.BeginTx(context.Background(), nil)
		if err != nil {
			b.t.Error(err)
			return
		}
		for range 3 {
			id := random.IntN(rows)/n*n + i + 1
			v, there := last[id]
			if !there {
				continue
			}
			statement := ""
			switch random.IntN(3) {
			case 0: // a member whose token stays what it is
				v.m = number(random.IntN(1e6))
				statement = fmt.Sprintf("UPDATE shop.f SET `row$form` = %s WHERE id = %d", b.form(v), id)
			case 1:
				v.k, v.name = number(random.IntN(1e6)), nil
				k, name := b.tokens(v)
				statement = fmt.Sprintf("UPDATE shop.f SET `row$form` = %s, `k$eq` = %s, `name$eq` = %s WHERE id = %d", b.form(v), k, name, id)
			default:
				to := id + n*rows*(1+at%2) // behind all, or nearer
				if _, taken := last[to]; taken {
					continue
				}
				statement = fmt.Sprintf("UPDATE shop.f SET id = %d WHERE id = %d", to, id)
				delete(last, id)
				id = to
			}
			if _, err := tx.ExecContext(context.Background(), statement); err != nil {
				b.t.Errorf("a client: %v", err)
			}
			last[id] = v
		}
		if err := tx.Commit(); err != nil {
			b.t.Error(err)
		}
	}
}

// TestBackfillFamilyForeign: what tunic has not written is found, and no error says a value.
func TestBackfillFamilyForeign(t *testing.T) {
	onFamilies(t, func(b *bench) {
		b.familyRows(4)
		k, _ := b.tokens(valuesOf(2))
		for what, c := range map[string]struct {
			tamper string
			err    error
		}{
			"a form that does not open":  {"UPDATE shop.f SET `row$form` = REVERSE(`row$form`) WHERE id = 2", ErrForeign},
			"a token of another value":   {"UPDATE shop.f SET `k$eq` = " + k + " WHERE id = 1", ErrForeignWrite},
			"a token of what is NULL":    {"UPDATE shop.f SET `k$eq` = " + k + " WHERE id = 3", ErrForeignWrite},
			"a form of no epoch that is": {"UPDATE shop.f SET `row$form` = INSERT(`row$form`, 2, 2, x'0001') WHERE id = 2", ErrForeign},
		} {
			b.exec("DELETE FROM shop.f")
			b.familyRows(4)
			if err := b.job().Backfill(t.Context()); err != nil {
				t.Fatalf("before %s: %v", what, err)
			}
			b.exec(c.tamper)
			if err := b.job().Backfill(t.Context()); !errors.Is(err, c.err) {
				t.Errorf("%s: %v", what, err)
			}
		}
	})
}
