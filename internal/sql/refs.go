package sql

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
	for !r.c.ended() {
		r.step()
		if len(r.levels) == 0 {
			return nil, false
		}
	}
	return r.refs, !r.c.lx.unclean
}

// refLevel is what is known between two parentheses.
type refLevel struct {
	query  bool // of a query, where FROM has tables behind it
	from   bool // behind FROM, where a comma or JOIN is followed by another table
	expect bool // a table is next
}

type refReader struct {
	c      cursor
	levels []refLevel
	refs   []TableRef
}

// step reads a token, or a name with what it qualifies.
func (r *refReader) step() {
	top := &r.levels[len(r.levels)-1]
	switch r.c.t {
	case tokenOpen:
		inner := refLevel{from: top.expect, expect: top.expect}
		top.expect = false
		r.levels = append(r.levels, inner)
	case tokenClose:
		r.levels = r.levels[:len(r.levels)-1]
	case tokenComma:
		top.expect = top.from
	case tokenWord:
		if r.keyword(top) {
			break
		}
		r.name(top)
		return
	case tokenQuoted:
		r.name(top)
		return
	default:
	}
	r.c.next()
}

// keyword reads a word that opens or ends a list of tables.
func (r *refReader) keyword(top *refLevel) bool {
	switch {
	case r.c.is("SELECT"):
		*top = refLevel{query: true}
	case r.c.is("FROM") && top.query:
		top.from, top.expect = true, true
	case top.from && r.c.is("JOIN", "STRAIGHT_JOIN"):
		top.expect = true
	case r.c.is("LATERAL") && top.expect:
	case r.c.is(fromEnds...):
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
var afterTable = newWordSet("JOIN", "INNER", "LEFT", "RIGHT", "CROSS", "NATURAL", "STRAIGHT_JOIN", "ON", "USING", "WHERE", "GROUP", "HAVING",
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
		p := part{from: r.c.lx.from, to: r.c.lx.pos}
		switch {
		case len(parts) > 0 && r.c.op('*'):
			all = true
			r.c.next()
		case r.c.t != tokenWord && r.c.t != tokenQuoted:
		default:
			p.name = r.c.identifier()
			parts = append(parts, p)
			if r.c.next(); r.c.t == tokenDot {
				r.c.next()
				continue
			}
		}
		break
	}
	table := top.expect && r.c.t != tokenOpen
	aliased := r.c.is("AS") || r.c.t == tokenQuoted || r.c.t == tokenWord && !afterTable.has(r.c.text())
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
		r.refs = append(r.refs, TableRef{Name: TableName{p.name, q.name}, From: p.from, At: q.from, To: q.to, Qualifies: !table, Aliased: table && aliased})
	default:
	}
}
