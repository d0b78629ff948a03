package layers

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/crash"
	"tunic/internal/crypt"
	"tunic/internal/identifier"
	"tunic/internal/scheme"
)

// Renewal seals the rows of a table anew that have sealed forms of another epoch than their
// columns are of, while clients use the table. Every statement that the server takes writes
// forms of the new epoch by then, so what is left of others only becomes less, and a Renewal
// that was cut off at any point is begun again as it was begun first.
type Renewal struct {
	// DB is the service account's, which needs SELECT and UPDATE on the table.
	DB    *sql.DB
	Ring  *crypt.Ring
	Table *catalog.Table
	// RateMax is how many rows a second are sealed at most; 0 is no bound.
	RateMax int
	// Told is told after each transaction how many rows it has sealed. It may be nil.
	Told func(rows int)
}

// Run seals rows until none is left that has a form of another epoch. It waits for clients that
// have such a row locked, and nobody waits for it longer than for one transaction of some
// hundred rows. Errors are those of Job.Backfill.
func (r *Renewal) Run(ctx context.Context) error {
	w, err := r.worker()
	if err != nil {
		return err
	}
	if w.key == nil {
		return ErrNoKey
	}
	own, err := connect(ctx, r.DB, nil, letGo)
	if err != nil {
		return err
	}
	defer own.close()
	w.link = own
	for {
		if err := w.once(ctx, own); err != nil {
			return err
		}
		left, err := w.link.query(ctx, "SELECT 1 FROM "+w.name()+" WHERE "+w.older()+w.fenced(" AND ")+" LIMIT 1")
		if err != nil {
			if err := own.again(ctx, err); err != nil {
				return err
			}
			continue
		}
		if len(left) == 0 {
			return nil
		}
		if err := wait(ctx, w.pause); err != nil {
			return err
		}
		w.pause = min(2*w.pause, pauseMax)
	}
}

// Count counts the rows that have a sealed form of another epoch, which the server tells by
// two bytes of each form. It works for tables without a key, too. What a client has changed
// and not committed counts as it was, whatever the server's isolation level is: the client may
// roll it back, and the master key of the older forms is destroyed where none is left.
func (r *Renewal) Count(ctx context.Context) (rows int64, err error) {
	rows, _, err = r.Oldest(ctx)
	return rows, err
}

// Oldest is Count, and the oldest epoch that such a row has a form of, if there is one.
func (r *Renewal) Oldest(ctx context.Context) (rows int64, epoch uint16, err error) {
	w, err := r.worker()
	if err != nil || len(w.sources) == 0 {
		return 0, 0, err
	}
	own, err := connect(ctx, r.DB, nil)
	if err != nil {
		return 0, 0, err
	}
	defer own.close()
	asked := "COUNT(*)"
	for _, s := range w.sources {
		asked += ", MIN(HEX(" + s.headerOf(epochBytes) + "))"
	}
	counted, err := own.query(ctx, "SELECT "+asked+" FROM "+w.name()+" WHERE "+w.olderEpoch()+w.fenced(" AND "))
	if err != nil {
		return 0, 0, err
	}
	if rows, err = strconv.ParseInt(string(counted[0][0]), 10, 64); err != nil || rows == 0 {
		return rows, 0, err
	}
	epoch = ^uint16(0)
	for _, lowest := range counted[0][1:] {
		if lowest == nil {
			continue // NULL in all of them
		}
		n, err := strconv.ParseUint(string(lowest), 16, 16)
		if err != nil {
			return 0, 0, err
		}
		epoch = min(epoch, uint16(n))
	}
	return rows, epoch, nil
}

// renewer is a Renewal under way.
type renewer struct {
	worker
	*Renewal
	pause time.Duration
	began time.Time
	rows  int // that were sealed since
}

