package sql

import (
	"vitess.io/vitess/go/vt/sqlparser"

	"tunic/internal/sql/lex"
)

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
func (r *respeller) followWindows(t lex.Token, value []byte) {
	w := &r.windows
	word := t == lex.Word || t == lex.Quoted
	switch {
	case t == lex.Note || t == lex.Code || t == lex.CodeEnd:
	case w.at == windowInside:
		if t == lex.Close && r.depth == w.depth+1 {
			w.at = windowClosed
		}
	case t == lex.Word && lex.Is(value, "WINDOW") && r.prev != lex.Dot:
		w.at = windowName
	case (w.at == windowAs) != (t == lex.Word && lex.Is(value, "AS")):
		w.at = windowNone
	case w.at == windowAs:
		w.at = windowOpen
	case w.at == windowName && word:
		w.at = windowAs
	case w.at == windowOpen && t == lex.Open:
		w.at, w.depth = windowInside, r.depth
	case w.at == windowClosed && t == lex.Comma:
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
