package sql

// Asked is what a SHOW or DESCRIBE statement asks for.
type Asked struct {
	Thing Thing
	// Table is what it asks about. Without a name it asks about a schema, which is
	// "" for the session's.
	Table TableName
	// Where are the names in its WHERE that may be columns of the answer.
	Where []Span
	// Queries says that there is a query in its WHERE.
	Queries bool
}

// Thing is a kind of thing that SHOW tells of.
type Thing uint8

// The things whose answers speak of tables.
const (
	NoThing         Thing = iota
	Columns               // SHOW COLUMNS, DESCRIBE t
	Indexes               // SHOW INDEX
	Tables                // SHOW TABLES
	TableStatus           // SHOW TABLE STATUS
	OpenTables            // SHOW OPEN TABLES
	TableDefinition       // SHOW CREATE TABLE
	Databases             // SHOW DATABASES
	Schema                // SHOW CREATE DATABASE, TRIGGERS, EVENTS: of a schema, nothing of its tables
	Grants                // SHOW GRANTS, of which nothing more is read
)

// Span is where a name stands in the text of a statement: text[From:To], the text
// being all that was given to Parse.
type Span struct {
	Name     string // without its quotes
	From, To int
}

// Asked reads a SHOW or DESCRIBE. ok is false for those that tell of other things,
// and for what is not read to its end.
func (s *Statement) Asked() (a Asked, ok bool) {
	c := s.cursor()
	if c.accept("DESCRIBE", "DESC", "EXPLAIN") {
		return a, a.describe(&c)
	}
	if !c.accept("SHOW") {
		return a, false
	}
	if c.accept("CREATE") {
		return a, a.showCreate(&c)
	}
	if c.accept("OPEN") {
		a.Thing = OpenTables
		return a, c.accept("TABLES") && a.schema(&c) && a.filter(&c)
	}
	c.accept("EXTENDED")
	c.accept("FULL")
	return a, a.show(&c)
}

// describe reads t [column | 'pattern'].
func (a *Asked) describe(c *cursor) bool {
	a.Thing = Columns
	var ok bool
	if a.Table, ok = c.tableName(); !ok {
		return false
	}
	if c.t == tokenString || c.t == tokenWord || c.t == tokenQuoted {
		c.next()
	}
	return c.finished()
}

// showCreate reads what follows SHOW CREATE.
func (a *Asked) showCreate(c *cursor) bool {
	var ok bool
	switch {
	case c.accept("TABLE", "VIEW", "SEQUENCE"):
		a.Thing = TableDefinition
		a.Table, ok = c.tableName()
	case c.accept("DATABASE", "SCHEMA"):
		a.Thing = Schema
		c.accepts("IF", "NOT", "EXISTS")
		a.Table.Schema, ok = c.name()
	}
	return ok && c.finished()
}

func (a *Asked) show(c *cursor) bool {
	switch {
	case c.accept("COLUMNS", "FIELDS"):
		a.Thing = Columns
		return a.table(c) && a.filter(c)
	case c.accept("INDEX", "INDEXES", "KEYS"):
		a.Thing = Indexes
		return a.table(c) && a.filter(c)
	case c.accept("TABLES"):
		a.Thing = Tables
		return a.schema(c) && a.filter(c)
	case c.accepts("TABLE", "STATUS"):
		a.Thing = TableStatus
		return a.schema(c) && a.filter(c)
	case c.accept("DATABASES", "SCHEMAS"):
		a.Thing = Databases
		return a.filter(c)
	case c.accept("GRANTS"):
		for a.Thing = Grants; !c.ended(); {
			c.next()
		}
		return c.finished()
	case c.accept("TRIGGERS", "EVENTS"):
		a.Thing = Schema
		return a.schema(c) && a.filter(c)
	}
	return false
}

// table reads FROM t [FROM s].
func (a *Asked) table(c *cursor) (ok bool) {
	if !c.accept("FROM", "IN") {
		return false
	}
	if a.Table, ok = c.tableName(); !ok {
		return false
	}
	if c.accept("FROM", "IN") {
		a.Table.Schema, ok = c.name()
	}
	return ok
}

// schema reads [FROM s].
func (a *Asked) schema(c *cursor) (ok bool) {
	if !c.accept("FROM", "IN") {
		return true
	}
	a.Table.Schema, ok = c.name()
	return ok
}

// filter reads [LIKE 'pattern' | WHERE condition] up to the end.
func (a *Asked) filter(c *cursor) bool {
	switch {
	case c.accept("LIKE"):
		if c.t != tokenString {
			return false
		}
		for c.t == tokenString {
			c.next()
		}
	case c.accept("WHERE"):
		a.where(c)
	}
	return c.finished()
}

// where finds the names in a condition. What stands before a dot or a parenthesis
// is no column.
func (a *Asked) where(c *cursor) {
	for !c.ended() {
		a.Queries = a.Queries || c.is("SELECT", "TABLE", "VALUES", "WITH")
		if c.t != tokenWord && c.t != tokenQuoted {
			c.next()
			continue
		}
		name := Span{Name: c.identifier(), From: c.lx.from, To: c.lx.pos}
		if c.next(); c.t != tokenDot && c.t != tokenOpen {
			a.Where = append(a.Where, name)
		}
	}
}
