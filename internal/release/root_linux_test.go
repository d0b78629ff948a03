package release

import (
	"archive/tar"
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/waittest"
)

// long skips a test that takes minutes, or that this user may not make.
func long(t *testing.T) {
	t.Helper()
	if os.Getenv("TUNIC_LONG") == "" {
		t.Skip("it takes minutes; TUNIC_LONG=1, or make packages-test")
	}
	if me, err := user.Current(); err != nil || me.Uid != "0" {
		t.Skip("it changes its root folder, for which it has to run as root")
	}
}

// program builds the static program as releases have it.
func program(t *testing.T, version string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tunic")
	output(t, []string{"CGO_ENABLED=0"}, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-X main.version="+version, "-o", path, "./cmd/tunic")
	return path
}

// freeAddress is an address of 127.0.0.1 that nobody listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// root is a folder that is the root of what runs in it.
type root string

// sh runs a line as root's shell in it does, with none of this process's variables.
func (r root) sh(t *testing.T, line string) string {
	t.Helper()
	return output(t, nil, "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "chroot", string(r), "sh", "-c", line)
}

// path is where a file of it is.
func (r root) path(name string) string { return filepath.Join(string(r), name) }

// there reports whether a file or folder is in it.
func (r root) there(name string) bool {
	_, err := os.Lstat(r.path(name))
	return err == nil
}

// process is a program that runs in a root.
type process struct {
	command *exec.Cmd
	output  *bytes.Buffer
	done    chan error
}

// start runs a program in it as a user, with that environment and no other.
func (r root) start(t *testing.T, uid, gid uint32, env []string, argv ...string) *process {
	t.Helper()
	p := &process{command: exec.CommandContext(context.Background(), argv[0], argv[1:]...), output: new(bytes.Buffer), done: make(chan error, 1)}
	p.command.Dir, p.command.Env = "/", append([]string{"PATH=/usr/bin"}, env...)
	p.command.Stdout, p.command.Stderr = p.output, p.output
	p.command.SysProcAttr = &syscall.SysProcAttr{Chroot: string(r), Credential: &syscall.Credential{Uid: uid, Gid: gid}}
	if err := p.command.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { p.done <- p.command.Wait() }()
	t.Cleanup(func() { _ = p.command.Process.Kill() })
	return p
}

// endLimit is how long a program may take to end after SIGTERM.
const endLimit = time.Minute

// end ends it as a service does, and wants it to have ended well.
func (p *process) end(t *testing.T) {
	t.Helper()
	if err := p.command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Errorf("%v:\n%s", err, p.output)
		return
	}
	select {
	case err := <-p.done:
		if err != nil {
			t.Errorf("%v:\n%s", err, p.output)
		}
	case <-time.After(endLimit):
		t.Fatal("it does not end")
	}
}

// healthy waits until the probe says that clients are served.
func (p *process) healthy(t *testing.T, r root, admin string) {
	t.Helper()
	waittest.Until(t, "tunic to be ready", func() bool {
		select {
		case err := <-p.done:
			t.Fatalf("it has ended: %v\n%s", err, p.output)
		default:
		}
		probe := r.start(t, 0, 0, nil, "/usr/bin/tunic", "health", "--admin", admin)
		return <-probe.done == nil
	})
}

// secretValue is what must not be seen at the server.
const secretValue = "078-05-1120"

// protects makes a protected table through tunic, or finds it there, and looks for its value at
// tunic and at the server.
func protects(t *testing.T, address string, db *sandbox.Server, table string) {
	t.Helper()
	through := open(t, address, sandbox.AppUser, sandbox.AppPassword)
	for _, statement := range []string{
		"CREATE DATABASE IF NOT EXISTS shop",
		"CREATE TABLE IF NOT EXISTS shop." + table + " (id INT PRIMARY KEY, ssn CHAR(11) COMMENT 'tunic: sealed')",
		"REPLACE INTO shop." + table + " VALUES (1, '" + secretValue + "')",
	} {
		if _, err := through.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	var got string
	if err := through.QueryRowContext(t.Context(), "SELECT ssn FROM shop."+table+" WHERE id = 1").Scan(&got); err != nil || got != secretValue {
		t.Errorf("through tunic it is %q, %v", got, err)
	}
	if stored := storedText(t, db, table); strings.Contains(stored, secretValue) || stored == "" {
		t.Errorf("the server holds %q", stored)
	}
}

// open is a client's pool.
func open(t *testing.T, address, name, password string) *sql.DB {
	t.Helper()
	c := mysql.NewConfig()
	c.Net, c.Addr, c.User, c.Passwd = "tcp", address, name, password
	connector, err := mysql.NewConnector(c)
	if err != nil {
		t.Fatal(err)
	}
	pool := sql.OpenDB(connector)
	t.Cleanup(func() { _ = pool.Close() })
	return pool
}

// storedText is all that the server itself shows of a table.
func storedText(t *testing.T, db *sandbox.Server, table string) string {
	t.Helper()
	rows, err := open(t, db.Addr, sandbox.ServiceUser, sandbox.ServicePassword).QueryContext(t.Context(), "SELECT * FROM shop."+table)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for rows.Next() {
		values := make([]sql.RawBytes, len(columns))
		into := make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		for _, v := range values {
			text += string(v) + "\n"
		}
	}
	return text
}

// server is a private database server.
func server(t *testing.T) *sandbox.Server {
	t.Helper()
	return sandboxtest.Own(t, sandbox.MariaDB)
}

// unpack writes the files of a tar into a root, with their owners and modes.
func (r root) unpack(t *testing.T, from io.Reader) {
	t.Helper()
	for archive := tar.NewReader(from); ; {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err == nil {
			err = r.unpackOne(h, archive)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func (r root) unpackOne(h *tar.Header, content io.Reader) error {
	path := r.path(filepath.Clean("/" + h.Name))
	mode := os.FileMode(h.Mode).Perm()
	switch h.Typeflag {
	case tar.TypeDir:
		if err := os.MkdirAll(path, mode); err != nil {
			return err
		}
	case tar.TypeReg:
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
		if err != nil {
			return err
		}
		if _, err := io.Copy(f, content); err != nil {
			return errors.Join(err, f.Close())
		}
		if err := f.Close(); err != nil {
			return err
		}
	default:
		return fmt.Errorf("%s is of kind %c", h.Name, h.Typeflag)
	}
	return errors.Join(os.Chown(path, h.Uid, h.Gid), os.Chmod(path, mode))
}

// number is a user's or group's number in a root.
func (r root) number(t *testing.T, of, name string) uint32 {
	t.Helper()
	n, err := strconv.ParseUint(strings.TrimSpace(r.sh(t, fmt.Sprintf("getent %s %s | cut -d: -f3", of, name))), 10, 32)
	if err != nil {
		t.Fatal(err)
	}
	return uint32(n)
}