func (r *Renewal) worker() (*renewer, error) {
	from := &sources{table: r.Table, ring: r.Ring}
	for s := range r.Table.StoredColumns() {
		var err error
		switch s.Kind {
		case catalog.StoredSealed:
			_, _, err = from.of(s.Column)
		case catalog.StoredFamily:
			_, err = from.ofFamily(s.Family)
		default: // it has no sealed forms
		}
		if err != nil {
			return nil, err
		}
	}
	w, err := workerOn(from, nil)
	return &renewer{Renewal: r, pause: pauseFirst, began: time.Now(), worker: w}, err
}

// epochBytes is how many bytes of a source's header are the epoch.
const epochBytes = 2

// older is the condition of a row with a form of another epoch, or of a family of another layout.
func (w *renewer) older() string { return w.others(func(s *source) []byte { return s.header }) }

// olderEpoch is the condition of a row with a form of another epoch.
func (w *renewer) olderEpoch() string {
	return w.others(func(s *source) []byte { return s.header[:epochBytes] })
}

// others is the condition of a row with a form whose header begins otherwise.
func (w *renewer) others(header func(*source) []byte) string {
	terms := make([]string, len(w.sources))
	for i, s := range w.sources {
		h := header(s)
		terms[i] = fmt.Sprintf("%s <> x'%x'", s.headerOf(len(h)), h) // not of NULL
	}
	return "(" + strings.Join(terms, " OR ") + ")"
}

// headerOf is the expression of so many bytes of the header of a form.
func (x *source) headerOf(bytes int) string {
	return fmt.Sprintf("SUBSTR(%s, %d, %d)", identifier.Quoted(x.stored), 1+scheme.EpochOffset, bytes)
}

// once goes through the table once.
func (w *renewer) once(ctx context.Context, own *ownLink) error {
	var last [][]byte
	for {
		batch, err := w.batch(ctx, own, last)
		if err != nil {
			if err := own.again(ctx, err); err != nil {
				return err
			}
			continue
		}
		if len(batch) < w.atATime(rowsBackfilled) {
			return nil
		}
		last = batch[len(batch)-1].key
		if w.RateMax > 0 {
			due := w.began.Add(time.Duration(w.rows) * time.Second / time.Duration(w.RateMax))
			if err := own.awake(ctx, func(ctx context.Context) error { return wait(ctx, time.Until(due)) }); err != nil {
				return err
			}
		}
	}
}

// batch seals the next rows behind one, in a transaction. After an error the connection is
// closed, which ends the transaction.
func (w *renewer) batch(ctx context.Context, own *ownLink, after [][]byte) ([]row, error) {
	if err := own.exec(ctx, "START TRANSACTION"); err != nil {
		return nil, err
	}
	batch, err := w.read(ctx, w.selectSome(w.older(), after, w.atATime(rowsBackfilled))+w.locking())
	if err != nil {
		return nil, err
	}
	sealed, err := w.seal(ctx, own, batch)
	if err != nil {
		return nil, err
	}
	crash.Point("layers.renewal.written")
	if err := own.exec(ctx, "COMMIT"); err != nil {
		return nil, err
	}
	crash.Point("layers.renewal.committed")
	w.rows += sealed
	if w.Told != nil {
		w.Told(sealed)
	}
	return batch, nil
}

// seal writes new forms of the rows, in as few statements as their length allows.
func (w *renewer) seal(ctx context.Context, own *ownLink, batch []row) (sealed int, err error) {
	u := formSwap{renewer: w}
	for i := range batch {
		if err := u.add(&batch[i]); err != nil {
			return sealed, err
		}
		if nextJoins(batch, i, len(u.values)) {
			continue
		}
		result, err := own.conn.ExecContext(ctx, u.statement())
		if err != nil {
			return sealed, err
		}
		n, err := result.RowsAffected()
		if err != nil {
			return sealed, err
		}
		sealed += int(n)
		u.values, u.rows = u.values[:0], 0
	}
	return sealed, nil
}

