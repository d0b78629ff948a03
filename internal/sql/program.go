package sql

// A programReader reads a statement with a program in it, whose own statements end
// with semicolons as well: it counts what opens a block and what END closes.
//
// BEGIN and END are not reserved, so that a column may have their names. Where
// one of them stands where no block begins or ends, and where the count does
// not come out even, the text is unclean: it cannot be told where the program
// ends, and nothing is taken for more than it is.
type programReader struct {
	*cursor
	kind    Kind
	open    int  // what END has yet to close, CASE expressions among it
	cases   int  // CASE expressions alone
	fresh   bool // at the start of a statement, where IF and REPEAT are no functions
	head    bool // before the first word of the body, which may come after anything
	declare bool // in a DECLARE
	handler bool // in one of a HANDLER, whose body as well may come after anything
}

// endProgram moves to the semicolon that ends a statement with a program in it.
//
// In sql_mode=ORACLE declarations stand before BEGIN, and the program reaches
// to the end of the text.
func endProgram(c *cursor, k Kind) {
	p := programReader{cursor: c, kind: k, fresh: true, head: true}
	if k == CreatePackage {
		p.open = 1 // END closes it; nothing says BEGIN
	}
	oracle := c.lx.modes&Oracle != 0
	for !c.ended() && (oracle || c.t != tokenSemi || p.open > 0) {
		if c.is("END") && !afterDot(c) {
			p.end()
		} else {
			p.pass()
		}
	}
	if p.open != 0 && !oracle {
		c.lx.unclean = true
	}
}

// end moves past END and the word that says what it closes.
func (p *programReader) end() {
	fresh := p.fresh
	p.open--
	p.next()
	p.fresh = false
	switch {
	case p.cases > 0:
		p.cases--
		p.lx.unclean = p.lx.unclean || fresh
	case p.is("REPEAT"): // UNTIL condition END REPEAT
	default:
		p.lx.unclean = p.lx.unclean || !fresh
	}
	p.accept("IF", "CASE", "LOOP", "WHILE", "REPEAT", "FOR")
}

// pass moves past one token that is no END.
func (p *programReader) pass() {
	if p.opensBlock() {
		p.open++
	}
	p.declare = (p.fresh && p.is("DECLARE")) || (p.declare && p.t != tokenSemi)
	p.handler = p.declare && (p.handler || p.is("HANDLER")) && !p.is("BEGIN", "IF")
	p.head = p.head && p.open == 0 && p.t != tokenSemi && !p.beginsBody()
	p.fresh = p.t == tokenSemi || p.op(':') || p.is("BEGIN", "LOOP", "REPEAT", "DO", "ROW") ||
		(p.cases == 0 && p.is("THEN", "ELSE"))
	p.next()
}

// beginsBody says that the word is the body's first, or that the body is next:
// what comes after it has names in it.
func (p *programReader) beginsBody() bool {
	switch {
	case afterDot(p.cursor):
		return false
	case p.is("INSERT", "UPDATE", "DELETE"):
		return p.kind != CreateTrigger // whose head names the event
	case p.is("ROW"):
		return !precedes(p.cursor, "FOLLOWS", "PRECEDES")
	}
	return p.is("RETURN", "DO", "IF", "SELECT", "WITH", "VALUES", "CALL")
}

// opensBlock says that the current word opens what END closes: some words
// anywhere, those that are functions, names or parts of other statements as
// well only where they cannot be one.
func (p *programReader) opensBlock() bool {
	if p.t != tokenWord || afterDot(p.cursor) {
		return false
	}
	switch {
	case p.is("CASE"):
		if p.cases > 0 || !p.fresh {
			p.cases++
		}
		return true
	case p.is("LOOP", "WHILE"):
		return true
	case p.is("BEGIN"):
		block := (p.fresh && p.cases == 0) || p.head || p.handler || p.kind == CreatePackage
		p.lx.unclean = p.lx.unclean || !block
		return block
	case p.is("FOR"):
		return p.fresh
	case p.is("IF", "REPEAT"):
		return p.fresh || !(precedesOpen(p.cursor) || precedes(p.cursor, "NOT", "EXISTS")) || ((p.head || p.handler) && ifThen(p.cursor))
	}
	return false
}

// precedes says that the next token is one of the keywords.
func precedes(c *cursor, words ...string) bool {
	next := *c
	next.next()
	return next.is(words...)
}

func precedesOpen(c *cursor) bool {
	next := *c
	next.next()
	return next.t == tokenOpen
}

// ifThen says that the word is the IF of a statement and not the function, for
// the place where a body may begin after anything. It looks ahead to the end of
// the condition, so it is asked once a statement at most.
func ifThen(c *cursor) bool {
	if !c.is("IF") {
		return false
	}
	next := *c
	next.next()
	next.skipParens()
	return next.is("THEN")
}
