package sandbox

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// engine is one installed server program and what its flavor needs.
type engine struct {
	flavor     Flavor
	version    string
	program    []string                                        // the command that runs the server, with its first arguments
	options    []string                                        // of every start, after commonOptions
	without    string                                          // the common option that it is not started with, or ""
	noSync     []string                                        // of a start with Options.NoSync
	initialize func(ctx context.Context, dataDir string) error // makes an empty data directory, root without a password
	accounts   []string                                        // run once in a template
}

// commonOptions are understood by both flavors; Options.Args may override each.
var commonOptions = []string{
	"--local-infile=1",
	"--max-allowed-packet=64M",
	"--max-connections=1300", // tests open a thousand and look at what is left
	"--back-log=1024",
	"--character-set-server=utf8mb4",
	"--innodb-buffer-pool-size=256M",
	"--innodb-flush-log-at-trx-commit=2", // commits survive a kill of the server, not of the machine
	"--performance-schema=OFF",
	"--skip-log-bin",
	"--skip-name-resolve",
}

// innoDBNoSync has InnoDB write as ever, and never call fsync.
const innoDBNoSync = "--innodb-flush-method=nosync"

// run starts the server program on a data directory.
func (e *engine) run(dataDir string, log io.Writer, args ...string) (*process, error) {
	// A server that starts removes what it takes for leftovers from its folder for
	// temporary tables, so it must not share one with another server.
	tmpDir := dataDir + ".tmp"
	if err := os.MkdirAll(tmpDir, 0o700); err != nil {
		return nil, err
	}
	common := slices.DeleteFunc(slices.Clone(commonOptions), func(o string) bool {
		return e.without != "" && strings.HasPrefix(o, e.without+"=")
	})
	argv := slices.Concat(e.program[1:],
		[]string{"--no-defaults", "--datadir=" + dataDir, "--pid-file=" + dataDir + ".pid", "--tmpdir=" + tmpDir},
		asCurrentUser(), common, e.options, args)
	return startProcess(command{path: e.program[0], args: argv, dir: filepath.Dir(dataDir), log: log})
}

// asCurrentUser makes a server run as root when we are: it refuses to by
// default, as a system service should.
func asCurrentUser() []string {
	if os.Geteuid() == 0 {
		return []string{"--user=root"}
	}
	return nil
}

// fill makes a data directory out of the template, unless there is one already.
func (e *engine) fill(ctx context.Context, dataDir string) error {
	if _, err := os.Stat(dataDir); err == nil {
		return nil
	}
	template, err := e.template(ctx)
	if err != nil {
		return err
	}
	// os.CopyFS copies inside the kernel, and shares the blocks where the file
	// system can.
	if err := os.CopyFS(dataDir, os.DirFS(template)); err != nil {
		return fmt.Errorf("copy the %s template: %w", e.flavor, err)
	}
	return os.Chmod(dataDir, 0o700)
}

// template returns the template data directory of the engine's version, which it
// makes if it is missing. Only one process at a time makes it.
func (e *engine) template(ctx context.Context) (string, error) {
	dir := filepath.Join(StateDir(), "templates", e.templateName())
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return "", err
	}
	lock, err := lockFile(dir + ".lock")
	if err != nil {
		return "", err
	}
	defer lock.unlock()
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	if err := e.makeTemplate(ctx, dir); err != nil {
		return "", fmt.Errorf("make the %s template: %w", e.flavor, err)
	}
	return dir, nil
}

// templateName ends in a digest of the recipe, so that changed accounts get a new
// template.
func (e *engine) templateName() string {
	recipe := strings.Join(slices.Concat(e.accounts, e.options, commonOptions), "\n")
	digest := sha256.Sum256([]byte(recipe))
	return fmt.Sprintf("%s-%s-%s", strings.ToLower(string(e.flavor)), e.version, hex.EncodeToString(digest[:4]))
}

// makeTemplate prepares the data directory beside its place and moves it there
// when it is complete, so that a template that exists is whole.
func (e *engine) makeTemplate(ctx context.Context, dir string) error {
	work, err := os.MkdirTemp(filepath.Dir(dir), "making-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work) //nolint:errcheck // left-overs do no harm
	data := filepath.Join(work, "data")
	if err := e.initialize(ctx, data); err != nil {
		return err
	}
	if err := e.addAccounts(ctx, work, data); err != nil {
		return err
	}
	return os.Rename(data, dir)
}

// addAccounts runs the server on its socket alone to create the accounts, and
// shuts it down cleanly.
func (e *engine) addAccounts(ctx context.Context, work, data string) (err error) {
	socket, temporary, err := socketIn(work, "s")
	if err != nil {
		return err
	}
	if temporary != "" {
		defer os.RemoveAll(temporary) //nolint:errcheck // left-overs do no harm
	}
	p, err := e.run(data, nil, "--socket="+socket, "--skip-networking")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.stop()) }()
	ping := func(ctx context.Context) error { return execAll(ctx, socket, "", []string{"DO 1"}) }
	if err := p.await(ctx, ping); err != nil {
		return err
	}
	return execAll(ctx, socket, "", e.accounts)
}
