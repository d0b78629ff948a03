package session

import (
	"context"

	"tunic/internal/catalog"
	"tunic/internal/plan"
	"tunic/internal/wire"
)

// catalog is the catalog as the session sees it.
func (s *Session) catalog() *catalog.Catalog {
	seen := s.since.Of(s.fencedCatalog())
	if s.attempt.Unfenced() {
		return s.without.Of(seen)
	}
	return seen
}

// fencedCatalog is the same for whoever may name fences, and begins no earlier than now.
func (s *Session) fencedCatalog() *catalog.Catalog {
	return s.temporaries.Over(s.passing.Of(s.shared.Ledger.Catalog(), &s.touched))
}

// temporary finds one of the session's temporary tables.
func (s *Session) temporary(schema, table string) *catalog.Table {
	if !s.temporaries.Any() {
		return nil
	}
	if t := s.catalog().Table(schema, table); s.temporaries.Has(t) {
		return t
	}
	return nil
}

// forgetTemporaries is after the server has dropped them all.
func (s *Session) forgetTemporaries() {
	for _, t := range s.temporaries.Forget() {
		s.shared.Definer.Forget(context.WithoutCancel(s.life), t)
	}
}

// beginsTransaction is before a statement.
func (s *Session) beginsTransaction() {
	if s.shared.Ledger != nil && !s.since.Open() {
		s.since.Begins(s.shared.Ledger.Catalog(), s.response.Status&wire.StatusAutocommit != 0)
	}
}

// sends is before the server is told the first of a statement.
func (s *Session) sends() {
	if s.since.Unsent() {
		s.since.Sends(s.shared.Ledger.Catalog())
	}
}

// endsTransaction is after one. What a statement that has failed began, where nothing
// commits by itself, the server does not tell.
func (s *Session) endsTransaction() {
	r := &s.response
	if r.Status&wire.StatusInTransaction == 0 && (r.Current || r.Status&wire.StatusAutocommit != 0) {
		s.since.Ends()
		return
	}
	s.since.GoesOn()
}

// late reports whether a transaction under way may not go by all layers that there are.
func (s *Session) late() bool {
	return s.shared.Ledger != nil && s.since.Open() && s.since.Late(s.shared.Ledger.Catalog())
}

// passes reports whether the session goes by a catalog without something that is coming.
func (s *Session) passes() bool {
	if !s.touched.HasNames() || s.shared.Ledger == nil {
		return false
	}
	now := s.shared.Ledger.Catalog()
	return s.passing.Of(now, &s.touched) != now
}

// touchesNames notes that a transaction has used plain tables, once the server has said so.
func (s *Session) touchesNames(p *plan.Plan) {
	if len(p.Names) == 0 || s.response.Failed || s.response.Status&wire.StatusInTransaction == 0 {
		return
	}
	s.touched.AddNames(p)
}

// keepsDefinitions reports whether the server keeps definitions of what it is asked about until a later
// statement ends the transaction.
func (s *Session) keepsDefinitions() bool {
	return s.response.Status&wire.StatusInTransaction != 0 || s.response.Status&wire.StatusAutocommit == 0
}
