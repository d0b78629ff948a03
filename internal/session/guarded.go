package session

import (
	"slices"

	"tunic/internal/plain"
	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
)

// unlessGuarded refuses a text that may name such a table somewhere in it: in a query of a SET,
// in a program, in a text to be prepared. All words that it could name one by are looked up at once.
func (s *Session) unlessGuarded(p *plan.Plan, text []byte) (done bool, err error) {
	words := p.Words()
	if len(words) == 0 {
		return false, nil
	}
	rules := s.shared.Definer.Policy()
	if !rules.HasGuards() {
		return false, nil
	}
	if asked := s.asked(text); (asked.Rows || asked.Warnings) && slices.ContainsFunc(p.Statements, computesNow) {
		return true, s.refuse(sqlerr.OutcomeUnknown()) // the question would be what it is told of
	}
	if table, ok := rules.GuardedAmong(s.schema(), words, func(schema, table string) bool { return plain.HasProtected(s.attempt.Catalog(), schema, table) }); ok {
		return true, s.refuse(sqlerr.StatementPlain(table))
	}
	rows, refusal, err := s.askTable(plain.Question(s.schema(), words))
	switch {
	case err != nil:
		return true, err
	case refusal != nil:
		return true, s.failWith(refusal)
	}
	if table, ok := plain.GuardedIn(rows, rules, words, s.attempt.Catalog()); ok {
		return true, s.refuse(sqlerr.StatementPlain(table))
	}
	return false, nil
}

// computesNow reports whether what a statement asks about the one before it is told at once.
func computesNow(st plan.Statement) bool {
	return st.Kind == sql.Set || st.Kind == sql.Do || st.Kind == sql.Call || st.Kind == sql.Values
}
