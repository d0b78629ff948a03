package layers

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/crypt"
	"tunic/internal/eval"
	"tunic/internal/guard"
)

// Judge looks whether the rows of a table are such as new CHECKs ask for, while nobody
// else uses the table.
type Judge struct {
	// Query runs a query on the connection that has locked the table.
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
}

// judgeRows is how many rows are read at a time.
const judgeRows = 500

// Look reads all rows, and returns the first CHECK that one of them fails, nil if all are
// good. ErrNoKey says that rows cannot be told apart, ErrForeign that tunic has not
// written one, and ErrConversion that a CHECK has a warning for a row.
func (j *Judge) Look(ctx context.Context) (*guard.Guard, error) {
	columns, err := j.columns()
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
	text, err := j.query(columns)
	if err != nil {
		return nil, err
	}
	for from := 0; ; from += judgeRows {
		rows, err := j.Query(ctx, text+strconv.Itoa(from))
		if err != nil {
			return nil, err
		}
		for _, cells := range rows {
			if bad, err := j.look(columns, runs, cells); bad != nil || err != nil {
				return bad, err
			}
		}
		if len(rows) < judgeRows {
			return nil, nil //nolint:nilnil // all rows are good
		}
	}
}

// judged is a column that a CHECK reads.
type judged struct {
	at     int // in the table to come
	stored string
	opens  *crypt.Column
}

func (j *Judge) columns() (all []judged, err error) {
	known := map[int]bool{}
	for _, k := range j.Checks {
		for _, i := range k.Reads {
			old := j.Old(i)
			if known[i] || old == nil {
				continue
			}
			known[i] = true
			c := judged{at: i, stored: old.Name}
			if c.opens, err = j.Ring.Column(old); err != nil {
				return nil, err
			}
			all = append(all, c)
		}
	}
	return all, nil
}

// query is the query of a page of rows, but for where it begins. The table is locked, so
// that its rows have one order.
func (j *Judge) query(columns []judged) (string, error) {
	key := j.Table.RowKey()
	if key == nil {
		return "", ErrNoKey
	}
	names, by := []string{"1"}, make([]string, len(key.Parts))
	for _, c := range columns {
		names = append(names, quoteName(c.stored))
	}
	for i, p := range key.Parts {
		name := p.Column
		if p.Layer != 0 {
			name = j.Table.Columns[j.Table.Column(p.Column)].Layer(p.Layer).Stored
		}
		by[i] = quoteName(name)
	}
	return fmt.Sprintf("SELECT %s FROM %s.%s ORDER BY %s LIMIT %d OFFSET ", strings.Join(names, ", "),
		quoteName(j.Table.Schema), quoteName(j.Table.Name), strings.Join(by, ", "), judgeRows), nil
}

// look looks at one row.
func (j *Judge) look(columns []judged, runs []*eval.Run, cells []*string) (*guard.Guard, error) {
	row := make(eval.Row, len(j.Guards.Table.Columns))
	for i, c := range columns {
		if cells[i+1] == nil {
			continue
		}
		value, err := c.opens.AppendOpened([]byte{}, []byte(*cells[i+1]))
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrForeign, err)
		}
		row[c.at] = value
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
