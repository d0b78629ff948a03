package viewtext

import (
	"strconv"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/definition"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/identifier"
	"tunic/internal/ledger"
	tsql "tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// View is a CREATE VIEW or ALTER VIEW whose query has been planned.
type View struct {
	tsql.View
	// Statement is all of it, as the client has written it.
	Statement string
	// Described is the query over twins, with other literals in the place of the
	// client's; "" of a query that reads nothing protected, where nothing else is set.
	Described string
	// Literals are the client's, in the order of those that stand for them.
	Literals []string
	// Text is the query as the catalog keeps it, Names are the columns, Own what they are
	// called without the list of the statement; nil as Names.
	Text       string
	Names, Own []string
	Reads      []Reads
}

// Reads are the columns that a view reads of a table or view.
type Reads struct {
	catalog.ViewOver
	Table   *catalog.Table // nil for a plain one
	Columns []string
}

// TwinPrefix begins the name of the twin of each view.
const TwinPrefix = "v_"

// TwinName is the name of the twin of a view in a revision.
func TwinName(id catalog.ID, revision uint64) string {
	return TwinPrefix + strings.TrimPrefix(definition.TwinName(id, revision), definition.TwinPrefix)
}

// WordsOf has the server's messages speak of tables and not of their twins.
func WordsOf(v *View, t *catalog.Table) *strings.Replacer {
	pairs := []string{t.Twin, v.Name.Name}
	for _, r := range v.Reads {
		if r.Table != nil {
			pairs = append(pairs, r.Table.Twin, r.Name)
		}
	}
	return strings.NewReplacer(append(pairs, catalog.Schema, t.Schema)...)
}

// QuoteAccount writes what CURRENT_USER() says as an account with names in backquotes.
func QuoteAccount(name string) string {
	at := strings.LastIndexByte(name, '@')
	if at < 0 {
		return identifier.Quoted(name)
	}
	return identifier.Quoted(name[:at]) + "@" + identifier.Quoted(name[at+1:])
}

// AccountOf writes an account, however it is quoted, with names in backquotes. Without a
// host it is of every host.
func AccountOf(written string) string {
	var parts []string
	for _, quotes := range [...]string{"`", "'", `"`} {
		if strings.HasPrefix(written, quotes) {
			end := strings.Index(written[1:], quotes)
			if end < 0 {
				return identifier.Quoted(written)
			}
			parts = append(parts, written[1:1+end])
			written = strings.TrimSpace(written[end+2:])
		}
	}
	if len(parts) == 0 {
		name, _, _ := strings.Cut(written, "@")
		parts = append(parts, strings.TrimSpace(name))
		written = strings.TrimPrefix(written, name)
	}
	host := "%"
	if rest, ok := strings.CutPrefix(strings.TrimSpace(written), "@"); ok {
		host = strings.Trim(strings.TrimSpace(rest), "`'\"")
	}
	return identifier.Quoted(parts[0]) + "@" + identifier.Quoted(host)
}

// Twin is the statement that makes the twin of a view.
func Twin(v *View, t *catalog.Table) string {
	statement := "CREATE "
	if v.Algorithm != "" {
		statement += "ALGORITHM = " + v.Algorithm + " "
	}
	statement += "SQL SECURITY INVOKER VIEW " + definition.QuotedTwin(t.Twin)
	named, ok := v.Renamed()
	if !ok {
		named = v.Described
	}
	if !ok || len(v.Columns) > 0 {
		statement += " (" + showcreate.QuoteNames(v.Names) + ")"
	}
	statement += " AS " + named
	if v.Check != "" {
		statement += " WITH " + v.Check + " CHECK OPTION"
	}
	return statement
}

// Stored is the statement that makes the stored view: one with the view's columns,
// without a row, over the same tables. It reads the stored columns of what the view
// reads, so that the server asks for the same privileges, and finds what is missing, when
// it is made and whenever it is used. Its last column is its mark.
func Stored(v *View, t *catalog.Table) string { return StoredOver(v, t, v.Reads) }

// StoredOver is a stored view over some of what the view reads.
func StoredOver(v *View, t *catalog.Table, reads []Reads) string {
	var b strings.Builder
	b.WriteString("CREATE ")
	if v.Alter {
		b.Reset()
		b.WriteString("ALTER ")
	} else if v.Replace {
		b.WriteString("OR REPLACE ")
	}
	b.WriteString("ALGORITHM = " + t.View.Algorithm + " ")
	if v.Definer != "" {
		b.WriteString("DEFINER = " + v.Definer + " ")
	}
	b.WriteString("SQL SECURITY " + t.View.Security + " VIEW ")
	if v.IfNotExists {
		b.WriteString("IF NOT EXISTS ")
	}
	b.WriteString(identifier.Quoted(t.Schema) + "." + identifier.Quoted(t.Name))
	if len(v.Columns) > 0 {
		b.WriteString(" (" + showcreate.QuoteNames(v.Columns) + "," + identifier.Quoted(ledger.ViewMark(t)) + ")")
	}
	b.WriteString(" AS SELECT ")
	for i := range t.Columns {
		constant := "NULL"
		if t.Columns[i].Type.NotNull {
			constant = "0"
		}
		b.WriteString(constant + " AS " + identifier.Quoted(t.Columns[i].Name) + ", ")
	}
	b.WriteString("NULL AS " + identifier.Quoted(ledger.ViewMark(t)) + " FROM ")
	if len(reads) == 0 {
		b.WriteString("DUAL")
	}
	for i, r := range reads {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(identifier.Quoted(r.Schema) + "." + identifier.Quoted(r.Name) + " AS " + identifier.Quoted(strconv.Itoa(i)))
	}
	b.WriteString(" WHERE FALSE")
	for i, r := range reads {
		for _, c := range r.Columns {
			b.WriteString(" AND " + identifier.Quoted(strconv.Itoa(i)) + "." + identifier.Quoted(c) + " IS NULL")
		}
	}
	return b.String()
}

// Drop writes the statement.
func Drop(stmt *ast.DropView) string {
	statement := "DROP VIEW "
	if stmt.IfExists {
		statement += "IF EXISTS "
	}
	for i, name := range stmt.FromTables {
		if i > 0 {
			statement += ", "
		}
		if schema := name.Qualifier.String(); schema != "" {
			statement += identifier.Quoted(schema) + "."
		}
		statement += identifier.Quoted(name.Name.String())
	}
	return statement
}

// NameIn is the name of a table as the server shows it in the query of a view.
func NameIn(t *catalog.Table) string {
	return identifier.Quoted(t.Schema) + "." + identifier.Quoted(t.Name)
}
