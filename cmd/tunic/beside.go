package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"

	"tunic/internal/config"
	"tunic/internal/keys"
	"tunic/internal/secret"
	"tunic/internal/server"
	"tunic/internal/sqlerr"
)

// beside is what commands stand on that work with the database beside the tunic that serves it.
type beside struct {
	cfg      *config.Config
	database *server.Database
	key      *keys.KEK
	log      *slog.Logger
	screen   *screen
}

// besideServing opens the key and the database of a configuration for a command, and does its work,
// whose context a signal ends.
func besideServing(command *kong.Context, configuration func(*kong.Context) (*config.Config, error), do func(context.Context, *beside) error) error {
	if err := secret.DenyDumps(); err != nil {
		fmt.Fprintln(command.Stderr, "tunic: core dumps are not switched off: "+err.Error())
	}
	cfg, err := configuration(command)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	screen := newScreen(command.Stderr, os.Stderr)
	if givenFlags(command)["quiet"] == "true" && cfg.Log.Level == config.LogInfo {
		cfg.Log.Level = config.LogWarn // the rest is how far the work is
	}
	log := newLogger(cfg.Log, screen)
	key, err := loadKey(ctx, cfg)
	if err != nil {
		return err
	}
	defer key.Wipe()
	database, err := server.OpenDatabase(ctx, cfg, log)
	if err != nil {
		return err
	}
	defer func() { _ = database.Close() }()
	return do(ctx, &beside{cfg: cfg, database: database, key: key, log: log, screen: screen})
}

// settingsBeside reads the settings, but for the flags that are the command's own; a key has to be
// among them.
func settingsBeside(command *kong.Context, file string, own ...string) (*config.Config, error) {
	given := givenFlags(command)
	delete(given, "config")
	for _, flag := range own {
		delete(given, flag)
	}
	cfg, err := config.Load(config.Sources{Flags: given, Environ: os.Environ(), File: file})
	if err != nil {
		return nil, configError(err)
	}
	if cfg.Key.File == "" {
		return nil, &sqlerr.StartError{Code: sqlerr.CodeMissing, Setting: "--key", Problem: "is not set"}
	}
	return cfg, nil
}
