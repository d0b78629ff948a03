package sql

// Mentions says whether match is true of any name in the statement. Every
// identifier and keyword is a name here; in a statement that may run other
// statements from text, so are the words of its strings. The empty name stands
// for what cannot be read: the rest of a text that cannot be lexed, an optimizer hint,
// a statement in a variable. A comment that only other servers execute is a comment:
// this one does not look at it, and hands it to its replicas as one.
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
			found = isHint(lx.value()) && match(nil)
		}
		if found {
			return true
		}
	}
	return lx.unclean && match(nil)
}

// isHint tells a hint from a comment that only other servers execute.
func isHint(note []byte) bool { return len(note) > 2 && note[2] == '+' }
