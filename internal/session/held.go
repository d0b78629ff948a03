package session

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

// locks reports whether the session may hold tables beyond the statement and the
// transaction under way.
func (st *State) locks() bool { return st.locked || st.frozen }

// isLocked reports whether LOCK TABLES may hold tables, and isFrozen whether FLUSH TABLES WITH READ LOCK may.
func (st *State) isLocked() bool { return st.locked }

func (st *State) isFrozen() bool { return st.frozen }

// holds reports whether the session holds a table for sure.
func (st *State) holds(t *catalog.Table, c *catalog.Catalog) bool { return st.held.has(t, c) }

// hold is after tables have been locked for sure, or all.
func (st *State) hold(l *sql.TableLocks) {
	if st.held.all = l.All; l.All {
		return
	}
	for i := range l.List {
		st.held.tables = append(st.held.tables, l.List[i].Table)
	}
}

// loosen is after a definition behind which tables may not be held any more.
func (st *State) loosen() { st.held.tables = nil }

// lock is what a session may hold, and holds.
type lock struct {
	locked bool
	held   held
}

// lock is what the session holds now.
func (st *State) lock() lock { return lock{st.locked, st.held} }

// relock takes back what a statement was taken to do that has locked nothing.
func (st *State) relock(before lock) { st.locked, st.held = before.locked, before.held }
