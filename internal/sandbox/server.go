package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Flavor is the family of a database server.
type Flavor string

// The flavors a sandbox can run.
const (
	MariaDB Flavor = "MariaDB"
	MySQL   Flavor = "MySQL"
)

// ErrUnavailable says that a program the sandbox needs is not on this machine. The
// error that wraps it names the program and the command that installs it. Tests
// skip on it. MariaDB or HAProxy missing where everything must be there
// (TUNIC_REQUIRE_CLIENTS=1) is another error, on which they fail.
var ErrUnavailable = errors.New("not installed")

// StartLimit is how long a server may take to answer its first query. The
// caller's context can only shorten it.
const StartLimit = 90 * time.Second

// startTries is how often a start is tried again when another process took the
// free port between finding and using it.
const startTries = 5

// Options says how to run a database server. The zero value is a server on a
// free port with its data in a temporary folder.
type Options struct {
	Dir  string    // folder of the server's files; "" for a temporary one. Data found in it is kept.
	Port int       // TCP port on 127.0.0.1; 0 for a free one
	Args []string  // more options of the server program, after ours: the last one wins
	Log  io.Writer // receives what the server writes to its error log; may be nil
	TLS  bool      // make a CA and a certificate for 127.0.0.1 and localhost, and offer TLS

	// NoSync has the server not wait for the disk: what it has written survives its own
	// kill, but not a loss of power. Tests spend half of their time on those waits otherwise.
	NoSync bool

	// EncryptFiles has MariaDB encrypt its tables, logs and temporary files, with a key
	// in the folder. Where its plug-in is missing the error wraps ErrUnavailable.
	EncryptFiles bool
}

// Server is a private database server process.
type Server struct {
	Flavor  Flavor
	Version string // as the server program prints it: "10.11.6-MariaDB", "9.7.0"
	Dir     string
	Socket  string // path of the unix socket
	Addr    string // "127.0.0.1:port"
	PID     int    // changes with Restart
	CAFile  string // the PEM file of the CA that signed the server's certificate; "" without Options.TLS

	engine    *engine
	options   Options
	folder    *folder
	socketDir string // a temporary folder of the socket, or ""
	port      int
	process   *process
}

// StartMariaDB starts the MariaDB server that is installed on this machine. The
// context bounds the start, not the life of the server.
func StartMariaDB(ctx context.Context, o Options) (*Server, error) {
	e, err := mariaDB()
	if err != nil {
		return nil, err
	}
	return start(ctx, e, o)
}

// StartMySQL starts the MySQL server that scripts/install-mysql.sh has put below
// .tunic/mysql. Where there is none the error wraps ErrUnavailable. The context
// bounds the start, not the life of the server.
func StartMySQL(ctx context.Context, o Options) (*Server, error) {
	e, err := mySQL()
	if err != nil {
		return nil, err
	}
	return start(ctx, e, o)
}

func start(ctx context.Context, e *engine, o Options) (*Server, error) {
	dir, err := openFolder(o.Dir, strings.ToLower(string(e.flavor)))
	if err != nil {
		return nil, fmt.Errorf("folder for %s: %w", e.flavor, err)
	}
	s := &Server{Flavor: e.flavor, Version: e.version, Dir: dir.path, engine: e, options: o, folder: dir}
	if err := s.begin(ctx); err != nil {
		return nil, errors.Join(err, s.release())
	}
	return s, nil
}

// begin prepares the folder and launches the server for the first time.
func (s *Server) begin(ctx context.Context) (err error) {
	ctx, cancel := context.WithTimeout(ctx, StartLimit)
	defer cancel()
	if s.Socket, s.socketDir, err = socketIn(s.Dir, "server.sock"); err != nil {
		return err
	}
	if err := s.engine.fill(ctx, s.dataDir()); err != nil {
		return err
	}
	if s.options.TLS {
		if s.CAFile, err = makeCertificates(s.Dir); err != nil {
			return err
		}
	}
	if s.options.EncryptFiles {
		if err := makeFileKey(s.Dir, s.engine); err != nil {
			return err
		}
	}
	for try := 1; ; try++ {
		if s.port, err = choosePort(s.options.Port); err != nil {
			return err
		}
		err = s.launch(ctx)
		if err == nil || s.options.Port != 0 || try == startTries || !portTaken(err) {
			return err
		}
	}
}

// portTaken recognises the complaint of a server whose port is in use.
func portTaken(err error) bool {
	var failed *StartError
	return errors.As(err, &failed) && strings.Contains(failed.Output, "ddress already in use")
}

// launch starts the process on the folder and the port and waits until it
// answers a query.
func (s *Server) launch(ctx context.Context) error {
	s.Addr = loopback(s.port)
	p, err := s.engine.run(s.dataDir(), s.options.Log, s.args()...)
	if err != nil {
		return err
	}
	if err := p.await(ctx, func(ctx context.Context) error { return s.Exec(ctx, "DO 1") }); err != nil {
		return errors.Join(err, p.kill())
	}
	s.process, s.PID = p, p.pid()
	return nil
}

func (s *Server) args() []string {
	args := []string{"--socket=" + s.Socket, "--port=" + strconv.Itoa(s.port), "--bind-address=127.0.0.1"}
	if s.CAFile != "" {
		args = append(args, certificateArgs(s.Dir)...)
	}
	if s.options.EncryptFiles {
		args = append(args, fileEncryptionArgs(s.Dir)...)
	}
	if s.options.NoSync {
		args = append(args, s.engine.noSync...)
	}
	return append(args, s.options.Args...)
}

func (s *Server) dataDir() string { return filepath.Join(s.Dir, "data") }

// Stop ends the server in order, by force if that takes too long, and removes its
// folder if it is a temporary one. Stopping a stopped server does nothing.
func (s *Server) Stop() error {
	return errors.Join(s.process.stop(), s.release())
}

func (s *Server) release() error {
	err := s.folder.release()
	if s.socketDir != "" {
		err = errors.Join(err, os.RemoveAll(s.socketDir))
	}
	return err
}

// Kill ends the server with SIGKILL, as a crash would. Its folder stays for
// Restart.
func (s *Server) Kill() error { return s.process.kill() }

// Restart stops the server if it runs and starts it again in the same folder and
// on the same port. A server that Stop has ended cannot be restarted when its
// folder was a temporary one.
func (s *Server) Restart(ctx context.Context) error {
	if err := s.process.stop(); err != nil {
		return err
	}
	if _, err := os.Stat(s.dataDir()); err != nil {
		return fmt.Errorf("restart %s: its folder is gone: %w", s.Flavor, err)
	}
	if s.socketDir != "" {
		if err := os.MkdirAll(s.socketDir, 0o700); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, StartLimit)
	defer cancel()
	return s.launch(ctx)
}

// Done is closed when the server has ended. Restart makes a new channel.
func (s *Server) Done() <-chan struct{} { return s.process.done }

// HostPort returns host and port of the TCP address, for command lines that want
// them apart.
func (s *Server) HostPort() (host, port string) {
	host, port, _ = net.SplitHostPort(s.Addr) // we made Addr
	return host, port
}
