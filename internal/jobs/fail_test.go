package jobs

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/catalog"
	"tunic/internal/ledger"
	"tunic/internal/racetest"
	"tunic/internal/sqlerr"
)

// TestCauses: which errors pass by themselves, and what the others are called.
func TestCauses(t *testing.T) {
	said := func(number uint16, message string) error {
		return fmt.Errorf("within: %w", &mysql.MySQLError{Number: number, Message: message})
	}
	own := errors.New("own")
	kind := Kind{Cause: func(err error) Cause {
		if errors.Is(err, own) {
			return Ceiling
		}
		return ""
	}}
	for _, c := range []struct {
		err  error
		want Cause // "" passes
	}{
		{said(1021, ""), DiskFull},
		{said(1114, "The table 'x' is full"), DiskFull},
		{said(1030, `Got error 28 "No space left on device" from storage engine InnoDB`), DiskFull},
		{said(1030, "Got error 28 - 'No space left on device' from storage engine"), DiskFull},
		{said(1030, "Got error 122 - 'Internal (unspecified) error in handler' from storage engine"), ServerError},
		{said(3, `Error writing file './x' (Errcode: 28 "No space left on device")`), DiskFull},
		{said(3, `Error writing file './x' (OS errno 28 - No space left on device)`), DiskFull},
		{said(1142, ""), NoPrivilege},
		{said(1045, ""), NoPrivilege},
		{&sqlerr.Error{Number: 1142, State: "42000"}, NoPrivilege},
		{said(1290, ""), ReadOnly},
		{said(1146, ""), TableDropped},
		{said(1064, ""), ServerError},
		{said(1205, ""), ""},
		{said(1053, ""), ""},
		{fmt.Errorf("%w: gone", ledger.ErrLost), ""},
		{driver.ErrBadConn, ""},
		{mysql.ErrInvalidConn, ""},
		{sqlerr.NoLedger(), ""},
		{sqlerr.OwnSchema(), Refused},
		{own, Ceiling},
		{errors.New("another"), Internal},
	} {
		if passes(c.err) != (c.want == "") {
			t.Errorf("%v: passes is %t", c.err, passes(c.err))
		}
		if got := kind.causeOf(c.err); c.want != "" && got != c.want {
			t.Errorf("%v: %s, want %s", c.err, got, c.want)
		}
	}
	for c := range numbers {
		if fixes[c] == "" {
			t.Errorf("%s has no fix", c)
		}
	}
}

// TestFailsWithACause: a service account that loses a privilege in the middle, and a table
// that is dropped in the middle: the job says so, stands still, and goes on when it is
// resumed after that is repaired.
func TestFailsWithACause(t *testing.T) {
	racetest.InOrder(t)
	for _, c := range []struct {
		name         string
		harm, repair []string
		cause        Cause
		number       uint16
		lost         int // numbers that are gone with the harm
	}{
		{"privilege", []string{"REVOKE INSERT ON shop.* FROM 'worker'@'%'"}, []string{"GRANT INSERT ON shop.* TO 'worker'@'%'"}, NoPrivilege, 1142, 0},
		{"table", []string{"DROP TABLE shop.done"}, []string{"CREATE TABLE shop.done (n INT PRIMARY KEY)"}, TableDropped, 1146, 9},
	} {
		t.Run(c.name, func(t *testing.T) {
			onServers(t, func(b *bench) {
				b.exec("DROP USER IF EXISTS 'worker'@'%'", "CREATE USER 'worker'@'%' IDENTIFIED BY 'secret'",
					"GRANT ALL ON `_tunic`.* TO 'worker'@'%'", "GRANT SELECT, INSERT, UPDATE, DELETE ON shop.* TO 'worker'@'%'")
				var u *tunic
				var harmed atomic.Bool
				work := counter{name: "count", to: 20, db: func() *sql.DB { return u.db }, at: func(_ context.Context, n int) error {
					if n == 10 && !harmed.Swap(true) {
						b.exec(c.harm...)
					}
					return nil
				}}
				u = b.tunic("worker", "secret", work.kind())
				j, err := u.Ask(t.Context(), catalog.Job{Kind: "count"}, nil)
				if err != nil {
					t.Fatal(err)
				}
				failed := b.becomes(u, j.ID, catalog.JobFailed)
				all, err := u.List(t.Context())
				if failed.Cause != string(c.cause) || err != nil || all[0].Error != c.number || all[0].Done != 9 {
					t.Errorf("%+v, %v: %+v", failed, err, all[0].Progress)
				}
				b.exec(c.repair...)
				if _, err := u.Resume(t.Context(), j.ID); err != nil {
					t.Fatal(err)
				}
				if done := b.becomes(u, j.ID, catalog.JobDone); done.Cause != "" {
					t.Errorf("a cause of one that is done: %s", done.Cause)
				}
				if n := b.number("SELECT COUNT(*) FROM shop.done"); n != 20-c.lost {
					t.Errorf("%d numbers", n)
				}
			})
		})
	}
}

// TestServerKillsConnections: what a kill of all its connections stops goes on by itself.
func TestServerKillsConnections(t *testing.T) {
	onServers(t, func(b *bench) {
		var u *tunic
		var killed atomic.Bool
		work := counter{name: "count", to: 20, db: func() *sql.DB { return u.db }, at: func(_ context.Context, n int) error {
			if n == 10 && !killed.Swap(true) {
				rows, err := b.db.QueryContext(context.Background(), "SELECT ID FROM information_schema.PROCESSLIST WHERE USER = 'root' AND ID <> CONNECTION_ID()")
				if err != nil {
					return err
				}
				defer func() { _ = rows.Close() }()
				var ids []string
				for rows.Next() {
					var id string
					if err := rows.Scan(&id); err != nil {
						return err
					}
					ids = append(ids, id)
				}
				for _, id := range ids {
					_, _ = b.db.ExecContext(context.Background(), "KILL "+id) // one may be gone
				}
				return rows.Err()
			}
			return nil
		}}
		u = b.tunic("root", "root", work.kind())
		j, err := u.Ask(t.Context(), catalog.Job{Kind: "count"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		b.becomes(u, j.ID, catalog.JobDone)
		if n := b.number("SELECT COUNT(*) FROM shop.done"); n != 20 || !killed.Load() {
			t.Errorf("%d numbers", n)
		}
	})
}

// TestCancelled: a job that has come too far is not cancelled, one without a way back is
// not either, and one of which all was done says so.
func TestCancelled(t *testing.T) {
	onServers(t, func(b *bench) {
		hold := func(ctx context.Context, _ *Work) error { <-ctx.Done(); return ctx.Err() }
		u := b.tunic("root", "root",
			Kind{Name: "final", Stages: []Stage{{Name: "last", Run: hold, Final: true}}, Undo: []Stage{{Name: "undo", Run: hold}}},
			Kind{Name: "one_way", Stages: []Stage{{Name: "go", Run: hold}}},
			Kind{Name: "late", Stages: []Stage{{Name: "go", Run: hold}}, Undo: []Stage{{Name: "undo", Run: func(context.Context, *Work) error { return ErrTooLate }}}},
		)
		for kind, want := range map[string]error{"final": ErrFinal, "one_way": ErrFinal, "late": nil} {
			j, err := u.Ask(t.Context(), catalog.Job{Kind: kind}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := u.Cancel(t.Context(), j.ID); !errors.Is(err, want) {
				t.Errorf("%s: %v", kind, err)
			}
			if kind == "late" {
				b.becomes(u, j.ID, catalog.JobDone)
			}
		}
	})
}
