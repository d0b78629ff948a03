package session

import (
	"slices"

	"tunic/internal/plain"
	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
)

// unlessGuarded refuses a text that may name such a table somewhere in it: in a query of a SET,
// in a program, in a text to be prepared, in what cannot be read. All words that it could name one by are looked up at once.
func (s *Session) unlessGuarded(p *plan.Plan, text []byte) (done bool, err error) {
	said := p.Wording()
	words := said.Words
	if len(words) == 0 {
		return false, nil
	}
	rules := s.shared.Definer.Policy()
	if !rules.MayGuardAmong(s.schema(), words) {
		return false, nil
	}
	if slices.ContainsFunc(p.Statements, computesNow) {
		if asked := s.asked(text); asked.Rows || asked.Warnings {
			return true, s.refuse(sqlerr.OutcomeUnknown()) // the question would be what it is told of
		}
	}
	if table, ok := rules.GuardedAmong(s.schema(), words, said.Unnamed, func(schema, table string) bool { return plain.HasProtected(s.attempt.Catalog(), schema, table) }); ok {
		return true, s.refuse(sqlerr.StatementPlain(table))
	}
	switch table, ok, refusal, err := s.asker(rules).Guarded(s.schema(), words); {
	case err != nil:
		return true, err
	case refusal != nil:
		return true, s.failWith(refusal)
	case ok:
		return true, s.refuse(sqlerr.StatementPlain(table))
	}
	return false, nil
}

// computesNow reports whether what a statement asks about the one before it is told at once.
func computesNow(st plan.Statement) bool {
	switch st.Kind {
	case sql.Set, sql.Do, sql.Call, sql.Values, sql.Select, sql.SelectIntoFile, sql.SetOperation, sql.Insert, sql.Replace, sql.Update, sql.Delete,
		sql.SetStatement, sql.Compound:
		return true
	}
	return false
}
