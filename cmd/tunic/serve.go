package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"

	"tunic/internal/admin"
	"tunic/internal/config"
	"tunic/internal/metrics"
	"tunic/internal/secret"
	"tunic/internal/server"
	"tunic/internal/sqlerr"
)

// serveCmd is the proxy itself.
type serveCmd struct {
	Config   string       `placeholder:"FILE" help:"TOML file with settings."`
	Takeover bool         `help:"Take the listening sockets over from the tunic at --takeover-socket, which then drains and ends; listen anew if there is none."`
	Settings kong.Plugins `embed:""`
}

// Help is shown by `tunic serve --help`.
func (c *serveCmd) Help() string {
	return `Clients connect to --listen as they would to the database server of --backend, with the accounts and passwords they have there. tunic itself logs in with --service-user, whose password is in TUNIC_SERVICE_PASSWORD or --service-password-file.

    TUNIC_SERVICE_PASSWORD=... tunic serve --backend 127.0.0.1:3306 \
        --service-user tunic_service --key tunic.key

Every setting can also be an environment variable, TUNIC_ and the flag in capitals (--max-packet is TUNIC_MAX_PACKET), or a key of the TOML file. Flags override variables, which override the file. Unknown names are errors. tunic help config explains each setting.

SIGTERM and SIGINT end tunic: /readyz answers 503 for --drain-delay, then tunic listens no more and ends once the sessions have ended or --drain is over. A second signal cuts off those that are left, and tunic ends with status 1; a third ends it on the spot.

SIGHUP reads the configuration file again: policy, accounts, limits and the TLS files for clients, all of it or, after a mistake, nothing. The log says what has changed and what needs a restart.

With --takeover a new tunic goes on at the sockets of the one that runs, and no client is refused meanwhile. Sockets that systemd has made (LISTEN_FDS) are used in place of --listen and --admin. tunic help high-availability has the rest.

Exit status: 0 ended by a signal; 2 a wrong flag or setting; 3 an address that is taken; 4 a database server that cannot be reached; 5 a key file; 6 the service account; 7 a TLS file; 8 the ledger of protected tables; 1 anything else. One line on standard error says what is wrong and what to do, with a code; tunic help CODE explains it.`
}

