package sql

import "tunic/internal/sql/lex"

// Unnamed reports whether a statement may give a column a value, or compare it with one, without the column's name: by an
// INSERT without a list of columns, by a file, by the parts of an index, or where all columns of a table are compared with
// something, or with the rows of another query. It reads tokens, and is true where in doubt.
func (s *Statement) Unnamed() bool {
	if _, read := s.FileLoad(); s.runsText() || !read && !saysUnnamed[s.Kind] {
		return true
	}
	f := unnamedFinder{cursor: s.cursor()}
	f.all = f.cursor.Is("TABLE")
	for !f.cursor.Ended() {
		if f.gives() {
			return true
		}
	}
	return f.cursor.Lexer.Unclean || f.joins && f.all
}

// saysUnnamed are the kinds of statements whose words say it. Of others nothing is known: a HANDLER names an index, LOAD XML has the
// names in a file.
var saysUnnamed = map[Kind]bool{
	Select: true, SelectIntoFile: true, SetOperation: true, Values: true, Table: true, Insert: true, Replace: true, Update: true, Delete: true, Do: true,
	Call: true, Explain: true, Set: true, SetStatement: true, Compound: true, Kill: true, AnalyzeTable: true, ChecksumTable: true, CreateTable: true,
	CreateView: true, AlterView: true, CreateTrigger: true, CreateProcedure: true, CreateFunction: true, CreateEvent: true, AlterEvent: true,
	CreatePackage: true,
}

// unnamedFinder looks for values without names.
type unnamedFinder struct {
	cursor lex.Cursor
	depth  int
	// all says that all columns of a table are in a list; joins that rows of several queries are put together.
	all, joins bool
	// listing says that the next token may be the * of a list of columns; exists that this is behind EXISTS, which looks
	// at none.
	listing, exists bool
}

// gives passes over a token, or what belongs together, and reports whether a value may come without a name by it.
func (f *unnamedFinder) gives() bool {
	c := &f.cursor
	switch {
	case c.Is("INSERT", "REPLACE"):
		f.listing = false
		return f.inserts()
	case c.Accepts("CREATE", "TABLE"), c.Accepts("TEMPORARY", "TABLE"):
	case c.Accepts("OR", "REPLACE"): // CREATE OR REPLACE
		c.Accept("TABLE")
	case c.Accepts("AS", "TABLE"):
		f.all = true
	case c.Is("EXISTS"):
		c.Next()
		f.exists, f.listing = c.Token == lex.Open, false
		return false
	case c.Token == lex.Open:
		f.depth++
		c.Next()
		return f.table(false)
	case c.Token == lex.Close:
		f.depth--
		f.listing = false
		c.Next()
	case f.listing && c.Op('*'):
		f.all = true
		c.Next()
		return f.depth > 0 && !f.exists
	default:
		return f.word()
	}
	return false
}

// word passes over any other token.
func (f *unnamedFinder) word() bool {
	c := &f.cursor
	switch {
	case c.Is("UNION", "EXCEPT", "INTERSECT", "MINUS"):
		f.joins = true
		c.Next()
		c.Accept("ALL", "DISTINCT")
		return f.table(true)
	case c.Is("SELECT"):
		f.listing = true
	case c.Is("TABLE"): // which counts where rows are put together
		f.all, f.listing, f.exists = true, false, false
	case c.Token == lex.Comma, c.Token == lex.Dot:
		f.listing, f.exists = true, false
	case f.listing && c.Token == lex.Word && selectOptions.Has(c.Text()):
	default:
		f.listing, f.exists = false, false
	}
	c.Next()
	return false
}

// table reports whether a query that is TABLE t begins, whose rows are compared with something.
func (f *unnamedFinder) table(joined bool) bool {
	return f.cursor.Is("TABLE") && (joined || !f.exists)
}

// inserts passes over an INSERT or REPLACE up to its values, and reports whether it has no list of columns. Both are functions
// as well, and INSERT is what a trigger is set off by.
func (f *unnamedFinder) inserts() bool {
	c := &f.cursor
	c.Next()
	if c.Token == lex.Open || c.Is("ON", "OR") {
		return false
	}
	for c.Accept("LOW_PRIORITY", "HIGH_PRIORITY", "DELAYED", "IGNORE") {
	}
	c.Accept("INTO")
	if _, ok := c.TableName(); !ok {
		return true
	}
	if c.Accept("PARTITION") {
		c.SkipParens()
	}
	if c.Token != lex.Open {
		return !c.Is("SET")
	}
	at := *c
	at.Next()
	return at.Token == lex.Open || at.Token == lex.Close || at.Is("SELECT", "WITH", "VALUES", "TABLE")
}
