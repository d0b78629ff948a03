package sql

import "tunic/internal/sql/lex"

// lockedTables is where in the list of tables behind FOR UPDATE OF, or FOR SHARE OF, a
// statement is.
type lockedTables uint8

const (
	lockedNone  lockedTables = iota
	lockedName               // a name comes
	lockedComma              // a name has come, and a comma may
)

// followLocked leaves out OF and the tables behind it, which MySQL has in a locking
// clause (MySQL manual, "Locking Reads"): the rows of the others are locked as well, of
// which no answer tells.
func (r *respeller) followLocked(t lex.Token, value []byte) bool {
	switch {
	case r.locked == lockedNone:
		if t != lex.Word || !lex.Is(value, "OF") || r.lx.Modes&MariaDB != 0 || !r.after("UPDATE", "SHARE") || r.kind == Update {
			return false
		}
		r.locked = lockedName
		return true
	case r.locked == lockedName && (t == lex.Word || t == lex.Quoted):
		r.locked = lockedComma
		return true
	case r.locked == lockedComma && t == lex.Comma:
		r.locked = lockedName
		return true
	}
	r.locked = lockedNone
	return false
}
