package main

import (
	"io"
	"log/slog"

	"tunic/internal/config"
)

// logLevels are slog's levels by their names in the configuration.
var logLevels = map[config.LogLevel]slog.Level{
	config.LogDebug: slog.LevelDebug,
	config.LogInfo:  slog.LevelInfo,
	config.LogWarn:  slog.LevelWarn,
	config.LogError: slog.LevelError,
}

// newLogger writes one line for each event to w, as text or JSON.
func newLogger(cfg config.Log, w io.Writer) *slog.Logger {
	options := &slog.HandlerOptions{Level: logLevels[cfg.Level]}
	if cfg.Format == config.LogJSON {
		return slog.New(slog.NewJSONHandler(w, options))
	}
	return slog.New(slog.NewTextHandler(w, options))
}
