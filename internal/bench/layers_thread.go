package bench

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// layersThread is one client of a layersLoad.
type layersThread struct {
	*layersLoad
	number  int
	rnd     *rand.Rand
	conn    *sql.Conn
	rows    []loadRow            // its own
	written map[loadRow]rowState // by the transaction under way
	ended   time.Time            // of the last statement
	stall   time.Duration
	took    []time.Duration // of each transaction
}

func (t *layersThread) mine() (all []loadRow) {
	for r := range t.owned[t.number] {
		all = append(all, r)
	}
	return all
}

// state is what one of its own rows holds, as its transaction sees it.
func (t *layersThread) state(r loadRow) rowState {
	if s, ok := t.written[r]; ok {
		return s
	}
	return t.owned[t.number][r]
}

func (t *layersThread) own() loadRow { return t.rows[t.rnd.IntN(len(t.rows))] }

func (t *layersThread) any() loadRow {
	return loadRow{t.rnd.IntN(t.options.Tables), t.rnd.IntN(t.options.Rows)}
}

// finished is after each statement.
func (t *layersThread) finished() {
	t.statements.Add(1)
	now := time.Now()
	t.stall = max(t.stall, now.Sub(t.ended))
	t.ended = now
	gap := now.UnixNano() - t.last.Swap(now.UnixNano())
	for {
		longest := t.layersLoad.stall.Load()
		if gap <= longest || t.layersLoad.stall.CompareAndSwap(longest, gap) {
			return
		}
	}
}

func (t *layersThread) exec(ctx context.Context, statement string, args ...any) error {
	done, err := t.conn.ExecContext(ctx, statement, args...)
	t.finished()
	if err != nil || len(args) == 0 {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n != 1 {
		t.wrong("%s: %d rows", statement, n)
		return err
	}
	return nil
}

// transaction is one of oltp_read_write, and two queries by what has a layer, or has none.
func (t *layersThread) transaction(ctx context.Context) error {
	if err := t.exec(ctx, "BEGIN"); err != nil {
		return err
	}
	for range points {
		if err := t.point(ctx); err != nil {
			return err
		}
	}
	for _, read := range []func(context.Context) error{t.simpleRange, t.sumRange, t.orderRange, t.distinctRange, t.byLayer} {
		if err := read(ctx); err != nil {
			return err
		}
	}
	for _, write := range []func(context.Context) error{t.updateK, t.updateC, t.anew} {
		if err := write(ctx); err != nil {
			return err
		}
	}
	return t.exec(ctx, "COMMIT")
}

// point reads one row: its own, of which it knows all, or another, of which it knows the
// beginning.
func (t *layersThread) point(ctx context.Context) error {
	r := t.any()
	got, err := t.texts(ctx, "SELECT c FROM "+r.name()+" WHERE id = ?", r.id)
	if err != nil {
		return err
	}
	want := fmt.Sprintf("%010d-", r.id)
	if r.id%t.options.Threads == t.number {
		want = r.c(t.state(r))
	}
	if len(got) != 1 || !strings.HasPrefix(got[0], want) || r.id%t.options.Threads == t.number && got[0] != want {
		t.wrong("row %v has %v, not %s", r, got, want)
	}
	return nil
}

// texts are the rows of a query of one column.
func (t *layersThread) texts(ctx context.Context, query string, args ...any) (all []string, err error) {
	defer t.finished()
	t.checked.Add(1)
	rows, err := t.conn.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // it has been read to its end
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, rows.Err()
}

// span is a range of ids, which are all there whatever is written: who deletes a row inserts
// it again in the same transaction.
func (t *layersThread) span() (r loadRow, last int) {
	r = t.any()
	r.id = t.rnd.IntN(max(t.options.Rows-rangeRows, 1))
	return r, min(r.id+rangeRows, t.options.Rows) - 1
}

// inOrder compares the rows of a range: each of them once, in the order of their ids.
func (t *layersThread) inOrder(ctx context.Context, what, order string) error {
	r, last := t.span()
	got, err := t.texts(ctx, "SELECT "+what+" FROM "+r.name()+" WHERE id BETWEEN ? AND ? ORDER BY "+order, r.id, last)
	if err != nil {
		return err
	}
	good := len(got) == last-r.id+1
	for i := range got {
		good = good && strings.HasPrefix(got[i], fmt.Sprintf("%010d-", r.id+i))
	}
	if !good {
		t.wrong("%d rows of %v to %d, ordered by %s", len(got), r, last, order)
	}
	return nil
}

func (t *layersThread) simpleRange(ctx context.Context) error { return t.inOrder(ctx, "c", "id") }
func (t *layersThread) orderRange(ctx context.Context) error  { return t.inOrder(ctx, "c", "c") }
func (t *layersThread) distinctRange(ctx context.Context) error {
	return t.inOrder(ctx, "DISTINCT c", "c")
}

// sumRange adds up a range: no row has counted further than it may.
func (t *layersThread) sumRange(ctx context.Context) error {
	r, last := t.span()
	got, err := t.texts(ctx, "SELECT SUM(k) FROM "+r.name()+" WHERE id BETWEEN ? AND ?", r.id, last)
	if err != nil {
		return err
	}
	n := last - r.id + 1
	least, sum := kPerRow*(r.id+last)*n/2, 0
	if len(got) == 1 {
		_, _ = fmt.Sscan(got[0], &sum)
	}
	if sum < least || sum >= least+kPerRow*n {
		t.wrong("the sum of %v to %d is %v, not %d and a little more", r, last, got, least)
	}
	return nil
}

// byLayer finds its own row by k and by c.
func (t *layersThread) byLayer(ctx context.Context) error {
	r := t.own()
	for column, value := range map[string]any{"k": r.k(t.state(r)), "c": r.c(t.state(r))} {
		got, err := t.texts(ctx, "SELECT id FROM "+r.name()+" WHERE "+column+" = ? AND id BETWEEN ? AND ?", value, r.id-rangeRows/2, r.id+rangeRows/2)
		if err != nil {
			return err
		}
		if len(got) != 1 || got[0] != fmt.Sprint(r.id) {
			t.wrong("%v by its %s is %v", r, column, got)
		}
	}
	return nil
}

func (t *layersThread) updateK(ctx context.Context) error {
	r := t.own()
	s := t.state(r)
	if s.k++; s.k >= kPerRow {
		return nil
	}
	t.written[r] = s
	return t.exec(ctx, "UPDATE "+r.name()+" SET k = k + 1 WHERE id = ?", r.id)
}

func (t *layersThread) updateC(ctx context.Context) error {
	r := t.own()
	s := t.state(r)
	s.c++
	t.written[r] = s
	return t.exec(ctx, "UPDATE "+r.name()+" SET c = ? WHERE id = ?", r.c(s), r.id)
}

// anew deletes a row and inserts it again.
func (t *layersThread) anew(ctx context.Context) error {
	r := t.own()
	s := rowState{c: t.state(r).c + 1}
	t.written[r] = s
	if err := t.exec(ctx, "DELETE FROM "+r.name()+" WHERE id = ?", r.id); err != nil {
		return err
	}
	return t.exec(ctx, "INSERT INTO "+r.name()+" (id, k, c, pad) VALUES (?, ?, ?, 'pad')", r.id, r.k(s), r.c(s))
}
