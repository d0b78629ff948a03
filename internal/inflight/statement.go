package inflight

import (
	"sync/atomic"

	"tunic/internal/catalog"
)

// Statement is the statement of a client that the server may have, with a plan of some kind. One goroutine begins and
// ends it, and any may ask of it. It is in flight from before it is planned, so that either it is planned by a new
// catalog, or who has made that sees it.
type Statement[P any] struct {
	// version is 1 more than that of the catalog that it was planned by, or of one before; 0 while there is none.
	version  atomic.Uint64
	plan     atomic.Pointer[P] // nil until it is planned
	outlived func(plan *P, now *catalog.Catalog) bool
	over     uint32
}

// New makes one that is not in flight. outlived says of a plan whether it would be another one by a newer catalog, true
// where in doubt.
func New[P any](outlived func(plan *P, now *catalog.Catalog) bool) *Statement[P] {
	return &Statement[P]{outlived: outlived}
}

// GoesOver notes the number of the connection by which the server gets it, before anybody else knows the statement.
func (s *Statement[P]) GoesOver(connection uint32) { s.over = connection }

// Connection implements Client.
func (s *Statement[P]) Connection() uint32 { return s.over }

// Begin begins one that is planned by a version of the catalog, or by a later one.
func (s *Statement[P]) Begin(version uint64) {
	s.plan.Store(nil)
	s.version.Store(version + 1)
}

// IsFor notes what it is planned as.
func (s *Statement[P]) IsFor(plan *P) { s.plan.Store(plan) }

// End is when the server has answered.
func (s *Statement[P]) End() {
	s.version.Store(0)
	s.plan.Store(nil) // an idle client keeps none
}

// Suspend ends one of which the server has got nothing yet. It is false if there is none; plan is nil if it is not planned.
func (s *Statement[P]) Suspend() (plan *P, was bool) {
	was, plan = s.version.Load() != 0, s.plan.Load()
	s.End()
	return plan, was
}

// Behind implements Client.
func (s *Statement[P]) Behind(version uint64, now *catalog.Catalog) (planned uint64, behind bool) {
	stored := s.version.Load()
	if stored == 0 || stored > version {
		return 0, false
	}
	plan := s.plan.Load()
	return stored - 1, plan == nil || s.outlived(plan, now)
}

// Left is the statement as it is left to the server when its client is no more; nil if it is not in flight.
func (s *Statement[P]) Left() *Statement[P] {
	version := s.version.Load()
	if version == 0 {
		return nil
	}
	left := New(s.outlived)
	left.over = s.over
	left.plan.Store(s.plan.Load())
	left.version.Store(version)
	return left
}
