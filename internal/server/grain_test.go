package server

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"tunic/internal/racetest"
	"tunic/internal/sandbox"
)

// TestGrains: an order layer that sorts by steps tells the server the step of each value and
// nothing of where in it the value is; statements have the answers that they have without it.
func TestGrains(t *testing.T) {
	racetest.InOrder(t)
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			server, kek, cfg := protecting(t, flavor)
			proxy, _ := serveWith(t, cfg, kek)
			db, direct := through(t, proxy.Addr().String()), through(t, server.Addr)
			mustExec(t, db, "CREATE TABLE births (id INT PRIMARY KEY COMMENT 'tunic: plain', born DATE, bound DATE COMMENT 'tunic: order/month')")
			var rows []string
			for day := range 366 { // each day of a leap year once: as dense as can be
				rows = append(rows, fmt.Sprintf("(%d, DATE '2024-01-01' + INTERVAL %d DAY, DATE '2024-01-01' + INTERVAL %d DAY)", day, day, day))
			}
			mustExec(t, db, "INSERT INTO births VALUES "+strings.Join(rows, ", "))

			failsAs(t, db, 1105, "TUNIC-2083", "CALL tunic.add_layer('births', 'born', 'order')")
			failsAs(t, db, 1235, "TUNIC-2040", "CALL tunic.add_layer('births', 'born', 'order/prefix 2')")
			failsAs(t, db, 1318, "TUNIC-2071", "CALL tunic.drop_layer('births', 'born', 'order/month')")
			done(t, db, "CALL tunic.add_layer('births', 'born', 'order/month')")
			sortsBy(t, db, direct, "born", 12, "ord1/month")
			sortsBy(t, db, direct, "bound", 12, "ord1/month")

			failsAs(t, db, 1235, "TUNIC-2049", "ALTER TABLE births MODIFY born DATE COMMENT 'tunic: order/year'")
			sortsBy(t, db, direct, "born", 12, "ord1/month")
			done(t, db, "CALL tunic.drop_layer('births', 'born', 'order')")
			mustExec(t, db, "ALTER TABLE births MODIFY born DATE COMMENT 'tunic: order/year'")
			sortsBy(t, db, direct, "born", 1, "ord1/year")
			done(t, db, "CALL tunic.drop_layer('births', 'born', 'order')")
			failsAs(t, db, 1235, "TUNIC-2081", "CALL tunic.add_layer('births', 'born', 'order/month', 'finer than its ceiling')")
			done(t, db, "CALL tunic.add_layer('births', 'born', 'order')")
			sortsBy(t, db, direct, "born", 1, "ord1/year")

			// A layer's own grain goes with its table: it is not made finer by what is built of
			// it, and a type that has no such step waits for the layer to be dropped.
			mustExec(t, db, "CREATE TABLE turned (id INT PRIMARY KEY COMMENT 'tunic: plain', v DATE)")
			done(t, db, "CALL tunic.add_layer('turned', 'v', 'order/month', 'months will do')")
			failsAs(t, db, 1235, "TUNIC-2040", "ALTER TABLE turned MODIFY v VARCHAR(10)")
			mustExec(t, db, "ALTER TABLE turned MODIFY v DATETIME", "CREATE TABLE likewise LIKE turned", "INSERT INTO likewise VALUES (1, '2024-05-06'), (2, '2024-06-07')")
			is(t, "of another type", sortedBy(t, db, "turned", "v"), "ord1/month")
			is(t, "of a copy", sortedBy(t, db, "likewise", "v"), "ord1/month")
			done(t, db, "CALL tunic.drop_layer('turned', 'v', 'order')")
			mustExec(t, db, "ALTER TABLE turned MODIFY v VARCHAR(10)", "INSERT INTO turned VALUES (1, '2024-05-06'), (2, '2024-06-07')")
			is(t, "without it", textOf(t, db, "SELECT id FROM turned WHERE v > '2024-05-06'"), "2")
		})
	}
}

// done calls a procedure that asks for a job, and waits until that is done.
func done(t *testing.T, db *sql.DB, call string) {
	t.Helper()
	result, err := db.ExecContext(t.Context(), call)
	if err != nil {
		t.Fatal(err)
	}
	id, err := result.LastInsertId()
	if err != nil {
		t.Fatal(err)
	}
	stateOf(t, db, id, "done")
}

// sortedBy are the schemes of a column's order layers, with their grains.
func sortedBy(t *testing.T, db *sql.DB, table, column string) []string {
	t.Helper()
	return textOf(t, db, "SELECT scheme FROM tunic.layers WHERE layer = 'order' AND table_name = ? AND column_name = ?", table, column)
}

// sortsBy: the server has so many different tokens of a column, in the order of the values, and
// ranges have their rows.
func sortsBy(t *testing.T, db, direct *sql.DB, column string, steps int, scheme string) {
	t.Helper()
	is(t, column+" is sorted by", sortedBy(t, db, "births", column), scheme)
	var tokens, falls int
	query := fmt.Sprintf("SELECT COUNT(DISTINCT `%[1]s$ord`), SUM(`%[1]s$ord` < (SELECT b.`%[1]s$ord` FROM births b WHERE b.id = a.id - 1)) FROM births a", column)
	if err := direct.QueryRowContext(t.Context(), query).Scan(&tokens, &falls); err != nil {
		t.Fatal(err)
	}
	if tokens != steps || falls != 0 {
		t.Errorf("%s has %d tokens, %d of them below the one before; want %d", column, tokens, falls, steps)
	}
	for where, want := range map[string]int{
		" >= '2024-02-10'": 326, " < '2024-02-10'": 40, " BETWEEN '2024-01-31' AND '2024-02-01'": 2, " = '2024-12-31'": 1, " > '2024-12-30 12:00:00'": 1, " <> '2024-05-05'": 365,
	} {
		var got int
		if err := db.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM births WHERE "+column+where).Scan(&got); err != nil || got != want {
			t.Errorf("%s%s: %d rows, %v; want %d", column, where, got, err, want)
		}
	}
}
