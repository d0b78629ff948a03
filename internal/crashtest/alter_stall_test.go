package crashtest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
)

// Forms of ALTER TABLE, in an order in which each has something to do.
var stallForms = []string{
	"MODIFY n BIGINT",
	"MODIFY n DECIMAL(20,2)",
	"MODIFY s VARCHAR(60)",
	"MODIFY s VARCHAR(400)",
	"MODIFY s TEXT",
	"ADD KEY kk (k)",
	"ADD KEY kn (n)",
	"MODIFY k BIGINT",
	"DROP KEY kn",
	"MODIFY k BIGINT COMMENT 'tunic: order'",
	"MODIFY k BIGINT",
	"DROP KEY kk",
	"MODIFY c CHAR(30) COLLATE utf8mb4_bin",
	"CONVERT TO CHARACTER SET latin1",
	"ADD COLUMN x INT NOT NULL DEFAULT 5",
	"MODIFY x INT NOT NULL DEFAULT 5 FIRST",
	"DROP COLUMN x",
}

// TestAlterStalls tells how long clients of two tunics wait at most while a third one changes a
// table of TUNIC_STALL_ROWS rows, by the form of the change. Nothing is held against a time.
func TestAlterStalls(t *testing.T) {
	rows, _ := strconv.Atoi(os.Getenv("TUNIC_STALL_ROWS"))
	if rows == 0 {
		t.Skip("it measures; TUNIC_STALL_ROWS says with how many rows")
	}
	for _, of := range []struct {
		name   string
		flavor sandbox.Flavor
	}{{"mariadb", sandbox.MariaDB}, {"mysql", sandbox.MySQL}} {
		t.Run(of.name, func(t *testing.T) { measureStalls(t, of.flavor, rows) })
	}
}

func measureStalls(t *testing.T, flavor sandbox.Flavor, rows int) {
	t.Helper()
	server := sandboxtest.Own(t, flavor)
	var dbs []*sql.DB
	first := ""
	for range 2 {
		o := sandbox.TunicOptions{Binary: os.Getenv("TUNIC_STALL_BINARY"), Backend: server.Addr, Protect: true}
		if first != "" {
			o.Args = []string{"--key", first + "/key"}
		}
		p, err := sandbox.StartTunic(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = p.Stop() })
		if first == "" {
			first = p.Dir
		}
		db, err := sql.Open("mysql", "root:root@tcp("+p.Addr+")/?tls=skip-verify")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		dbs = append(dbs, db)
	}
	for _, s := range []string{
		"CREATE DATABASE stall", "CREATE TABLE stall.t (id INT PRIMARY KEY COMMENT 'tunic: plain', k INT NOT NULL, n INT, s VARCHAR(40), c CHAR(30))",
	} {
		if _, err := dbs[0].ExecContext(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	for id := 0; id < rows; {
		var values strings.Builder
		for n := 0; n < 1000 && id < rows; n++ {
			fmt.Fprintf(&values, ", (%d, %d, %d, 'text of row %d', 'c%d')", id, id*7, id%1000, id, id)
			id++
		}
		if _, err := dbs[0].ExecContext(t.Context(), "INSERT INTO stall.t VALUES "+values.String()[2:]); err != nil {
			t.Fatal(err)
		}
	}
	forms := stallForms
	if some := os.Getenv("TUNIC_STALL_FORMS"); some != "" {
		forms = strings.Split(some, "; ")
	}
	for _, form := range forms {
		t.Log(stallOf(t, dbs, form, rows))
	}
}

// stallOf changes the table beside a reader and a writer of each tunic.
func stallOf(t *testing.T, dbs []*sql.DB, form string, rows int) string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	kinds := [...]string{"own reader", "own writer", "other's reader", "other's writer"}
	var longest [4]time.Duration
	var failed [4]error
	var beside sync.WaitGroup
	for n := range longest {
		beside.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				begin := time.Now()
				var err error
				if id := i * 7919 % rows; n%2 == 0 {
					var got sql.NullString
					err = dbs[n/2].QueryRow("SELECT s FROM stall.t WHERE id = ?", id).Scan(&got)
				} else {
					_, err = dbs[n/2].Exec("UPDATE stall.t SET n = ?, s = ? WHERE id = ?", i%1000, fmt.Sprint("text ", i), id)
				}
				longest[n] = max(longest[n], time.Since(begin))
				if err != nil {
					failed[n] = err
				}
				time.Sleep(2 * time.Millisecond)
			}
		})
	}
	time.Sleep(300 * time.Millisecond)
	begin := time.Now()
	_, err := dbs[0].Exec("ALTER TABLE stall.t " + form)
	took := time.Since(begin)
	time.Sleep(100 * time.Millisecond)
	cancel()
	beside.Wait()
	line := fmt.Sprintf("%-45s took %6d ms, longest wait:", form, took.Milliseconds())
	for n, kind := range kinds {
		line += fmt.Sprintf(" %s %d ms", kind, longest[n].Milliseconds())
		if said, ok := errors.AsType[*mysql.MySQLError](failed[n]); ok {
			line += fmt.Sprintf(" (error %d)", said.Number)
		} else if failed[n] != nil {
			line += " (" + failed[n].Error() + ")"
		}
	}
	if err != nil {
		line += " FAILED: " + err.Error()
	}
	return line
}
