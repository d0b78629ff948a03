package plan

import (
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/plan/build"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
)

// explain plans an EXPLAIN that has a protected name in it. What is explained is
// planned as if it stood alone: what would be refused is refused, with the same
// words.
func (d *deciding) explain(s *sql.Statement) {
	e, ok := s.Explained()
	if !ok {
		return
	}
	p, of := d.plan, *d
	of.statement = &e.Of
	of.first(protectedRules())
	run := p.Run()
	if run == nil {
		return
	}
	if slices.ContainsFunc(run.Tables, func(t *catalog.Table) bool { return t.View != nil }) {
		p.refuse(sqlerr.StatementRefused("EXPLAIN of a query over a view"))
		return
	}
	if e.Runs && run.Kind != sql.Select {
		p.refuse(sqlerr.StatementRefused("ANALYZE of a statement that writes"))
		return
	}
	if run.From() != nil {
		p.refuse(sqlerr.StatementRefused("EXPLAIN of an INSERT of the rows of a query"))
		return
	}
	tree, err := e.Of.TreeWithPlaces(d.literals)
	if err != nil {
		p.refuse(sqlerr.StatementUnread())
		return
	}
	p.Action = &Explain{Explained: build.NewExplained(tree, run, e.Prefix, d.catalog, d.schema, d.modes)}
}
