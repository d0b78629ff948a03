package sql

import "tunic/internal/sql/lex"

// TableRef is a name that stands for a table after FROM or JOIN, or before a column.
type TableRef struct {
	Name TableName
	// From and To are where the name is in the text, the schema's included; At is
	// where the table's own name begins.
	From, At, To int
	// Qualifies says that the name stands before a column or a *.
	Qualifies bool
	// Aliased says that an alias follows.
	Aliased bool
}

// TableRefs finds the tables that a statement reads, in the order of the text, and
// the names that stand before columns. It reads tokens: where a grammar would be
// needed, somebody has to compare what it finds with a tree. ok is false where the
// text cannot be read.
func (s *Statement) TableRefs() (refs []TableRef, ok bool) {
	c := s.cursor()
	r := refReader{c: c, levels: []refLevel{{query: true}}}
	for !r.c.Ended() {
		r.step()
		if len(r.levels) == 0 {
			return nil, false
		}
	}
	return r.refs, !r.c.Lexer.Unclean
}

// refLevel is what is known between two parentheses.
type refLevel struct {
	query  bool // of a query, where FROM has tables behind it
	from   bool // behind FROM, where a comma or JOIN is followed by another table
	expect bool // a table is next
}

type refReader struct {
	c      lex.Cursor
	levels []refLevel
	refs   []TableRef
}

// step reads a token, or a name with what it qualifies.
func (r *refReader) step() {
	top := &r.levels[len(r.levels)-1]
	switch r.c.Token {
	case lex.Open:
		inner := refLevel{from: top.expect, expect: top.expect}
		top.expect = false
		r.levels = append(r.levels, inner)
	case lex.Close:
		r.levels = r.levels[:len(r.levels)-1]
	case lex.Comma:
		top.expect = top.from
	case lex.Word:
		if r.keyword(top) {
			break
		}
		r.name(top)
		return
	case lex.Quoted:
		r.name(top)
		return
	default:
	}
	r.c.Next()
}

// keyword reads a word that opens or ends a list of tables.
func (r *refReader) keyword(top *refLevel) bool {
	switch {
	case r.c.Is("SELECT"):
		*top = refLevel{query: true}
	case r.c.Is("FROM") && top.query:
		top.from, top.expect = true, true
	case top.from && r.c.Is("JOIN", "STRAIGHT_JOIN"):
		top.expect = true
	case r.c.Is("LATERAL") && top.expect:
	case r.c.Is(fromEnds...):
		top.from, top.expect = false, false
	default:
		return false
	}
	return true
}

// fromEnds follow a list of tables.
var fromEnds = []string{
	"WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "UNION", "EXCEPT", "INTERSECT", "WINDOW", "INTO", "PROCEDURE", "LOCK", "SET", "VALUES",
}

// afterTable are the words that follow a table and are no alias of it.
var afterTable = lex.NewWordSet("JOIN", "INNER", "LEFT", "RIGHT", "CROSS", "NATURAL", "STRAIGHT_JOIN", "ON", "USING", "WHERE", "GROUP", "HAVING",
	"ORDER", "LIMIT", "UNION", "EXCEPT", "INTERSECT", "FOR", "LOCK", "WINDOW", "INTO", "PARTITION", "USE", "IGNORE", "FORCE", "PROCEDURE",
	"SET", "FETCH", "OFFSET", "VALUES", "TABLESAMPLE")

// name reads a, a.b or a.b.c, and takes the tables that it names. Names that are
// not followed by a dot and stand where no table is expected are columns, aliases
// or words.
func (r *refReader) name(top *refLevel) {
	type part struct {
		name     string
		from, to int
	}
	var parts []part
	all := false // the last part is *
	for {
		p := part{from: r.c.Lexer.From, to: r.c.Lexer.Pos}
		switch {
		case len(parts) > 0 && r.c.Op('*'):
			all = true
			r.c.Next()
		case r.c.Token != lex.Word && r.c.Token != lex.Quoted:
		default:
			p.name = r.c.Identifier()
			parts = append(parts, p)
			if r.c.Next(); r.c.Token == lex.Dot {
				r.c.Next()
				continue
			}
		}
		break
	}
	table := top.expect && r.c.Token != lex.Open
	aliased := r.c.Is("AS") || r.c.Token == lex.Quoted || r.c.Token == lex.Word && !afterTable.Has(r.c.Text())
	top.expect = false
	if !table && !all && len(parts) > 0 {
		parts = parts[:len(parts)-1] // a column
	}
	switch len(parts) {
	case 1:
		p := parts[0]
		r.refs = append(r.refs, TableRef{Name: TableName{Name: p.name}, From: p.from, At: p.from, To: p.to, Qualifies: !table, Aliased: table && aliased})
	case 2:
		p, q := parts[0], parts[1]
		r.refs = append(r.refs, TableRef{Name: TableName{Schema: p.name, Name: q.name}, From: p.from, At: q.from, To: q.to, Qualifies: !table, Aliased: table && aliased})
	default:
	}
}
