package state

import (
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/sql"
)

// held are the tables that a session has locked. A table of the list whose lock has
// ended without a word is one that statements are refused on by the server.
type held struct {
	tables []sql.TableName // with their schemas, as they were written
	all    bool            // FLUSH TABLES WITH READ LOCK
}

// has reports whether a table is among them.
func (h *held) has(t *catalog.Table, c *catalog.Catalog) bool {
	return h.all || slices.ContainsFunc(h.tables, func(n sql.TableName) bool {
		return c.SameName(n.Schema, t.Schema) && c.SameName(n.Name, t.Name)
	})
}

// Locks reports whether the session may hold tables beyond the statement and the
// transaction under way.
func (st *State) Locks() bool { return st.locked || st.frozen }

// IsLocked reports whether LOCK TABLES may hold tables.
func (st *State) IsLocked() bool { return st.locked }

// IsFrozen reports whether FLUSH TABLES WITH READ LOCK may.
func (st *State) IsFrozen() bool { return st.frozen }

// Holds reports whether the session holds a table for sure.
func (st *State) Holds(t *catalog.Table, c *catalog.Catalog) bool { return st.held.has(t, c) }

// HoldsAll reports whether the session has FLUSH TABLES WITH READ LOCK for sure.
func (st *State) HoldsAll() bool { return st.held.all }

// Hold is after tables have been locked for sure, or all.
func (st *State) Hold(l *sql.TableLocks) {
	if st.held.all = l.All; l.All {
		return
	}
	for i := range l.List {
		st.held.tables = append(st.held.tables, l.List[i].Table)
	}
}

// Loosen is after a definition behind which tables may not be held any more.
func (st *State) Loosen() { st.held.tables = nil }

// Locks are what a session may hold, and holds.
type Locks struct {
	locked bool
	held   held
}

// Held is what the session holds now.
func (st *State) Held() Locks { return Locks{st.locked, st.held} }

// Relock takes back what a statement was taken to do that has locked nothing.
func (st *State) Relock(before Locks) { st.locked, st.held = before.locked, before.held }
