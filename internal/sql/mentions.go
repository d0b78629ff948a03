package sql

// Mentions says whether match is true of any name in the statement. Every
// identifier and keyword is a name here, and so are the words of every string:
// it may be an alias, or the text of a statement to prepare. The empty name
// stands for what cannot be read: the rest of a text that cannot be lexed, a
// comment that only other servers execute, a statement in a variable.
func (s *Statement) Mentions(match func(name []byte) bool) bool {
	prepares := s.Kind == Prepare || s.Kind == ExecuteImmediate
	return mentions(s.text[s.Start:s.End], s.modes, prepares, match)
}

func mentions(text []byte, m Modes, prepares bool, match func(name []byte) bool) bool {
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
			found = mentions([]byte(c.stringValue()), m, false, match)
		case tokenVar:
			found = prepares && match(nil)
		case tokenNote:
			found = match(nil)
		}
		if found {
			return true
		}
	}
	return lx.unclean && match(nil)
}
