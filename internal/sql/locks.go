package sql

// TableLock is a table in the list of LOCK TABLES.
type TableLock struct {
	Table TableName
	// Alias is the name by which statements may use the lock; "" for the table's own.
	Alias string
	// Write says that rows may be written.
	Write bool
}

// TableLocks are the tables that a statement locks for the session, until UNLOCK
// TABLES.
type TableLocks struct {
	List []TableLock
	// All says that all tables of the server are locked: FLUSH TABLES WITH READ LOCK.
	All bool
}

// TableLocks reads LOCK TABLES, and FLUSH TABLES that locks. ok is false for other
// statements, and for what is not read to its end.
func (s *Statement) TableLocks() (l TableLocks, ok bool) {
	c := s.cursor()
	switch s.Kind {
	case LockTables:
		return l, c.accept("LOCK") && l.lock(&c)
	case Flush:
		return l, c.accept("FLUSH") && l.flush(&c)
	default:
		return l, false
	}
}

// lock reads what follows LOCK (MySQL manual, "LOCK TABLES and UNLOCK TABLES
// Statements"). MariaDB has the CONCURRENT and, at the end, WAIT n and NOWAIT.
func (l *TableLocks) lock(c *cursor) bool {
	if !c.accept("TABLE", "TABLES") {
		return false
	}
	for {
		t, ok := readTableLock(c)
		if !ok {
			return false
		}
		l.List = append(l.List, t)
		if c.t != tokenComma {
			break
		}
		c.next()
	}
	if c.accept("WAIT") {
		if c.t != tokenNumber {
			return false
		}
		c.next()
	} else {
		c.accept("NOWAIT")
	}
	return c.finished()
}

// readTableLock reads t [[AS] alias] {READ [LOCAL] | [LOW_PRIORITY] WRITE [CONCURRENT]}.
func readTableLock(c *cursor) (l TableLock, ok bool) {
	if l.Table, ok = c.tableName(); !ok {
		return l, false
	}
	if c.accept("AS") || !c.is("READ", "LOW_PRIORITY", "WRITE") {
		if l.Alias, ok = c.name(); !ok {
			return l, false
		}
	}
	if c.accept("READ") {
		c.accept("LOCAL")
		return l, true
	}
	c.accept("LOW_PRIORITY")
	l.Write = c.accept("WRITE")
	c.accept("CONCURRENT")
	return l, l.Write
}

// flush reads what follows FLUSH, of TABLES that are locked (MySQL manual, "FLUSH
// Statement").
func (l *TableLocks) flush(c *cursor) bool {
	c.accept("NO_WRITE_TO_BINLOG", "LOCAL")
	if !c.accept("TABLE", "TABLES") {
		return false
	}
	for !c.is("WITH", "FOR") {
		t, ok := c.tableName()
		if !ok {
			return false
		}
		l.List = append(l.List, TableLock{Table: t})
		if c.t == tokenComma {
			c.next()
		}
	}
	l.All = len(l.List) == 0
	if c.accepts("WITH", "READ", "LOCK") {
		c.accepts("AND", "DISABLE", "CHECKPOINT") // MariaDB
		return c.finished()
	}
	return c.accepts("FOR", "EXPORT") && c.finished()
}
