package show

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tunic/internal/catalog"
	"tunic/internal/ddl/form"
	"tunic/internal/value"
)

// A relation is a table of information_schema as a query tells it: the server's own
// rows, without those that are hidden, and with facts in place of stored ones.
type relation struct {
	// schema is the column with the schema's name, by which tunic's own is hidden.
	schema string
	// constraint is the column with the constraint's name, if tunic's own constraints
	// are among the rows.
	constraint string
	// columns says that there is a row for each column, and key is the column with the name
	// of the key that the row is about.
	columns bool
	key     string
	joins   []join
}

// join brings facts to the rows that they are about.
type join struct {
	// keys are the columns by which rows are found; the first two name a table.
	keys []string
	// values are the columns that are replaced, the last few of them in all rows
	// that are found.
	values []string
	always int
	rows   func(*Answer) []fact
}

// fact is what is known of a row.
type fact struct {
	keys []string // literals, as those of join
	// state says what is done with the row.
	state  state
	values []string // literals, as those of join
}

type state uint8

const (
	plain    state = iota // only what is replaced in all rows
	replaced              // all values are
	hidden                // the row is not told
)

// tableKeys name a column of a table.
var tableKeys = []string{"TABLE_SCHEMA", "TABLE_NAME", "COLUMN_NAME"}

// relations are the tables of information_schema that a query stands for.
var relations = map[string]relation{
	"schemata":            {schema: "SCHEMA_NAME"},
	"schemata_extensions": {schema: "SCHEMA_NAME"},
	"tables":              {schema: "TABLE_SCHEMA", joins: []join{{keys: tableKeys[:2], values: []string{"TABLE_COMMENT"}, rows: (*Answer).tableFacts}}},
	"views": {schema: "TABLE_SCHEMA", joins: []join{
		{keys: tableKeys[:2], values: []string{"VIEW_DEFINITION", "CHECK_OPTION", "IS_UPDATABLE"}, rows: (*Answer).definitionFacts},
	}},
	"tables_extensions":       {schema: "TABLE_SCHEMA"},
	"partitions":              {schema: "TABLE_SCHEMA"},
	"referential_constraints": {schema: "CONSTRAINT_SCHEMA"},

	"columns": {schema: "TABLE_SCHEMA", columns: true, joins: []join{
		{keys: tableKeys, values: append(slices.Clone(facts), "ORDINAL_POSITION"), always: 1, rows: (*Answer).columnFacts},
	}},
	"columns_extensions": {schema: "TABLE_SCHEMA", columns: true, joins: []join{{keys: tableKeys, rows: (*Answer).layerFacts}}},
	"column_privileges":  {schema: "TABLE_SCHEMA", columns: true, joins: []join{{keys: tableKeys, rows: (*Answer).layerFacts}}},
	"column_statistics":  {schema: "SCHEMA_NAME", joins: []join{{keys: []string{"SCHEMA_NAME", "TABLE_NAME", "COLUMN_NAME"}, rows: (*Answer).formFacts}}},

	"statistics": {schema: "TABLE_SCHEMA", key: "INDEX_NAME", joins: []join{
		{keys: []string{"TABLE_SCHEMA", "TABLE_NAME", "INDEX_NAME", "SEQ_IN_INDEX"}, values: []string{"COLUMN_NAME", "SUB_PART", "NULLABLE"}, rows: (*Answer).partFacts},
	}},
	"key_column_usage": {schema: "TABLE_SCHEMA", key: "CONSTRAINT_NAME", joins: []join{
		{keys: tableKeys, values: []string{"COLUMN_NAME"}, rows: (*Answer).nameFacts},
		{keys: []string{"REFERENCED_TABLE_SCHEMA", "REFERENCED_TABLE_NAME", "REFERENCED_COLUMN_NAME"}, values: []string{"REFERENCED_COLUMN_NAME"}, rows: (*Answer).referencedFacts},
	}},

	"table_constraints":            {schema: "CONSTRAINT_SCHEMA", constraint: "CONSTRAINT_NAME", key: "CONSTRAINT_NAME"},
	"table_constraints_extensions": {schema: "CONSTRAINT_SCHEMA", constraint: "CONSTRAINT_NAME", key: "CONSTRAINT_NAME"},
	"check_constraints":            {schema: "CONSTRAINT_SCHEMA", constraint: "CONSTRAINT_NAME"},
}

