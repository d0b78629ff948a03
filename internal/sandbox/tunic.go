package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// TunicOptions says how to run tunic. Only Backend must be given.
type TunicOptions struct {
	Binary  string   // "" for this repository's own, built from its present sources
	Backend string   // "host:port" or "unix:path" of the database server
	Listen  string   // "host:port"; "" for a free port of 127.0.0.1
	Admin   string   // the same for the page for operators
	Args    []string // more flags of `tunic serve`, after ours
	Env     []string // added to the environment, "NAME=value"
	Dir     string   // working directory; "" for a temporary one
	// Protect gives it a key file, made in its folder if there is none, and leaves the
	// policy to Args: by default every column of a new table is protected.
	Protect bool
	// Proxied says that it greets those only who send a header of the PROXY protocol: its page for
	// operators is asked whether it is ready.
	Proxied bool
	Log     io.Writer // receives what tunic writes; may be nil
}

// StartTunic runs `tunic serve` with everything plain by default, the sandbox's
// service account and its self-signed pair in its own folder, and waits until a client that connects is greeted.
// The context bounds the start, not the life of the process.
func StartTunic(ctx context.Context, o TunicOptions) (*Proc, error) {
	binary, err := tunicBinary(ctx, o.Binary) // may take minutes where nothing is compiled yet
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, StartLimit)
	defer cancel()
	dir, err := openFolder(o.Dir, "tunic")
	if err != nil {
		return nil, err
	}
	p := &Proc{Dir: dir.path, folder: dir}
	if err := p.serve(ctx, binary, o); err != nil {
		return nil, errors.Join(err, dir.release())
	}
	return p, nil
}

func (p *Proc) serve(ctx context.Context, binary string, o TunicOptions) error {
	if err := p.chooseAddresses(o.Listen, o.Admin); err != nil {
		return err
	}
	args := []string{
		"serve", "--listen", p.Addr, "--backend", o.Backend, "--admin", p.AdminAddr,
		"--service-user", ServiceUser, "--drain", tunicDrain, "--tls-dir", filepath.Join(p.Dir, "tls"),
	}
	if o.Protect {
		key, err := keyFile(ctx, binary, p.Dir)
		if err != nil {
			return err
		}
		args = append(args, "--key", key)
	} else {
		args = append(args, "--policy-default", "plain")
	}
	var initialized error
	if args = slices.Concat(args, o.Args); slices.Contains(args, "--key") {
		initialized = p.initLedger(ctx, binary, args, o.Env)
	}
	ready := greeted(p.Addr)
	if o.Proxied {
		ready = readyAt(p.AdminAddr)
	}
	err := p.launch(ctx, command{
		path: binary,
		args: args,
		dir:  p.Dir,
		env:  slices.Concat(p.tunicEnv(), o.Env),
		log:  o.Log,
	}, ready)
	if err != nil {
		return errors.Join(err, initialized)
	}
	return nil
}

// keyFile is the key file in a folder, which tunic makes if there is none.
func keyFile(ctx context.Context, binary, dir string) (string, error) {
	key := filepath.Join(dir, "key")
	if _, err := os.Stat(key); err == nil {
		return key, nil
	}
	if out, err := exec.CommandContext(ctx, binary, "keygen", "--out", key).CombinedOutput(); err != nil {
		return "", fmt.Errorf("tunic keygen: %w: %s", err, out)
	}
	return key, nil
}

// initLedger has tunic make the ledger, if there is none, with the flags of tunic serve that it has as
// well. What hinders it need not hinder tunic serve.
func (p *Proc) initLedger(ctx context.Context, binary string, serve, env []string) error {
	args := []string{"init", "--quiet"}
	for i := 1; i+1 < len(serve); i++ {
		name, _, joined := strings.Cut(serve[i], "=")
		switch {
		case !strings.HasPrefix(name, "--key") && !strings.HasPrefix(name, "--backend") && !strings.HasPrefix(name, "--service-"):
		case joined:
			args = append(args, serve[i])
		default:
			args = append(args, serve[i], serve[i+1])
		}
	}
	init := exec.CommandContext(ctx, binary, args...)
	init.Dir, init.Env = p.Dir, slices.Concat(WithoutSettings(os.Environ()), p.tunicEnv(), env)
	if out, err := init.CombinedOutput(); err != nil {
		return fmt.Errorf("tunic init: %w: %s", err, out)
	}
	return nil
}

// tunicDrain is shorter than what Stop waits for: a client that hangs is no reason
// to kill.
const tunicDrain = "10s"

// raceLog is where the race detector's findings go, with ".PID" behind it.
const raceLog = "data-race"

func (p *Proc) tunicEnv() []string {
	return []string{
		"TUNIC_SERVICE_PASSWORD=" + ServicePassword,
		"GORACE=log_path=" + filepath.Join(p.Dir, raceLog),
	}
}

func (p *Proc) chooseAddresses(listen, admin string) (err error) {
	if p.Addr, err = chooseAddress(listen); err != nil {
		return err
	}
	p.AdminAddr, err = chooseAddress(admin)
	return err
}

// chooseAddress is an address, or one with a free port if it is "".
func chooseAddress(address string) (string, error) {
	if address != "" {
		return address, nil
	}
	port, err := freePort()
	return loopback(port), err
}

func tunicBinary(ctx context.Context, named string) (string, error) {
	if named != "" {
		return filepath.Abs(named)
	}
	return TunicBinary(ctx)
}
