package session

import (
	"tunic/internal/catalog"
	"tunic/internal/wire"
)

// since are the catalogs for a transaction, which may see rows as they were when it began:
// layers that have been filled since are not for it.
type since struct {
	// began is the catalog from before the transaction, or the command, was begun; nil
	// between them.
	began *catalog.Catalog
	// own is what it may go by, made of base.
	own, base *catalog.Catalog
	// idle says that no transaction was under way before the command, alone that each
	// statement was one by itself then, and sent that the server has been told something of
	// the command since.
	idle, alone, sent bool
}

func (s *since) of(base *catalog.Catalog) *catalog.Catalog {
	if s.began == nil || s.began == base || s.idle && !s.sent {
		return base
	}
	if s.base != base {
		s.own, s.base = base.SeenSince(s.began, ownVersions.Add(1)), base
	}
	return s.own
}

// beginsTransaction is before a statement: if it begins a transaction, that sees what is
// there from now on.
func (s *Session) beginsTransaction() {
	if s.since.began == nil && s.shared.Ledger != nil {
		s.since = since{began: s.shared.Ledger.Catalog(), idle: true, alone: s.response.Status&wire.StatusAutocommit != 0}
	}
}

// sends is before the server is told the first of a statement that is carried out. Until
// then it may have waited for a change, and sees what that has made.
func (s *Session) sends() {
	if s.since.idle && !s.since.sent {
		s.since.began, s.since.sent = s.shared.Ledger.Catalog(), true
	}
}

// sendsAgain is before a statement is planned again that the server has refused. What one
// that is a transaction by itself has seen is over.
func (s *Session) sendsAgain() {
	if s.since.alone {
		s.since.sent = false
	}
}

// endsTransaction is after one. What a statement that has failed began, where nothing
// commits by itself, the server does not tell.
func (s *Session) endsTransaction() {
	r := &s.response
	if r.Status&wire.StatusInTransaction == 0 && (r.Current || r.Status&wire.StatusAutocommit != 0) {
		s.since = since{}
	}
	s.since.idle = false
}

// late reports whether a transaction under way may not go by all layers that there are.
func (s *Session) late() bool {
	if s.shared.Ledger == nil || s.since.began == nil {
		return false
	}
	now := s.shared.Ledger.Catalog()
	return s.since.of(now) != now
}
