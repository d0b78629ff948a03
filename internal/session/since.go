package session

import (
	"tunic/internal/catalog"
	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/wire"
)

// since are the catalogs for a transaction, which may see rows as they were when its snapshot
// was made: layers that have been filled since are not for it. A server makes the snapshot for
// the first read that does not lock, and not for BEGIN: until then the transaction sees what
// there is, and may go by it.
type since struct {
	// began is the catalog from before the snapshot may have been made; nil between
	// transactions.
	began *catalog.Catalog
	// own is what it may go by, made of base.
	own, base *catalog.Catalog
	// fresh says that there was no snapshot before the command, and alone that each statement
	// was a transaction by itself then. sent says that the server has been told something of
	// the command since.
	fresh, alone, sent bool
	// reads is what the command under way does about a snapshot, and only the plan that it is
	// followed by; nil if there are several, or others have been before.
	reads snapshot
	only  *plan.Plan
}

// snapshot is whether a command may have made one: unless it is known not to, it has.
type snapshot uint8

const (
	snapshotUnknown snapshot = iota
	snapshotNone
	snapshotMade
)

func (s *since) of(base *catalog.Catalog) *catalog.Catalog {
	if s.began == nil || s.began == base || s.fresh && !s.sent {
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
		s.since = since{began: s.shared.Ledger.Catalog(), fresh: true, alone: s.response.Status&wire.StatusAutocommit != 0}
	}
}

// sends is before the server is told the first of a statement. Until then it may have waited
// for a change, and sees what that has made.
func (s *Session) sends() {
	if s.since.fresh && !s.since.sent {
		s.since.began, s.since.sent = s.shared.Ledger.Catalog(), true
	}
}

// sees notes, before the server is told something of a plan, whether it may make a snapshot
// for it. Of several plans that a command comes to each counts.
func (s *Session) sees(p *plan.Plan) {
	reads := snapshotMade
	if makesNone(p) {
		reads = snapshotNone
	}
	s.since.only = nil
	if s.since.reads == snapshotUnknown {
		s.since.only = p
	}
	s.since.reads = max(s.since.reads, reads)
}

// seesNothing is before something for which servers read no rows, and seesRows before
// something for which they may.
func (s *Session) seesNothing() { s.since.reads = max(s.since.reads, snapshotNone) }

func (s *Session) seesRows() { s.since.reads, s.since.only = snapshotMade, nil }

// makesNone reports whether a server surely makes no snapshot for a plan: statements that write
// lock all that they read, also where tunic has them read first.
func makesNone(p *plan.Plan) bool {
	switch {
	case p.Action == plan.Carry:
		return writesRows[p.Run.Kind]
	case p.Action != plan.Forward || p.Programs || len(p.Statements) != 1:
		return false
	}
	of := &p.Statements[0]
	return of.Kind == sql.Begin && !of.Effects.Tx.Has(sql.TxSnapshot) || of.Kind == sql.Select && len(p.Names) == 0 || of.Effects.Tx == sql.TxSavepoint
}

var writesRows = map[sql.Kind]bool{sql.Insert: true, sql.Replace: true, sql.Update: true, sql.Delete: true, sql.LoadData: true}

// sendsAgain is before a statement is planned again that the server has refused. What one
// that is a transaction by itself has seen is over. There is no snapshot yet of one that makes
// none, nor of a query that has named its fences: it was refused before it read.
func (s *Session) sendsAgain() {
	only := s.since.only
	none := s.since.reads == snapshotNone || only != nil && only.Action == plan.Carry && !s.unfenced
	if s.since.alone || s.since.fresh && none {
		s.since.sent, s.since.reads, s.since.only = false, snapshotUnknown, nil
	}
}

// endsTransaction is after one. What a statement that has failed began, where nothing
// commits by itself, the server does not tell.
func (s *Session) endsTransaction() {
	r := &s.response
	if r.Status&wire.StatusInTransaction == 0 && (r.Current || r.Status&wire.StatusAutocommit != 0) {
		s.since = since{}
		return
	}
	s.since.fresh = s.since.fresh && s.since.reads == snapshotNone
	s.since.alone, s.since.sent, s.since.reads, s.since.only = false, false, snapshotUnknown, nil
}

// late reports whether a transaction under way may not go by all layers that there are.
func (s *Session) late() bool {
	if s.shared.Ledger == nil || s.since.began == nil {
		return false
	}
	now := s.shared.Ledger.Catalog()
	return s.since.of(now) != now
}
