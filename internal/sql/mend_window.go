package sql

import "vitess.io/vitess/go/vt/sqlparser"

// windowList is how far a WINDOW clause has been read. The library wants WINDOW before
// each window of a list, and not before the first alone.
type windowList struct {
	at    windowPart
	depth int // of parentheses around the clause
}

type windowPart uint8

// What comes next.
const (
	windowNone   windowPart = iota // there is no clause
	windowName                     // the first window's name
	windowAs                       // AS
	windowOpen                     // what opens the window
	windowInside                   // what closes it
	windowClosed                   // a comma, or what ends the clause
	windowOther                    // another window's name
)

// followWindows follows a WINDOW clause and writes WINDOW where the library misses it.
func (r *respeller) followWindows(t token, value []byte) {
	w := &r.windows
	word := t == tokenWord || t == tokenQuoted
	switch {
	case t == tokenNote || t == tokenCode || t == tokenCodeEnd:
	case w.at == windowInside:
		if t == tokenClose && r.depth == w.depth+1 {
			w.at = windowClosed
		}
	case t == tokenWord && is(value, "WINDOW") && r.prev != tokenDot:
		w.at = windowName
	case (w.at == windowAs) != (t == tokenWord && is(value, "AS")):
		w.at = windowNone
	case w.at == windowAs:
		w.at = windowOpen
	case w.at == windowName && word:
		w.at = windowAs
	case w.at == windowOpen && t == tokenOpen:
		w.at, w.depth = windowInside, r.depth
	case w.at == windowClosed && t == tokenComma:
		w.at = windowOther
	case w.at == windowOther && word:
		r.out = append(r.out, " WINDOW"...)
		w.at = windowAs
	default:
		w.at = windowNone
	}
}

// joinWindows makes one clause again of those that were written.
func (t *Tree) joinWindows() {
	_ = sqlparser.Walk(func(n sqlparser.SQLNode) (bool, error) {
		if s, ok := n.(*sqlparser.Select); ok && len(s.Windows) > 1 {
			all := &sqlparser.NamedWindow{}
			for _, w := range s.Windows {
				all.Windows = append(all.Windows, w.Windows...)
			}
			s.Windows = sqlparser.NamedWindows{all}
		}
		return true, nil
	}, nil, t.nodes()...)
}
