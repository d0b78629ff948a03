package layers

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"strings"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/crypt"
	"tunic/internal/value"
)

// Errors of filling.
var (
	// ErrNoKey says that the table has no key by which its rows can be told apart.
	ErrNoKey = errors.New("layers: the table has no key that tells its rows apart")
	// ErrForeign says that a stored value does not open: tunic has not stored it.
	ErrForeign = errors.New("layers: a stored value does not open")
	// ErrUnfilled says that a row has not what it was given, or was written without.
	// Somebody writes to the table around tunic.
	ErrUnfilled = errors.New("layers: a row has not what it was given")
)

// Job is one table that is to be filled.
type Job struct {
	// DB is the service account's, which needs SELECT and UPDATE on the table.
	DB   *sql.DB
	Ring *crypt.Ring
	// Table is the revision in which something is being filled.
	Table *catalog.Table
	// Given are values in canonical form, by the ID of a column that is being filled,
	// for rows from before where that is other than the column's default now.
	Given map[catalog.ID][]byte
	Log   *slog.Logger
}

// Sizes of the work.
const (
	rowsFilled = 500     // in a transaction: longer lists cost servers more for each row
	rowsLooked = 2000    // in a read
	rowsLong   = 16      // of either, where a column may be longer than a row
	longMin    = 1 << 12 // characters of a column that is long
	textMax    = 1 << 20 // bytes of a statement that fills, well below max_allowed_packet

	pauseFirst = 10 * time.Millisecond // before rows that clients have locked are tried again
	pauseMax   = time.Second
)

// CanFill reports whether the rows of a table can be filled while clients use it:
// it needs a key that tells them apart.
func CanFill(t *catalog.Table) bool { return rowKeyOf(t) != nil }

// Fill gives the rows what they lack, and looks at all of them. It returns when every
// row has all that it is to have, or with an error that wraps one of this package's
// or is the server's. It takes as long as some client keeps a row locked.
func (j *Job) Fill(ctx context.Context) error {
	begin := time.Now()
	targets, err := targetsOf(j.Table, j.Ring, j.Given)
	if err != nil {
		return err
	}
	w, err := newWorker(j.Table, targets)
	if err != nil {
		return err
	}
	own, err := connect(ctx, j.DB)
	if err != nil {
		return err
	}
	defer own.close()
	w.link = own
	filled, err := w.fillAll(ctx)
	if err != nil {
		return err
	}
	looked, err := w.look(ctx)
	if err != nil {
		return err
	}
	j.Log.Info("filled a table", "table", j.Table.Schema+"."+j.Table.Name, "rows", looked, "filled", filled, "seconds", time.Since(begin).Seconds())
	return nil
}

// worker is the work on one table under way.
type worker struct {
	table   *catalog.Table
	key     *rowKey
	targets []target
	link    link
	pause   time.Duration
	cells   int // of a row as it is written
	long    bool
	alone   bool // nobody else can use the table
}

// link is the connection that rows are read and written over.
type link interface {
	query(ctx context.Context, statement string) ([][][]byte, error)
	exec(ctx context.Context, statement string) error
	// update runs an UPDATE that is to change some rows. It need not notice that it
	// has not: all rows are looked at afterwards.
	update(ctx context.Context, statement string, rows int) error
}

func newWorker(t *catalog.Table, targets []target) (*worker, error) {
	w := &worker{table: t, key: rowKeyOf(t), targets: targets, pause: pauseFirst}
	if w.key == nil {
		return nil, ErrNoKey
	}
	for i := range targets {
		w.cells += len(targets[i].stored())
		w.long = w.long || isLong(&targets[i].read.Type)
	}
	return w, nil
}

// isLong says that a sealed form may be longer than a row.
func isLong(t *value.Type) bool {
	switch t.Kind {
	case value.Text, value.MediumText, value.LongText, value.Blob, value.MediumBlob, value.LongBlob, value.JSON, value.Vector:
		return true
	case value.Char, value.VarChar, value.Binary, value.VarBinary:
		return t.Length > longMin
	default:
		return t.Kind.IsGeometry()
	}
}