// renewed is a sealed form as they are made now, of one that may be one already; nil of NULL. What it is is looked at before
// anything is thrown away for it.
func (x *source) renewed(sealed []byte) (next []byte, err error) {
	if sealed == nil && x.family == nil || x.isNew(sealed) {
		return sealed, nil
	}
	was, err := x.values(sealed)
	if err != nil {
		return nil, err
	}
	if x.family != nil {
		next, err = x.family.AppendSealed(nil, was)
	} else {
		next, err = x.column.AppendSealed(nil, was[0])
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", x.of, err)
	}
	if x.proof == nil {
		x.proof = &source{of: x.of, column: x.column, family: x.family, buffer: []byte{}}
	}
	is, err := x.proof.values(next)
	same := func(a, b []byte) bool { return bytes.Equal(a, b) && (a == nil) == (b == nil) }
	if err != nil || !x.isNew(next) || !slices.EqualFunc(was, is, same) {
		return nil, fmt.Errorf("%s: a new sealed form does not open", x.of)
	}
	return next, nil
}

// values are all values of a form, in the order in which they are sealed.
func (x *source) values(sealed []byte) ([][]byte, error) {
	if err := x.open(sealed); err != nil {
		return nil, err
	}
	if x.family == nil {
		x.all = append(x.all[:0], x.buffer)
		return x.all, nil
	}
	x.all, x.longer = x.all[:0], x.longer[:0]
	for at := range x.family.Columns() {
		value, longer, ok := x.record.Value(x.longer, at)
		if !ok {
			return nil, x.lacksColumn(at)
		}
		x.all, x.longer = append(x.all, value), longer
	}
	return x.all, nil
}

// formSwap is the statement that puts new sealed forms in the place of those that were read,
// and of nothing else: where a client has written another value, which it cannot as long as
// the server keeps the lock, the row stays as it is.
//
//	UPDATE (SELECT 7 AS a0, x'…' AS b0, x'…' AS c0 UNION ALL SELECT 8, x'…', x'…') v
//	  STRAIGHT_JOIN shop.t ON shop.t.id = v.a0 AND shop.t.k <=> v.b0 SET shop.t.k = v.c0
type formSwap struct {
	*renewer
	values []byte
	rows   int
}

func (u *formSwap) add(r *row) error {
	if u.rows > 0 {
		u.values = append(u.values, " UNION ALL "...)
	}
	u.values = append(u.values, "SELECT "...)
	for i := range u.key.parts {
		u.values = u.key.parts[i].appendLiteral(u.values, r.key[i])
		u.label("a", i, ", ")
	}
	for i, s := range u.sources {
		next, err := s.renewed(r.read[i])
		if err == nil && !s.isNew(r.read[i]) {
			err = u.ties.own(r.key, s)
		}
		if err != nil {
			return err
		}
		u.values = appendHex(u.values, r.read[i])
		u.label("b", i, ", ")
		u.values = appendHex(u.values, next)
		behind := ", "
		if i+1 == len(u.sources) {
			behind = ""
		}
		u.label("c", i, behind)
	}
	u.rows++
	return nil
}

// label names a column of the list, which its first row does.
func (u *formSwap) label(prefix string, i int, behind string) {
	if u.rows == 0 {
		u.values = strconv.AppendInt(append(append(u.values, " AS "...), prefix...), int64(i), 10)
	}
	u.values = append(u.values, behind...)
}

func (u *formSwap) statement() string {
	own := func(column string) string { return u.name() + "." + identifier.Quoted(column) }
	b := append([]byte("UPDATE ("), u.values...)
	b = append(append(append(b, ") AS v STRAIGHT_JOIN "...), u.name()...), " ON "...)
	for i := range u.key.parts {
		b = append(append(b, own(u.key.parts[i].stored)...), fmt.Sprintf(" = v.a%d AND ", i)...)
	}
	for i, s := range u.sources {
		b = append(append(b, own(s.stored)...), fmt.Sprintf(" <=> v.b%d", i)...)
		if i+1 < len(u.sources) {
			b = append(b, " AND "...)
		}
	}
	for i, s := range u.sources {
		b = append(b, []string{" SET ", ", "}[min(i, 1)]...)
		b = append(append(b, own(s.stored)...), fmt.Sprintf(" = v.c%d", i)...)
	}
	return string(u.keepTimes(b, own))
}