// Dictionary are the columns of the server's information_schema, by the names of its
// tables in lower case.
type Dictionary map[string][]Column

// Column is a column of a table of information_schema.
type Column struct{ Name, Type string }

// query is the query that stands for a table, in parentheses; "" if the server has no
// such table.
func (a *Answer) query(name string) string {
	columns := a.dictionary[name]
	if columns == nil {
		return ""
	}
	r := relations[name]
	var from, conditions []string
	from = append(from, "information_schema."+name+" AS r")
	conditions = append(conditions, "r."+r.schema+" <> '"+catalog.Schema+"'")
	replacing := map[string]string{}
	for i := range r.joins {
		j := r.joins[i].with(columns)
		text, condition := a.joined(name, "f"+strconv.Itoa(i), &j, replacing)
		from, conditions = append(from, text), append(conditions, condition)
	}
	if r.constraint != "" && len(a.tables) > 0 {
		conditions = append(conditions, "r."+r.constraint+" NOT IN ("+strings.Join(a.ownConstraints(), ", ")+")")
	}
	if r.columns {
		conditions = append(conditions, a.noLayers()...)
	}
	if r.key != "" && len(a.tables) > 0 {
		conditions = append(conditions, noKeysAside("r."+r.key))
	}
	list, names := make([]string, len(columns)), make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.Name
		list[i] = "r.`" + c.Name + "`"
		if e, ok := replacing[strings.ToUpper(c.Name)]; ok {
			list[i] = e + " AS `" + c.Name + "`"
		}
	}
	if c := a.untold.condition(name, r.schema, names, a.inquiry.Catalog.Folds()); c != "" {
		conditions = append(conditions, c)
	}
	if name == "columns" && a.ordered {
		ordinal := "r.ORDINAL_POSITION"
		if e, ok := replacing["ORDINAL_POSITION"]; ok {
			ordinal = e
		}
		conditions[len(conditions)-1] += a.ordering(ordinal)
	}
	query := "(SELECT " + strings.Join(list, ", ") + " FROM " + strings.Join(from, " LEFT JOIN ") + " WHERE " + strings.Join(conditions, " AND ")
	return query + a.checks(name, columns) + ")"
}

// with leaves out values that the server does not have, and gives numbers their
// sign: where one has none and another has, MariaDB makes decimals of both.
func (j *join) with(columns []Column) join {
	out := *j
	out.values = nil
	var kept []int
	unsigned := map[int]bool{}
	for i, v := range j.values {
		at := slices.IndexFunc(columns, func(c Column) bool { return strings.EqualFold(c.Name, v) })
		switch {
		case at >= 0:
			out.values, kept = append(out.values, v), append(kept, i)
			unsigned[i] = strings.Contains(strings.ToLower(columns[at].Type), "unsigned")
		case i >= len(j.values)-j.always:
			out.always--
		}
	}
	out.rows = func(a *Answer) []fact {
		all := j.rows(a)
		for n := range all {
			var values []string
			for _, i := range kept {
				v := none // of rows that are hidden
				if i < len(all[n].values) {
					v = all[n].values[i]
				}
				values = append(values, number(v, unsigned[i]))
			}
			all[n].values = values
		}
		return all
	}
	return out
}

// number makes a number, or NULL, one without a sign.
func number(literal string, unsigned bool) string {
	if !unsigned || literal != none && strings.Trim(literal, "0123456789") != "" {
		return literal
	}
	return "CAST(" + literal + " AS UNSIGNED)"
}

