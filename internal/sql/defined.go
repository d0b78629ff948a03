package sql

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
	case CreateIndex:
		for !c.ended() && !c.is("ON") {
			c.next()
		}
		c.next()
		names, ok = namedTable(&c, nil)
	case RenameTable:
		c.next()
		names, ok = renamedTables(&c)
	}
	return names, ok && !c.lx.unclean
}

// definedTable reads up to the name behind TABLE.
func definedTable(c *cursor, names []TableName) ([]TableName, bool) {
	for !c.ended() && !c.is("TABLE") {
		c.next()
	}
	c.next()
	if !c.accepts("IF", "NOT", "EXISTS") {
		c.accepts("IF", "EXISTS")
	}
	return namedTable(c, names)
}

func namedTable(c *cursor, names []TableName) ([]TableName, bool) {
	name, ok := c.tableName()
	return append(names, name), ok
}

// alteredTables adds what an ALTER TABLE renames its table to. One that takes its rows from
// another table, or gives them to it, is not told.
func alteredTables(c *cursor, names []TableName) ([]TableName, bool) {
	for ; !c.ended(); c.next() {
		switch {
		case c.is("EXCHANGE", "CONVERT"):
			if after := *c; c.is("EXCHANGE") || !after.accepts("CONVERT", "TO", "CHARACTER") {
				return nil, false
			}
		case c.accept("RENAME"):
			if c.is("COLUMN", "INDEX", "KEY") {
				continue
			}
			if !c.accept("TO", "AS") {
				c.acceptEquals()
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
func renamedTables(c *cursor) (names []TableName, ok bool) {
	if !c.accept("TABLE", "TABLES") {
		return nil, false
	}
	c.accepts("IF", "EXISTS")
	for {
		if names, ok = namedTable(c, names); !ok {
			return nil, false
		}
		for c.is("WAIT", "NOWAIT") || c.t == tokenNumber {
			c.next()
		}
		if !c.accept("TO") {
			return nil, false
		}
		if names, ok = namedTable(c, names); !ok {
			return nil, false
		}
		if c.t != tokenComma {
			return names, true
		}
		c.next()
	}
}
