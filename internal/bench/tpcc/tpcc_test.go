package tpcc

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
)

func TestMain(m *testing.M) { os.Exit(sandboxtest.Main(m, sandboxtest.NoLeaks)) }

// tiny has every shape and few rows.
var tiny = Scale{Warehouses: 2, Districts: 3, Customers: 30, Items: 60}

const seed = 11

// open connects to a new database, which is dropped at the end.
func open(t *testing.T, addr, name string, mode Mode) *sql.DB {
	t.Helper()
	config := mysql.NewConfig()
	config.Net, config.Addr = "tcp", addr
	config.User, config.Passwd = sandbox.AppUser, sandbox.AppPassword
	config.InterpolateParams = mode == Text
	admin, err := sql.Open("mysql", config.FormatDSN())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := admin.ExecContext(t.Context(), "CREATE DATABASE "+name); err != nil {
		t.Fatal(err)
	}
	config.DBName = name
	db, err := sql.Open("mysql", config.FormatDSN())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := admin.ExecContext(context.WithoutCancel(t.Context()), "DROP DATABASE "+name); err != nil {
			t.Error(err)
		}
		_, _ = db.Close(), admin.Close()
	})
	return db
}

// protect starts a tunic that protects all columns.
func protect(t *testing.T, s *sandbox.Server) *sandbox.Proc {
	t.Helper()
	p, err := sandbox.StartTunic(t.Context(), sandbox.TunicOptions{Backend: s.Addr, Protect: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Stop(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// contents are all rows of all tables, sorted.
func contents(t *testing.T, db *sql.DB) string {
	t.Helper()
	var all []string
	for _, name := range Tables() {
		rows, err := db.QueryContext(t.Context(), "SELECT * FROM "+name)
		if err != nil {
			t.Fatal(err)
		}
		read, err := readRows(rows)
		if err != nil {
			t.Fatal(err)
		}
		if len(read) == 0 {
			t.Errorf("%s is empty", name)
		}
		for _, row := range read {
			all = append(all, fmt.Sprintf("%s %q", name, row))
		}
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}

// work carries out transactions of one terminal and returns what was answered.
func work(t *testing.T, db *sql.DB, mode Mode, transactions int) string {
	t.Helper()
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	var answers strings.Builder
	terminal := NewTerminal(conn, tiny, seed, 0, mode, &answers)
	defer terminal.Close()
	for range transactions {
		o, err := terminal.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&answers, o)
	}
	return answers.String()
}

// The same transactions are answered alike directly, over plain tables, and through
// tunic, over protected ones; they leave the same rows, and the conditions hold.
func TestSameAsPlain(t *testing.T) {
	sandboxtest.Each(t, func(t *testing.T, s *sandbox.Server) {
		tunic := protect(t, s)
		for mode, name := range []string{Prepared: "prepared", Text: "text"} {
			t.Run(name, func(t *testing.T) {
				var answers, left [2]string
				scale := tiny
				scale.Ordered = Mode(mode) == Prepared
				for i, addr := range []string{s.Addr, tunic.Addr} {
					db := open(t, addr, fmt.Sprintf("tpcc_%s_%d", name, i), Mode(mode))
					if err := Load(t.Context(), db, scale, seed); err != nil {
						t.Fatal(err)
					}
					answers[i] = work(t, db, Mode(mode), 120)
					left[i] = contents(t, db)
					if err := Check(t.Context(), db, tiny); err != nil {
						t.Error(err)
					}
				}
				sameLines(t, answers)
				sameLines(t, left)
			})
		}
	})
}

// sameLines reports the first line that differs.
func sameLines(t *testing.T, texts [2]string) {
	t.Helper()
	plain, protected := strings.Split(texts[0], "\n"), strings.Split(texts[1], "\n")
	if len(plain) != len(protected) {
		t.Errorf("%d lines directly, %d through tunic", len(plain), len(protected))
	}
	for i := range min(len(plain), len(protected)) {
		if plain[i] != protected[i] {
			t.Errorf("line %d:\ndirectly      %s\nthrough tunic %s", i, plain[i], protected[i])
			return
		}
	}
}

// Terminals that work at once, through tunic, leave the conditions as they were.
func TestConditionsUnderLoad(t *testing.T) {
	s := sandboxtest.Own(t, sandbox.MariaDB) // tunic has a key of its own
	db := open(t, protect(t, s).Addr, "tpcc_load", Prepared)
	if err := Load(t.Context(), db, tiny, seed); err != nil {
		t.Fatal(err)
	}
	const terminals, each = 8, 46 // two decks
	r, err := Drive(t.Context(), db, Options{Scale: tiny, Seed: seed, Terminals: terminals, Transactions: each})
	if err != nil {
		t.Fatal(err)
	}
	if r.Total() != terminals*each || len(r.Latencies[Delivery]) != 2*terminals || len(r.Latencies[Payment]) != 20*terminals {
		t.Errorf("%d transactions: %d deliveries, %d payments", r.Total(), len(r.Latencies[Delivery]), len(r.Latencies[Payment]))
	}
	if err := Check(t.Context(), db, tiny); err != nil {
		t.Error(err)
	}
}

// breaks has for each condition a change that breaks it.
var breaks = [Conditions]string{
	"UPDATE district SET d_ytd = d_ytd + 1 WHERE d_w_id = 2 AND d_id = 1",
	"UPDATE district SET d_next_o_id = d_next_o_id + 1 WHERE d_w_id = 1 AND d_id = 1",
	"DELETE FROM new_order WHERE no_w_id = 1 AND no_d_id = 1 AND no_o_id = 25",
	"UPDATE orders SET o_ol_cnt = o_ol_cnt + 1 WHERE o_w_id = 1 AND o_d_id = 2 AND o_id = 3",
	"UPDATE orders SET o_carrier_id = 3 WHERE o_w_id = 1 AND o_d_id = 1 AND o_id = 29",
	"UPDATE orders SET o_ol_cnt = CASE o_id WHEN 3 THEN o_ol_cnt + 1 ELSE o_ol_cnt - 1 END WHERE o_w_id = 1 AND o_d_id = 2 AND o_id IN (3, 4)",
	"UPDATE order_line SET ol_delivery_d = NULL WHERE ol_w_id = 1 AND ol_d_id = 1 AND ol_o_id = 1",
	"UPDATE warehouse SET w_ytd = w_ytd + 1 WHERE w_id = 2",
	"UPDATE history SET h_d_id = 2 WHERE h_w_id = 1 AND h_d_id = 1 AND h_c_id = 5",
}

// A condition that is broken is found, of plain tables and of protected ones.
func TestCheckFinds(t *testing.T) {
	s := sandboxtest.Own(t, sandbox.MariaDB)
	for name, addr := range map[string]string{"plain": s.Addr, "protected": protect(t, s).Addr} {
		t.Run(name, func(t *testing.T) {
			db := open(t, addr, "tpcc_broken_"+name, Prepared)
			if err := Load(t.Context(), db, tiny, seed); err != nil {
				t.Fatal(err)
			}
			if err := Check(t.Context(), db, tiny); err != nil {
				t.Fatal(err)
			}
			for i := range conditions {
				tx, err := db.BeginTx(t.Context(), nil)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := tx.ExecContext(t.Context(), breaks[i]); err != nil {
					t.Error(err)
				}
				if err := conditions[i].check(t.Context(), tx, tiny); !errors.Is(err, ErrBroken) {
					t.Errorf("condition %d after it was broken: %v", i+1, err)
				}
				if err := tx.Rollback(); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// Where a query finds nothing, or tables have lost their rows, no condition holds: nothing
// to look at is not nothing wrong.
func TestCheckOfNothing(t *testing.T) {
	db := open(t, sandboxtest.MariaDB(t).Addr, "tpcc_nothing", Prepared)
	if err := Load(t.Context(), db, tiny, seed); err != nil {
		t.Fatal(err)
	}
	for _, c := range conditions {
		c.held = "SELECT * FROM (" + c.held + ") AS found WHERE FALSE"
		if err := c.check(t.Context(), db, tiny); !errors.Is(err, ErrBroken) {
			t.Errorf("condition %d, of which nothing is found: %v", c.number, err)
		}
	}
	for _, table := range []string{"history", "new_order", "order_line", "orders"} {
		if _, err := db.ExecContext(t.Context(), "DELETE FROM "+table); err != nil {
			t.Fatal(err)
		}
	}
	for _, number := range []int{2, 4, 8, 9} {
		if err := conditions[number-1].check(t.Context(), db, tiny); !errors.Is(err, ErrBroken) {
			t.Errorf("condition %d of empty tables: %v", number, err)
		}
	}
}

func TestDecimal(t *testing.T) {
	for _, c := range []struct {
		units, scale int
		want         string
	}{{0, 2, "0.00"}, {5, 2, "0.05"}, {-5, 2, "-0.05"}, {123456, 2, "1234.56"}, {2000, 4, "0.2000"}, {10000, 4, "1.0000"}} {
		if got := decimal(c.units, c.scale); got != c.want {
			t.Errorf("decimal(%d, %d) = %s, want %s", c.units, c.scale, got, c.want)
		}
	}
}

// Names are the specification's: 371 is PRICALLYOUGHT.
func TestLastName(t *testing.T) {
	for number, want := range map[int]string{0: "BARBARBAR", 371: "PRICALLYOUGHT", 40: "BARPRESBAR", 999: "EINGEINGEING"} {
		if got := lastName(number); got != want {
			t.Errorf("lastName(%d) = %s, want %s", number, got, want)
		}
	}
}

// The time counts from when all terminals are connected, however long that takes; what they
// have prepared is given back after it has been taken.
func TestDriveForATime(t *testing.T) {
	s := sandboxtest.Own(t, sandbox.MariaDB)
	db := open(t, s.Addr, "tpcc_time", Prepared)
	if err := Load(t.Context(), db, tiny, seed); err != nil {
		t.Fatal(err)
	}
	prepared := func() (name string, n int) {
		if err := db.QueryRowContext(t.Context(), "SHOW GLOBAL STATUS LIKE 'Prepared_stmt_count'").Scan(&name, &n); err != nil {
			t.Error(err)
		}
		return name, n
	}
	r, err := Drive(t.Context(), db, Options{
		Scale: tiny, Seed: seed, Terminals: 2, For: time.Second,
		Ready: func() { time.Sleep(1500 * time.Millisecond) },
	})
	if err != nil || r.Total() == 0 || r.Statements == 0 || r.Took <= 0 {
		t.Errorf("%+v, %v", r, err)
	}
	held := -1
	if _, err := Drive(t.Context(), db, Options{
		Scale: tiny, Seed: seed + 1, Terminals: 2, Transactions: 3, Done: func() { _, held = prepared() },
	}); err != nil || held <= 0 {
		t.Errorf("%d statements are prepared when all is done: %v", held, err)
	}
}
