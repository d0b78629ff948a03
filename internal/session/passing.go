package session

import (
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/wire"
)

// A plain table that comes to be protected is announced before its definition changes, and
// whoever names it waits until it has been changed, or has not. A transaction that has used
// the table before must not wait: the change waits for the transaction, because the server
// keeps the definition for it. It goes on with the table as a plain one, which the table is
// until the transaction ends.
//
//	uses it ──► announced ──► uses it, as plain ──► ends ──► ALTER ──► settled
//	                 another: names it, waits ─────────────────────► protected

// passing are catalogs without what is coming and a transaction has used before, made of
// others.
type passing struct {
	own, base *catalog.Catalog
	moves     uint64 // of touched, when it was made
}

func (p *passing) of(base *catalog.Catalog, t *touched) *catalog.Catalog {
	if len(base.Coming()) == 0 || len(t.names) == 0 {
		return base
	}
	if p.base != base || p.moves != t.moves {
		p.own, p.base, p.moves = base, base, t.moves
		var used []*catalog.Table
		for _, c := range base.Coming() {
			if t.hasName(c, base) {
				used = append(used, c)
			}
		}
		if len(used) > 0 {
			p.own = base.Next(ownVersions.Add(1), used, nil)
		}
	}
	return p.own
}

// passes reports whether the session goes by a catalog without something that is coming.
func (s *Session) passes() bool {
	if len(s.touched.names) == 0 || s.shared.Ledger == nil {
		return false
	}
	now := s.shared.Ledger.Catalog()
	return s.passing.of(now, &s.touched) != now
}

// keepsDefinitions are the kinds of statements behind which the server keeps the definitions
// of the tables that they name until the transaction ends.
func keepsDefinitions(k sql.Kind) bool {
	switch k {
	case sql.Select, sql.SetOperation, sql.Insert, sql.Replace, sql.Update, sql.Delete:
		return true
	default:
		return false
	}
}

// touchesNames notes that a transaction has used plain tables, once the server has said so.
func (s *Session) touchesNames(p *plan.Plan) {
	if len(p.Names) == 0 || s.response.Failed || s.response.Status&wire.StatusInTransaction == 0 || len(p.Statements) != 1 || !keepsDefinitions(p.Statements[0].Kind) {
		return
	}
	for _, n := range p.Names {
		s.touched.addName(n)
	}
}

// awaitComing waits, before the server is told anything of tables, until those have come
// that are about to, and reports whether there were any. A statement that were refused,
// because they have not, would make the server keep their definitions as they are for the
// transaction, which the change would wait for. Who makes a table with rows, and who has
// locked others that the change may wait for, does not.
func (s *Session) awaitComing(tables []*catalog.Table) bool {
	if len(tables) == 0 || s.state.locks() {
		return false
	}
	coming := s.shared.Ledger.Catalog().Coming()
	awaited := func(t *catalog.Table) bool {
		return !s.touched.has(t.ID) && slices.ContainsFunc(coming, func(c *catalog.Table) bool { return c.ID == t.ID })
	}
	if len(coming) == 0 || !slices.ContainsFunc(tables, awaited) {
		return false
	}
	s.shared.Ledger.CatchUp(s.life.Done(), tables, s.caughtUp)
	return s.life.Err() == nil
}
