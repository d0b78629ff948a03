package session

import (
	"sync/atomic"

	"tunic/internal/catalog"
	"tunic/internal/plan"
	"tunic/internal/sql"
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
		s.own, s.base = base.SeenSince(s.began, ownVersion()), base
	}
	return s.own
}

// ownVersions numbers the catalogs of sessions, from where no version of the
// database's catalog comes to.
var ownVersions atomic.Uint64

func init() { ownVersions.Store(1 << 63) }

// ownVersion is the number of one more catalog of a session's own.
func ownVersion() uint64 { return ownVersions.Add(1) }

// open reports whether there is a transaction, or a statement that may begin one.
func (s *since) open() bool { return s.began != nil }

// begins is before a statement, where nothing is open: if it begins a transaction, that sees what is
// there from now on. alone says that each statement is a transaction by itself.
func (s *since) begins(now *catalog.Catalog, alone bool) {
	*s = since{began: now, fresh: true, alone: alone}
}

// unsent reports whether the server has been told nothing of the transaction.
func (s *since) unsent() bool { return s.fresh && !s.sent }

// sends is before the server is told the first of a statement. Until then it may have waited
// for a change, and sees what that has made.
func (s *since) sends(now *catalog.Catalog) { s.began, s.sent = now, true }

// sees notes, before the server is told something of a plan, whether it may make a snapshot
// for it. Of several plans that a command comes to each counts.
func (s *since) sees(p *plan.Plan) {
	reads := snapshotMade
	if makesNone(p) {
		reads = snapshotNone
	}
	s.only = nil
	if s.reads == snapshotUnknown {
		s.only = p
	}
	s.reads = max(s.reads, reads)
}

// seesNothing is before something for which servers read no rows, and seesRows before
// something for which they may.
func (s *since) seesNothing() { s.reads = max(s.reads, snapshotNone) }

func (s *since) seesRows() { s.reads, s.only = snapshotMade, nil }

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

// sendsAgain is before a statement is planned again that the server has refused; unfenced says that it
// has named no fences. What one that is a transaction by itself has seen is over. There is no snapshot yet
// of one that makes none, nor of a query that has named its fences: it was refused before it read.
func (s *since) sendsAgain(unfenced bool) {
	none := s.reads == snapshotNone || s.only != nil && s.only.Action == plan.Carry && !unfenced
	if s.alone || s.fresh && none {
		s.sent, s.reads, s.only = false, snapshotUnknown, nil
	}
}

// ends is after a transaction.
func (s *since) ends() { *s = since{} }

// goesOn is after a command that has not ended the transaction.
func (s *since) goesOn() {
	s.fresh = s.fresh && s.reads == snapshotNone
	s.alone, s.sent, s.reads, s.only = false, false, snapshotUnknown, nil
}

// late reports whether the transaction may not go by all layers that there are.
func (s *since) late(now *catalog.Catalog) bool { return s.began != nil && s.of(now) != now }
