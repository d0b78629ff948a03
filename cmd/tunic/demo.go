package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"tunic/internal/sandbox"
	"tunic/internal/sqlerr"
)

// demoCmd shows tunic at work on a private server: no account, no service, no
// file outside of .tunic.
type demoCmd struct {
	Listen string `default:"127.0.0.1:3307" placeholder:"HOST:PORT" help:"Where tunic listens."`
	Exit   bool   `env:"DEMO_EXIT" help:"End after the session instead of waiting for Ctrl-C."`
}

// Help is shown by `tunic demo --help`.
func (c *demoCmd) Help() string {
	return "Starts a private MariaDB below .tunic/ of the checkout, or of the working directory outside of one, and tunic in front of it, runs a short SQL session " +
		"through tunic, shows what the server holds of it, and waits for Ctrl-C, which stops both. Every demo starts afresh, with a key of its own."
}

// Run shows the demo until a signal ends it.
func (c *demoCmd) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	err := c.show(ctx, os.Stdout)
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return nil // interrupted while starting, and what had started is stopped
	}
	return err
}

// show starts the server and the proxy, and stops both before it returns.
func (c *demoCmd) show(ctx context.Context, out io.Writer) (err error) {
	if err := portFree(c.Listen); err != nil {
		return err
	}
	dir, release, err := demoFolder(c.Listen)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release(!worthALook(err))) }()
	printf(out, "Starting a private MariaDB in %s and tunic on %s.\n", dir, c.Listen)
	logs, err := openLogs(dir)
	if err != nil {
		return err
	}
	defer logs.close()
	server, err := sandbox.StartMariaDB(ctx, sandbox.Options{Dir: filepath.Join(dir, "mariadb"), Log: logs.mariaDB})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	proxy, err := c.startProxy(ctx, dir, server, logs.tunic)
	if err != nil {
		if taken := portFree(c.Listen); taken != nil { // since it was looked at
			return taken
		}
		return err
	}
	defer func() { err = errors.Join(err, proxy.Stop()) }()

	for _, part := range []struct {
		title, dsn string
		statements []string
	}{
		{"Through tunic:", proxy.DSN(sandbox.AppUser, sandbox.AppPassword, ""), demoSession},
		{"At the server, where the same account connects directly:", server.DSN(sandbox.AppUser, sandbox.AppPassword, ""), demoStored},
	} {
		printf(out, "\n%s\n", part.title)
		if err := runSession(ctx, out, part.dsn, part.statements); err != nil {
			return err
		}
	}
	if c.Exit {
		return nil
	}
	c.invite(out, server)
	err = waitForEnd(ctx, server, proxy)
	printf(out, "\nStopping.\n")
	return err
}

// worthALook reports whether the demo's logs stay after an error: where nothing has
// run there is nothing in them.
func worthALook(err error) bool {
	_, start := errors.AsType[*sqlerr.StartError](err)
	return err != nil && !start && !errors.Is(err, sandbox.ErrUnavailable)
}

// demoDrain is how long a client that is still connected can hold up Ctrl-C.
const demoDrain = "1s"

// startProxy runs this very program as the proxy.
func (c *demoCmd) startProxy(ctx context.Context, dir string, server *sandbox.Server, log io.Writer) (*sandbox.Proc, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return sandbox.StartTunic(ctx, sandbox.TunicOptions{
		Binary: self, Backend: server.Addr, Listen: c.Listen, Dir: dir, Log: log, Protect: true,
		Args: []string{"--drain", demoDrain},
	})
}

// invite says how to connect, through tunic and around it.
func (c *demoCmd) invite(out io.Writer, server *sandbox.Server) {
	host, port, _ := net.SplitHostPort(c.Listen) // portFree listened on it
	printf(out, "\nConnect through tunic:    mariadb -h %s -P %s -u %s -p%s\n",
		host, port, sandbox.AppUser, sandbox.AppPassword)
	host, port = server.HostPort()
	printf(out, "The same server directly: mariadb -h %s -P %s -u %s -p%s\n",
		host, port, sandbox.AppUser, sandbox.AppPassword)
	printf(out, "Ctrl-C stops both.\n")
}

