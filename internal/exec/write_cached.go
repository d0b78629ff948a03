package exec

import (
	"errors"

	"tunic/internal/exec/said"
	"tunic/internal/sqlerr"
)

// A row that is in the cache is written as in write_guarded.go, and not read before:
//
//	rowcache.Cache ──► row ──► UPDATE … WHERE key AND sealed <=> as it was
//
// If it is another one by now it is read after all.

// seeksCached reports whether the row of a statement is looked for in the cache.
func (s *Session) seeksCached(st *Statement, own bool) bool {
	return s.recall.Cache.Keeps() && st.Run.Key != nil && s.mayCompare(st, own) && st.cached.Tries()
}

// missesCached is behind a look for a row in the cache that has found none.
func (s *Session) missesCached(st *Statement) {
	s.recall.Cache.Misses(st.Run.Table)
	s.engine.options.RowCache.Misses.Inc()
}

// cached carries out such a statement; done is false if the row is to be read.
func (w *writer) cached() (done bool, err error) {
	s := w.session
	notices := s.binder.Notices
	err = w.cachedBatch()
	if _, refused := errors.AsType[*sqlerr.Error](err); err != nil && !refused {
		return false, err
	}
	if err != nil || len(w.batch.ends) == 0 {
		s.recall.Discard()
		return false, w.again(notices)
	}
	w.pushBatch()
	if err := w.Flush(); err != nil {
		return false, err
	}
	r, err := w.Await()
	switch {
	case err != nil:
		return false, err
	case r.Failed != nil:
		return false, w.refusedFirst(r.Failed)
	case !w.own && outside(r.OK.Status):
		return false, w.gone()
	case said.MatchedRows(&r.OK) == 0:
		s.recall.Discard()
		w.st.cached.Failed()
		s.engine.options.RowCache.Stale.Inc()
		return false, w.again(notices)
	}
	w.st.cached.Succeeded()
	s.engine.options.RowCache.Hits.Inc()
	return true, w.written(&r.OK, 0)
}

// cachedBatch computes the row, and the statement that writes it if it changes.
func (w *writer) cachedBatch() error {
	if err := w.takeKnown(); err != nil {
		return err
	}
	w.batch.begin(w)
	w.takeSealed()
	return w.guardedRow()
}
