package layers

import (
	"context"
	"database/sql"
	"log/slog"
	"slices"
	"strings"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/crash"
	"tunic/internal/crypt"
	"tunic/internal/identifier"
	"tunic/internal/value"
)

// Job is one table that is to be backfilled.
type Job struct {
	// DB is the service account's, which needs SELECT and UPDATE on the table.
	DB   *sql.DB
	Ring *crypt.Ring
	// Table is the revision in which something is being backfilled.
	Table *catalog.Table
	// Given are values in canonical form, by the ID of a column that is being backfilled,
	// for rows from before where that is other than the column's default now.
	Given map[catalog.ID][]byte
	// Env is the session whose statement changes the types of columns, if one does.
	Env *value.Env
	Log *slog.Logger

	// Conn is the connection to work with, whose settings are changed; nil is one of DB's.
	Conn *sql.Conn
	// Owner is the number of the job whose layers are to be backfilled, and no others, at a pace
	// that leaves the server to its clients; 0 backfills all there is for who waits for it.
	Owner uint64
	// Paced leaves the server to its clients too where there is no Owner.
	Paced bool
	// Looked is told, after each chunk, how many rows have been gone through, and whether they
	// are being looked at by now. It may be nil.
	Looked func(looking bool, rows int64)
	// Locked is told how many rows are left that somebody has locked, each time that is all there is to wait for.
	// It may be nil.
	Locked func(rows int)
	// Progress keeps how far it is, and Gate is asked before each chunk: it waits, or its
	// error ends the work. Either may be nil.
	Progress Progress
	Gate     func(ctx context.Context) error

	warned bool // a value has become another one, or was refused
}

// Sizes of the work.
const (
	rowsBackfilled = 500     // in a transaction, unless it is paced: longer lists cost servers more for each row
	rowsLooked     = 2000    // in a read
	rowsLong       = 16      // of either, where a column may be longer than a row
	textMax        = 1 << 20 // bytes of a statement that backfills, well below max_allowed_packet

	pauseFirst = 10 * time.Millisecond // before rows that clients have locked are tried again
	pauseMax   = time.Second
)

// CanBackfill reports whether the rows of a table can be backfilled while clients use it:
// it needs a key that tells them apart.
func CanBackfill(t *catalog.Table) bool { return rowKeyOf(t) != nil }

// Backfill gives the rows what they lack, and looks at all of them. It returns when every
// row has all that it is to have, or with an error that wraps one of this package's
// or is the server's. It takes as long as some client keeps a row locked.
func (j *Job) Backfill(ctx context.Context) error {
	begin := time.Now()
	from := &sources{table: j.Table, ring: j.Ring}
	targets, err := targetsOf(from, j.Given, j.Owner, j.Env, func([]value.Condition) { j.warned = true })
	if err != nil || len(targets) == 0 {
		return err
	}
	w, err := newWorker(from, targets)
	if err != nil {
		return err
	}
	own, err := connect(ctx, j.DB, j.Conn, letGo)
	if err != nil {
		return err
	}
	defer own.close()
	w.link = own
	f := backfiller{worker: w, own: own, progress: j.Progress, gate: j.Gate, pace: newPace(j.Owner == 0 && !j.Paced, w), looked: j.Looked, locked: j.Locked}
	if err := f.begin(ctx); err != nil {
		return err
	}
	if err := f.run(ctx); err != nil {
		return err
	}
	j.Log.Info("filled a table", "table", j.Table.Schema+"."+j.Table.Name, "rows", f.checked, "filled", f.backfilled, "seconds", time.Since(begin).Seconds())
	return nil
}

// worker is the work on one table under way.
type worker struct {
	table   *catalog.Table
	key     *rowKey
	sources []*source // that targets are read from
	targets []target
	link    link
	cells   int // of a row as it is written
	long    bool
	width   int  // bytes that the values of a row may have
	alone   bool // nobody else can use the table
	ties    ties
}

// link is the connection that rows are read and written over.
type link interface {
	Link
	query(ctx context.Context, statement string) ([][][]byte, error)
	exec(ctx context.Context, statement string) error
	// update runs an UPDATE that is to change some rows. It need not notice that it
	// has not: all rows are looked at afterwards.
	update(ctx context.Context, statement string, rows int) error
}