// joined is the table of facts with the condition of the join, and the condition of
// rows that are told. replacing gets the expressions of columns.
//
// The first query of the union has no row: it gives the columns of the facts the
// types and collations of the server's own.
func (a *Answer) joined(name, source string, j *join, replacing map[string]string) (text, condition string) {
	var b strings.Builder
	b.WriteString("(SELECT ")
	for i, k := range j.keys {
		b.WriteString(k + " AS k" + strconv.Itoa(i) + ", ")
	}
	b.WriteString("0 AS state")
	for i, v := range j.values {
		b.WriteString(", " + v + " AS v" + strconv.Itoa(i))
	}
	b.WriteString(" FROM information_schema." + name + " WHERE FALSE")
	for _, f := range j.rows(a) {
		b.WriteString(" UNION ALL SELECT " + strings.Join(f.keys, ", ") + ", " + strconv.Itoa(int(f.state)))
		for _, v := range f.values {
			b.WriteString(", " + a.ownText(v))
		}
	}
	ours := make([]string, len(j.keys))
	for i := range ours {
		ours[i] = source + ".k" + strconv.Itoa(i)
	}
	b.WriteString(") AS " + source + " ON " + a.is(j.keys, "r.", ours))
	for i, v := range j.values {
		when := source + ".state = 1"
		if i >= len(j.values)-j.always {
			when = source + ".state IS NOT NULL"
		}
		if v == "VIEW_DEFINITION" { // there is none for who may not see it
			when += " AND r." + v + " <> ''"
		}
		replacing[v] = "IF(" + when + ", " + source + ".v" + strconv.Itoa(i) + ", r." + v + ")"
	}
	return b.String(), "(" + source + ".state IS NULL OR " + source + ".state < 2)"
}

// ownText is a text that takes the character set of the server's own texts beside it, which
// is utf8mb3 in MySQL: a literal of another one would make utf8mb4 of the column, which a
// COLLATE that fits the server's does not take, and MySQL warns of a literal of utf8mb3.
func (a *Answer) ownText(v string) string {
	if a.session.Env.Flavor != value.MySQL || !strings.HasPrefix(v, "'") || strings.ContainsFunc(v, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return v
	}
	return "_ascii" + v
}

// noLayers are conditions that hide what the server alone has by the looks of its name.
// What is known is hidden as it is; this is for what a change of the table adds before the
// catalog has it, or leaves for a moment. A column of the table may have such a name from before it was tunic's.
func (a *Answer) noLayers() (all []string) {
	for _, t := range a.tables {
		if a.only.has("columns", t.Name) {
			k := t.keys("")
			all = append(all, "NOT (r.TABLE_SCHEMA = "+k[0]+" AND r.TABLE_NAME = "+k[1]+" AND (r.COLUMN_NAME LIKE '%$eq' OR r.COLUMN_NAME LIKE '%$ord'"+
				" OR r.COLUMN_NAME LIKE '%$copy' OR r.COLUMN_NAME LIKE '%$plain' OR r.COLUMN_NAME LIKE '%$bare' OR r.COLUMN_NAME LIKE '%$form' OR r.COLUMN_NAME LIKE '"+catalog.FencePattern+"')"+
				t.looksStored()+")")
		}
	}
	return all
}

// looksStored is a condition that a column is none of the logical ones that have names like those of stored columns, with
// AND before it; "" if there are none.
func (t *table) looksStored() string {
	var names []string
	for i := range t.Columns {
		if name := t.Columns[i].Name; catalog.Reserved(name) && !t.Columns[i].Backfilling {
			names = append(names, literal(name))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return " AND r.COLUMN_NAME NOT IN (" + strings.Join(names, ", ") + ")"
}

// noKeysAside is a condition that hides keys that are about to take the places of others.
func noKeysAside(name string) string {
	return name + " NOT LIKE '" + catalog.KeyAheadPrefix + "%' AND " + name + " NOT LIKE '" + catalog.KeyAsidePrefix + "%'"
}

// ownConstraints are the names of tunic's own constraints.
func (a *Answer) ownConstraints() []string {
	var all []string
	for _, t := range a.tables {
		all = append(all, literal(form.CheckName(t.Table)))
	}
	return all
}
