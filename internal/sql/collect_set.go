package sql

import (
	"strings"

	"tunic/internal/sql/lex"
)

// assignments reads what follows SET: items, separated by commas. A scope word
// holds for the items after it as well, until the next; @@scope. holds for its
// own only. Of what is not read to its end nothing is known.
func (e *Effects) assignments(c lex.Cursor) {
	statement := c.Accept("STATEMENT")
	scope := ScopeSession
	for !c.Ended() && !(statement && c.Is("FOR")) && !e.full(len(e.Assignments)) {
		if !accountItem(&c) && !e.charsetItem(&c) {
			scope = e.assignment(&c, scope)
		}
		skipExpression(&c)
		if c.Token != lex.Comma {
			break
		}
		c.Next()
	}
	e.Stale = e.Stale || !(c.Ended() || (statement && c.Is("FOR")))
	for i := range e.Assignments {
		if statement {
			e.Assignments[i].Scope = ScopeStatement
		}
	}
}

// accountItem moves past PASSWORD [FOR account] and DEFAULT ROLE role [FOR
// account], which change the server's accounts and nothing of the session.
func accountItem(c *lex.Cursor) bool {
	at := *c
	if !at.Accepts("DEFAULT", "ROLE") && !secretItem(&at) {
		return false
	}
	skipExpression(&at)
	at.Accept("FOR")
	*c = at
	return true
}

// secretItem says that the item is a password, which nobody keeps.
func secretItem(c *lex.Cursor) bool {
	at := *c
	return at.Accept("PASSWORD") && (assigns(&at) || at.Is("FOR"))
}

// charsetItem reads NAMES x [COLLATE y], CHARACTER SET x or ROLE x, the items
// that assign no variable by name.
func (e *Effects) charsetItem(c *lex.Cursor) bool {
	at := *c
	names := false
	switch {
	case at.Accept("NAMES"):
		names = true
	case at.Accept("CHARSET"), at.Accepts("CHARACTER", "SET"), at.Accepts("CHAR", "SET"):
	case at.Accept("ROLE") && !assigns(&at):
		*c = at
		return true
	default:
		return false
	}
	if assigns(&at) {
		return false
	}
	e.Charset = CharsetChange{Names: names, Charset: charsetName(&at)}
	if at.Accept("COLLATE") {
		e.Charset.Collation = charsetName(&at)
	}
	*c = at
	return true
}

// assignment reads one variable and its value, and returns the scope for those
// after it.
func (e *Effects) assignment(c *lex.Cursor, scope Scope) Scope {
	if c.Token == lex.Var {
		e.userVariable(variableName(c))
		return scope
	}
	if s, ok := scopeWord(c); ok {
		scope = s
	}
	a := Assignment{Scope: scope}
	if c.Token == lex.SysVar {
		a.Scope, a.Name = systemVariable(string(c.Text()[2:]))
		c.Next()
	} else if !dottedName(c, &a.Name) {
		e.Stale = true
		return scope
	}
	if !c.AcceptEquals() && c.Token == lex.Assign {
		c.Next()
	}
	a.Value, a.Known = settingConstant(c, a.Name)
	e.Assignments = append(e.Assignments, a)
	return scope
}

// dottedName reads a variable's name in lower case, with that of the key cache
// or the plugin before it.
func dottedName(c *lex.Cursor, into *string) bool {
	name, ok := c.Name()
	if !ok {
		return false
	}
	*into = strings.ToLower(name)
	for c.Token == lex.Dot {
		c.Next()
		part, _ := c.Name()
		*into += "." + strings.ToLower(part)
	}
	return true
}

var scopeWords = map[string]Scope{
	"GLOBAL": ScopeGlobal, "SESSION": ScopeSession, "LOCAL": ScopeSession,
	"PERSIST": ScopePersist, "PERSIST_ONLY": ScopePersistOnly,
}

// scopeWord reads a scope, if a name follows it: SET session = 1 has none.
func scopeWord(c *lex.Cursor) (Scope, bool) {
	if c.Token != lex.Word {
		return 0, false
	}
	s, ok := scopeWords[string(lex.UpperInto(nil, c.Text()))]
	if !ok {
		return 0, false
	}
	at := *c
	at.Next()
	if at.Token != lex.Word && at.Token != lex.Quoted {
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
func settingConstant(c *lex.Cursor, variable string) (string, bool) {
	at := *c
	var value string
	numbers := !namedByNumber(variable)
	switch {
	case at.Token == lex.String || at.Token == lex.NString:
		value = at.StringValue()
	case at.Is("DEFAULT"):
		return "", false // the global value
	case at.Is("TRUE", "FALSE") && !numbers:
		return "", false
	case at.Token == lex.Word || at.Token == lex.Quoted:
		value = at.Identifier()
	case (at.Op('-') || at.Op('+')) && numbers:
		value = string(at.Text())
		at.Next()
		if at.Token != lex.Number && at.Token != lex.Float {
			return "", false
		}
		value += string(at.Text())
	case at.Token.IsLiteral() && numbers:
		value = string(at.Text())
	default:
		return "", false
	}
	at.Next()
	if !at.Ended() && at.Token != lex.Comma && !at.Is("FOR") {
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
func skipExpression(c *lex.Cursor) {
	for !c.Ended() && c.Token != lex.Semi && c.Token != lex.Comma && !c.Is("FOR") {
		if c.Token == lex.Open {
			c.SkipParens()
			continue
		}
		c.Next()
	}
}

// charsetName reads the name of a character set or a collation, which may be
// in quotes of any kind.
func charsetName(c *lex.Cursor) string {
	defer c.Next()
	switch c.Token {
	case lex.Word, lex.Quoted:
		return strings.ToLower(c.Identifier())
	case lex.String:
		return strings.ToLower(c.StringValue())
	}
	return ""
}

// transactionAssignments reads SET [scope] TRANSACTION characteristic, …
// as the variables that it sets.
func (e *Effects) transactionAssignments(c lex.Cursor) {
	scope := ScopeNext
	switch {
	case c.Accept("GLOBAL"):
		scope = ScopeGlobal
	case c.Accept("SESSION", "LOCAL"):
		scope = ScopeSession
	}
	c.Accept("TRANSACTION")
	for !c.Ended() && !e.full(len(e.Assignments)) {
		switch {
		case c.Accepts("ISOLATION", "LEVEL"):
			e.Assignments = append(e.Assignments, Assignment{scope, "transaction_isolation", isolationLevel(&c), true})
		case c.Accepts("READ", "ONLY"):
			e.Assignments = append(e.Assignments, Assignment{scope, "transaction_read_only", "1", true})
		case c.Accepts("READ", "WRITE"):
			e.Assignments = append(e.Assignments, Assignment{scope, "transaction_read_only", "0", true})
		default:
			c.Next()
		}
	}
}

// isolationLevel reads the name of an isolation level as the variable has it.
func isolationLevel(c *lex.Cursor) string {
	first := string(lex.UpperInto(nil, c.Text()))
	c.Next()
	if first == "SERIALIZABLE" || c.Token != lex.Word {
		return first
	}
	defer c.Next()
	return first + "-" + string(lex.UpperInto(nil, c.Text()))
}
