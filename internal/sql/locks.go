package sql

import "tunic/internal/sql/lex"

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
		return l, c.Accept("LOCK") && l.lock(&c)
	case Flush:
		return l, c.Accept("FLUSH") && l.flush(&c)
	default:
		return l, false
	}
}

// lock reads what follows LOCK (MySQL manual, "LOCK TABLES and UNLOCK TABLES
// Statements"). MariaDB has the CONCURRENT and, at the end, WAIT n and NOWAIT.
func (l *TableLocks) lock(c *lex.Cursor) bool {
	if !c.Accept("TABLE", "TABLES") {
		return false
	}
	for {
		t, ok := readTableLock(c)
		if !ok {
			return false
		}
		l.List = append(l.List, t)
		if c.Token != lex.Comma {
			break
		}
		c.Next()
	}
	if c.Accept("WAIT") {
		if c.Token != lex.Number {
			return false
		}
		c.Next()
	} else {
		c.Accept("NOWAIT")
	}
	return c.Finished()
}

// readTableLock reads t [[AS] alias] {READ [LOCAL] | [LOW_PRIORITY] WRITE [CONCURRENT]}.
func readTableLock(c *lex.Cursor) (l TableLock, ok bool) {
	if l.Table, ok = c.TableName(); !ok {
		return l, false
	}
	if c.Accept("AS") || !c.Is("READ", "LOW_PRIORITY", "WRITE") {
		if l.Alias, ok = c.Name(); !ok {
			return l, false
		}
	}
	if c.Accept("READ") {
		c.Accept("LOCAL")
		return l, true
	}
	c.Accept("LOW_PRIORITY")
	l.Write = c.Accept("WRITE")
	c.Accept("CONCURRENT")
	return l, l.Write
}

// flush reads what follows FLUSH, of TABLES that are locked (MySQL manual, "FLUSH
// Statement").
func (l *TableLocks) flush(c *lex.Cursor) bool {
	c.Accept("NO_WRITE_TO_BINLOG", "LOCAL")
	if !c.Accept("TABLE", "TABLES") {
		return false
	}
	for !c.Is("WITH", "FOR") {
		t, ok := c.TableName()
		if !ok {
			return false
		}
		l.List = append(l.List, TableLock{Table: t})
		if c.Token == lex.Comma {
			c.Next()
		}
	}
	l.All = len(l.List) == 0
	if c.Accepts("WITH", "READ", "LOCK") {
		c.Accepts("AND", "DISABLE", "CHECKPOINT") // MariaDB
		return c.Finished()
	}
	return c.Accepts("FOR", "EXPORT") && c.Finished()
}
