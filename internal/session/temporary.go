package session

import (
	"slices"

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
		t.own, t.base = base.Next(ownVersion(), nil, t.tables), base
	}
	return t.own
}

// any reports whether there is one.
func (t *temporaries) any() bool { return len(t.tables) > 0 }

// has reports whether a table is one of them.
func (t *temporaries) has(table *catalog.Table) bool { return slices.Contains(t.tables, table) }

// forget forgets them all, and returns them.
func (t *temporaries) forget() []*catalog.Table {
	all := t.tables
	*t = temporaries{}
	return all
}
