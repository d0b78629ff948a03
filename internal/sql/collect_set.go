package sql

import "strings"

// assignments reads what follows SET: variables, separated by commas.
func (e *Effects) assignments(c cursor) {
	statement := c.accept("STATEMENT")
	scope := ScopeSession
	for !c.ended() && !(statement && c.is("FOR")) {
		scope = e.assignment(&c, scope)
		if statement && len(e.Assignments) > 0 {
			e.Assignments[len(e.Assignments)-1].Scope = ScopeStatement
		}
		if c.t != tokenComma {
			continue
		}
		c.next()
	}
}

// assignment reads one. A scope word holds for the assignments after it as
// well, until the next; @@scope. holds for its own only.
func (e *Effects) assignment(c *cursor, scope Scope) Scope {
	if c.t == tokenVar {
		name := c.variableName()
		c.next()
		e.userVariable(name)
		c.skipExpression()
		return scope
	}
	if s, ok := c.scopeWord(); ok {
		scope = s
	}
	a := Assignment{Scope: scope}
	if c.t == tokenSysVar {
		a.Scope, a.Name = systemVariable(string(c.text()[2:]))
		c.next()
	} else if name, ok := c.name(); ok {
		a.Name = strings.ToLower(name)
		for c.t == tokenDot { // a key cache's or a plugin's, or that of a stored program's trigger
			c.next()
			part, _ := c.name()
			a.Name += "." + strings.ToLower(part)
		}
	} else {
		c.skipExpression()
		e.Stale = true
		return scope
	}
	if !c.acceptOp('=') && c.t == tokenAssign {
		c.next()
	}
	a.Value, a.Known = c.constant()
	c.skipExpression()
	e.Assignments = append(e.Assignments, a)
	return scope
}

var scopeWords = map[string]Scope{
	"GLOBAL": ScopeGlobal, "SESSION": ScopeSession, "LOCAL": ScopeSession,
	"PERSIST": ScopePersist, "PERSIST_ONLY": ScopePersistOnly,
}

// scopeWord reads a scope, if a name follows it: SET session = 1 has none.
func (c *cursor) scopeWord() (Scope, bool) {
	if c.t != tokenWord {
		return 0, false
	}
	s, ok := scopeWords[string(upperInto(nil, c.text()))]
	if !ok {
		return 0, false
	}
	at := *c
	at.next()
	if at.t != tokenWord && at.t != tokenQuoted {
		return 0, false
	}
	*c = at
	return s, true
}

// systemVariable takes the scope off the text after @@.
func systemVariable(name string) (Scope, string) {
	name = strings.ToLower(strings.ReplaceAll(name, "`", ""))
	word, rest, dotted := strings.Cut(name, ".")
	if !dotted {
		return ScopeSession, name
	}
	if s, ok := scopeWords[strings.ToUpper(word)]; ok {
		return s, rest
	}
	return ScopeSession, name
}

// constant reads a value that is one literal or one word and nothing more.
func (c *cursor) constant() (string, bool) {
	at := *c
	value := ""
	switch {
	case at.t == tokenString || at.t == tokenNString:
		value = at.stringValue()
	case at.t == tokenWord || at.t == tokenQuoted:
		value = at.identifier()
	case at.op('-'), at.op('+'):
		value = string(at.text())
		at.next()
		if !at.t.literal() || at.t >= tokenHex {
			return "", false
		}
		value += string(at.text())
	case at.t.literal():
		value = string(at.text())
	default:
		return "", false
	}
	at.next()
	if !at.ended() && at.t != tokenComma && !at.is("FOR") {
		return "", false
	}
	return value, true
}

// skipExpression moves to the comma after the current expression, to the FOR
// of SET STATEMENT, or to the end.
func (c *cursor) skipExpression() {
	for !c.ended() && c.t != tokenComma && !c.is("FOR") {
		if c.t == tokenOpen {
			c.skipParens()
			continue
		}
		c.next()
	}
}

// charsetChange reads SET NAMES x [COLLATE y] or SET CHARACTER SET x.
func charsetChange(k Kind, c cursor) CharsetChange {
	ch := CharsetChange{Names: k == SetNames}
	if !c.accept("NAMES", "CHARSET") {
		c.next()
		c.next()
	}
	ch.Charset = c.charsetName()
	if c.accept("COLLATE") {
		ch.Collation = c.charsetName()
	}
	return ch
}

// charsetName reads the name of a character set or a collation, which may be
// in quotes of any kind.
func (c *cursor) charsetName() string {
	defer c.next()
	switch c.t {
	case tokenWord, tokenQuoted:
		return strings.ToLower(c.identifier())
	case tokenString:
		return strings.ToLower(c.stringValue())
	}
	return ""
}

// transactionAssignments reads SET [scope] TRANSACTION characteristic, …
// as the variables that it sets.
func (e *Effects) transactionAssignments(c cursor) {
	scope := ScopeNext
	switch {
	case c.accept("GLOBAL"):
		scope = ScopeGlobal
	case c.accept("SESSION", "LOCAL"):
		scope = ScopeSession
	}
	c.accept("TRANSACTION")
	for !c.ended() {
		switch {
		case c.accepts("ISOLATION", "LEVEL"):
			e.Assignments = append(e.Assignments, Assignment{scope, "transaction_isolation", c.isolation(), true})
		case c.accepts("READ", "ONLY"):
			e.Assignments = append(e.Assignments, Assignment{scope, "transaction_read_only", "1", true})
		case c.accepts("READ", "WRITE"):
			e.Assignments = append(e.Assignments, Assignment{scope, "transaction_read_only", "0", true})
		default:
			c.next()
		}
	}
}

// isolation reads the name of an isolation level as the variable has it.
func (c *cursor) isolation() string {
	first := string(upperInto(nil, c.text()))
	c.next()
	if first == "SERIALIZABLE" || c.t != tokenWord {
		return first
	}
	defer c.next()
	return first + "-" + string(upperInto(nil, c.text()))
}
