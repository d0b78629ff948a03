package transaction

import (
	"sync/atomic"

	"tunic/internal/catalog"
	"tunic/internal/plan"
	"tunic/internal/sql"
)

// Since are the catalogs for a transaction, which may see rows as they were when its snapshot
// was made: layers that have been filled since are not for it. A server makes the snapshot for
// the first read that does not lock, and not for BEGIN: until then the transaction sees what
// there is, and may go by it.
type Since struct {
	// began is the catalog from before the snapshot may have been made; nil between
	// transactions.
	began *catalog.Catalog
	// own is what it may go by, made of base.
	own, base *catalog.Catalog
	// fresh says that there was no snapshot before the command, and alone that each statement
	// was a transaction by itself then. sent says that the server has been told something of
	// the command since.
	fresh, alone, sent bool
	// asked says that the server was asked about tables for a statement of the transaction.
	asked bool
	// runs says that the command under way is of protected tables, and ran that one before was: it may have failed, and the
	// server keeps their definitions all the same.
	runs, ran bool
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

// Of is what the transaction may go by of a catalog.
func (s *Since) Of(base *catalog.Catalog) *catalog.Catalog {
	if s.began == nil || s.began == base || s.fresh && !s.sent {
		return base
	}
	if s.base != base {
		s.own, s.base = base.SeenSince(s.began, OwnVersion()), base
	}
	return s.own
}

// ownVersions counts the catalogs of sessions.
var ownVersions atomic.Uint64

// firstOwn is where no version of the database's catalog comes to.
const firstOwn = 1 << 63

// OwnVersion is the number of one more catalog of a session's own.
func OwnVersion() uint64 { return firstOwn + ownVersions.Add(1) }

// Open reports whether there is a transaction, or a statement that may begin one.
func (s *Since) Open() bool { return s.began != nil }

// Begins is before a statement, where nothing is open: if it begins a transaction, that sees what is
// there from now on. alone says that each statement is a transaction by itself.
func (s *Since) Begins(now *catalog.Catalog, alone bool) {
	*s = Since{began: now, fresh: true, alone: alone}
}

// Unsent reports whether the server has been told nothing of the transaction.
func (s *Since) Unsent() bool { return s.fresh && !s.sent }

// Asks is before the server is asked about tables for a statement.
func (s *Since) Asks() { s.asked = true }

// Named reports whether tables may have been named to the server in the transaction.
func (s *Since) Named() bool { return s.asked || s.ran || !s.Unsent() }

// Sends is before the server is told the first of a statement. Until then it may have waited
// for a change, and sees what that has made.
func (s *Since) Sends(now *catalog.Catalog) { s.began, s.sent = now, true }

// Sees notes, before the server is told something of a plan, whether it may make a snapshot
// for it. Of several plans that a command comes to each counts.
func (s *Since) Sees(p *plan.Plan) {
	s.runs = s.runs || p.Run() != nil
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

// SeesNothing is before something for which servers read no rows.
func (s *Since) SeesNothing() { s.reads = max(s.reads, snapshotNone) }

// SeesRows is before something for which they may.
func (s *Since) SeesRows() { s.reads, s.only = snapshotMade, nil }

// makesNone reports whether a server surely makes no snapshot for a plan: statements that write
// lock all that they read, also where tunic has them read first.
func makesNone(p *plan.Plan) bool {
	switch {
	case p.Run() != nil:
		return writesRows[p.Run().Kind]
	case !plan.Is[*plan.Forward](p) || p.Variables().Programs || len(p.Statements) != 1:
		return false
	}
	of := &p.Statements[0]
	return of.Kind == sql.Begin && !of.Effects.Tx.Has(sql.TxSnapshot) || of.Kind == sql.Select && len(p.Names) == 0 || of.Effects.Tx == sql.TxSavepoint
}

var writesRows = map[sql.Kind]bool{sql.Insert: true, sql.Replace: true, sql.Update: true, sql.Delete: true, sql.LoadData: true}

// SendsAgain is before a statement is planned again that the server has refused; unfenced says that it
// has named no fences. What one that is a transaction by itself has seen is over. There is no snapshot yet
// of one that makes none, nor of a query that has named its fences: it was refused before it read.
func (s *Since) SendsAgain(unfenced bool) {
	s.ran = s.ran || s.runs // the server keeps the definitions of what it has refused
	none := s.reads == snapshotNone || s.only != nil && plan.Is[*plan.Execute](s.only) && !unfenced
	if s.alone || s.fresh && none {
		s.sent, s.reads, s.only = false, snapshotUnknown, nil
	}
}

// Ends is after a transaction.
func (s *Since) Ends() { *s = Since{} }

// GoesOn is after a command that has not ended the transaction.
func (s *Since) GoesOn() {
	s.fresh = s.fresh && s.reads == snapshotNone
	s.ran, s.runs = s.ran || s.runs && s.sent, false
	s.alone, s.sent, s.reads, s.only = false, false, snapshotUnknown, nil
}

// Late reports whether the transaction may not go by all layers that there are.
func (s *Since) Late(now *catalog.Catalog) bool { return s.began != nil && s.Of(now) != now }
