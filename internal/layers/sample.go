package layers

import (
	"context"
	"database/sql"
	"errors"
	"strconv"

	"tunic/internal/catalog"
	"tunic/internal/crypt"
	"tunic/internal/identifier"
)

// Sample is a look at some values of one column of a stored table, in rows chosen by
// chance. It reads without locks, and the server reads the whole table for it, as it does
// twice when a layer is backfilled.
type Sample struct {
	// DB is the service account's, which needs SELECT on the table.
	DB     *sql.DB
	Ring   *crypt.Ring
	Table  *catalog.Table
	Column *catalog.Column // of Table, protected
	// Rows and Bytes bound about how many values are read, and how long their sealed forms
	// may be together.
	Rows, Bytes int64
}

// sampleSettings bound how long the server may take for one query, on both families: a
// minute. What is inside of the first comment MariaDB reads, of the second MySQL.
const sampleSettings = "SET SESSION sql_mode = '' /*M!100101 , max_statement_time = 60 */ /*!50708 , max_execution_time = 60000 */"

// errSampled ends a sample that has reached a bound.
var errSampled = errors.New("layers: the sample is large enough")

// Run hands on the values, opened, in canonical form, and each good until hand returns; and
// how many rows of the table have a value: of a column of a family about how many, as far as the rows that are read tell, for
// the server does not see which values are NULL. Errors are the server's, or wrap ErrForeign.
func (s *Sample) Run(ctx context.Context, hand func(canonical []byte)) (rows int64, err error) {
	from, at, err := (&sources{table: s.Table, ring: s.Ring}).of(s.Column)
	if err != nil {
		return 0, err
	}
	defer from.wipe()
	own, err := connect(ctx, s.DB, nil)
	if err != nil {
		return 0, err
	}
	defer own.close()
	if err := own.exec(ctx, sampleSettings); err != nil {
		return 0, err
	}
	if rows, err = s.count(ctx, own); err != nil || rows == 0 {
		return 0, err
	}
	read, valued, size := int64(0), int64(0), int64(0)
	err = own.each(ctx, s.query(rows), func(cells [][]byte) error {
		if err := from.open(cells[0]); err != nil {
			return err
		}
		value, err := from.value(at)
		if err != nil {
			return err
		}
		if value != nil {
			hand(value)
			valued++
		}
		from.wipe()
		read, size = read+1, size+int64(len(cells[0]))
		if read >= s.Rows || size >= s.Bytes {
			return errSampled
		}
		return nil
	})
	if err != nil && !errors.Is(err, errSampled) || read == 0 {
		return rows, err
	}
	if from.hides() {
		rows = int64(float64(rows) * float64(valued) / float64(read))
	}
	return rows, nil
}

// count is how many rows have a value, of a column of a family how many rows there are.
func (s *Sample) count(ctx context.Context, own *ownLink) (rows int64, err error) {
	all, err := own.query(ctx, "SELECT COUNT("+identifier.Quoted(s.Column.Stored())+") FROM "+s.from(" WHERE "))
	if err != nil || len(all) != 1 {
		return 0, err
	}
	return strconv.ParseInt(string(all[0][0]), 10, 64)
}

// from is the table, and the condition that names its fence.
func (s *Sample) from(word string) string {
	w := worker{table: s.Table}
	return w.name() + w.fenced(word)
}

// sampleSpare is how much more than is wanted is asked for where rows are chosen by chance:
// seldom fewer come.
const sampleSpare = 1.1

// query reads values of rows of a table that has so many.
func (s *Sample) query(rows int64) string {
	name := identifier.Quoted(s.Column.Stored())
	text := "SELECT " + name + " FROM " + s.from(" WHERE ")
	if s.Table.Fence() == "" {
		text += " WHERE " + name + " IS NOT NULL"
	} else {
		text += " AND " + name + " IS NOT NULL"
	}
	if rows > s.Rows {
		text += " AND RAND() < " + strconv.FormatFloat(sampleSpare*float64(s.Rows)/float64(rows), 'f', -1, 64)
	}
	return text + " LIMIT " + strconv.FormatInt(s.Rows, 10)
}