// waitForEnd returns when the user has had enough, or with an error when a
// process ends by itself.
func waitForEnd(ctx context.Context, server *sandbox.Server, proxy *sandbox.Proc) error {
	select {
	case <-ctx.Done():
		return nil
	case <-server.Done():
		return errors.New("the database server ended by itself; see mariadb.log in the demo's folder")
	case <-proxy.Done():
		return errors.New("tunic ended by itself; see tunic.log in the demo's folder")
	}
}

// portFree tells early, and before anything is started, that the demo cannot
// listen where it should.
func portFree(addr string) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return sqlerr.StartListen("--listen", addr, err)
	}
	return l.Close()
}

// demoFolder makes a folder for each port, so that two demos can run at once.
func demoFolder(listen string) (dir string, release func(remove bool) error, err error) {
	_, port, err := net.SplitHostPort(listen)
	if err != nil {
		return "", nil, err
	}
	return sandbox.FreshFolder("demo-" + port)
}

// demoLogs are the files that the demo's processes write to.
type demoLogs struct{ mariaDB, tunic *os.File }

func openLogs(dir string) (logs demoLogs, err error) {
	if logs.mariaDB, err = os.Create(filepath.Join(dir, "mariadb.log")); err != nil {
		return logs, err
	}
	if logs.tunic, err = os.Create(filepath.Join(dir, "tunic.log")); err != nil {
		_ = logs.mariaDB.Close()
	}
	return logs, err
}

func (l demoLogs) close() {
	_ = l.mariaDB.Close()
	_ = l.tunic.Close()
}

// demoSession is what the demo shows: each statement goes through tunic, as any
// client would send it.
var demoSession = []string{
	"CREATE DATABASE clinic CHARACTER SET utf8mb4",
	"CREATE TABLE clinic.patient (id INT PRIMARY KEY AUTO_INCREMENT, name VARCHAR(40) UNIQUE, born DATE COMMENT 'tunic: order', balance DECIMAL(10,2))",
	"INSERT INTO clinic.patient (name, born, balance) VALUES ('Alice', '1970-03-01', 120.50), ('Bob', '1985-11-23', -3.20), ('张伟', '1992-07-14', 0.00)",
	"SELECT * FROM clinic.patient WHERE name = 'alice'",
	"UPDATE clinic.patient SET balance = balance + 10 WHERE born < '1990-01-01'",
	"SELECT name, balance FROM clinic.patient ORDER BY born DESC",
	"SELECT COUNT(*) AS patients, SUM(balance) AS total FROM clinic.patient",
}

// demoStored is what an operator of the server can see of it: the sealed forms, and
// the layers by which the server has found and sorted the rows.
var demoStored = []string{
	"SELECT id, `row$form` FROM clinic.patient",
	"SELECT id, `name$eq`, `born$ord` FROM clinic.patient",
}

// runSession runs the session on one connection and prints it as a client at a
// terminal would show it.
func runSession(ctx context.Context, out io.Writer, dsn string, statements []string) error {
	db, err := sql.Open("mysql", dsn)
	if err != nil {
		return err
	}
	defer db.Close() //nolint:errcheck // the session is over
	conn, err := db.Conn(ctx)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer conn.Close() //nolint:errcheck // closed with db
	for _, statement := range statements {
		printf(out, "\nsql> %s;\n", statement)
		if err := showStatement(ctx, out, conn, statement); err != nil {
			return fmt.Errorf("the demo's session: %w", err)
		}
	}
	return nil
}

func printf(out io.Writer, format string, args ...any) {
	_, _ = fmt.Fprintf(out, format, args...) // a closed terminal is no error of the demo
}
