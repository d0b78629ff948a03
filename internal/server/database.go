package server

import (
	"context"
	"log/slog"

	"tunic/internal/backend"
	"tunic/internal/config"
	"tunic/internal/policy"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// Database is the database server as commands use it that work beside the tunic that
// serves: over the service account alone.
type Database struct {
	Service *backend.Service
	Flavor  value.Flavor
	cfg     *config.Config
}

// OpenDatabase makes sure of the database server and of the service account, with the
// errors of [New].
func OpenDatabase(ctx context.Context, cfg *config.Config, log *slog.Logger) (*Database, error) {
	s := &Server{cfg: cfg, log: log}
	if err := s.openBackend(); err != nil {
		return nil, err
	}
	if err := s.probe(ctx); err != nil {
		_ = s.service.Close()
		return nil, err
	}
	return &Database{Service: s.service, Flavor: s.flavor, cfg: cfg}, nil
}

// Close ends its connections.
func (d *Database) Close() error { return d.Service.Close() }

// Policy is the policy of the configuration, which is to be that of the tunics that serve.
func (d *Database) Policy() (*policy.Policy, error) { return policyOf(d.cfg.Policy) }

// LedgerError gives a ledger that cannot be read its code.
func (d *Database) LedgerError(err error) error { return ledgerError(d.cfg.Key.File, err) }

// openBackend prepares the target and the service account.
func (s *Server) openBackend() (err error) {
	if s.target, err = backend.NewTarget(s.cfg.Backend); err != nil {
		return sqlerr.StartTLSFile("--backend-ca", s.cfg.Backend.CA, err)
	}
	if s.service, err = backend.NewService(s.target, s.cfg.Service); err != nil {
		return sqlerr.StartInternal(err)
	}
	return nil
}
