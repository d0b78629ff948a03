package sql

import (
	"bytes"

	"tunic/internal/sql/lex"
)

// MariaDB takes a call of a function for a column's DEFAULT without parentheses around
// it, and shows it so: in SHOW CREATE TABLE, and so in dumps. The library knows the ones
// of the clock alone.

// calledDefault is such a call that is read.
type calledDefault struct {
	open  bool
	depth int // of what the call stands in
}

// close writes the parenthesis behind the call.
func (d *calledDefault) close(r *respeller, t lex.Token) {
	if d.open && t == lex.Close && r.depth == d.depth {
		d.open = false
		r.out = append(r.out, " )"...)
	}
}

// callsDefault says that the word begins such a call.
func (r *respeller) callsDefault(w []byte) bool {
	if r.lx.Modes&MariaDB == 0 || r.depth > 1 || !r.after("DEFAULT") {
		return false
	}
	for _, clock := range []string{"CURRENT_TIMESTAMP", "LOCALTIME", "LOCALTIMESTAMP", "NOW"} {
		if lex.Is(w, clock) {
			return false
		}
	}
	rest := bytes.TrimLeft(r.lx.Text[r.lx.Pos:], " \t\r\n")
	return len(rest) > 0 && rest[0] == '('
}
