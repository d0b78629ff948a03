package session

import (
	"errors"
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/identifier"
	"tunic/internal/plain"
	"tunic/internal/plan"
	"tunic/internal/resolve"
	"tunic/internal/sql"
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

// neededTables are the plain tables that a plan of some statements needs, as far as they are to be
// had: of the first that is not, refusal is what the server says; nil if the table has something
// that tunic does not know. An error ends the session.
func (s *Session) neededTables(needs []resolve.Name, by []plan.Statement) (plain []*catalog.Table, refusal *sqlerr.Error, err error) {
	writes := slices.ContainsFunc(by, func(of plan.Statement) bool { return of.Kind == sql.Update || of.Kind == sql.Delete })
	for _, n := range needs {
		t, refusal, err := s.plainTable(n, writes)
		if err != nil || refusal != nil || t == nil {
			return plain, refusal, err
		}
		plain = append(plain, t)
	}
	return plain, nil, nil
}

// plainTable is a plain table, or view, as it is now; refusal is what the server says
// instead. Without either it has something that tunic does not know. One that may be
// written has its definition as well, where the client may see it. An error ends the session.
func (s *Session) plainTable(n resolve.Name, written bool) (t *catalog.Table, refusal *sqlerr.Error, err error) {
	name := identifier.Quoted(n.Schema) + "." + identifier.Quoted(n.Table)
	rows, refusal, err := s.askTable("SHOW FULL COLUMNS FROM " + name)
	if refusal != nil || err != nil {
		return nil, refusal, err
	}
	if plain.HasFence(rows) { // it is protected, and by nobody's catalog
		return nil, sqlerr.TableUnlisted(n.Table), nil
	}
	if plain.IsGuarded(s.shared.Definer.Policy(), n, rows) {
		return nil, sqlerr.StatementPlain(n.Table), nil
	}
	columns, key, ok := plain.Columns(rows, s.shared.Types)
	if !ok {
		return nil, nil, nil
	}
	t = catalog.NewPlain(n.Schema, n.Table, columns)
	if len(key) > 0 {
		t.Keyed()
	}
	if !written {
		return t, nil, nil
	}
	rows, refusal, err = s.askTable("SHOW CREATE TABLE " + name)
	if refusal != nil || err != nil {
		return t, nil, err // who may read a view, or some columns, need not see how they are made
	}
	if len(rows) != 1 || len(rows[0]) < 2 || rows[0][1] == nil {
		return nil, nil, nil
	}
	t.Define(*rows[0][1], key)
	return t, nil, nil
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
		now, _, err := s.plainTable(resolve.Name{Schema: t.Schema, Table: t.Name}, t.Definition != "")
		if err != nil {
			return false, err
		}
		if !t.Is(now) {
			return true, nil
		}
	}
	return false, nil
}
