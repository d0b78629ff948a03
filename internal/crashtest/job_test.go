package crashtest

import (
	"errors"
	"fmt"
	"time"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/sqlerr"
)

// borrowed is the column of each shared table that has a layer by jobs, and that nothing else
// changes.
var borrowed = map[string]string{"account": "owner", "counter": "stamp"}

// job has a layer added or dropped, or has such a job stand still, go on or be undone. What
// it asks may have come to be otherwise by now, which is refused; what it does not know is
// seen at the next rest.
func (d *definer) job() error {
	statement, err := d.request()
	if err != nil || statement == "" {
		_, err = d.judge(err)
		return err
	}
	if _, err = d.rows(statement); overtaken(err) {
		d.w.count("requests of jobs that came too late")
		return nil
	}
	d.w.count("requests of jobs")
	_, err = d.judge(err)
	return err
}

// request is what is asked next; "" if a job that is under way is to go on.
func (d *definer) request() (string, error) {
	id, state, err := d.live()
	switch {
	case err != nil:
		return "", err
	case state == "paused" || state == "failed":
		return fmt.Sprintf("CALL tunic.resume(%s)", id), nil
	case id != "":
		ask := [...]string{"CALL tunic.pause(%s)", "CALL tunic.cancel(%s)"}
		if draw := d.rnd.IntN(20); draw < len(ask) {
			return fmt.Sprintf(ask[draw], id), nil
		}
		time.Sleep(time.Duration(d.rnd.IntN(200)) * time.Millisecond)
		return "", nil
	}
	verb, more := "add_layer", ", 'the kill harness'"
	have, err := d.rows("SELECT 1 FROM tunic.layers WHERE table_name = ? AND column_name = ? AND state <> 'absent'", d.table, borrowed[d.table])
	if len(have) > 0 {
		verb, more = "drop_layer", ""
	}
	return fmt.Sprintf("CALL tunic.%s('%s.%s', '%s', 'equality'%s)", verb, database, d.table, borrowed[d.table], more), err
}

// overtaken reports whether a request is refused because jobs and layers are not as they were
// when it was drawn: they go on by themselves.
func overtaken(err error) bool {
	said, answered := errors.AsType[*mysql.MySQLError](err)
	return answered && says(said, sqlerr.NoJob(0), sqlerr.JobEnded(0), sqlerr.JobFinal(0), sqlerr.JobBusy(0, "", ""),
		sqlerr.LayerThere("", ""), sqlerr.LayerAbsent("", ""))
}

// live is the job of the table that has not ended, if there is one.
func (d *definer) live() (id, state string, err error) {
	rows, err := d.rows("SELECT id, state FROM tunic.jobs WHERE table_name = ? AND state NOT IN ('done', 'cancelled')", d.table)
	if err != nil || len(rows) == 0 {
		return "", "", err
	}
	return rows[0][0], rows[0][1], nil
}

// jobsEnd waits until no job is under way, and looks that none has failed.
func (w *world) jobsEnd(by *client) error {
	return eventually(stuck, func() error {
		rows, err := by.certain("SELECT id, kind, table_name, state, stage, cause, error FROM tunic.jobs WHERE state NOT IN ('done', 'cancelled', 'paused')")
		if err == nil && len(rows) > 0 {
			err = fmt.Errorf("jobs have not ended: %v", rows)
		}
		time.Sleep(100 * time.Millisecond)
		return err
	})
}
