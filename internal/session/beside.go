package session

import (
	"errors"

	"tunic/internal/catalog"
	"tunic/internal/plain"
	"tunic/internal/plan"
	"tunic/internal/policy"
	"tunic/internal/resolve"
	"tunic/internal/sqlerr"
)

// planBeside plans a query again that names plain tables beside protected ones. Tunic
// keeps no definitions of plain tables, which anybody may change: the server is asked
// before each statement.
func (s *Session) planBeside(p *plan.Plan, text []byte) (*plan.Plan, error) {
	plain, other, err := s.plainTables(p)
	if other != nil || err != nil {
		return other, err
	}
	if s.moved() {
		return s.shared.Planner.PlanElsewhere(s.attempt.Catalog(), plain, &s.fingerprinter, text, s.state.Modes(), s.schema()), nil
	}
	return s.shared.Planner.PlanBeside(s.attempt.Catalog(), plain, &s.fingerprinter, text, s.state.Modes(), s.schema()), nil
}

// plainTables are the plain tables that a plan needs; if they are not to be had, other is
// the plan in its stead.
func (s *Session) plainTables(p *plan.Plan) (plain []*catalog.Table, other *plan.Plan, err error) {
	of, ok := p.Action.(*plan.Refuse)
	if !ok {
		return nil, nil, nil // others need none
	}
	plain, refusal, err := s.neededTables(of.Needs, p.Statements)
	if err != nil || len(plain) == len(of.Needs) {
		return plain, nil, err
	}
	if v := of.Via[of.Needs[len(plain)]]; v != nil && refusal != nil {
		refusal = s.invalidView(v, refusal)
		s.noteInvalid(refusal)
	}
	if refusal == nil {
		return nil, p, nil
	}
	refused, instead := *p, *of
	instead.Refusal, refused.Action = refusal, &instead
	return nil, &refused, nil
}

// asker asks the server about plain tables, by a policy.
func (s *Session) asker(rules *policy.Policy) *plain.Asker {
	return &plain.Asker{Ask: s.askTable, Response: &s.response, Types: s.shared.Types, Rules: rules, Catalog: s.attempt.Catalog()}
}

// neededTables are the plain tables that a plan of some statements needs: see plain.Asker.
func (s *Session) neededTables(needs []resolve.Name, by []plan.Statement) (tables []*catalog.Table, refusal *sqlerr.Error, err error) {
	return s.asker(s.shared.Definer.Policy()).Tables(needs, by)
}

// askTable are the rows that the server answers a question of tunic's with; refusal is what it
// says instead. An error ends the session.
func (s *Session) askTable(question string) (rows [][]*string, refusal *sqlerr.Error, err error) {
	client := s.aside()
	s.transaction.Since.Asks()
	rows, err = client.Query(s.life, question)
	if client.Broken != nil {
		return nil, nil, s.brokenBefore(client.Broken)
	}
	refusal, _ = errors.AsType[*sqlerr.Error](err)
	if refusal != nil && refusal.Number == sqlerr.TableSkipped { // the client's statement would have to wait, and has asked nothing
		refusal = sqlerr.LockWait()
	}
	return rows, refusal, nil
}

// plainOutdated reports whether a plain table among those of a statement that is
// prepared has another definition by now. In a transaction that has used it, it has not:
// the server keeps it.
func (s *Session) plainOutdated(tables []*catalog.Table) (bool, error) {
	for _, t := range tables {
		if !t.Plain() || s.transaction.Touched.Has(t.ID) {
			continue
		}
		now, _, err := s.asker(s.shared.Definer.Policy()).Table(resolve.Name{Schema: t.Schema, Table: t.Name}, t.Definition != "")
		if err != nil {
			return false, err
		}
		if !t.Is(now) {
			return true, nil
		}
	}
	return false, nil
}
