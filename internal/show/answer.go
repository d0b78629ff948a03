package show

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/value/charset"
	"tunic/internal/wire"
)

// Charset converts between UTF-8 and the character set of results.
type Charset interface {
	Encode(text string) []byte
	Decode(text []byte) string
}

// Answer is what is done with one question and the server's answer to it. It is for
// one session.
type Answer struct {
	inquiry *plan.Inquiry
	session Session
	charset Charset
	table   *table // of a SHOW about one
	names   []string
	columns map[string]int
	types   []wire.Type
	binary  bool
	cells   []wire.Cell

	// Of queries of information_schema:
	tables     []*table
	views      []*table
	untold     untold
	only       only
	words      *words
	holders    *holders // nil if no column of the result has words in it
	dictionary Dictionary
	ordered    bool                // information_schema.COLUMNS is put in order
	ownRows    map[string][]OwnRow // of tunic's own tables, that the client may see
}

// Session is what of a client's session an answer depends on.
type Session struct {
	Env *value.Env
	// Collation is collation_connection.
	Collation *charset.Collation
	Charset   Charset
	// Dictionary asks the server for its information_schema.
	Dictionary func() (Dictionary, error)
	// Visible asks the server, as the client, for the schemas and names of the tables
	// that it may know of: of all, or of those that may have one of these names.
	Visible func(names []string) ([][2]string, error)
	// Knows asks the server, as the client, whether it may know of a table.
	Knows func(schema, table string) (bool, error)
	// Own is what there is to say in a table of tunic's own.
	Own OwnRows
	// PlainOnly says that the client reaches plain tables only, and is told of no others.
	PlainOnly bool
}

// ErrAnswer says that an answer is not what servers say to the question.
var ErrAnswer = errors.New("show: the server's answer cannot be read")

// New makes the answer to a question. The error is a *sqlerr.Error if the question is
// refused, what Dictionary has returned, or one of the catalog: a definition that
// cannot be read.
func New(q *plan.Inquiry, session Session) (*Answer, error) {
	if session.PlainOnly && (q.Table != nil || q.Own) {
		return nil, sqlerr.AccountPlain()
	}
	a := &Answer{inquiry: q, session: session, charset: session.Charset}
	var err error
	switch {
	case q.Table != nil:
		a.table, err = read(q.Table, session.Env.Flavor)
	case q.Thing == sql.NoThing:
		err = a.inform()
	}
	return a, err
}

// inform prepares for a query of information_schema.
func (a *Answer) inform() error {
	a.words, a.only = newWords(), only{}
	if a.inquiry.Tree != nil {
		a.only = onlyOf(a.inquiry.Tree.Root())
	}
	if a.inquiry.Own {
		a.only = nil // what is told of is not known before
	}
	if err := a.see(); err != nil {
		return err
	}
	if err := a.tellOwn(); err != nil {
		return err
	}
	if a.inquiry.Tree != nil {
		a.ordered = a.ordersColumns(a.inquiry.Tree.Root())
	}
	a.tableFacts()
	a.columnFacts()
	a.definitionFacts()
	a.checks("check_constraints", nil)
	if a.inquiry.Tree == nil { // a CALL, which returns the table as it is
		a.holders = &holders{}
	} else if !a.inquiry.Within {
		if err := a.secretsStay(a.inquiry.Tree); err != nil {
			return err
		}
	}
	var err error
	a.dictionary, err = a.session.Dictionary()
	return err
}

// see finds the protected tables that the client may know of: a client can read its
// own statements at the server, so that no other table's facts may be in them.
func (a *Answer) see() error {
	names := a.only.names(a.inquiry.Edits)
	if a.session.PlainOnly {
		names = nil // of all relations rows are left out
	}
	visible, err := a.session.Visible(names)
	if err != nil {
		return err
	}
	if a.session.PlainOnly {
		a.untold = untoldOf(a.inquiry.Catalog, visible)
		return nil
	}
	for _, name := range visible {
		t := a.inquiry.Catalog.Table(name[0], name[1])
		if v := a.inquiry.Catalog.View(name[0], name[1]); t == nil && v != nil {
			a.views = append(a.views, readView(v))
		}
		if t == nil {
			continue
		}
		s, err := read(t, a.session.Env.Flavor)
		if err != nil {
			return err
		}
		a.tables = append(a.tables, s)
	}
	byName := func(s, t *table) int {
		return cmp.Or(strings.Compare(s.Schema, t.Schema), strings.Compare(s.Name, t.Name))
	}
	slices.SortFunc(a.tables, byName)
	slices.SortFunc(a.views, byName)
	return nil
}

// Text is what the server is sent in the place of the client's text.
func (a *Answer) Text(text []byte) []byte {
	var out []byte
	at := 0
	for i := range a.inquiry.Edits {
		e := &a.inquiry.Edits[i]
		out = append(out, text[at:e.From]...)
		switch {
		case e.Relation != "":
			out = append(out, a.relation(e, text)...)
		case e.Column != "":
			out = append(out, a.edit(e)...)
		}
		at = e.To
	}
	return append(out, text[at:]...)
}

// relation is what stands in the place of a table of information_schema.
func (a *Answer) relation(e *plan.Edit, text []byte) string {
	query := a.own(e.Relation)
	if query == "" {
		query = a.query(e.Relation)
	}
	switch {
	case e.Whole:
		return "SELECT * FROM " + query + " AS told"
	case query == "":
		return string(text[e.From:e.To])
	case e.Alias != "":
		query += " AS `" + e.Alias + "`"
	}
	return query
}

// Columns takes the names and types of the answer's columns. Its rows are of the
// binary protocol, or of that of text.
func (a *Answer) Columns(names []string, types []wire.Type, binary bool) {
	a.names, a.types, a.binary = names, types, binary
	a.columns = make(map[string]int, len(names))
	for i, name := range names {
		a.columns[strings.ToLower(name)] = i
	}
}

// Row changes a row into what the client is to see; keep is false for one that it
// is not to see. ok is false if the row is not what servers answer. The cells are the
// caller's.
func (a *Answer) Row(cells []wire.Cell) (keep, ok bool) {
	a.cells = cells
	keep, err := a.row(cells)
	return keep, err == nil
}

func (a *Answer) row(cells []wire.Cell) (keep bool, err error) {
	switch a.inquiry.Thing {
	case sql.Columns:
		return a.columnRow()
	case sql.Indexes:
		return a.indexRow()
	case sql.TableDefinition:
		return true, a.createRow()
	case sql.TableStatus:
		return a.statusRow()
	case sql.Databases:
		return !a.hidden(cells[0]), nil
	case sql.OpenTables:
		return !a.hidden(cells[a.columns["database"]]), nil
	case sql.Grants:
		return a.grantRow(), nil
	case sql.NoThing:
		a.replaceWords(cells)
		return true, nil
	default:
		return false, ErrAnswer
	}
}
