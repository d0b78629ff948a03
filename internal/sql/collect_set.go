package sql

import "strings"

// assignments reads what follows SET: items, separated by commas. A scope word
// holds for the items after it as well, until the next; @@scope. holds for its
// own only. Of what is not read to its end nothing is known.
func (e *Effects) assignments(c cursor) {
	statement := c.accept("STATEMENT")
	scope := ScopeSession
	for !c.ended() && !(statement && c.is("FOR")) && !e.full(len(e.Assignments)) {
		if !accountItem(&c) && !e.charsetItem(&c) {
			scope = e.assignment(&c, scope)
		}
		skipExpression(&c)
		if c.t != tokenComma {
			break
		}
		c.next()
	}
	e.Stale = e.Stale || !(c.ended() || (statement && c.is("FOR")))
	for i := range e.Assignments {
		if statement {
			e.Assignments[i].Scope = ScopeStatement
		}
	}
}

// accountItem moves past PASSWORD [FOR account] and DEFAULT ROLE role [FOR
// account], which change the server's accounts and nothing of the session.
func accountItem(c *cursor) bool {
	at := *c
	if !at.accepts("DEFAULT", "ROLE") && !secretItem(&at) {
		return false
	}
	skipExpression(&at)
	at.accept("FOR")
	*c = at
	return true
}

// secretItem says that the item is a password, which nobody keeps.
func secretItem(c *cursor) bool {
	at := *c
	return at.accept("PASSWORD") && (assigns(&at) || at.is("FOR"))
}

// charsetItem reads NAMES x [COLLATE y], CHARACTER SET x or ROLE x, the items
// that assign no variable by name.
func (e *Effects) charsetItem(c *cursor) bool {
	at := *c
	names := false
	switch {
	case at.accept("NAMES"):
		names = true
	case at.accept("CHARSET"), at.accepts("CHARACTER", "SET"), at.accepts("CHAR", "SET"):
	case at.accept("ROLE") && !assigns(&at):
		*c = at
		return true
	default:
		return false
	}
	if assigns(&at) {
		return false
	}
	e.Charset = CharsetChange{Names: names, Charset: charsetName(&at)}
	if at.accept("COLLATE") {
		e.Charset.Collation = charsetName(&at)
	}
	*c = at
	return true
}

// assignment reads one variable and its value, and returns the scope for those
// after it.
func (e *Effects) assignment(c *cursor, scope Scope) Scope {
	if c.t == tokenVar {
		e.userVariable(variableName(c))
		return scope
	}
	if s, ok := scopeWord(c); ok {
		scope = s
	}
	a := Assignment{Scope: scope}
	if c.t == tokenSysVar {
		a.Scope, a.Name = systemVariable(string(c.text()[2:]))
		c.next()
	} else if !dottedName(c, &a.Name) {
		e.Stale = true
		return scope
	}
	if !c.acceptEquals() && c.t == tokenAssign {
		c.next()
	}
	a.Value, a.Known = settingConstant(c, a.Name)
	e.Assignments = append(e.Assignments, a)
	return scope
}

// dottedName reads a variable's name in lower case, with that of the key cache
// or the plugin before it.
func dottedName(c *cursor, into *string) bool {
	name, ok := c.name()
	if !ok {
		return false
	}
	*into = strings.ToLower(name)
	for c.t == tokenDot {
		c.next()
		part, _ := c.name()
		*into += "." + strings.ToLower(part)
	}
	return true
}

var scopeWords = map[string]Scope{
	"GLOBAL": ScopeGlobal, "SESSION": ScopeSession, "LOCAL": ScopeSession,
	"PERSIST": ScopePersist, "PERSIST_ONLY": ScopePersistOnly,
}

// scopeWord reads a scope, if a name follows it: SET session = 1 has none.
func scopeWord(c *cursor) (Scope, bool) {
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

// settingConstant reads a value that is one literal or one word and nothing more, and
// that the variable will have as it is written.
func settingConstant(c *cursor, variable string) (string, bool) {
	at := *c
	var value string
	numbers := !namedByNumber(variable)
	switch {
	case at.t == tokenString || at.t == tokenNString:
		value = at.stringValue()
	case at.is("DEFAULT"):
		return "", false // the global value
	case at.is("TRUE", "FALSE") && !numbers:
		return "", false
	case at.t == tokenWord || at.t == tokenQuoted:
		value = at.identifier()
	case (at.op('-') || at.op('+')) && numbers:
		value = string(at.text())
		at.next()
		if at.t != tokenNumber && at.t != tokenFloat {
			return "", false
		}
		value += string(at.text())
	case at.t.literal() && numbers:
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

// namedByNumber says that a number assigned to the variable stands for a name
// that the server looks up: a set of modes, a character set, a collation.
func namedByNumber(variable string) bool {
	return variable == "sql_mode" || strings.HasPrefix(variable, "character_set_") || strings.HasPrefix(variable, "collation_")
}

// skipExpression moves to the comma after the current expression, to the FOR
// of SET STATEMENT, or to the end of the statement.
func skipExpression(c *cursor) {
	for !c.ended() && c.t != tokenSemi && c.t != tokenComma && !c.is("FOR") {
		if c.t == tokenOpen {
			c.skipParens()
			continue
		}
		c.next()
	}
}

// charsetName reads the name of a character set or a collation, which may be
// in quotes of any kind.
func charsetName(c *cursor) string {
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
	for !c.ended() && !e.full(len(e.Assignments)) {
		switch {
		case c.accepts("ISOLATION", "LEVEL"):
			e.Assignments = append(e.Assignments, Assignment{scope, "transaction_isolation", isolationLevel(&c), true})
		case c.accepts("READ", "ONLY"):
			e.Assignments = append(e.Assignments, Assignment{scope, "transaction_read_only", "1", true})
		case c.accepts("READ", "WRITE"):
			e.Assignments = append(e.Assignments, Assignment{scope, "transaction_read_only", "0", true})
		default:
			c.next()
		}
	}
}

// isolationLevel reads the name of an isolation level as the variable has it.
func isolationLevel(c *cursor) string {
	first := string(upperInto(nil, c.text()))
	c.next()
	if first == "SERIALIZABLE" || c.t != tokenWord {
		return first
	}
	defer c.next()
	return first + "-" + string(upperInto(nil, c.text()))
}
