package session

import (
	"context"
	"slices"
	"sync/atomic"

	"tunic/internal/catalog"
	"tunic/internal/ddl"
)

// temporaries are the session's temporary protected tables. Nobody else sees them,
// so the catalog does not have them; the session has one of its own that does.
type temporaries struct {
	tables []*catalog.Table
	// own is the catalog with them in it, made of base.
	own, base *catalog.Catalog
}

// change takes over what a definition has done.
func (t *temporaries) change(r ddl.Result) {
	if r.Temporary == nil && len(r.Dropped) == 0 {
		return
	}
	gone := func(old *catalog.Table) bool {
		return r.Temporary != nil && old.ID == r.Temporary.ID || slices.Contains(r.Dropped, old)
	}
	t.tables = slices.DeleteFunc(t.tables, gone)
	if r.Temporary != nil {
		t.tables = append(t.tables, r.Temporary)
	}
	t.own, t.base = nil, nil
}

// over is the catalog with the session's tables in it. One of the same name hides
// one that is not temporary, as it does at the server.
func (t *temporaries) over(base *catalog.Catalog) *catalog.Catalog {
	if len(t.tables) == 0 {
		return base
	}
	if t.base != base {
		t.own, t.base = base.Next(ownVersions.Add(1), nil, t.tables), base
	}
	return t.own
}

// ownVersions numbers the catalogs of sessions, from where no version of the
// database's catalog comes to.
var ownVersions atomic.Uint64

func init() { ownVersions.Store(1 << 63) }

// catalog is the catalog as the session sees it.
func (s *Session) catalog() *catalog.Catalog {
	seen := s.since.of(s.fencedCatalog())
	if s.unfenced {
		return s.without.of(seen)
	}
	return seen
}

// fencedCatalog is the same for whoever may name fences, and begins no earlier than now.
func (s *Session) fencedCatalog() *catalog.Catalog {
	return s.temporaries.over(s.passing.of(s.shared.Ledger.Catalog(), &s.touched))
}

// temporary finds one of the session's temporary tables.
func (s *Session) temporary(schema, table string) *catalog.Table {
	if len(s.temporaries.tables) == 0 {
		return nil
	}
	if t := s.catalog().Table(schema, table); slices.Contains(s.temporaries.tables, t) {
		return t
	}
	return nil
}

// forgetTemporaries is after the server has dropped them all.
func (s *Session) forgetTemporaries() {
	for _, t := range s.temporaries.tables {
		s.shared.Definer.Forget(context.WithoutCancel(s.life), t)
	}
	s.temporaries = temporaries{}
}