// fillAll fills until no row lacks anything. Rows that clients have locked are tried
// again.
func (w *worker) fillAll(ctx context.Context) (rows int, err error) {
	for {
		n, err := w.fillOnce(ctx)
		if rows += n; err != nil {
			return rows, err
		}
		left, err := w.anyLacks(ctx)
		if err != nil || !left {
			return rows, err
		}
		select {
		case <-ctx.Done():
			return rows, ctx.Err()
		case <-time.After(w.pause):
			w.pause = min(2*w.pause, pauseMax)
		}
	}
}

func (w *worker) anyLacks(ctx context.Context) (bool, error) {
	rows, err := w.link.query(ctx, "SELECT 1 FROM "+w.name()+" WHERE "+w.lacks()+" LIMIT 1")
	return len(rows) > 0, err
}

// fillOnce goes through the table once.
func (w *worker) fillOnce(ctx context.Context) (rows int, err error) {
	var last [][]byte
	for {
		var n int
		if last, n, err = w.fillBatch(ctx, last); err != nil {
			return rows, err
		}
		if rows += n; n < w.atATime(rowsFilled) {
			return rows, nil
		}
	}
}

// fillBatch fills the next rows behind one, in a transaction. After an error the
// connection is closed, which ends the transaction.
func (w *worker) fillBatch(ctx context.Context, after [][]byte) (last [][]byte, rows int, err error) {
	if err := w.transaction(ctx, "START TRANSACTION"); err != nil {
		return nil, 0, err
	}
	batch, err := w.read(ctx, w.selectLacking(after))
	if err != nil {
		return nil, 0, err
	}
	if len(batch) > 0 {
		after = batch[len(batch)-1].key
	}
	if err := w.write(ctx, batch); err != nil {
		return nil, 0, err
	}
	return after, len(batch), w.transaction(ctx, "COMMIT")
}

// transaction begins or ends a transaction, which would let go of a lock on the table.
func (w *worker) transaction(ctx context.Context, statement string) error {
	if w.alone {
		return nil
	}
	return w.link.exec(ctx, statement)
}

// write writes what the rows lack, in as few statements as their length allows.
func (w *worker) write(ctx context.Context, batch []row) error {
	u := update{worker: w}
	for i := range batch {
		if err := u.add(&batch[i]); err != nil {
			return err
		}
		if i+1 < len(batch) && len(u.values) < textMax {
			continue
		}
		if err := w.link.update(ctx, u.statement(), u.rows); err != nil {
			return err
		}
		u.reset()
	}
	return nil
}

// look reads every row and compares what it has with what it is to have.
func (w *worker) look(ctx context.Context) (rows int, err error) {
	return w.eachRow(ctx, w.check, func(int) {})
}

// eachRow hands on all rows in the order of the key, and tells of each page how many there
// were up to it.
func (w *worker) eachRow(ctx context.Context, hand func(*row) error, page func(rows int)) (rows int, err error) {
	var last [][]byte
	for {
		batch, err := w.read(ctx, w.selectAll(last))
		if err != nil {
			return rows, err
		}
		for i := range batch {
			if err := hand(&batch[i]); err != nil {
				return rows, err
			}
		}
		rows += len(batch)
		page(rows)
		if len(batch) < w.atATime(rowsLooked) {
			return rows, nil
		}
		last = batch[len(batch)-1].key
	}
}

func (w *worker) check(r *row) error {
	at := 0
	for i := range w.targets {
		n := len(w.targets[i].stored())
		if err := w.targets[i].check(r.sealed[i], r.have[at:at+n]); err != nil {
			return err
		}
		at += n
	}
	return nil
}

func (w *worker) atATime(rows int) int {
	if w.long {
		return rowsLong
	}
	return rows
}

// name is the full name of the table.
func (w *worker) name() string { return quoteName(w.table.Schema) + "." + quoteName(w.table.Name) }

// lacks is the condition of a row that lacks anything.
func (w *worker) lacks() string {
	var terms []string
	for i := range w.targets {
		terms = append(terms, w.targets[i].lacks())
	}
	return "(" + strings.Join(terms, " OR ") + ")"
}
