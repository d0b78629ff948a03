package bench

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"tunic/internal/bench/document"
	"tunic/internal/bench/figure"
)

// tableModel is what rows have been written how often, by id from 1.
type tableModel []modelRow

// modelRow tells the values of a row.
type modelRow struct{ k, c uint16 }

// plainSample is in the values of each row, in the clear while the table is plain.
const plainSample = "plain-sample-5813"

// sbtestColumns are those of sysbench's table. Its AUTO_INCREMENT column stays plain, as it does
// in a table that is made through tunic.
const sbtestColumns = ` (
  id int NOT NULL AUTO_INCREMENT,
  k int NOT NULL DEFAULT 0 COMMENT 'tunic: equality',
  c char(120) NOT NULL DEFAULT '' COMMENT 'tunic: sealed',
  pad char(60) NOT NULL DEFAULT '' COMMENT 'tunic: sealed',
  PRIMARY KEY (id),
  KEY k_1 (k)
)`

func (r modelRow) numberK(id int) int { return id + int(r.k) }

func (r modelRow) textC(id int) string {
	return fmt.Sprintf("%010d-%05d-%s-%081d", id, r.c, plainSample, uint64(id)*uint64(r.c+1)*7919)
}

func (r modelRow) textPad(id int) string { return fmt.Sprintf("%s-%039d", plainSample, id*104729) }

// prepare makes the table, at the server.
func (e *encryption) prepare(ctx context.Context) error {
	fmt.Fprintf(e.options.Stderr, "making a table of %s rows\n", figure.Grouped(float64(e.options.Rows)))
	e.model = make(tableModel, e.options.Rows)
	if _, err := e.root.ExecContext(ctx, "CREATE DATABASE "+encryptDatabase); err != nil {
		return err
	}
	return e.fill(ctx, "sbtest1")
}

// fill makes a table of what the model has.
func (e *encryption) fill(ctx context.Context, name string) error {
	name = encryptDatabase + "." + name
	if _, err := e.root.ExecContext(ctx, "CREATE TABLE "+name+sbtestColumns); err != nil {
		return err
	}
	for at := 0; at < len(e.model); {
		var values strings.Builder
		for n := 0; n < rowsAtOnce && at < len(e.model); n++ {
			row, id := e.model[at], at+1
			fmt.Fprintf(&values, ", (%d, %d, '%s', '%s')", id, row.numberK(id), row.textC(id), row.textPad(id))
			at++
		}
		if _, err := e.root.ExecContext(ctx, "INSERT INTO "+name+" VALUES "+values.String()[2:]); err != nil { //nolint:gosec // of numbers and texts that were made here
			return err
		}
	}
	return nil
}

// compare makes a table of what was written, and compares the two as the server sees them.
func (e *encryption) compare(ctx context.Context, met *document.Beside) error {
	if err := e.fill(ctx, "written"); err != nil {
		return err
	}
	sum, err := checksum(ctx, e.root, "sbtest1")
	if err != nil {
		return err
	}
	want, err := checksum(ctx, e.root, "written")
	if err != nil {
		return err
	}
	shown, err := definitionOf(ctx, e.root, "sbtest1")
	if err != nil {
		return err
	}
	wanted, err := definitionOf(ctx, e.root, "written")
	if err != nil {
		return err
	}
	same := sum == want && shown == wanted
	met.Checksum, met.Same = sum, &same
	fmt.Fprintf(e.options.Stderr, "checksum %d, of what was written %d; the definition is the same: %t\n", sum, want, same)
	_, err = e.root.ExecContext(ctx, "DROP TABLE "+encryptDatabase+".written")
	return err
}

func checksum(ctx context.Context, db *sql.DB, table string) (sum int64, err error) {
	var name string
	err = db.QueryRowContext(ctx, "CHECKSUM TABLE "+encryptDatabase+"."+table).Scan(&name, &sum)
	return sum, err
}

// definitionOf is what the server shows of a table, without its name.
func definitionOf(ctx context.Context, db *sql.DB, table string) (definition string, err error) {
	var name string
	err = db.QueryRowContext(ctx, "SHOW CREATE TABLE "+encryptDatabase+"."+table).Scan(&name, &definition)
	return strings.Replace(definition, "`"+name+"`", "", 1), err
}
