package transaction

import (
	"slices"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/ddl"
)

// A plain table that comes to be protected is announced before its definition changes, and
// whoever names it waits until it has been changed, or has not. A transaction that has used
// the table before must not wait: the change waits for the transaction, because the server
// keeps the definition for it. It goes on with the table as a plain one, which the table is
// until the transaction ends.
//
//	uses it ──► announced ──► uses it, as plain ──► ends ──► ALTER ──► settled
//	                 another: names it, waits ─────────────────────► protected

// Passing are catalogs without what is coming and a transaction has used before, made of
// others.
type Passing struct {
	own, base *catalog.Catalog
	moves     uint64 // of touched, when it was made
}

// Of is a catalog without what a transaction has used before it was announced.
func (p *Passing) Of(base *catalog.Catalog, t *Touched) *catalog.Catalog {
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
			p.own = base.Next(OwnVersion(), used, nil)
		}
	}
	return p.own
}

// Awaits are those of tables that are coming, by a catalog, and that the transaction has not used. One that only gets another
// name, and that a statement names as before, is not among them: it is there, and its fence goes with it. The gate keeps
// from it whom the change does not wait for.
func (t *Touched) Awaits(c *catalog.Catalog, tables []*catalog.Table) (coming []*catalog.Table) {
	for _, n := range c.Coming() {
		awaits := func(o *catalog.Table) bool {
			return o.ID == n.ID && (n.Fence() == "" || o.Schema == n.Schema && o.Name == n.Name)
		}
		if !t.Has(n.ID) && slices.ContainsFunc(tables, awaits) {
			coming = append(coming, n)
		}
	}
	return coming
}

// PatienceForTable is how long servers wait for locks by default. A table may be made with rows.
const PatienceForTable = 50 * time.Second

// Patience is how long a transaction that may hold definitions waits for what is coming: the change
// may be waiting for the transaction. A view comes within milliseconds, unless somebody holds what it is over.
func Patience(coming []*catalog.Table) time.Duration {
	if slices.ContainsFunc(coming, func(t *catalog.Table) bool { return t.View == nil }) {
		return PatienceForTable
	}
	return ddl.WaitLocked
}
