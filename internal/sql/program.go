package sql

import "tunic/internal/sql/lex"

// A programReader reads a statement with a program in it, whose own statements end
// with semicolons as well: it counts what opens a block and what END closes.
//
// BEGIN and END are not reserved, so that a column may have their names. Where
// one of them stands where no block begins or ends, and where the count does
// not come out even, the text is unclean: it cannot be told where the program
// ends, and nothing is taken for more than it is.
type programReader struct {
	*lex.Cursor
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
func endProgram(c *lex.Cursor, k Kind) {
	p := programReader{Cursor: c, kind: k, fresh: true, head: true}
	if k == CreatePackage {
		p.open = 1 // END closes it; nothing says BEGIN
	}
	oracle := c.Lexer.Modes&Oracle != 0
	for !c.Ended() && (oracle || c.Token != lex.Semi || p.open > 0) {
		if c.Is("END") && !afterDot(c) {
			p.end()
		} else {
			p.pass()
		}
	}
	if p.open != 0 && !oracle {
		c.Lexer.Unclean = true
	}
}

// end moves past END and the word that says what it closes.
func (p *programReader) end() {
	fresh := p.fresh
	p.open--
	p.Next()
	p.fresh = false
	switch {
	case p.cases > 0:
		p.cases--
		p.Lexer.Unclean = p.Lexer.Unclean || fresh
	case p.Is("REPEAT"): // UNTIL condition END REPEAT
	default:
		p.Lexer.Unclean = p.Lexer.Unclean || !fresh
	}
	p.Accept("IF", "CASE", "LOOP", "WHILE", "REPEAT", "FOR")
}

// pass moves past one token that is no END.
func (p *programReader) pass() {
	if p.opensBlock() {
		p.open++
	}
	p.declare = (p.fresh && p.Is("DECLARE")) || (p.declare && p.Token != lex.Semi)
	p.handler = p.declare && (p.handler || p.Is("HANDLER")) && !p.Is("BEGIN", "IF")
	p.head = p.head && p.open == 0 && p.Token != lex.Semi && !p.beginsBody()
	p.fresh = p.Token == lex.Semi || p.Op(':') || p.Is("BEGIN", "LOOP", "REPEAT", "DO", "ROW") ||
		(p.cases == 0 && p.Is("THEN", "ELSE"))
	p.Next()
}

// beginsBody says that the word is the body's first, or that the body is next:
// what comes after it has names in it.
func (p *programReader) beginsBody() bool {
	switch {
	case afterDot(p.Cursor):
		return false
	case p.Is("INSERT", "UPDATE", "DELETE"):
		return p.kind != CreateTrigger // whose head names the event
	case p.Is("ROW"):
		return !precedes(p.Cursor, "FOLLOWS", "PRECEDES")
	}
	return p.Is("RETURN", "DO", "IF", "SELECT", "WITH", "VALUES", "CALL")
}

// opensBlock says that the current word opens what END closes: some words
// anywhere, those that are functions, names or parts of other statements as
// well only where they cannot be one.
func (p *programReader) opensBlock() bool {
	if p.Token != lex.Word || afterDot(p.Cursor) {
		return false
	}
	switch {
	case p.Is("CASE"):
		if p.cases > 0 || !p.fresh {
			p.cases++
		}
		return true
	case p.Is("LOOP", "WHILE"):
		return true
	case p.Is("BEGIN"):
		block := (p.fresh && p.cases == 0) || p.head || p.handler || p.kind == CreatePackage
		p.Lexer.Unclean = p.Lexer.Unclean || !block
		return block
	case p.Is("FOR"):
		return p.fresh
	case p.Is("IF", "REPEAT"):
		return p.fresh || !(precedesOpen(p.Cursor) || precedes(p.Cursor, "NOT", "EXISTS")) || ((p.head || p.handler) && ifThen(p.Cursor))
	}
	return false
}

// precedes says that the next token is one of the keywords.
func precedes(c *lex.Cursor, words ...string) bool {
	next := *c
	next.Next()
	return next.Is(words...)
}

func precedesOpen(c *lex.Cursor) bool {
	next := *c
	next.Next()
	return next.Token == lex.Open
}

// ifThen says that the word is the IF of a statement and not the function, for
// the place where a body may begin after anything. It looks ahead to the end of
// the condition, so it is asked once a statement at most.
func ifThen(c *lex.Cursor) bool {
	if !c.Is("IF") {
		return false
	}
	next := *c
	next.Next()
	next.SkipParens()
	return next.Is("THEN")
}
