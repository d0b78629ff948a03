package main

import (
	"context"
	"errors"
	"log/slog"
	"net"

	"tunic/internal/server"
	"tunic/internal/sqlerr"
	"tunic/internal/takeover"
)

// sockets are where a tunic that serves listens.
type sockets struct {
	takeover.Sockets
	given *takeover.Given // by the tunic before; nil without one
	at    takeover.Addresses
	path  string // of the takeover socket, "" without one
	log   *slog.Logger
}

// listen has the server listen: at a socket of systemd's, at that of the tunic before, or at one of
// its own.
func (p *process) listen(ctx context.Context, proxy *server.Server) (*sockets, error) {
	s := &sockets{
		at: takeover.Addresses{Listen: p.cfg.Listen, Admin: p.cfg.Admin.Address}, path: p.cfg.TakeoverSocket, log: p.log,
	}
	made, err := takeover.Systemd()
	if err != nil {
		return nil, sqlerr.StartSystemd(err)
	}
	s.Sockets = *made
	if s.Clients == nil && p.takeover {
		if err := s.ask(ctx); err != nil {
			return nil, err
		}
	}
	if s.Clients != nil {
		proxy.ListenAt(s.Clients)
		return s, nil
	}
	err = proxy.Listen()
	s.Clients = proxy.Listener()
	return s, err
}

// ask asks the tunic before for its sockets.
func (s *sockets) ask(ctx context.Context) error {
	given, err := takeover.Ask(ctx, s.path, s.at)
	switch {
	case errors.Is(err, takeover.ErrNobody):
		s.log.Info("nobody to take over from: listening anew", "socket", s.path)
		return nil
	case err != nil:
		return sqlerr.StartTakeover(s.path, err)
	}
	s.given, s.Sockets = given, given.Sockets
	return nil
}

// ready tells the tunic before that it is to accept no more.
func (s *sockets) ready() error {
	if s.given != nil {
		if err := s.given.Ready(); err != nil {
			s.log.Warn("the tunic before did not say that it accepts no more: it has ended, or hears it later", "pid", s.given.PID, "error", err)
		} else {
			s.log.Info("taken over", "pid", s.given.PID)
		}
	}
	if s.path == "" || s.Asked != nil {
		return nil
	}
	l, err := takeover.Listen(s.path)
	if err != nil {
		return sqlerr.StartListen("--takeover-socket", s.path, err)
	}
	s.Asked = l
	return nil
}

// give hands the sockets to the next tunic once it asks.
func (s *sockets) give(admin net.Listener, handOver func()) *takeover.Giver {
	if s.Asked == nil {
		return nil
	}
	return takeover.Give(s.Asked, takeover.Sockets{Clients: s.Clients, Admin: admin}, s.at, s.log, handOver)
}

// close gives back what a start that went no further has been given.
func (s *sockets) close() {
	if s.given != nil {
		s.given.Close()
	}
}
