package sql

// endProgram moves to the semicolon that ends a statement with a program in
// it, whose own statements end with semicolons as well. It counts what opens a
// block and what END closes. Where a program is not built as its words suggest
// the count is off and what is left over is a statement of kind [Unknown]:
// nothing is taken for more than it is.
//
// In sql_mode=ORACLE declarations stand before BEGIN, and the program reaches
// to the end of the text.
func (c *cursor) endProgram(k Kind) {
	blocks := 0
	if k == CreatePackage {
		blocks = 1 // END closes it; nothing says BEGIN
	}
	fresh := true // at the start of a statement, where IF and REPEAT are no functions
	head := true  // before the first word of the body
	for !c.ended() {
		switch {
		case c.t == tokenSemi && blocks <= 0 && c.lx.modes&Oracle == 0:
			return
		case c.is("END") && !c.afterDot():
			blocks--
			c.next()
			c.accept("IF", "CASE", "LOOP", "WHILE", "REPEAT", "FOR")
			fresh = false
			continue
		case c.opensBlock(fresh), head && c.ifThen():
			blocks++
		}
		// One look ahead is enough, and more would take time that grows with
		// the square of the text.
		head = head && blocks == 0 && c.t != tokenSemi && !c.is("RETURN", "DO", "ROW", "IF")
		fresh = c.t == tokenSemi || c.op(':') ||
			c.is("THEN", "ELSE", "DO", "BEGIN", "LOOP", "REPEAT", "ROW")
		c.next()
	}
}

// opensBlock says that the current word opens what END closes: some words
// anywhere, those that are functions or parts of other statements as well only
// where they cannot be one.
func (c *cursor) opensBlock(fresh bool) bool {
	if c.t != tokenWord || c.afterDot() {
		return false
	}
	switch {
	case c.is("CASE", "BEGIN", "LOOP", "WHILE"):
		return true
	case c.is("FOR"):
		return fresh
	case c.is("IF", "REPEAT"):
		next := *c
		next.next()
		return fresh || (next.t != tokenOpen && !next.is("NOT", "EXISTS"))
	}
	return false
}

// ifThen says that the word is the IF of a statement and not the function, for
// the place where a body may begin after anything.
func (c *cursor) ifThen() bool {
	if !c.is("IF") {
		return false
	}
	next := *c
	next.next()
	next.skipParens()
	return next.is("THEN")
}
