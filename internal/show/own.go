package show

import (
	"slices"
	"strconv"
	"strings"

	"tunic/internal/plan"
)

// What there is to say of jobs and layers is in tables of tunic's own, which the server
// does not have: a query of literals stands in the place of each, so that the server's
// filters, joins and sorting decide, as over any table.

// The tables of tunic's own.
var (
	ownJobs   = plan.OwnTable("jobs")
	ownLayers = plan.OwnTable("layers")
)

// OwnRows tells what there is to say in tables of tunic's own.
type OwnRows interface {
	// Jobs are all jobs, Layers all layers; who may see them is not asked.
	Jobs() ([]OwnRow, error)
	Layers() ([]OwnRow, error)
}

// OwnRow is a row of such a table.
type OwnRow struct {
	// Schema and Table are what the row is about: who has no privilege on it does not see
	// the row. Gone says that the table is not there any more; then who may know of its
	// schema sees it.
	Schema, Table string
	Gone          bool
	// Moving says that a job may be changing the table's definition.
	Moving bool
	// Cells are in the order of the table's columns; NULL is nil.
	Cells []*string
}

// ownColumn is a column of such a table.
type ownColumn struct {
	name string
	kind ownKind
}

type ownKind uint8

const (
	ownText   ownKind = iota // words and names
	ownNumber                // without a sign
	ownTime                  // with seconds, in UTC
	ownSecret                // a text that the server is not to know
)

// ownTables are the columns of the tables, in their order.
var ownTables = map[string][]ownColumn{
	ownJobs: {
		{"id", ownNumber},
		{"kind", ownText},
		{"table_schema", ownText},
		{"table_name", ownText},
		{"column_name", ownText},
		{"layer", ownText},
		{"state", ownText},
		{"stage", ownText},
		{"cause", ownText},
		{"rows_done", ownNumber},
		{"rows_expected", ownNumber},
		{"error", ownNumber},
		{"reason", ownSecret},
		{"asked", ownTime},
	},
	ownLayers: {
		{"table_schema", ownText},
		{"table_name", ownText},
		{"column_name", ownText},
		{"layer", ownText},
		{"scheme", ownText},
		{"state", ownText},
		{"job", ownNumber},
		{"ceiling", ownText},
		{"statements", ownNumber},
		{"rows_saved", ownNumber},
		{"advice", ownText},
		{"why", ownSecret},
	},
}

// tellOwn finds the rows that the client may see.
func (a *Answer) tellOwn() error {
	if !a.inquiry.Own {
		return nil
	}
	a.ownRows = map[string][]OwnRow{}
	for i := range a.inquiry.Edits {
		var err error
		switch name := a.inquiry.Edits[i].Relation; name {
		case ownJobs:
			a.ownRows[name], err = a.session.Own.Jobs()
		case ownLayers:
			a.ownRows[name], err = a.session.Own.Layers()
		}
		if err != nil {
			return err
		}
	}
	if err := a.onlySeen(); err != nil {
		return err
	}
	for i := range a.inquiry.Edits {
		a.own(a.inquiry.Edits[i].Relation) // makes the words that stand for what is in it
	}
	return nil
}

// onlySeen leaves out what the client may not know of. MariaDB leaves a table out of
// information_schema for a moment while its definition changes, which jobs do; so one that a
// job is at is asked for by its name.
func (a *Answer) onlySeen() error {
	tables, err := a.session.Visible(nil)
	if err != nil {
		return err
	}
	v := visibility{folds: a.inquiry.Catalog.Folds(), tables: map[[2]string]bool{}, schemas: map[string]bool{}}
	v.add(tables)
	for _, name := range v.moving(a.ownRows) {
		switch knows, err := a.session.Knows(name[0], name[1]); {
		case err != nil:
			return err
		case knows:
			v.add([][2]string{name})
		}
	}
	for name, rows := range a.ownRows {
		a.ownRows[name] = slices.DeleteFunc(rows, func(r OwnRow) bool { return !v.of(&r) })
	}
	return nil
}

// visibility is which tables and schemas a client may know of.
type visibility struct {
	folds   bool
	tables  map[[2]string]bool
	schemas map[string]bool
}

func (v *visibility) fold(name string) string {
	if v.folds {
		return strings.ToLower(name)
	}
	return name
}

func (v *visibility) add(tables [][2]string) {
	for _, t := range tables {
		v.tables[[2]string{v.fold(t[0]), v.fold(t[1])}] = true
		v.schemas[v.fold(t[0])] = true
	}
}

// of reports whether the client may see a row.
func (v *visibility) of(r *OwnRow) bool {
	return v.tables[[2]string{v.fold(r.Schema), v.fold(r.Table)}] || r.Gone && v.schemas[v.fold(r.Schema)]
}

// moving are tables that are not seen and that a job is at.
func (v *visibility) moving(of map[string][]OwnRow) (names [][2]string) {
	for _, rows := range of {
		for i := range rows {
			name := [2]string{rows[i].Schema, rows[i].Table}
			if rows[i].Moving && !v.of(&rows[i]) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// own is the query that stands for a table of tunic's own, in parentheses; "" for others.
// Its first part has no row: it gives the columns their names and types.
func (a *Answer) own(table string) string {
	columns := ownTables[table]
	if columns == nil {
		return ""
	}
	var b strings.Builder
	b.WriteString("(SELECT ")
	for i, c := range columns {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(c.kind.model() + " AS `" + c.name + "`")
	}
	b.WriteString(" FROM DUAL WHERE FALSE")
	for n, row := range a.ownRows[table] {
		b.WriteString(" UNION ALL SELECT ")
		for i, c := range columns {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(a.ownCell(c, row.Cells[i], table+"."+strconv.Itoa(n)))
		}
	}
	return b.String() + ")"
}

// model is a value of the column's type.
func (k ownKind) model() string {
	switch k {
	case ownNumber:
		return "CAST(0 AS UNSIGNED)"
	case ownTime:
		return "CAST('2000-01-01 00:00:00' AS DATETIME)"
	default:
		return ownLiteral("")
	}
}

// ownCell is a cell of a row as a literal.
func (a *Answer) ownCell(c ownColumn, cell *string, row string) string {
	switch {
	case cell == nil:
		return none
	case c.kind == ownNumber:
		if _, err := strconv.ParseUint(*cell, 10, 64); err != nil {
			return none
		}
		return "CAST(" + *cell + " AS UNSIGNED)"
	case c.kind == ownTime:
		return "CAST(" + literal(*cell) + " AS DATETIME)"
	case c.kind == ownSecret && *cell != "":
		word := a.words.text(wordOf{kind: secretColumns[c.name].kind, column: row}, *cell)
		return "_utf8mb4" + word + " COLLATE utf8mb4_general_ci"
	}
	return ownLiteral(*cell)
}

// ownLiteral is a text with a collation of its own: literals of the session's could not be
// put together with one another.
func ownLiteral(text string) string {
	l := literal(text)
	if !strings.HasPrefix(l, "_") {
		l = "_utf8mb4" + l
	}
	return l + " COLLATE utf8mb4_general_ci"
}
