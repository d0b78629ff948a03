package sql

import "tunic/internal/sql/lex"

// DefinedTables are the tables that a definition makes or changes, by the names that they
// have before and after it. ok is false if it cannot be told from the statement's words.
func (s *Statement) DefinedTables() (names []TableName, ok bool) {
	c := s.cursor()
	switch s.Kind {
	case CreateTable:
		names, ok = definedTable(&c, nil)
	case AlterTable:
		if names, ok = definedTable(&c, nil); ok {
			names, ok = alteredTables(&c, names)
		}
	case DropTable, TruncateTable, DropIndex, CreateDatabase, AlterDatabase, DropDatabase:
		ok = true // it makes no table, and leaves those that it leaves as they are
	case CreateSequence, AlterSequence, DropSequence:
		names, ok = definedSequences(&c)
	case CreateIndex:
		for !c.Ended() && !c.Is("ON") {
			c.Next()
		}
		c.Next()
		names, ok = namedTable(&c, nil)
	case RenameTable:
		c.Next()
		names, ok = renamedTables(&c)
	}
	return names, ok && !c.Lexer.Unclean
}

// definedTable reads up to the name behind TABLE.
func definedTable(c *lex.Cursor, names []TableName) ([]TableName, bool) {
	for !c.Ended() && !c.Is("TABLE") {
		c.Next()
	}
	c.Next()
	if !c.Accepts("IF", "NOT", "EXISTS") {
		c.Accepts("IF", "EXISTS")
	}
	return namedTable(c, names)
}

// definedSequences reads the names behind SEQUENCE, of which DROP alone takes several.
func definedSequences(c *lex.Cursor) (names []TableName, ok bool) {
	for !c.Ended() && !c.Is("SEQUENCE") {
		c.Next()
	}
	c.Next()
	if !c.Accepts("IF", "NOT", "EXISTS") {
		c.Accepts("IF", "EXISTS")
	}
	for {
		if names, ok = namedTable(c, names); !ok || c.Token != lex.Comma {
			return names, ok
		}
		c.Next()
	}
}

func namedTable(c *lex.Cursor, names []TableName) ([]TableName, bool) {
	name, ok := c.TableName()
	return append(names, name), ok
}

// alteredTables adds what an ALTER TABLE renames its table to. One that takes its rows from
// another table, or gives them to it, is not told.
func alteredTables(c *lex.Cursor, names []TableName) ([]TableName, bool) {
	for ; !c.Ended(); c.Next() {
		switch {
		case c.Is("EXCHANGE", "CONVERT"):
			if after := *c; c.Is("EXCHANGE") || !after.Accepts("CONVERT", "TO", "CHARACTER") {
				return nil, false
			}
		case c.Accept("RENAME"):
			if c.Is("COLUMN", "INDEX", "KEY") {
				continue
			}
			if !c.Accept("TO", "AS") {
				c.AcceptEquals()
			}
			var ok bool
			if names, ok = namedTable(c, names); !ok {
				return nil, false
			}
		}
	}
	return names, true
}

// renamedTables reads the pairs behind RENAME TABLE.
func renamedTables(c *lex.Cursor) (names []TableName, ok bool) {
	if !c.Accept("TABLE", "TABLES") {
		return nil, false
	}
	c.Accepts("IF", "EXISTS")
	for {
		if names, ok = namedTable(c, names); !ok {
			return nil, false
		}
		for c.Is("WAIT", "NOWAIT") || c.Token == lex.Number {
			c.Next()
		}
		if !c.Accept("TO") {
			return nil, false
		}
		if names, ok = namedTable(c, names); !ok {
			return nil, false
		}
		if c.Token != lex.Comma {
			return names, true
		}
		c.Next()
	}
}