func newWorker(from *sources, targets []target) (*worker, error) {
	w, err := workerOn(from, targets)
	if err != nil {
		return nil, err
	}
	if w.key == nil {
		return nil, ErrNoKey
	}
	return &w, nil
}

// workerOn is a worker of a table that may have no key.
func workerOn(from *sources, targets []target) (w worker, err error) {
	w = worker{table: from.table, key: rowKeyOf(from.table), sources: from.all, targets: targets}
	for i := range targets {
		w.cells += len(targets[i].stored())
	}
	for _, s := range from.all {
		w.long = w.long || s.long
		w.width += s.width
	}
	w.ties, err = tiesOf(from, w.key)
	return w, err
}

// transaction begins or ends a transaction, which would let go of a lock on the table.
func (w *worker) transaction(ctx context.Context, statement string) error {
	if w.alone {
		return nil
	}
	return w.link.exec(ctx, statement)
}

// write writes what the rows lack, in as few statements as their length allows. given is how many have lacked something.
func (w *worker) write(ctx context.Context, batch []row) (given int, err error) {
	u := update{worker: w}
	for i := range batch {
		lacks, err := w.lacking(&batch[i])
		if err == nil && lacks {
			given++
			err = u.add(&batch[i])
		}
		if err != nil {
			return given, err
		}
		if u.rows == 0 || nextJoins(batch, i, len(u.values)) {
			continue
		}
		if err := w.link.update(ctx, u.statement(), u.rows); err != nil {
			return given, err
		}
		u.reset()
	}
	return given, nil
}

// open opens a row.
func (w *worker) open(r *row) error {
	for i, s := range w.sources {
		if err := s.open(r.read[i]); err != nil {
			return err
		}
		if err := w.ties.own(r.key, s); err != nil {
			return err
		}
	}
	return nil
}

// lacking reports whether a row lacks something, and opens it if it does. Where the server does not see which values are NULL,
// that something is lacking is found here: a row whose value is NULL lacks nothing.
func (w *worker) lacking(r *row) (bool, error) {
	if !slices.ContainsFunc(r.have, isTrue) {
		return false, nil
	}
	if err := w.open(r); err != nil {
		return false, err
	}
	for i := range w.targets {
		x := &w.targets[i]
		if !isTrue(r.have[i]) {
			continue
		}
		if !x.hides() {
			return true, nil
		}
		if value, err := x.from.value(x.at); value != nil || err != nil {
			return true, err
		}
	}
	return false, nil
}

// isTrue reports whether a cell is the answer to a condition that is true.
func isTrue(cell []byte) bool { return string(cell) == "1" }

// eachRow hands on all rows in the order of the key, and tells of each page how many there
// were up to it.
func (w *worker) eachRow(ctx context.Context, hand func(*row) error, page func(rows int)) (rows int, err error) {
	var last [][]byte
	for {
		batch, err := w.read(ctx, w.selectAll(last, w.atATime(rowsLooked)))
		if err != nil {
			return rows, err
		}
		for i := range batch {
			if err := hand(&batch[i]); err != nil {
				return rows, err
			}
		}
		rows += len(batch)
		crash.Point("layers.chunk.looked")
		page(rows)
		if len(batch) < w.atATime(rowsLooked) {
			return rows, nil
		}
		last = batch[len(batch)-1].key
	}
}

func (w *worker) check(r *row) error {
	if err := w.open(r); err != nil {
		return err
	}
	at := 0
	for i := range w.targets {
		n := len(w.targets[i].stored())
		if err := w.targets[i].check(r.have[at : at+n]); err != nil {
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
func (w *worker) name() string {
	return identifier.Quoted(w.table.Schema) + "." + identifier.Quoted(w.table.Name)
}

// lacks is the condition of a row that lacks anything, as the server sees it.
func (w *worker) lacks() string { return "(" + strings.Join(w.lackingOf(), " OR ") + ")" }

// lackingOf are the conditions of a row that lacks something of each target.
func (w *worker) lackingOf() (terms []string) {
	for i := range w.targets {
		terms = append(terms, w.targets[i].lacks())
	}
	return terms
}

// hides reports whether there are rows of which the server does not see whether they lack something.
func (w *worker) hides() bool {
	return slices.ContainsFunc(w.targets, func(x target) bool { return x.hides() })
}
