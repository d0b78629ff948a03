package server

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
)

// full is a way in which a server has no room.
type full struct {
	options []sandboxtest.Option
	// fill takes the room that there is, and returns what gives it back.
	fill func(*sandbox.Server) (free func())
}

// TestDiskFull: the file system of a server, or its tablespace, is full while a layer is being
// filled. The job fails with a name, clients get the server's own errors and read what is there;
// when there is room again, the job is resumed and ends, and nothing that was acknowledged is lost.
// A bounded tablespace stands in where no file system can be mounted.
func TestDiskFull(t *testing.T) {
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		mounted := false
		t.Run(string(flavor)+" file system", func(t *testing.T) {
			dir := t.TempDir()
			mountMemory(t, dir)
			mounted = true
			withoutRoom(t, flavor, fileSystem(t, dir))
		})
		if !mounted || os.Getenv("TUNIC_LONG") != "" {
			t.Run(string(flavor)+" tablespace", func(t *testing.T) { withoutRoom(t, flavor, tablespace(t)) })
		}
	}
}

func withoutRoom(t *testing.T, flavor sandbox.Flavor, kind full) {
	server, kek, cfg := protecting(t, flavor, kind.options...)
	proxy, _ := serveWith(t, cfg, kek)
	db := through(t, proxy.Addr().String())
	mustExec(t, db, "CREATE TABLE person (id INT PRIMARY KEY COMMENT 'tunic: plain', name VARCHAR(40), pad VARCHAR(200) COMMENT 'tunic: plain')")
	const rows = 40000
	for from := 0; from < rows; from += 1000 {
		mustExec(t, db, insertPeople(from, from+1000))
	}
	free := kind.fill(server)
	id := addLayer(t, db, "person")
	stateOf(t, db, id, "failed")
	is(t, "the job", textOf(t, db, "SELECT state, cause, stage, rows_done > 0 FROM tunic.jobs WHERE id = ?", id), "failed disk_full fill 1")
	is(t, "rows are read", textOf(t, db, "SELECT COUNT(*) FROM person WHERE name = 'name 7'"), "1")
	written := untilRefused(t, db, rows)

	free()
	mustExecWith(t, db, "CALL tunic.resume(?)", id)
	stateOf(t, db, id, "done")
	is(t, "the layer", textOf(t, db, "SELECT layer, state FROM tunic.layers"), "equality ready")
	is(t, "all rows", textOf(t, db, "SELECT COUNT(*), COUNT(DISTINCT name) FROM person"), fmt.Sprintf("%d %[1]d", written))
	for _, id := range []int{0, rows - 1, written - 1} {
		is(t, "by the layer", textOf(t, db, "SELECT id FROM person WHERE name = ?", fmt.Sprintf("name %d", id)), fmt.Sprint(id))
	}
}

// mountMemory mounts a file system of some size of its own, and skips the test where it may not.
func mountMemory(t *testing.T, dir string) {
	t.Helper()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=400m", "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("no file system can be mounted here, a bounded tablespace stands in for it: %v: %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	})
}

// fileSystem is that of a folder, which has the server's files.
func fileSystem(t *testing.T, dir string) full {
	t.Helper()
	temporary := sandboxtest.Args("--tmpdir=" + t.TempDir()) // for what servers sort on the disk, such as what they tell of tables
	return full{[]sandboxtest.Option{sandboxtest.Dir(dir), temporary, sandboxtest.Volatile}, func(*sandbox.Server) func() {
		ballast := fillDisk(t, dir, 6<<20) // so that the job begins
		return func() {
			if err := os.Remove(ballast); err != nil {
				t.Error(err)
			}
		}
	}}
}

// tablespace is one that has all tables, and a greatest size.
func tablespace(t *testing.T) full {
	t.Helper()
	bound := sandboxtest.Args("--innodb-file-per-table=0", "--innodb-data-file-path=ibdata1:12M:autoextend:max:100M")
	return full{[]sandboxtest.Option{bound, sandboxtest.Volatile}, func(s *sandbox.Server) func() {
		root := client(t, s.Addr, "root", "root", func(*mysql.Config) {})
		t.Cleanup(func() { _ = root.Close() })
		for _, table := range []string{"spare", "ballast"} {
			mustExec(t, root, "CREATE TABLE test."+table+" (id INT PRIMARY KEY AUTO_INCREMENT, b VARCHAR(7000) CHARACTER SET latin1)")
		}
		mustExec(t, root, stuffing("spare", 1000))
		for rows := 100; rows > 0; {
			if _, err := root.ExecContext(t.Context(), stuffing("ballast", rows)); err != nil {
				rows /= 2
			}
		}
		mustExec(t, root, "DROP TABLE test.spare") // the job is to begin
		return func() { mustExec(t, root, "DROP TABLE test.ballast") }
	}}
}

// stuffing inserts rows of which two are a page.
func stuffing(table string, rows int) string {
	values := strings.TrimSuffix(strings.Repeat("(REPEAT('x', 7000)), ", rows), ", ")
	return "INSERT INTO test." + table + " (b) VALUES " + values
}

// fillDisk takes all the room that there is but some bytes.
func fillDisk(t *testing.T, dir string, but int64) (ballast string) {
	t.Helper()
	ballast = filepath.Join(dir, "ballast")
	f, err := os.Create(ballast)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var size int64
	for chunk := make([]byte, 1<<20); len(chunk) > 0; {
		n, err := f.Write(chunk)
		if size += int64(n); err != nil {
			chunk = chunk[:len(chunk)/2]
		}
	}
	if err := f.Truncate(max(size-but, 0)); err != nil {
		t.Fatal(err)
	}
	return ballast
}

// insertPeople inserts rows from one number up to another.
func insertPeople(from, to int) string {
	var list []string
	for id := from; id < to; id++ {
		list = append(list, fmt.Sprintf("(%d, 'name %[1]d', '%[2]s')", id, strings.Repeat("x", 150)))
	}
	return "INSERT INTO person VALUES " + strings.Join(list, ", ")
}

// untilRefused inserts rows until the server has no room for them, and says so in its own words. It
// returns how many rows there are.
func untilRefused(t *testing.T, db *sql.DB, from int) int {
	t.Helper()
	for until := from + 400000; from < until; from += 1000 {
		_, err := db.ExecContext(context.Background(), insertPeople(from, from+1000))
		if err == nil {
			continue
		}
		said, ok := errors.AsType[*mysql.MySQLError](err)
		if !ok || strings.Contains(said.Message, "TUNIC-") {
			t.Errorf("an INSERT without room: %v", err)
		}
		return from
	}
	t.Fatal("there is room without end")
	return 0
}
