package sql

import "bytes"

// Mentions says whether match is true of any name in the statement. Every
// identifier and keyword is a name here; in a statement that may run other
// statements from text, so are the words of its strings. The empty name stands
// for what cannot be read: the rest of a text that cannot be lexed, an optimizer hint,
// a statement in a variable. The words of a comment that only other servers execute
// are names as well.
func (s *Statement) Mentions(match func(name []byte) bool) bool {
	var runsText bool
	switch s.Kind {
	case Prepare, ExecuteImmediate, Unknown, TiDBStatement, VitessStatement:
		runsText = true
	default:
		runsText = kinds[s.Kind].flags&program != 0
	}
	return mentions(s.text[s.Start:s.End], s.modes, runsText, match)
}

func mentions(text []byte, m Modes, runsText bool, match func(name []byte) bool) bool {
	var lx lexer
	lx.reset(text, m)
	for t := lx.next(); t > tokenError; t = lx.next() {
		found := false
		switch c := (&cursor{lx: lx, t: t}); t {
		case tokenWord:
			found = match(lx.value())
		case tokenQuoted:
			found = match([]byte(c.identifier()))
		case tokenString, tokenNString:
			found = runsText && mentions([]byte(c.stringValue()), m, true, match)
		case tokenVar:
			found = runsText && match(nil)
		case tokenNote:
			found = noted(lx.value(), m, match)
		}
		if found {
			return true
		}
	}
	return lx.unclean && match(nil)
}

// noted is mentions for a hint, or for a comment that only other servers execute.
func noted(note []byte, m Modes, match func(name []byte) bool) bool {
	_, body, executable := bytes.Cut(note[:len(note)-len("*/")], []byte("!"))
	if note[2] == '+' || !executable {
		return match(nil)
	}
	return mentions(body, m, true, match)
}
