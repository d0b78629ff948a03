package layers

import (
	"bytes"
	"context"

	"tunic/internal/catalog"
	"tunic/internal/crypt"
	"tunic/internal/eval"
	"tunic/internal/guard"
)

// Judge looks whether the rows of a table are such as new CHECKs ask for, while nobody
// else uses the table.
type Judge struct {
	// Query runs a query on the connection that has locked the table. Its time zone is UTC
	// and its sql_mode empty: a TIMESTAMP of a key may be two where clocks are set back, and
	// a zero date is not to be written in some modes.
	Query func(ctx context.Context, statement string) ([][]*string, error)
	Ring  *crypt.Ring
	// Table is the table as it is.
	Table *catalog.Table
	// Guards are those of the table to come, Checks the ones that are new, and Old is what
	// a column of it was: nil for one that is NULL in all rows.
	Guards *guard.Set
	Checks []*guard.Guard
	Old    func(column int) *catalog.Column
	// Session and In are those of the statement that adds them.
	Session eval.Session
	In      eval.Inputs

	rows int
}

// Rows is how many rows were looked at.
func (j *Judge) Rows() int { return j.rows }

// Look reads all rows, and returns the first CHECK that one of them fails, nil if all are
// good. ErrNoKey says that rows cannot be told apart, ErrForeign that tunic has not
// written one, and ErrConversion that a CHECK has a warning for a row.
func (j *Judge) Look(ctx context.Context) (*guard.Guard, error) {
	columns, from, err := j.columns()
	if err != nil {
		return nil, err
	}
	runs := make([]*eval.Run, len(j.Checks))
	for i, k := range j.Checks {
		x, err := j.Guards.Compile(k, j.Session)
		if err != nil {
			return nil, err
		}
		if runs[i], err = x.Start(j.In); err != nil {
			return nil, err
		}
	}
	if j.Table.RowKey() == nil {
		return nil, ErrNoKey
	}
	p := pagesOf(j.Table, from)
	for {
		rows, err := j.Query(ctx, p.query())
		if err != nil {
			return nil, err
		}
		j.rows += len(rows)
		for _, cells := range rows {
			if err := from.open(cells[p.before:]); err != nil {
				return nil, err
			}
			if bad, err := j.look(columns, runs); bad != nil || err != nil {
				return bad, err
			}
		}
		if len(rows) < p.rows {
			return nil, nil //nolint:nilnil // all rows are good
		}
		p.follow(rows)
	}
}

// judged is a column that a CHECK reads.
type judged struct {
	column int // in the table to come
	from   *source
	at     int // in its source
}

// columns are those that CHECKs read, and the sources that they are read from.
func (j *Judge) columns() (all []judged, from *sources, err error) {
	known := map[int]bool{}
	from = &sources{table: j.Table, ring: j.Ring}
	for _, k := range j.Checks {
		for _, i := range k.Reads {
			old := j.Old(i)
			if known[i] || old == nil {
				continue
			}
			known[i] = true
			c := judged{column: i}
			if c.from, c.at, err = from.of(old); err != nil {
				return nil, nil, err
			}
			all = append(all, c)
		}
	}
	return all, from, nil
}

// look looks at the row that was opened.
func (j *Judge) look(columns []judged, runs []*eval.Run) (*guard.Guard, error) {
	row := make(eval.Row, len(j.Guards.Table.Columns))
	for _, c := range columns {
		value, err := c.from.value(c.at)
		if err != nil {
			return nil, err
		}
		row[c.column] = bytes.Clone(value) // the next one may take its place
	}
	for i, run := range runs {
		truth, err := run.Truth(row)
		switch {
		case err != nil:
			return nil, err
		case len(run.Drain()) > 0:
			return nil, ErrConversion
		case truth == eval.False:
			return j.Checks[i], nil
		}
	}
	return nil, nil //nolint:nilnil // the row is good
}
