package layers

import (
	"context"
	"errors"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/value"
)

// Misfit is what a server says of a value that it converts where it copies a table whose columns
// change their types.
type Misfit struct {
	// Column is the shadow, whose values are of the type to come.
	Column *catalog.Column
	// Row is counted from 1, as the server comes to the rows.
	Row int
	value.Condition
}

// Warned reports whether Fill has come to values that the server would have warned of, or failed.
func (j *Job) Warned() bool { return j.warned }

// errEnough ends a look at rows.
var errEnough = errors.New("layers: no more rows are wanted")

// selectAllOf reads of all rows what targets are made of.
func (w *worker) selectAllOf() string {
	var list []string
	for _, s := range w.sources {
		list = append(list, s.selected)
	}
	return "SELECT " + strings.Join(list, ", ") + " FROM " + w.name() + w.fenced(" WHERE ")
}

// Misfits hands on what a server says of the values of columns that have shadows, in the order
// of rows and columns, until hand is false. Rows are read as they are at one moment, and NULL is
// said nothing of. Errors are the server's, or wrap ErrForeign.
func (j *Job) Misfits(ctx context.Context, hand func(Misfit) bool) error {
	var all []target
	var to []*catalog.Column
	var said [][]value.Condition
	from := &sources{table: j.Table, ring: j.Ring}
	for i := range j.Table.Columns {
		c := &j.Table.Columns[i]
		if c.Shadows == "" || j.Table.ShadowOf(i) < 0 || j.Table.Columns[j.Table.ShadowOf(i)].ID == c.ID {
			continue
		}
		at := len(all)
		x, err := from.shadowTarget(c, j.Env, func(conditions []value.Condition) { said[at] = conditions })
		if err != nil {
			return err
		}
		all, to, said = append(all, x), append(to, c), append(said, nil)
	}
	if len(all) == 0 {
		return nil
	}
	own, err := connect(ctx, j.DB, j.Conn)
	if err != nil {
		return err
	}
	defer own.close()
	ctx, enough := context.WithCancel(ctx) // the rest of the table is not read to its end
	defer enough()
	w := &worker{table: j.Table, sources: from.all}
	number := 0
	err = own.each(ctx, w.selectAllOf(), func(cells [][]byte) error {
		number++
		if err := w.open(&row{read: cells}); err != nil {
			return err
		}
		for i := range all {
			value, err := all[i].from.value(all[i].at)
			if err != nil {
				return err
			}
			if value == nil {
				continue
			}
			said[i] = nil
			_, _ = all[i].convert(value) // what it comes to is in what is said
			for _, c := range said[i] {
				if !hand(Misfit{to[i], number, c}) {
					enough()
					return errEnough
				}
			}
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}
