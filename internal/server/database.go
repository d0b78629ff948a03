package server

import (
	"context"
	"log/slog"
	"time"

	"tunic/internal/backend"
	"tunic/internal/catalog"
	"tunic/internal/config"
	"tunic/internal/keys"
	"tunic/internal/ledger"
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

// ledgerWait is how long another tunic is waited for that makes the ledger: one that was killed
// lets go when the server notices that its connection is closed.
const ledgerWait = 10 * time.Second

// Ledger is what it takes to read the ledger, or to make it. What happens to it is told by errors.
func (d *Database) Ledger(key *keys.KEK) ledger.Options {
	return ledger.Options{
		DB: d.Service.DB(), Held: d.Service.Held(), KEK: key, Project: d.cfg.Project.ID, Types: catalog.TypesOf(d.Flavor), Wait: ledgerWait, Log: slog.New(slog.DiscardHandler),
	}
}

// InitLedger makes the ledger, if there is none, and returns its project.
func (d *Database) InitLedger(ctx context.Context, key *keys.KEK) (p keys.Project, made bool, err error) {
	if d.Flavor == value.TiDB {
		return p, false, sqlerr.StartLedger(sqlerr.LedgerUnreachable, errTiDB)
	}
	p, made, err = ledger.Init(ctx, d.Ledger(key))
	if err != nil {
		err = d.LedgerError(err)
	}
	return p, made, err
}

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
