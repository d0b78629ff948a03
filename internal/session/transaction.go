package session

import (
	"context"

	"tunic/internal/catalog"
	"tunic/internal/plan"
	"tunic/internal/transaction"
	"tunic/internal/wire"
)

// temporary finds one of the session's temporary tables.
func (s *Session) temporary(schema, table string) *catalog.Table {
	if !s.transaction.Temporaries.Any() {
		return nil
	}
	if t := s.attempt.Catalog().Table(schema, table); s.transaction.Temporaries.Has(t) {
		return t
	}
	return nil
}

// forgetTemporaries is after the server has dropped them all.
func (s *Session) forgetTemporaries() {
	for _, t := range s.transaction.Temporaries.Forget() {
		s.shared.Definer.Forget(context.WithoutCancel(s.life), t)
	}
	s.transaction.Plain = transaction.PlainTemporaries{}
}

// beginsTransaction is before a statement.
func (s *Session) beginsTransaction() {
	if s.shared.Ledger != nil && !s.transaction.Since.Open() {
		s.transaction.Since.Begins(s.shared.Ledger.Catalog(), s.response.Status&wire.StatusAutocommit != 0)
	}
}

// sends is before the server is told the first of a statement.
func (s *Session) sends() {
	if s.transaction.Since.Unsent() {
		s.transaction.Since.Sends(s.shared.Ledger.Catalog())
	}
}

// endsTransaction is after one. What a statement that has failed began, where nothing
// commits by itself, the server does not tell.
func (s *Session) endsTransaction() {
	r := &s.response
	if r.Status&wire.StatusInTransaction == 0 && (r.Current || r.Status&wire.StatusAutocommit != 0) {
		s.transaction.Since.Ends()
		return
	}
	s.transaction.Since.GoesOn()
}

// touchesNames notes that a transaction has used plain tables, once the server has said so.
func (s *Session) touchesNames(p *plan.Plan) {
	if len(p.Names) == 0 || s.response.Failed || s.response.Status&wire.StatusInTransaction == 0 {
		return
	}
	s.transaction.Touched.AddNames(p)
}

// keepsDefinitions reports whether the server keeps definitions of what it is asked about until a later
// statement ends the transaction.
func (s *Session) keepsDefinitions() bool {
	return s.response.Status&wire.StatusInTransaction != 0 || s.response.Status&wire.StatusAutocommit == 0
}
