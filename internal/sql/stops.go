package sql

import (
	"bytes"
	"errors"

	"vitess.io/vitess/go/vt/sqlparser"

	"tunic/internal/sql/lex"
)

// UnreadFrom is the line of a text, counted from 1, at which tunic stops reading it; 0 if it
// reads all of it, or does not know.
func UnreadFrom(text []byte, m Modes) int {
	all, err := Parse(text, m)
	if len(all) == 0 {
		return 0
	}
	last := &all[len(all)-1]
	at := -1
	if err != nil {
		at = uncleanFrom(text, last.Start, m)
	} else if len(all) == 1 {
		at = last.stops()
	}
	if at < 0 {
		return 0
	}
	return 1 + bytes.Count(text[:at], []byte("\n"))
}

// uncleanFrom is the first token behind an index that is not certain; -1 without one.
func uncleanFrom(text []byte, from int, m Modes) int {
	var lx lex.Lexer
	lx.Reset(text, m)
	for !lx.Unclean {
		if lx.Next() == lex.End {
			break
		}
	}
	if !lx.Unclean {
		return -1
	}
	return max(from, lx.From)
}

// stops is the index in the text of the token at which the respeller or the library stops; -1 if
// neither does, or does not say where.
func (s *Statement) stops() int {
	text := s.text[s.Start:s.End]
	r := respeller{out: make([]byte, 0, len(text)+16), kind: s.Kind, traced: true}
	spelled, err := r.respell(text, s.modes)
	switch {
	case err != nil && len(r.traces) > 0:
		return s.Start + r.traces[len(r.traces)-1][1]
	case err != nil:
		return -1
	}
	pos, ok := libraryStops(spelled.text)
	if !ok {
		return -1
	}
	at := -1
	for _, trace := range r.traces {
		if trace[0] < pos {
			at = s.Start + trace[1]
		}
	}
	return at
}

// libraryStops is the index behind the token at which the library stops.
func libraryStops(text string) (pos int, ok bool) {
	defer func() {
		if recover() != nil {
			pos, ok = 0, false // it panics on some texts
		}
	}()
	_, err := parser.ParseStrictDDL(text)
	placed, ok := errors.AsType[sqlparser.PositionedErr](err)
	return min(placed.Pos-1, len(text)), ok
}
