package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"time"

	"tunic/internal/config"
	"tunic/internal/metrics"
	"tunic/internal/server"
	"tunic/internal/sqlerr"
)

// reload reads the configuration again and has it used. It is all as before after an error, which
// has a code.
type reload func() (config.Changes, error)

// reloadInto is what a hangup asks for.
func (p *process) reloadInto(proxy *server.Server, m *metrics.Metrics) reload {
	current := p.cfg
	return func() (config.Changes, error) {
		next, changes, err := config.Reload(p.sources, current)
		if err != nil {
			err = configError(err)
		} else {
			err = proxy.Reload(next)
		}
		if err != nil {
			m.Reloaded.Set(0)
			return changes, err
		}
		current = next
		m.Reloaded.Set(1)
		m.ReloadedAt.Set(time.Now().Unix())
		return changes, nil
	}
}

// reloadOn reloads at each hangup.
func reloadOn(ctx context.Context, hangups <-chan os.Signal, again reload, log *slog.Logger) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-hangups:
			changes, err := again()
			if err != nil {
				log.Error("nothing reloaded: all stays as it was", "code", codeOf(err), "error", err)
				continue
			}
			log.Info("reloaded", "changed", changes.Applied, "needs_restart", changes.Restart)
		}
	}
}

// codeOf is the code of an error.
func codeOf(err error) string {
	if start, ok := errors.AsType[*sqlerr.StartError](err); ok {
		return start.Code.String()
	}
	return sqlerr.StartInternal(err).Code.String()
}
