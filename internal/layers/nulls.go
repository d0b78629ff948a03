package layers

import (
	"context"

	"tunic/internal/catalog"
	"tunic/internal/crypt"
)

// Nulls looks which values of columns are NULL where the server does not see it, while nobody else uses the table.
type Nulls struct {
	// Query runs a query on the connection that has locked the table. Its settings are as for a Judge.
	Query func(ctx context.Context, statement string) ([][]*string, error)
	Ring  *crypt.Ring
	// Table is the table as it is, and Columns are of it.
	Table   *catalog.Table
	Columns []*catalog.Column
}

// Look hands on, row by row and in the order of Columns, whether a value is NULL, until hand is false. Rows are counted from 1, in
// the order of the table's key, or without one in any. ErrForeign says that tunic has not written a row.
func (n *Nulls) Look(ctx context.Context, hand func(column, row int, null bool) bool) error {
	from := &sources{table: n.Table, ring: n.Ring}
	of := make([]judged, len(n.Columns))
	for i, c := range n.Columns {
		var err error
		of[i].column = i
		if of[i].from, of[i].at, err = from.of(c); err != nil {
			return err
		}
	}
	p := pagesOf(n.Table, from)
	for number := 0; ; {
		rows, err := n.Query(ctx, p.query())
		if err != nil {
			return err
		}
		for _, cells := range rows {
			number++
			if err := from.open(cells[p.before:]); err != nil {
				return err
			}
			for _, c := range of {
				value, err := c.from.value(c.at)
				if err != nil {
					return err
				}
				if !hand(c.column, number, value == nil) {
					return nil
				}
			}
		}
		if len(rows) < p.rows {
			return nil
		}
		p.follow(rows)
	}
}
