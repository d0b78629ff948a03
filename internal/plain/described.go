package plain

import (
	"encoding/hex"
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/plan/information"
	"tunic/internal/policy"
	"tunic/internal/resolve"
	"tunic/internal/value/charset"
)

// Columns of SHOW FULL COLUMNS.
const (
	fieldName = iota
	fieldType
	fieldCollation
	fieldNull
	fieldKey
	_ // the default
	fieldExtra
	fieldWidth
)

// columnOf reads a row of SHOW FULL COLUMNS (MySQL manual, "SHOW COLUMNS
// Statement"): the name, the type, the collation, whether it may be NULL, and behind the
// key and the default what else there is to say. A name outside ASCII may have been
// converted on its way.
func columnOf(row []*string, types catalog.Types) (c catalog.Column, ok bool) {
	if len(row) < fieldWidth || row[fieldName] == nil || row[fieldType] == nil || row[fieldNull] == nil || !charset.IsASCII([]byte(*row[fieldName])) {
		return c, false
	}
	of := ""
	if row[fieldCollation] != nil {
		of = *row[fieldCollation]
	}
	parsed, err := types(*row[fieldType], of, *row[fieldNull] == "NO")
	if err != nil {
		return c, false
	}
	c = catalog.Column{Name: *row[fieldName], TypeText: *row[fieldType], Type: parsed}
	extra := ""
	if row[fieldExtra] != nil {
		extra = strings.ToUpper(*row[fieldExtra])
	}
	c.AutoIncrement = strings.Contains(extra, "AUTO_INCREMENT")
	c.Invisible = strings.Contains(extra, "INVISIBLE")
	c.OnUpdateNow = strings.Contains(extra, "ON UPDATE")
	c.Generated = strings.Contains(extra, " GENERATED") // MySQL's DEFAULT_GENERATED is another word
	return c, true
}

// Columns reads the rows of SHOW FULL COLUMNS, and which of the columns are the primary key; ok is false if there is
// something that tunic does not know.
func Columns(rows [][]*string, types catalog.Types) (columns []catalog.Column, key []string, ok bool) {
	columns = make([]catalog.Column, 0, len(rows))
	for _, row := range rows {
		c, ok := columnOf(row, types)
		if !ok {
			return nil, nil, false
		}
		columns = append(columns, c)
		if row[fieldKey] != nil && *row[fieldKey] == "PRI" {
			key = append(key, c.Name)
		}
	}
	return columns, key, true
}

// HasFence reports whether SHOW COLUMNS tells of the fence of a stored table.
func HasFence(columns [][]*string) bool {
	return slices.ContainsFunc(columns, func(row []*string) bool {
		return len(row) > fieldName && row[fieldName] != nil && catalog.IsFence(*row[fieldName])
	})
}

// IsGuarded reports whether a rule of the policy protects a column of a plain table, of which the
// server has told with SHOW COLUMNS. Whoever owns the server can put such a table in the place of
// a protected one. What a rule names and a client asks for is not the server's to make plain.
// The server's own schemas have no tables of clients.
func IsGuarded(rules *policy.Policy, name resolve.Name, columns [][]*string) bool {
	return !information.OfServer(name.Schema) && slices.ContainsFunc(columns, func(row []*string) bool {
		return len(row) > 0 && row[fieldName] != nil && rules.Guarded(name.Schema, name.Table, *row[fieldName])
	})
}

// question asks the server for the columns of all tables that words may name, in the current schema or in one that
// a word names.
func question(schema string, words []string) string {
	return "SELECT COLUMN_NAME, TABLE_SCHEMA, TABLE_NAME FROM information_schema.COLUMNS WHERE LOWER(TABLE_NAME) IN (" + asHex(words) + ")" +
		" AND LOWER(TABLE_SCHEMA) IN (" + asHex(append([]string{strings.ToLower(schema)}, words...)) + ")"
}

// GuardedIn is a plain table of those that the server has told of for words, with a column that a rule protects or that
// a word names.
func GuardedIn(rows [][]*string, rules *policy.Policy, words []string, c *catalog.Catalog) (table string, ok bool) {
	for _, row := range rows {
		if len(row) < 3 || row[0] == nil || row[1] == nil || row[2] == nil {
			continue
		}
		schema, table := *row[1], *row[2]
		said := func(word string) bool { return rules.GuardsWord(schema, table, word) }
		if c.Table(schema, table) == nil && c.View(schema, table) == nil &&
			(rules.Guarded(schema, table, *row[0]) || slices.ContainsFunc(words, said)) {
			return table, true
		}
	}
	return "", false
}

// HasProtected reports whether there is a protected table, or a view over one, of a name whatever
// its case: rules have none.
func HasProtected(c *catalog.Catalog, schema, table string) bool {
	named := func(t *catalog.Table) bool {
		return strings.EqualFold(t.Schema, schema) && strings.EqualFold(t.Name, table)
	}
	for t := range c.Tables() {
		if named(t) {
			return true
		}
	}
	for v := range c.Views() {
		if named(v) {
			return true
		}
	}
	return false
}

// asHex are words as a list of strings that no sql_mode reads otherwise.
func asHex(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = "_utf8mb4 x'" + hex.EncodeToString([]byte(w)) + "'"
	}
	return strings.Join(quoted, ", ")
}
