package sql

import "tunic/internal/sql/lex"

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
	if c.Accept("DESCRIBE", "DESC", "EXPLAIN") {
		return a, a.describe(&c)
	}
	if !c.Accept("SHOW") {
		return a, false
	}
	if c.Accept("CREATE") {
		return a, a.showCreate(&c)
	}
	if c.Accept("OPEN") {
		a.Thing = OpenTables
		return a, c.Accept("TABLES") && a.schema(&c) && a.filter(&c)
	}
	c.Accept("EXTENDED")
	c.Accept("FULL")
	return a, a.show(&c)
}

// describe reads t [column | 'pattern'].
func (a *Asked) describe(c *lex.Cursor) bool {
	a.Thing = Columns
	var ok bool
	if a.Table, ok = c.TableName(); !ok {
		return false
	}
	if c.Token == lex.String || c.Token == lex.Word || c.Token == lex.Quoted {
		c.Next()
	}
	return c.Finished()
}

// showCreate reads what follows SHOW CREATE.
func (a *Asked) showCreate(c *lex.Cursor) bool {
	var ok bool
	switch {
	case c.Accept("TABLE", "VIEW", "SEQUENCE"):
		a.Thing = TableDefinition
		a.Table, ok = c.TableName()
	case c.Accept("DATABASE", "SCHEMA"):
		a.Thing = Schema
		c.Accepts("IF", "NOT", "EXISTS")
		a.Table.Schema, ok = c.Name()
	}
	return ok && c.Finished()
}

func (a *Asked) show(c *lex.Cursor) bool {
	switch {
	case c.Accept("COLUMNS", "FIELDS"):
		a.Thing = Columns
		return a.table(c) && a.filter(c)
	case c.Accept("INDEX", "INDEXES", "KEYS"):
		a.Thing = Indexes
		return a.table(c) && a.filter(c)
	case c.Accept("TABLES"):
		a.Thing = Tables
		return a.schema(c) && a.filter(c)
	case c.Accepts("TABLE", "STATUS"):
		a.Thing = TableStatus
		return a.schema(c) && a.filter(c)
	case c.Accept("DATABASES", "SCHEMAS"):
		a.Thing = Databases
		return a.filter(c)
	case c.Accept("GRANTS"):
		for a.Thing = Grants; !c.Ended(); {
			c.Next()
		}
		return c.Finished()
	case c.Accept("TRIGGERS", "EVENTS"):
		a.Thing = Schema
		return a.schema(c) && a.filter(c)
	}
	return false
}

// table reads FROM t [FROM s].
func (a *Asked) table(c *lex.Cursor) (ok bool) {
	if !c.Accept("FROM", "IN") {
		return false
	}
	if a.Table, ok = c.TableName(); !ok {
		return false
	}
	if c.Accept("FROM", "IN") {
		a.Table.Schema, ok = c.Name()
	}
	return ok
}

// schema reads [FROM s].
func (a *Asked) schema(c *lex.Cursor) (ok bool) {
	if !c.Accept("FROM", "IN") {
		return true
	}
	a.Table.Schema, ok = c.Name()
	return ok
}

// filter reads [LIKE 'pattern' | WHERE condition] up to the end.
func (a *Asked) filter(c *lex.Cursor) bool {
	switch {
	case c.Accept("LIKE"):
		if c.Token != lex.String {
			return false
		}
		for c.Token == lex.String {
			c.Next()
		}
	case c.Accept("WHERE"):
		a.where(c)
	}
	return c.Finished()
}

// where finds the names in a condition. What stands before a dot or a parenthesis
// is no column.
func (a *Asked) where(c *lex.Cursor) {
	for !c.Ended() {
		a.Queries = a.Queries || c.Is("SELECT", "TABLE", "VALUES", "WITH")
		if c.Token != lex.Word && c.Token != lex.Quoted {
			c.Next()
			continue
		}
		name := Span{Name: c.Identifier(), From: c.Lexer.From, To: c.Lexer.Pos}
		if c.Next(); c.Token != lex.Dot && c.Token != lex.Open {
			a.Where = append(a.Where, name)
		}
	}
}
