package plan

import (
	"slices"
	"strings"
	"unicode/utf8"

	"tunic/internal/catalog"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// Inquiry is a statement that asks what tables there are and what they are like.
// The server answers it, and where it would speak of stored tables the statement or
// the answer is changed. It is for the one text that it was made of.
type Inquiry struct {
	// Catalog is the version that the answer is to agree with.
	Catalog *catalog.Catalog
	// Thing is what a SHOW asks for; NoThing for queries of information_schema.
	Thing sql.Thing
	// Table is the protected table that a SHOW asks about, nil for other questions.
	Table *catalog.Table
	// Schema is the schema that SHOW TABLE STATUS asks about, or the session's own.
	Schema string
	// Tree is the statement, of queries of information_schema.
	Tree *sql.Tree
	// Within says that the answer is not the client's, but rows of a query that tunic
	// finishes.
	Within bool
	// Own says that it reads tables of tunic's own, which tell something else each time.
	Own bool
	// Edits are what is changed in the text, in its order.
	Edits []Edit
}

// Edit is a place of a text, text[From:To], where something else is to stand.
type Edit struct {
	From, To int
	// Column is a column of the answer of SHOW that its WHERE names.
	Column string
	// Relation is a table of information_schema, in lower case, that a query stands
	// for, or one of tunic's own (OwnTable); Alias the name that it is to have, "" if it has one.
	Relation, Alias string
	// Whole says that the query is all of the statement.
	Whole bool
}

// columnFacts are the columns of SHOW COLUMNS that differ between a protected
// column and its stored form; those that are true may hold what the server does not
// know.
var columnFacts = map[string]bool{
	"type": true, "null": false, "collation": false, "key": false, "default": true, "extra": false, "comment": true,
}

// inquire plans a statement that asks about tables. It reports false for any other,
// and for one that the server may answer as it is.
func (k *knowledge) inquire(p *Plan, s *sql.Statement, alone bool) bool {
	if k.catalog == nil {
		return false
	}
	if refusal := describesOwn(s); refusal != nil {
		p.refuse(refusal)
		return true
	}
	switch s.Kind {
	case sql.Show, sql.ShowTables, sql.ShowColumns, sql.ShowIndex, sql.ShowCreateTable, sql.Describe:
		return k.inquireShow(p, s, alone)
	default:
		return k.inquireInformation(p, s, alone)
	}
}

// inquireShow plans SHOW and DESCRIBE.
func (k *knowledge) inquireShow(p *Plan, s *sql.Statement, alone bool) bool {
	asked, ok := s.Asked()
	if !ok {
		return false
	}
	schema := asked.Table.Schema
	if schema == "" {
		schema, p.OfSchema = k.schema, true
	}
	if strings.EqualFold(schema, catalog.Schema) && asked.Thing != sql.Databases {
		p.refuse(sqlerr.OwnSchema())
		return true
	}
	if !utf8.ValidString(schema) || !utf8.ValidString(asked.Table.Name) {
		p.refuse(sqlerr.StatementUnread()) // in which character set?
		return true
	}
	q := &Inquiry{Catalog: k.catalog, Thing: asked.Thing, Schema: schema}
	if !q.changes(asked) {
		return true
	}
	p.inquiry(q, q.where(asked), alone)
	if q.Table != nil && q.Table.View != nil && asked.Thing == sql.Columns {
		p.outdated(q.Table)
	}
	return true
}

// outdated has views that are outdated told anew before they are told of.
func (p *Plan) outdated(views ...*catalog.Table) {
	a, ok := p.Action.(*Introspect)
	if !ok {
		return
	}
	for _, v := range views {
		if a.Inquiry.Catalog.Outdated(v) {
			a.Outdated = append(a.Outdated, v)
		}
	}
}

// inquiry makes q the plan, unless there is a reason against it.
func (p *Plan) inquiry(q *Inquiry, refusal error, alone bool) {
	if refusal == nil && !alone {
		refusal = sqlerr.StatementRefused("a question about tables together with other statements")
	}
	if refusal != nil {
		p.refuse(refusal)
		return
	}
	p.Action = &Introspect{Inquiry: q}
}

// changes finds the protected table that is asked about, and reports whether the
// server's answer to SHOW would not do.
func (q *Inquiry) changes(asked sql.Asked) bool {
	switch asked.Thing {
	case sql.Columns, sql.Indexes, sql.TableDefinition:
		if q.Table = q.Catalog.Table(q.Schema, asked.Table.Name); q.Table == nil && asked.Thing != sql.Indexes {
			q.Table = q.Catalog.View(q.Schema, asked.Table.Name)
		}
		return q.Table != nil
	case sql.TableStatus:
		for t := range q.Catalog.Tables() {
			if strings.EqualFold(t.Schema, q.Schema) {
				return true
			}
		}
		return false
	default:
		return asked.Thing == sql.Databases || asked.Thing == sql.OpenTables || asked.Thing == sql.Grants && q.Catalog.Len() > 0
	}
}

// where looks at the condition of a SHOW: what it names is replaced by what the
// answer is going to say, where the server may know that.
func (q *Inquiry) where(asked sql.Asked) error {
	if asked.Queries {
		return sqlerr.StatementRefused("SHOW with a query in its WHERE")
	}
	for _, name := range asked.Where {
		switch column := strings.ToLower(name.Name); {
		case column == "null" && name.To-name.From == len(column): // no name, but NULL itself
		case asked.Thing == sql.TableStatus && column == "comment", asked.Thing == sql.Indexes && column == "sub_part":
			return sqlerr.StatementRefused("SHOW with a WHERE over " + name.Name)
		case asked.Thing == sql.Indexes && column == "column_name":
			q.Edits = append(q.Edits, Edit{From: name.From, To: name.To, Column: name.Name})
		case asked.Thing == sql.Columns && q.Table.View != nil:
			if _, differs := columnFacts[column]; differs {
				return sqlerr.StatementRefused("SHOW with a WHERE over " + name.Name)
			}
		case asked.Thing == sql.Columns:
			secret, differs := columnFacts[column]
			if secret && (column != "type" || hasLabels(q.Table)) {
				return sqlerr.StatementRefused("SHOW with a WHERE over " + name.Name)
			}
			if differs {
				q.Edits = append(q.Edits, Edit{From: name.From, To: name.To, Column: name.Name})
			}
		}
	}
	return nil
}

// hasLabels reports whether the type of a protected column has labels, which the
// server does not know.
func hasLabels(t *catalog.Table) bool {
	return slices.ContainsFunc(t.Columns, func(c catalog.Column) bool {
		return c.Protected() && (c.Type.Kind == value.Enum || c.Type.Kind == value.Set)
	})
}
