package transaction

import (
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl"
	"tunic/internal/resolve"
)

// Temporaries are the session's temporary protected tables. Nobody else sees them,
// so the catalog does not have them; the session has one of its own that does.
type Temporaries struct {
	tables []*catalog.Table
	// own is the catalog with them in it, made of base.
	own, base *catalog.Catalog
}

// Change takes over what a definition has done.
func (t *Temporaries) Change(r ddl.Result) {
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

// Over is the catalog with the session's tables in it. One of the same name hides
// one that is not temporary, as it does at the server.
func (t *Temporaries) Over(base *catalog.Catalog) *catalog.Catalog {
	if len(t.tables) == 0 {
		return base
	}
	if t.base != base {
		t.own, t.base = base.Next(OwnVersion(), nil, t.tables), base
	}
	return t.own
}

// Any reports whether there is one.
func (t *Temporaries) Any() bool { return len(t.tables) > 0 }

// Has reports whether a table is one of them.
func (t *Temporaries) Has(table *catalog.Table) bool { return slices.Contains(t.tables, table) }

func (t *Temporaries) hasName(n resolve.Name, folds bool) bool {
	return slices.ContainsFunc(t.tables, func(of *catalog.Table) bool {
		return of.Schema == n.Schema && of.Name == n.Table || folds && strings.EqualFold(of.Schema, n.Schema) && strings.EqualFold(of.Name, n.Table)
	})
}

// Forget forgets them all, and returns them.
func (t *Temporaries) Forget() []*catalog.Table {
	all := t.tables
	*t = Temporaries{}
	return all
}