// Run serves until a signal.
func (c *serveCmd) Run(command *kong.Context) error {
	undenied := secret.DenyDumps()     // before a password or key is read
	hangups := make(chan os.Signal, 1) // a file that is changed while it is read is read again
	signal.Notify(hangups, syscall.SIGHUP)
	given := givenFlags(command)
	if path, set := given["config"]; set && path == "" {
		return &sqlerr.StartError{
			Code: sqlerr.CodeConfigFile, Setting: "--config", Problem: "names no file", Fix: "give a path, or leave the flag out",
		}
	}
	delete(given, "config")
	delete(given, "takeover")
	sources := config.Sources{Flags: given, Environ: os.Environ(), File: c.Config}
	cfg, err := config.Load(sources)
	if err != nil {
		return configError(err)
	}
	if c.Takeover && cfg.TakeoverSocket == "" {
		return &sqlerr.StartError{Code: sqlerr.CodeConflict, Setting: "--takeover", Problem: "needs --takeover-socket", Fix: "give the socket of the tunic to take over from"}
	}
	log := newLogger(cfg.Log, os.Stderr)
	if undenied != nil {
		log.Warn("a core dump could show what tunic holds", "error", undenied)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	hurry, cut := context.WithCancel(context.Background())
	defer cut()
	ends := make(chan os.Signal, 3) // the next may come before one is read
	signal.Notify(ends, os.Interrupt, syscall.SIGTERM)
	go endOn(ends, cancel, cut, log)
	p := &process{cfg: cfg, sources: sources, takeover: c.Takeover, log: log, drain: cancel}
	return p.serve(ctx, hurry, hangups)
}

// endOn drains at the first signal, cuts off what is left at the second, and ends
// the process at the third.
func endOn(signals <-chan os.Signal, drain, cut func(), log *slog.Logger) {
	<-signals
	drain()
	<-signals
	log.Warn("a second signal: sessions are cut off")
	cut()
	<-signals
	log.Warn("a third signal: tunic ends on the spot")
	os.Exit(sqlerr.ExitInternal)
}

// errHurried is an end that did not wait for sessions as long as it was to.
var errHurried = errors.New("ended by a second signal, before the sessions or --drain")

// process is a tunic that serves.
type process struct {
	cfg      *config.Config
	sources  config.Sources // of cfg, to be read again
	takeover bool
	log      *slog.Logger
	drain    func() // begins the end, as SIGTERM does
}

// serve starts everything, answers clients until ctx is done, and drains until hurry
// is. At each hangup it reads the configuration again.
func (p *process) serve(ctx, hurry context.Context, hangups <-chan os.Signal) error {
	key, err := loadKey(ctx, p.cfg)
	if err != nil {
		return err
	}
	defer key.Wipe()
	m := newMetrics()
	proxy, err := server.New(ctx, p.cfg, key, m, p.log)
	if ctx.Err() != nil {
		return nil // a signal while the server was asked: nothing has begun
	}
	if err != nil {
		return err
	}
	defer proxy.Close()
	s, err := p.listen(ctx, proxy)
	if err != nil {
		return err
	}
	defer s.close()
	door, err := openAdmin(ctx, p.cfg.Admin, s.Admin, proxy, m, p.log) // after listen: who reads "ready" there can connect
	if err != nil {
		return err
	}
	defer door.close()
	if err := s.ready(); err != nil {
		return err
	}
	giver := s.give(door.listener, func() {
		p.log.Info("another tunic has taken over")
		proxy.HandOver()
		door.close()
		p.drain()
	})
	go func() {
		<-proxy.Left()
		giver.Stop() // the next tunic is to listen anew
	}()
	defer giver.Stop()
	go reloadOn(ctx, hangups, p.reloadInto(proxy, m), p.log)
	p.log.Info("serving", "listen", listenText(proxy.Addr()), "backend", p.cfg.Backend.Address,
		"admin", door.address(), "policy", string(p.cfg.Policy.Default), "key", keyName(key), "version", version)
	return p.untilEnded(ctx, hurry, proxy)
}

// untilEnded answers clients until ctx is done and the sessions have ended, or hurry is done.
func (p *process) untilEnded(ctx, hurry context.Context, proxy *server.Server) error {
	serving, drain := context.WithCancel(context.WithoutCancel(ctx))
	defer drain()
	context.AfterFunc(ctx, func() {
		limits := proxy.Limits()
		p.log.Info("draining", "delay", limits.DrainDelay.String(), "limit", limits.Drain.String()) // before anything that it does
		drain()
	})
	context.AfterFunc(hurry, proxy.CutOff)
	if err := proxy.Serve(serving); err != nil {
		return sqlerr.StartInternal(err)
	}
	if hurry.Err() != nil {
		return errHurried
	}
	p.log.Info("ended")
	return nil
}

// listenText is an address as --listen takes it.
func listenText(a net.Addr) string {
	if a.Network() == "unix" {
		return "unix:" + a.String()
	}
	return a.String()
}

// adminDoor is the HTTP side door, or nothing when there is none.
type adminDoor struct {
	listener net.Listener
	stop     context.CancelFunc
	done     chan struct{}
}

// openAdmin listens on the address for operators, unless there is a listener already. The door stays open while
// sessions drain, so that balancers and scrapes see it.
func openAdmin(ctx context.Context, cfg config.Admin, listener net.Listener, proxy *server.Server, m *metrics.Metrics, log *slog.Logger) (*adminDoor, error) {
	if listener == nil {
		if cfg.Address == "" {
			return &adminDoor{}, nil
		}
		var err error
		if listener, err = net.Listen(config.Listening(cfg.Address)); err != nil {
			return nil, sqlerr.StartListen("--admin", cfg.Address, err)
		}
	}
	open, stop := context.WithCancel(context.WithoutCancel(ctx))
	door := &adminDoor{listener: listener, stop: stop, done: make(chan struct{})}
	draining := func() bool { return ctx.Err() != nil }
	state := proxy.Status(version, commit(), draining)
	pages := admin.New(admin.Options{
		Metrics: m, Ready: proxy.Ready, Draining: draining, Pprof: cfg.Pprof, Log: log,
		Status: state, Token: cfg.Token.Reveal(), Loopback: isLoopback(listener.Addr()),
	})
	recorded := make(chan struct{})
	go func() {
		defer close(recorded)
		state.Run(open)
	}()
	go func() {
		defer close(door.done)
		defer func() { stop(); <-recorded }()
		if err := pages.Serve(open, listener); err != nil {
			log.Error("the admin address is not served any more", "error", err)
		}
	}()
	return door, nil
}

// isLoopback reports whether an address is one of this machine for itself alone.
func isLoopback(a net.Addr) bool {
	tcp, ok := a.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// address is where the door is, "" when there is none.
func (d *adminDoor) address() string {
	if d.listener == nil {
		return ""
	}
	return d.listener.Addr().String()
}

func (d *adminDoor) close() {
	if d.listener != nil {
		d.stop()
		<-d.done
	}
}

// configError gives a mistake in the configuration its code and exit status.
func configError(err error) error {
	mistake, ok := errors.AsType[*config.Error](err)
	if !ok {
		return sqlerr.StartInternal(err)
	}
	return &sqlerr.StartError{
		Code: configCodes[mistake.Kind], Setting: mistake.Setting, Problem: mistake.Problem, Fix: mistake.Fix,
	}
}

var configCodes = map[config.Kind]sqlerr.Code{
	config.UnknownSetting:   sqlerr.CodeUnknownSetting,
	config.BadValue:         sqlerr.CodeBadValue,
	config.Missing:          sqlerr.CodeMissing,
	config.BadFile:          sqlerr.CodeConfigFile,
	config.Conflict:         sqlerr.CodeConflict,
	config.Unprotected:      sqlerr.CodeUnprotected,
	config.BadPasswordFile:  sqlerr.CodePasswordFile,
	config.OpenPasswordFile: sqlerr.CodePasswordMode,
}
