package session

import (
	"encoding/hex"
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/plan"
	"tunic/internal/policy"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
)

// guarded reports whether a rule of the policy protects a column of a plain table, of which the
// server has told with SHOW COLUMNS. Whoever owns the server can put such a table in the place of
// a protected one. What a rule names and a client asks for is not the server's to make plain.
// The server's own schemas have no tables of clients.
func (s *Session) guarded(rules *policy.Policy, name plan.Named, columns [][]*string) bool {
	return !plan.OfServer(name.Schema) && slices.ContainsFunc(columns, func(row []*string) bool {
		return len(row) > 0 && row[fieldName] != nil && rules.Guarded(name.Schema, name.Table, *row[fieldName])
	})
}

// unlessGuarded refuses a text that may name such a table somewhere in it: in a query of a SET,
// in a program, in a text to be prepared. All words that it could name one by are looked up at once.
func (s *Session) unlessGuarded(p *plan.Plan, text []byte) (done bool, err error) {
	if len(p.Words) == 0 {
		return false, nil
	}
	rules := s.shared.Definer.Policy()
	if !rules.HasGuards() {
		return false, nil
	}
	if asked := s.asked(text); (asked.Rows || asked.Warnings) && slices.ContainsFunc(p.Statements, computesNow) {
		return true, s.refuse(sqlerr.OutcomeUnknown()) // the question would be what it is told of
	}
	if table, ok := rules.GuardedAmong(s.schema(), p.Words, s.hasProtected); ok {
		return true, s.refuse(sqlerr.StatementPlain(table))
	}
	question := "SELECT COLUMN_NAME, TABLE_SCHEMA, TABLE_NAME FROM information_schema.COLUMNS WHERE LOWER(TABLE_NAME) IN (" + asHex(p.Words) + ")" +
		" AND LOWER(TABLE_SCHEMA) IN (" + asHex(append([]string{strings.ToLower(s.schema())}, p.Words...)) + ")"
	rows, refusal, err := s.askTable(question)
	switch {
	case err != nil:
		return true, err
	case refusal != nil:
		return true, s.failWith(refusal)
	}
	for _, row := range rows {
		if len(row) < 3 || row[0] == nil || row[1] == nil || row[2] == nil {
			continue
		}
		schema, table := *row[1], *row[2]
		said := func(word string) bool { return rules.GuardsWord(schema, table, word) }
		if s.catalog().Table(schema, table) == nil && s.catalog().View(schema, table) == nil &&
			(rules.Guarded(schema, table, *row[0]) || slices.ContainsFunc(p.Words, said)) {
			return true, s.refuse(sqlerr.StatementPlain(table))
		}
	}
	return false, nil
}

// hasProtected reports whether there is a protected table, or a view over one, of a name whatever
// its case: rules have none.
func (s *Session) hasProtected(schema, table string) bool {
	named := func(t *catalog.Table) bool {
		return strings.EqualFold(t.Schema, schema) && strings.EqualFold(t.Name, table)
	}
	for t := range s.catalog().Tables() {
		if named(t) {
			return true
		}
	}
	for v := range s.catalog().Views() {
		if named(v) {
			return true
		}
	}
	return false
}

// computesNow reports whether what a statement asks about the one before it is told at once.
func computesNow(st plan.Statement) bool {
	return st.Kind == sql.Set || st.Kind == sql.Do || st.Kind == sql.Call || st.Kind == sql.Values
}

// asHex are words as a list of strings that no sql_mode reads otherwise.
func asHex(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = "_utf8mb4 x'" + hex.EncodeToString([]byte(w)) + "'"
	}
	return strings.Join(quoted, ", ")
}
