package server

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"tunic/internal/advice"
	"tunic/internal/backend"
	"tunic/internal/binding"
	"tunic/internal/budget"
	"tunic/internal/catalog"
	"tunic/internal/config"
	"tunic/internal/crypt"
	"tunic/internal/ddl"
	"tunic/internal/exec"
	"tunic/internal/jobs"
	"tunic/internal/keys"
	"tunic/internal/ledger"
	"tunic/internal/policy"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// protection is what it takes to serve protected tables.
type protection struct {
	ledger    *ledger.Ledger
	describer *backend.Describer
	engine    *exec.Engine
	definer   *ddl.Definer
	jobs      *jobs.Runner
	// endRecovery ends what the definer recovers in the background; nil before it began.
	endRecovery func()
	types       catalog.Types
	ofKey       bool // the key file names the project
	advisor     *advice.Advisor
	// stopCounting ends the counting of seals; nil before it began.
	stopCounting func()
	// stopAdvising ends what looks at use in the background; nil before it began.
	stopAdvising func()
}

// errTiDB refuses what was never tried.
var errTiDB = errors.New("this version has no protected tables on TiDB")

// protect opens the ledger of the database's protected tables.
func (s *Server) protect(ctx context.Context, kek *keys.KEK, flavor value.Flavor) (*protection, error) {
	if flavor == value.TiDB {
		return nil, sqlerr.StartLedger(sqlerr.LedgerUnreachable, errTiDB)
	}
	rules, err := policyOf(s.cfg.Policy)
	if err != nil {
		return nil, err
	}
	types := catalog.TypesOf(flavor)
	options := ledger.Options{DB: s.service.DB(), Held: s.service.Held(), KEK: kek, Project: s.cfg.Project.ID, Types: types, Serves: true, Log: s.log}
	if file := s.cfg.Project.StateFile; file != "" {
		if options.Seen, err = ledger.OpenSeen(file); err != nil {
			return nil, sqlerr.StartStateFile(file, err)
		}
	}
	apart, err := s.service.Galera(ctx)
	if err != nil {
		return nil, ledgerError(s.cfg.Key.File, err)
	}
	held, err := ledger.Open(ctx, options)
	if err != nil {
		return nil, ledgerError(s.cfg.Key.File, err)
	}
	seals := new(crypt.Seals)
	p := &protection{ledger: held, types: types, ofKey: kek.Project() != keys.Project{}, describer: backend.NewDescriber(s.service)}
	p.definer = ddl.New(ddl.Options{DB: s.service.DB(), Ledger: held, Policy: rules, Flavor: flavor, Seals: seals, Log: s.log})
	p.suspect(ctx, s.log)
	book := advice.NewBook(s.cfg.Policy.Layers == config.LayersAdvise)
	ring, checks := crypt.NewRingCounting(held.Tree(), seals), newCollationChecks(s.service, s.log)
	p.engine = exec.New(exec.Options{
		Forms: binding.FormsOf{
			Column: func(c *catalog.Column) (binding.Forms, error) {
				if err := checks.check(c.Type.Collation); err != nil {
					return nil, err
				}
				return ring.Column(c)
			},
			Family: ring.Family,
		},
		Apart: apart, Describe: p.describer, OpenFailures: &s.metrics.OpenFailures, MovedTokens: &s.metrics.MovedTokens, Log: s.log,
		RowCacheBytes: rowCacheBytes(s.cfg.RowCache.Bytes, s.memory), RowCache: &s.metrics.RowCache,
		Advice: book, Advised: &s.metrics.Advice,
		Memory: s.memory, Local: budget.Budget{Rows: int64(s.cfg.Local.Rows), Bytes: s.cfg.Local.Bytes, TotalBytes: s.cfg.Local.TotalBytes},
	})
	p.endRecovery = p.definer.Upkeep.Keep(context.WithoutCancel(ctx))
	if err := p.definer.Upkeep.Sweep(ctx); err != nil {
		p.close()
		return nil, ledgerError(s.cfg.Key.File, err)
	}
	p.jobs = jobs.New(ctx, jobs.Options{Ledger: held, Log: s.log, Metrics: &s.metrics.Jobs}, jobs.LayerKinds(p.definer.Layers)...)
	p.count(s, kek.ID(), ring, seals)
	p.advise(s, book, ring)
	return p, nil
}

// strangersTime is how long a start waits to know which tables have the mark of a stored one.
const strangersTime = 10 * time.Second

// suspect has tables be looked at before they are used that have the mark of a stored one and are not of the ledger. A
// client would get what is stored in them, and write values in the clear.
func (p *protection) suspect(ctx context.Context, log *slog.Logger) {
	ctx, cancel := context.WithTimeout(ctx, strangersTime)
	defer cancel()
	strangers, err := p.ledger.Strangers(ctx)
	if err != nil {
		log.Warn("it is not known whether there are tables of another ledger", "error", err)
	}
	for _, s := range strangers {
		log.Warn("a table looks like a table of tunic's and is not in the ledger: statements on it are refused", "table", s.Schema+"."+s.Name)
	}
	p.definer.Suspect(strangers)
}

