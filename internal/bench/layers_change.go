package bench

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/go-sql-driver/mysql"
)

// change has layers come and go by jobs that are asked for at one of the tunics, of which
// either may do them: on each table of its own in turns, one after the other without a pause.
func (l *layersLoad) change(ctx context.Context, n int) {
	for at := 0; ctx.Err() == nil; at++ {
		table := (n + len(l.dbs)*(at/4)) % l.options.Tables
		if table%len(l.dbs) != n {
			continue
		}
		up, began := at%2 == 0, time.Now()
		done, err := l.changeOne(ctx, l.dbs[n], loadRow{table: table}.name(), []string{"k", "c"}[at/2%2], up)
		l.changed(up, done, time.Since(began), err)
	}
}

// changed counts a change that has come to its end, or was given up for the end of the time.
func (l *layersLoad) changed(up, done bool, took time.Duration, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.met.Layers
	said, answered := errors.AsType[*mysql.MySQLError](err)
	switch {
	case answered:
		r.Refused[fmt.Sprintf("%d %.60s", said.Number, said.Message)]++
	case err != nil:
		l.broken = errors.Join(l.broken, err)
	case !done:
		r.Unfinished++
	case up:
		r.Came, r.LongestCame = r.Came+1, max(r.LongestCame, took.Seconds())
	default:
		r.Went, r.LongestWent = r.Went+1, max(r.LongestWent, took.Seconds())
	}
}

// changeOne asks for one change, and waits until it is done or the time is over.
func (l *layersLoad) changeOne(timed context.Context, db *sql.DB, table, column string, up bool) (done bool, err error) {
	err = within(timed, answerLimit, func(ctx context.Context) error { return layerJob(ctx, db, table, column, up) })
	for err == nil && timed.Err() == nil {
		err = within(timed, answerLimit, func(ctx context.Context) error {
			live, err := liveJobs(ctx, db, table)
			if err != nil || len(live) > 0 {
				return err
			}
			done = true
			return asAsked(ctx, db, table, column, up)
		})
		if done {
			return true, err
		}
		time.Sleep(lookForJobs)
	}
	return false, err
}

// errNotAsAsked is of a job that has ended otherwise than by doing what was asked for.
var errNotAsAsked = errors.New("a job has ended, and the layer is not as it was asked for")

// asAsked makes sure that a layer is there, or is not.
func asAsked(ctx context.Context, db *sql.DB, table, column string, up bool) error {
	ready, err := selected(ctx, db, "SELECT layer FROM tunic.layers WHERE state = 'ready' AND table_name = ? AND column_name = ?", table, column)
	if err == nil && (len(ready) > 0) != up {
		err = fmt.Errorf("%w: %s.%s", errNotAsAsked, table, column)
	}
	return err
}

const lookForJobs = 250 * time.Millisecond

// layerJob asks for an equality layer to come or go.
func layerJob(ctx context.Context, db *sql.DB, table, column string, up bool) error {
	verb, reason := "drop_layer", ""
	if up {
		verb, reason = "add_layer", ", 'a benchmark'"
	}
	return call(ctx, db, fmt.Sprintf("CALL tunic.%s('%s.%s', '%s', 'equality'%s)", verb, layersDatabase, table, column, reason))
}

// liveJobs are the jobs of tables whose name is like a pattern that have not ended.
func liveJobs(ctx context.Context, db *sql.DB, table string) (ids []string, err error) {
	return selected(ctx, db, "SELECT id FROM tunic.jobs WHERE table_name LIKE ? AND state IN ('running', 'cancelling')", table)
}

// clear gives up what is under way, and has all layers go.
func (l *layersLoad) clear(ctx context.Context) error {
	db := l.dbs[0]
	live, err := liveJobs(ctx, db, "%")
	if err != nil {
		return err
	}
	for _, id := range live {
		_ = call(ctx, db, "CALL tunic.cancel("+id+")") // it may have ended, or be at its end
	}
	if err := awaitJobs(ctx, db, jobsLimit); err != nil {
		return err
	}
	left, err := selected(ctx, db, "SELECT CONCAT(table_name, ' ', column_name) FROM tunic.layers WHERE state = 'ready'")
	if err != nil {
		return err
	}
	for _, name := range left {
		var table, column string
		if _, err := fmt.Sscan(name, &table, &column); err != nil {
			return err
		}
		if err := layerJob(ctx, db, table, column, false); err != nil {
			return err
		}
	}
	return awaitJobs(ctx, db, jobsLimit)
}

// jobsLimit is how long jobs may take that were cancelled, or that take layers away.
const jobsLimit = 5 * time.Minute

// awaitJobs waits until no job is live, for a time.
func awaitJobs(ctx context.Context, db *sql.DB, limit time.Duration) error {
	for late := time.Now().Add(limit); ; time.Sleep(lookForJobs) {
		live, err := liveJobs(ctx, db, "%")
		if err != nil || len(live) == 0 {
			return err
		}
		if time.Now().After(late) {
			return fmt.Errorf("jobs %v have not ended within %s", live, limit)
		}
	}
}

// selected are the values of a query of one column.
func selected(ctx context.Context, db *sql.DB, query string, args ...any) (all []string, err error) {
	rows, err := db.QueryContext(ctx, query, args...)
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

// call calls a procedure whose rows nobody reads.
func call(ctx context.Context, db *sql.DB, statement string) error {
	rows, err := db.QueryContext(ctx, statement)
	if err != nil {
		return err
	}
	defer rows.Close() //nolint:errcheck // it has been read to its end
	for rows.Next() {
	}
	return rows.Err()
}
