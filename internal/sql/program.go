package sql

// endProgram moves to the semicolon that ends a statement with a program in
// it, whose own statements end with semicolons as well. It counts what opens a
// block and what ends one; should a program not be built as its words suggest,
// it reaches to the end of the text, so that nothing after it is overlooked by
// being taken for a statement of its own that it is not.
func (c *cursor) endProgram() {
	blocks := 0
	fresh := true // at the start of a statement, where IF, REPEAT … are no functions
	for !c.ended() {
		switch {
		case c.t == tokenSemi:
			if blocks == 0 {
				return
			}
			fresh = true
			c.next()
			continue
		case c.is("END") && !c.afterDot():
			blocks--
			c.next()
			c.accept("IF", "CASE", "LOOP", "WHILE", "REPEAT", "FOR")
			fresh = false
			continue
		case c.opensBlock(fresh):
			blocks++
		}
		fresh = c.is("THEN", "ELSE", "DO", "BEGIN", "LOOP", "REPEAT", "HANDLER", "ROW") || c.op(':')
		c.next()
	}
}

// opensBlock says that the current word opens what END closes. CASE does so
// anywhere; BEGIN has no other use in a program; the others are functions or
// parts of other statements unless a statement begins with them.
func (c *cursor) opensBlock(fresh bool) bool {
	if c.t != tokenWord || c.afterDot() {
		return false
	}
	if c.is("CASE", "BEGIN") {
		return true
	}
	return fresh && c.is("IF", "LOOP", "WHILE", "REPEAT", "FOR")
}
