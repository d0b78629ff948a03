package session

import (
	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/plan"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// attempting makes of a session the attempt.Client whose statements are attempted.
type attempting struct{ session *Session }

// Locks implements attempt.Client.
func (a attempting) Locks() bool { return a.session.state.Locks() }

// HoldsAll implements attempt.Client.
func (a attempting) HoldsAll() bool { return a.session.state.HoldsAll() }

// Holds implements attempt.Client.
func (a attempting) Holds(t *catalog.Table, c *catalog.Catalog) bool {
	return a.session.state.Holds(t, c)
}

// Refusal implements attempt.Client.
func (a attempting) Refusal(tables []*catalog.Table) *sqlerr.Error {
	for _, t := range tables {
		if t.Plain() {
			continue
		}
		if a.session.entry.Outsider {
			return sqlerr.AccountPlain()
		}
		if definer := a.session.shared.Definer; definer != nil {
			if column := definer.GuardedPlain(t); column != "" {
				return sqlerr.ColumnPlain(t.Name, column)
			}
		}
	}
	return nil
}

// InTransaction implements attempt.Client.
func (a attempting) InTransaction() bool {
	return a.session.response.Status&wire.StatusInTransaction != 0
}

// MayHold implements attempt.Client.
func (a attempting) MayHold() bool {
	s := a.session
	return s.keepsDefinitions() && (s.transaction.Touched.Any() || s.transaction.Since.Named())
}

// retrying does something that is planned, as often as it is out of date: see attempt.Attempt.Retry.
func (s *Session) retrying(do, again func() error) error {
	refusal, err := s.attempt.Retry(do, func(refused bool) error {
		if refused {
			s.shared.Metrics.Replanned.Inc()
			s.transaction.Since.SendsAgain(s.attempt.Unfenced())
		}
		return again()
	})
	if refusal != nil {
		return s.failWith(refusal)
	}
	return err
}

// perform does what a plan says with a text.
func (s *Session) perform(p *plan.Plan, q wire.Query) error {
	defer s.haveCalled(p)
	if s.shared.Ledger == nil {
		return s.performPlanned(p, q)
	}
	var using []binding.Variable // which are let go of with the statement
	if s.exec != nil {
		using = s.exec.Used()
	}
	return s.retrying(func() error { return s.performPlanned(p, q) }, func() error {
		again, err := s.plan(q.Text)
		if err != nil {
			return err
		}
		if len(using) > 0 {
			s.exec.Using(using)
		}
		if again.ActionNumber() != p.ActionNumber() && !s.fits(again) {
			return s.failAnew(plan.NeedsPreparing())
		}
		defer s.haveCalled(again)
		return s.performPlanned(again, q)
	})
}

// fits reports whether a text that was prepared can be done by a plan, in the current schema and with the values that
// there are for its parameters. The server would read a text that is forwarded in the schema that is current now,
// and knows no values.
func (s *Session) fits(p *plan.Plan) bool {
	w := wayOf(p.Action)
	return (!s.moved() || w.is(moves)) && (s.exec == nil || len(s.exec.Used()) == 0 || w.is(takes))
}
