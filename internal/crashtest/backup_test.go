package crashtest

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
)

// TestBackup restores a physical backup that was made while clients wrote: every row that was
// acknowledged before it began is there, and what is stored is as written. A tunic that has seen a
// newer ledger serves it only after its state file was removed.
func TestBackup(t *testing.T) {
	program, err := exec.LookPath("mariadb-backup")
	if err != nil {
		t.Skip(err)
	}
	server := sandboxtest.Own(t, sandbox.MariaDB)
	dir := filepath.Join(t.TempDir(), "tunic")
	options := sandbox.TunicOptions{Backend: server.Addr, Dir: dir, Protect: true, Args: []string{"--project-state-file", filepath.Join(dir, "seen")}}
	tunic, err := sandbox.StartTunic(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	db := openApp(t, tunic)
	execute(t, db, "CREATE TABLE before_it (id INT PRIMARY KEY, name VARCHAR(40), KEY (name))")
	acknowledged, stop := insertOnAndOn(t, db)
	for acknowledged.Load() < 100 {
		time.Sleep(time.Millisecond)
	}

	least := acknowledged.Load()
	restored := t.TempDir()
	data := filepath.Join(restored, "data")
	backup(t, program, "--backup", "--target-dir="+data, "--socket="+server.Socket, "--user=root", "--password=root")
	more := acknowledged.Load()
	stop()
	if more == least {
		t.Error("nothing was written meanwhile")
	}
	backup(t, program, "--prepare", "--target-dir="+data)
	execute(t, db, "CREATE TABLE after_it (id INT PRIMARY KEY, name VARCHAR(40))")
	if err := tunic.Stop(); err != nil {
		t.Fatal(err)
	}

	second, err := sandbox.StartMariaDB(t.Context(), sandbox.Options{Dir: restored, NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = second.Stop() })
	options.Backend = second.Addr
	if _, err = sandbox.StartTunic(t.Context(), options); err == nil || !strings.Contains(err.Error(), "TUNIC-1610") {
		t.Fatalf("a tunic that has seen a newer ledger: %v", err)
	}
	if err := os.Remove(filepath.Join(dir, "seen")); err != nil {
		t.Fatal(err)
	}
	if tunic, err = sandbox.StartTunic(t.Context(), options); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tunic.Stop() })
	db = openApp(t, tunic)
	var rows, right int64
	err = db.QueryRow("SELECT COUNT(*), SUM(name = CONCAT('name ', id)) FROM before_it").Scan(&rows, &right)
	if err != nil || rows < least || rows != right {
		t.Errorf("%d rows, %d of them right, at least %d were acknowledged before the backup: %v", rows, right, least, err)
	}
	verifyAll(t, options, dir)
}

func backup(t *testing.T, program string, args ...string) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), program, append([]string{"--no-defaults"}, args...)...).CombinedOutput(); err != nil {
		t.Fatalf("mariadb-backup %s: %v\n%s", args[0], err, out)
	}
}

func openApp(t *testing.T, tunic *sandbox.Proc) *sql.DB {
	t.Helper()
	db, err := sql.Open("mysql", tunic.DSN(sandbox.AppUser, sandbox.AppPassword, "test"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func execute(t *testing.T, db *sql.DB, text string) {
	t.Helper()
	if _, err := db.Exec(text); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

// insertOnAndOn inserts rows 1, 2, … until it is stopped, and counts those acknowledged.
func insertOnAndOn(t *testing.T, db *sql.DB) (acknowledged *atomic.Int64, stop func()) {
	t.Helper()
	acknowledged = new(atomic.Int64)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for id := int64(1); ctx.Err() == nil; id++ {
			if _, err := db.ExecContext(ctx, "INSERT INTO before_it VALUES (?, CONCAT('name ', ?))", id, id); err != nil {
				if !errors.Is(err, context.Canceled) {
					t.Errorf("row %d: %v", id, err)
				}
				return
			}
			acknowledged.Store(id)
		}
	}()
	return acknowledged, func() { cancel(); <-done }
}

// verifyAll runs tunic verify with the settings of a tunic that serves.
func verifyAll(t *testing.T, o sandbox.TunicOptions, dir string) {
	t.Helper()
	binary, err := sandbox.TunicBinary(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if out, err := verifyCommand(t.Context(), binary, o.Backend, dir).CombinedOutput(); err != nil {
		t.Errorf("tunic verify: %v\n%s", err, out)
	}
}
