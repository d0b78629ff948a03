package layers

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/crash"
)

// backfiller is the work of backfilling a table under way: by chunks of its key, each of which is
// a transaction that also writes down how far the work is.
type backfiller struct {
	*worker
	own        *ownLink // the link, unless that is a client's
	progress   Progress // nil keeps nothing
	gate       func(context.Context) error
	pace       pace
	at         place
	expected   int64
	backfilled int // rows that were given something
	checked    int // rows that were looked at in the end
	looked     func(looking bool, rows int64)
	locked     func(rows int)
	busy       float64   // connections that the server works for, but for this one, of late,
	asked      time.Time // and until when
}

// How it is found out for how many others the server works.
const (
	askAgain   = 500 * time.Millisecond  // between two questions: to tell it, a server goes through all of its connections
	othersMost = 2 * restMost / restEach // of them count at one look, so that a crowded moment is soon forgotten
)

// run does what is left.
func (f *backfiller) run(ctx context.Context) error {
	if f.at.Phase == atLook { // and was before it was stopped
		given, err := f.rest(ctx)
		if err != nil {
			return err
		}
		if given > 0 {
			f.at = f.at.next(atLook)
		}
	}
	for {
		var err error
		switch f.at.Phase {
		case atBackfill:
			err = f.each(ctx, f.backfillChunk)
		case atRest:
			if _, err = f.rest(ctx); err == nil {
				f.at = f.at.next(atLook)
			}
		case atLook:
			return f.each(ctx, f.lookChunk)
		}
		if err != nil {
			return err
		}
	}
}

// each does chunks until the last one of a phase.
func (f *backfiller) each(ctx context.Context, chunk func(context.Context) (time.Duration, bool, error)) error {
	for more := true; more; {
		if err := f.pass(ctx); err != nil {
			return err
		}
		var pause time.Duration
		var err error
		if pause, more, err = chunk(ctx); err != nil {
			if err := f.again(ctx, err); err != nil {
				return err
			}
			more = true
			continue
		}
		if f.looked != nil {
			f.looked(f.at.Phase == atLook, f.at.Done)
		}
		if err := wait(ctx, pause); err != nil {
			return err
		}
	}
	return nil
}

// pass asks whether to go on.
func (f *backfiller) pass(ctx context.Context) error {
	if f.gate == nil {
		return ctx.Err()
	}
	if f.own == nil {
		return f.gate(ctx)
	}
	return f.own.awake(ctx, f.gate)
}

// again is nil if what has failed is to be done again: the server has broken it off for others' sake, or because
// nothing has come from here. It is the error otherwise.
func (f *backfiller) again(ctx context.Context, err error) error {
	switch {
	case passing(err):
		_ = f.link.exec(ctx, "ROLLBACK")
		return wait(ctx, pauseMax)
	case f.own != nil:
		return f.own.again(ctx, err)
	}
	return err
}

// passing reports whether the server has broken off a transaction for others' sake.
func passing(err error) bool {
	const lockWaitTimeout, deadlockFound = 1205, 1213
	said, ok := errors.AsType[*mysql.MySQLError](err)
	return ok && (said.Number == lockWaitTimeout || said.Number == deadlockFound)
}

// backfillChunk gives the next rows of the key what they lack, but those that somebody has
// locked.
func (f *backfiller) backfillChunk(ctx context.Context) (pause time.Duration, more bool, err error) {
	begin := time.Now()
	rows, next := f.pace.rows, f.at
	behind := func(batch []row) *place {
		next.Done += int64(len(batch))
		if more = len(batch) == rows; more {
			next.After = batch[len(batch)-1].key
		} else {
			next = next.next(atRest)
		}
		return &next
	}
	given, err := f.give(ctx, f.selectNext(f.at.After, rows), behind)
	if err != nil {
		return 0, false, err
	}
	f.at = next
	f.backfilled += given
	return f.pace.after(rows, time.Since(begin), f.others(ctx)), more, nil
}

