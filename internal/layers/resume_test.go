package layers

import (
	"context"
	"database/sql"
	"errors"
	"testing"

	"pgregory.net/rapid"
)

// kept is a Progress in a table of the server's.
type kept struct {
	db    *sql.DB
	marks []Mark
}

func (b *bench) kept() *kept {
	b.t.Helper()
	b.exec("CREATE TABLE IF NOT EXISTS shop.place (one INT PRIMARY KEY, place BLOB)", "DELETE FROM shop.place", "INSERT INTO shop.place VALUES (1, '')")
	return &kept{db: b.db}
}

func (k *kept) Load(ctx context.Context) (place []byte, err error) {
	return place, k.db.QueryRowContext(ctx, "SELECT place FROM shop.place").Scan(&place)
}

func (k *kept) Save(ctx context.Context, link Link, at Mark) error {
	k.marks = append(k.marks, at)
	_, err := link.ExecContext(ctx, "UPDATE shop.place SET place = ?", at.Place)
	return err
}

// paced is a job of the layer alone, at a pace.
func (b *bench) paced(k *kept, gate func(context.Context) error) *Job {
	j := b.job()
	j.Owner, j.Progress, j.Gate = 7, k, gate
	return j
}

// ownLayer has job 7 own the layer of k, and nothing else be filled.
func (b *bench) ownLayer() {
	b.t.Helper()
	table := *b.table
	table.Columns = append(table.Columns[:1:1], table.Columns[1:]...)
	table.Columns[1].Layers[0].Job = 7
	if err := table.Check(); err != nil {
		b.t.Fatal(err)
	}
	b.table = &table
}

var errStopped = errors.New("stopped")

// lacking is how many rows lack their token.
func (b *bench) lacking() (n int) {
	b.t.Helper()
	if err := b.db.QueryRowContext(b.t.Context(), "SELECT COUNT(*) FROM shop.t WHERE k IS NOT NULL AND `k$eq` IS NULL").Scan(&n); err != nil {
		b.t.Fatal(err)
	}
	return n
}

// TestResumed: work that is stopped before each of its chunks goes on behind the last one,
// ends as if it had never been stopped, and tells how far it is.
func TestResumed(t *testing.T) {
	onServers(t, func(b *bench) {
		b.ownLayer()
		b.rows(3*chunkFirst + 7)
		k := b.kept()
		stops := 0
		for done := false; !done; stops++ {
			passed := 0
			err := b.paced(k, func(context.Context) error {
				if passed++; passed > 1 {
					return errStopped
				}
				return nil
			}).Backfill(t.Context())
			if done = err == nil; err != nil && !errors.Is(err, errStopped) {
				t.Fatal(err)
			}
			if stops > 20 {
				t.Fatal("it does not come to an end")
			}
		}
		if n := b.lacking(); n > 0 {
			t.Errorf("%d rows lack their token", n)
		}
		if stops < 7 {
			t.Errorf("it was stopped %d times", stops)
		}
		last := int64(0)
		for _, m := range k.marks {
			if m.Done < last || m.Done > m.Expected {
				t.Errorf("it tells %d of %d behind %d", m.Done, m.Expected, last)
			}
			last = m.Done
		}
	})
}

// TestChunkIsOneWithItsPlace: a place that could not be kept is one of rows that were not
// filled.
func TestChunkIsOneWithItsPlace(t *testing.T) {
	onServers(t, func(b *bench) {
		b.ownLayer()
		b.rows(20)
		k := b.kept()
		job := b.paced(k, nil)
		job.Progress = refusing{k}
		before := b.lacking()
		if err := job.Backfill(t.Context()); !errors.Is(err, errStopped) {
			t.Fatal(err)
		}
		if n := b.lacking(); n != before {
			t.Errorf("%d rows lack their token, of %d", n, before)
		}
	})
}

// refusing keeps nothing.
type refusing struct{ *kept }

func (refusing) Save(context.Context, Link, Mark) error { return errStopped }

// TestMovedRows: a row that a client moves behind the place before it was filled is filled
// all the same.
func TestMovedRows(t *testing.T) {
	onServers(t, func(b *bench) {
		b.ownLayer()
		b.rows(2*chunkFirst + 50)
		b.exec("DELETE FROM shop.t WHERE id = 1")
		passed := 0
		err := b.paced(b.kept(), func(context.Context) error {
			if passed++; passed == 2 { // the first chunk is done
				b.exec("UPDATE shop.t SET id = 1 WHERE id = 249")
			}
			return nil
		}).Backfill(t.Context())
		if err != nil || b.lacking() > 0 {
			t.Errorf("%d rows lack their token: %v", b.lacking(), err)
		}
	})
}

// TestMovedTable: a table that has got another revision is to be read anew.
func TestMovedTable(t *testing.T) {
	onServers(t, func(b *bench) {
		b.ownLayer()
		b.rows(20)
		for _, s := range []string{"ALTER TABLE shop.t RENAME COLUMN `" + b.table.Fence() + "` TO other", "RENAME TABLE shop.t TO shop.t2", "DROP DATABASE shop"} {
			job := b.paced(nil, nil)
			job.Progress = nil
			b.exec(s)
			if err := job.Backfill(t.Context()); !errors.Is(err, ErrMoved) {
				t.Errorf("%s: %v", s, err)
			}
		}
	})
}

// TestPlace: a place is read as it was written, and any bytes are a place.
func TestPlace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.SliceOfN(rapid.String(), 1, 3).Draw(t, "key")
		p := place{Phase: rapid.SampledFrom([]phase{atBackfill, atRest, atLook}).Draw(t, "phase"), Key: key, Done: rapid.Int64().Draw(t, "done")}
		if rapid.Bool().Draw(t, "begun") {
			for range key {
				p.After = append(p.After, rapid.SliceOf(rapid.Byte()).Draw(t, "value"))
			}
		}
		data, err := p.encode()
		if err != nil {
			t.Fatal(err)
		}
		if back, _ := placeOf(data, key).encode(); string(back) != string(data) {
			t.Errorf("%s becomes %s", data, back)
		}
		other := placeOf(data, append(key, "more"))
		if other.Phase != p.Phase || other.After != nil {
			t.Errorf("of another key it is %+v", other)
		}
		placeOf(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes"), key)
	})
}
