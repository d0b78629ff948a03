package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

// Proc is a child process that is not a database server.
type Proc struct {
	Addr      string // where it listens for clients, "127.0.0.1:port"
	AdminAddr string // where it answers HTTP about itself; "" if it does not
	Dir       string
	PID       int

	process *process
	folder  *folder
}

// DSN returns the data source name with which the go-sql-driver connects through
// the process. The database may be "".
func (p *Proc) DSN(user, password, db string) string {
	return clientConfig("tcp", p.Addr, user, password, db).FormatDSN()
}

// Stop ends the process in order, by force if that takes too long, and removes
// its folder if it is a temporary one. Stopping a stopped process does nothing.
// What the race detector has found in tunic is an error.
func (p *Proc) Stop() error {
	return errors.Join(p.process.stop(), p.races(), p.folder.release())
}

// races returns the findings of the race detector.
func (p *Proc) races() error {
	var found error
	logs, err := filepath.Glob(p.folder.file(raceLog + ".*"))
	if err != nil {
		return err
	}
	for _, log := range logs {
		text, err := os.ReadFile(log)
		if err != nil {
			return err
		}
		found = errors.Join(found, fmt.Errorf("data race in tunic:\n%s", text))
	}
	return found
}

// Kill ends the process with SIGKILL, as a crash would.
func (p *Proc) Kill() error { return p.process.kill() }

// Done is closed when the process has ended.
func (p *Proc) Done() <-chan struct{} { return p.process.done }

// Output returns the last lines that the process wrote.
func (p *Proc) Output() string { return p.process.tail.String() }

// Err tells how the process ended; nil stands for exit status 0. It is meant to
// be called after Done.
func (p *Proc) Err() error {
	<-p.process.done
	return p.process.err
}

// launch starts a command that listens on addr and waits until ready says so.
func (p *Proc) launch(ctx context.Context, c command, ready func(context.Context) error) error {
	child, err := startProcess(c)
	if err != nil {
		return err
	}
	if err := child.await(ctx, ready); err != nil {
		return errors.Join(err, child.kill())
	}
	p.process, p.PID = child, child.pid()
	return nil
}

// answerLimit is how long a process may take to answer when it is asked whether it is ready.
const answerLimit = 5 * time.Second

// readyAt succeeds when a tunic whose page for operators is there would serve clients.
func readyAt(admin string) func(context.Context) error {
	return func(ctx context.Context) error {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+admin+"/readyz", http.NoBody)
		if err != nil {
			return err
		}
		answer, err := (&http.Client{Timeout: answerLimit}).Do(request)
		if err != nil {
			return err
		}
		_ = answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			return errors.New(answer.Status)
		}
		return nil
	}
}

// greeted succeeds when a server of the MySQL protocol at addr sends the first
// bytes of its greeting: more than a listening socket, since it proves the way to
// the database behind it.
func greeted(addr string) func(context.Context) error {
	return func(ctx context.Context) error {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", addr)
		if err != nil {
			return err
		}
		defer conn.Close() //nolint:errcheck // read only
		if err := conn.SetReadDeadline(time.Now().Add(answerLimit)); err != nil {
			return err
		}
		_, err = io.ReadFull(conn, make([]byte, 5))
		return err
	}
}