// give backfills those of the rows of a query that lack something, in a transaction, and writes
// down the place behind them, if there is one.
func (f *backfiller) give(ctx context.Context, rows string, behind func(batch []row) *place) (given int, err error) {
	if err := f.transaction(ctx, "START TRANSACTION"); err != nil {
		return 0, err
	}
	batch, err := f.read(ctx, rows)
	if err != nil {
		return 0, err
	}
	crash.Point("layers.chunk.read")
	if given, err = f.write(ctx, batch); err != nil {
		return 0, err
	}
	crash.Point("layers.chunk.written")
	if behind != nil {
		if err := f.save(ctx, behind(batch)); err != nil {
			return 0, err
		}
	}
	if err := f.transaction(ctx, "COMMIT"); err != nil {
		return 0, err
	}
	crash.Point("layers.chunk.committed")
	return given, nil
}

// save writes down how far the work is, in a transaction that is under way.
func (f *backfiller) save(ctx context.Context, at *place) error {
	if f.progress == nil {
		return nil
	}
	data, err := at.encode()
	if err != nil {
		return err
	}
	return f.progress.Save(ctx, f.link, Mark{Place: data, Done: at.Done, Expected: max(f.expected, at.Done)})
}

// Sizes of backfilling what is left.
const (
	restMany = 10000          // keys of rows that lack something after all, which are looked for at a time
	restRows = rowsBackfilled // at most in a transaction: each is one term of a condition
)

// rest backfills the rows that clients had locked, until there is none left. That none is left
// is one look at the whole table at one moment: rows move along the key while chunks of it
// are backfilled, and none of those that come lacks anything.
func (f *backfiller) rest(ctx context.Context) (given int, err error) {
	pause := pauseFirst
	for {
		begin := time.Now()
		left, err := f.left(ctx)
		if err != nil {
			if err := f.again(ctx, err); err != nil {
				return given, err
			}
			continue
		}
		if len(left) == 0 {
			return given, nil
		}
		if err := wait(ctx, f.pace.pause(time.Since(begin), f.others(ctx))); err != nil {
			return given, err
		}
		n, err := f.restOnce(ctx, left)
		if given += n; err != nil {
			return given, err
		}
		if n > 0 {
			pause = pauseFirst
			continue
		}
		if f.locked != nil {
			f.locked(len(left))
		}
		if err := wait(ctx, pause); err != nil {
			return given, err
		}
		pause = min(2*pause, pauseMax)
	}
}

// left are the keys of rows that lack something, of restMany at most.
func (f *backfiller) left(ctx context.Context) ([][][]byte, error) {
	if !f.hides() {
		return f.link.query(ctx, f.selectLeft())
	}
	if !f.alone {
		for _, s := range []string{"SET TRANSACTION ISOLATION LEVEL REPEATABLE READ", "START TRANSACTION WITH CONSISTENT SNAPSHOT"} {
			if err := f.link.exec(ctx, s); err != nil {
				return nil, err
			}
		}
	}
	left, err := f.leftHidden(ctx)
	if err != nil {
		return nil, err
	}
	return left, f.transaction(ctx, "COMMIT")
}

// leftHidden are such keys where the server only sees which rows may lack something: all of those are opened. Many may be NULL,
// so that they are read some at a time.
func (f *backfiller) leftHidden(ctx context.Context) (left [][][]byte, err error) {
	var after [][]byte
	for many := f.atATime(rowsLooked); len(left) < restMany; {
		batch, err := f.read(ctx, f.selectMaybe(after, many))
		if err != nil {
			return nil, err
		}
		for i := range batch {
			lacks, err := f.lacking(&batch[i])
			if err != nil {
				return nil, err
			}
			if lacks {
				left = append(left, batch[i].key)
			}
		}
		if len(batch) < many {
			break
		}
		after = batch[len(batch)-1].key
	}
	return left, nil
}