// warnUnpinned says what cannot be noticed at a start.
func (s *Server) warnUnpinned(p keys.Project) {
	if s.cfg.Project.ID == [16]byte{} && !s.protection.ofKey {
		s.log.Warn("a ledger that somebody has replaced is not noticed at a start: set --project", "project", p.String())
	}
	if s.cfg.Project.StateFile == "" {
		s.log.Info("without --project-state-file tunic does not notice at a start that the ledger is an older copy", "project", p.String())
	}
}

// warnWaiting says which rules let tables be used in the clear.
func (s *Server) warnWaiting() {
	for _, r := range s.live.Load().Policy.Rules {
		if r.Waits {
			s.log.Warn("plain tables under a rule are used in the clear until tunic encrypt has protected them: the rule has waits = true", "columns", r.Columns)
		}
	}
}

func (p *protection) close() {
	if p != nil {
		if p.stopAdvising != nil {
			p.stopAdvising()
		}
		if p.stopCounting != nil {
			p.stopCounting()
		}
		if p.jobs != nil {
			p.jobs.Close()
		}
		if p.endRecovery != nil {
			p.endRecovery()
		}
		p.definer.Close()
		p.describer.Close()
		p.ledger.Close()
	}
}

// keyModes are what the words of policy.keys mean.
var keyModes = map[config.PolicyKeys]policy.Keys{
	config.KeysAllow: policy.KeysAllow, config.KeysWarn: policy.KeysWarn, config.KeysRefuse: policy.KeysRefuse,
}

// PolicyOf is the policy of a configuration, for commands that stand beside who serves.
func PolicyOf(c *config.Config) (*policy.Policy, error) { return policyOf(c.Policy) }

// policyOf reads the policy of the configuration.
func policyOf(c config.Policy) (*policy.Policy, error) {
	p := &policy.Policy{Keys: keyModes[c.Keys], Together: c.Families == config.FamiliesTogether}
	if c.Default == config.PolicyProtect {
		p.Default.Protected = true
		switch c.Ceiling {
		case config.CeilingEquality:
			p.Default.Allowed = policy.Equality
		case config.CeilingOrder:
			p.Default.Allowed = policy.Equality | policy.Order
		case config.CeilingSealed:
		}
	}
	for _, r := range c.Rules {
		rule, err := policy.ParseRule(r.Columns, r.Protection)
		if err != nil {
			return nil, sqlerr.StartPolicy(r.From, err)
		}
		rule.Waits = r.Waits
		p.Rules = append(p.Rules, rule)
	}
	return p, nil
}

// ledgerError gives a ledger that cannot be used its code.
func ledgerError(key string, err error) error {
	switch {
	case errors.Is(err, keys.ErrOtherKey):
		return sqlerr.StartOtherKey(key)
	case errors.Is(err, ledger.ErrHeld):
		return sqlerr.StartLedger(sqlerr.LedgerHeld, nil)
	case errors.Is(err, ledger.ErrForm):
		return sqlerr.StartLedger(sqlerr.LedgerForm, nil)
	case errors.Is(err, ledger.ErrUnexplained):
		return sqlerr.StartLedger(sqlerr.LedgerUnexplained, nil)
	case errors.Is(err, ledger.ErrNone):
		return sqlerr.StartLedger(sqlerr.LedgerAbsent, nil)
	case errors.Is(err, ledger.ErrStored):
		return sqlerr.StartLedger(sqlerr.LedgerGone, err)
	case errors.Is(err, ledger.ErrOtherProject):
		return sqlerr.StartLedger(sqlerr.LedgerOther, nil)
	case errors.Is(err, ledger.ErrOlder):
		return sqlerr.StartLedger(sqlerr.LedgerOlder, nil)
	case errors.Is(err, ledger.ErrDamaged), errors.Is(err, keys.ErrMaster):
		return sqlerr.StartLedger(sqlerr.LedgerDamaged, err)
	}
	if ledger.Denied(err) {
		return sqlerr.StartLedger(sqlerr.LedgerUnreachable, err)
	}
	return sqlerr.StartLedger(sqlerr.LedgerFailed, err)
}

// refuseUnkeyed keeps a tunic without a key away from a database with protected
// tables. An account that may not see schema _tunic sees none.
func (s *Server) refuseUnkeyed(ctx context.Context) error {
	var tables int
	err := s.service.DB().QueryRowContext(ctx,
		"SELECT COUNT(*) FROM information_schema.TABLES WHERE TABLE_SCHEMA = '"+catalog.Schema+"'").Scan(&tables)
	switch {
	case err != nil:
		return sqlerr.StartBackendDown(s.cfg.Backend.Address, err)
	case tables > 0:
		return sqlerr.StartKeyAbsent()
	}
	return nil
}

// flavorOf is what kind of server says such a version in its greeting.
func flavorOf(version []byte) value.Flavor {
	switch m := sql.Modes(0).WithServer(string(version)); {
	case m&sql.MariaDB != 0:
		return value.MariaDB
	case m&sql.TiDB != 0:
		return value.TiDB
	}
	return value.MySQL
}
