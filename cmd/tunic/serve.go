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
	Settings kong.Plugins `embed:""`
}

// Help is shown by `tunic serve --help`.
func (c *serveCmd) Help() string {
	return `Clients connect to --listen as they would to the database server of --backend, with the accounts and passwords they have there. tunic itself logs in with --service-user, whose password is in TUNIC_SERVICE_PASSWORD or --service-password-file.

    TUNIC_SERVICE_PASSWORD=... tunic serve --backend 127.0.0.1:3306 \
        --service-user tunic_service --key tunic.key

Every setting can also be an environment variable, TUNIC_ and the flag in capitals (--max-packet is TUNIC_MAX_PACKET), or a key of the TOML file. Flags override variables, which override the file. Unknown names are errors. docs/config.md explains each setting.

SIGTERM and SIGINT end tunic once the sessions have ended or --drain is over; a second one cuts off those that are left, and tunic ends with status 1; a third ends it on the spot. SIGHUP reads the TLS files for clients again, and nothing else.

Exit status: 0 ended by a signal; 2 a wrong flag or setting; 3 an address that is taken; 4 a database server that cannot be reached; 5 a key file; 6 the service account; 7 a TLS file; 8 the ledger of protected tables; 1 anything else. One line on standard error says what is wrong and what to do; docs/errors.md explains it.`
}

// Run serves until a signal.
func (c *serveCmd) Run(command *kong.Context) error {
	undenied := secret.DenyDumps() // before a password or key is read
	given := givenFlags(command)
	if path, set := given["config"]; set && path == "" {
		return &sqlerr.StartError{
			Code: sqlerr.CodeConfigFile, Setting: "--config", Problem: "names no file", Fix: "give a path, or leave the flag out",
		}
	}
	delete(given, "config")
	cfg, err := config.Load(config.Sources{Flags: given, Environ: os.Environ(), File: c.Config})
	if err != nil {
		return configError(err)
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
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	return serve(ctx, hurry, cfg, log, hangups)
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

// serve starts everything, answers clients until ctx is done, and drains until hurry
// is. At each hangup it reads the TLS files again.
func serve(ctx, hurry context.Context, cfg *config.Config, log *slog.Logger, hangups <-chan os.Signal) error {
	key, err := loadKey(ctx, cfg)
	if err != nil {
		return err
	}
	defer key.Wipe()
	m := newMetrics()
	proxy, err := server.New(ctx, cfg, key, m, log)
	if ctx.Err() != nil {
		return nil // a signal while the server was asked: nothing has begun
	}
	if err != nil {
		return err
	}
	defer proxy.Close()
	if err := proxy.Listen(); err != nil {
		return err
	}
	door, err := openAdmin(ctx, cfg.Admin, proxy, m, log) // after Listen: who reads "ready" there can connect
	if err != nil {
		return err
	}
	defer door.close()
	go reloadOn(ctx, hangups, proxy, log)
	log.Info("serving", "listen", listenText(proxy.Addr()), "backend", cfg.Backend.Address,
		"admin", door.address(), "policy", string(cfg.Policy.Default), "key", keyName(key), "version", version)
	serving, drain := context.WithCancel(context.WithoutCancel(ctx))
	defer drain()
	context.AfterFunc(ctx, func() {
		log.Info("draining", "limit", cfg.Limits.Drain.String()) // before anything that it does
		drain()
	})
	context.AfterFunc(hurry, proxy.CutOff)
	if err := proxy.Serve(serving); err != nil {
		return sqlerr.StartInternal(err)
	}
	if hurry.Err() != nil {
		return errHurried
	}
	log.Info("ended")
	return nil
}

// listenText is an address as --listen takes it.
func listenText(a net.Addr) string {
	if a.Network() == "unix" {
		return "unix:" + a.String()
	}
	return a.String()
}

// reloader is what can read its TLS files again.
type reloader interface{ ReloadTLS() error }

// reloadOn reads the TLS files again at each hangup. A mistake in them leaves
// the old ones in place: clients go on.
func reloadOn(ctx context.Context, hangups <-chan os.Signal, proxy reloader, log *slog.Logger) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-hangups:
			switch err := proxy.ReloadTLS(); {
			case errors.Is(err, server.ErrTLSDisabled):
				log.Info("nothing reloaded: SIGHUP is about TLS files only", "reason", err)
			case err != nil:
				log.Error("TLS files not reloaded, the old ones stay", "error", err)
			default:
				log.Info("TLS files reloaded")
			}
		}
	}
}

// adminDoor is the HTTP side door, or nothing when there is none.
type adminDoor struct {
	listener net.Listener
	stop     context.CancelFunc
	done     chan struct{}
}

// openAdmin listens on the address for operators. The door stays open while
// sessions drain, so that balancers and scrapes see it.
func openAdmin(ctx context.Context, cfg config.Admin, proxy *server.Server, m *metrics.Metrics, log *slog.Logger) (*adminDoor, error) {
	if cfg.Address == "" {
		return &adminDoor{}, nil
	}
	listener, err := net.Listen(config.Listening(cfg.Address))
	if err != nil {
		return nil, sqlerr.StartListen("--admin", cfg.Address, err)
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