// restOnce backfills those of some rows that nobody has locked by now. There may be as many of
// them as a client's statement changes, so they go at the pace of the chunks.
func (f *backfiller) restOnce(ctx context.Context, left [][][]byte) (given int, err error) {
	for len(left) > 0 {
		if err := f.pass(ctx); err != nil {
			return given, err
		}
		begin, rows := time.Now(), min(f.pace.rows, restRows, len(left))
		n, err := f.give(ctx, f.selectThese(left[:rows]), nil)
		given, f.backfilled = given+n, f.backfilled+n
		if err != nil {
			if err := f.again(ctx, err); err != nil {
				return given, err
			}
		}
		if err := wait(ctx, f.pace.after(rows, time.Since(begin), f.others(ctx))); err != nil {
			return given, err
		}
		left = left[rows:]
	}
	return given, nil
}

// lookChunk looks at the next rows of the key.
func (f *backfiller) lookChunk(ctx context.Context) (pause time.Duration, more bool, err error) {
	begin, rows := time.Now(), f.pace.rows
	if f.pace.steady {
		rows = f.atATime(rowsLooked)
	}
	batch, err := f.read(ctx, f.selectAll(f.at.After, rows))
	if err != nil {
		return 0, false, err
	}
	for i := range batch {
		if err := f.check(&batch[i]); err != nil {
			return 0, false, err
		}
	}
	next := f.at
	next.Done += int64(len(batch))
	if more = len(batch) == rows; more {
		next.After = batch[len(batch)-1].key
	}
	crash.Point("layers.chunk.looked")
	if err := f.kept(ctx, &next); err != nil {
		return 0, false, err
	}
	f.at = next
	f.checked += len(batch)
	return f.pace.after(rows, time.Since(begin), f.others(ctx)), more, nil
}

// others is for how many connections the server works of late, but for this one; 0 where it
// does not tell. One look is not enough: clients that keep a server busy are between two
// statements, or tunic is at their rows, at many a moment.
func (f *backfiller) others(ctx context.Context) float64 {
	if !f.pace.steady && time.Since(f.asked) > askAgain {
		f.busy, f.asked = (f.busy+min(f.askOthers(ctx), othersMost))/2, time.Now()
	}
	return f.busy
}

func (f *backfiller) askOthers(ctx context.Context) float64 {
	rows, err := f.link.query(ctx, "SHOW GLOBAL STATUS LIKE 'Threads_running'")
	if err != nil || len(rows) == 0 || len(rows[0]) < 2 {
		return 0
	}
	n, err := strconv.Atoi(string(rows[0][1]))
	if err != nil {
		return 0
	}
	return float64(max(n-1, 0))
}

// kept writes a place down by itself.
func (f *backfiller) kept(ctx context.Context, at *place) error {
	if f.progress == nil {
		return nil
	}
	if err := f.link.exec(ctx, "START TRANSACTION"); err != nil {
		return err
	}
	if err := f.save(ctx, at); err != nil {
		return err
	}
	return f.link.exec(ctx, "COMMIT")
}

// begin finds out where to go on and how much there is to do.
func (f *backfiller) begin(ctx context.Context) error {
	f.at = placeOf(nil, f.key.names())
	if f.progress == nil {
		return nil
	}
	data, err := f.progress.Load(ctx)
	if err != nil {
		return err
	}
	f.at = placeOf(data, f.key.names())
	rows, err := f.link.query(ctx, fmt.Sprintf("SELECT TABLE_ROWS FROM information_schema.TABLES WHERE TABLE_SCHEMA =%s AND TABLE_NAME =%s",
		appendHex(nil, []byte(f.table.Schema)), appendHex(nil, []byte(f.table.Name))))
	if err != nil || len(rows) == 0 {
		return err
	}
	_, _ = fmt.Sscan(string(rows[0][0]), &f.expected)
	f.expected *= 2
	return nil
}
