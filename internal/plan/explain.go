package plan

import (
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/plan/explanation"
	"tunic/internal/recipe"
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
	if run.From != nil {
		p.refuse(sqlerr.StatementRefused("EXPLAIN of an INSERT of the rows of a query"))
		return
	}
	tree, err := e.Of.TreeWithPlaces(d.literals)
	if err != nil {
		p.refuse(sqlerr.StatementUnread())
		return
	}
	p.Action = &Explain{Explained: NewExplained(tree, run, e.Prefix, d.catalog, d.schema, d.modes)}
}

// NewExplained explains the Run that Build has made of the tree with the same
// catalog, schema and modes.
func NewExplained(tree *sql.Tree, run *recipe.Run, prefix string, c *catalog.Catalog, schema string, m sql.Modes) *explanation.Explained {
	tree = withoutRows(tree)
	e := &explanation.Explained{Run: run, Prefix: prefix}
	inspect := func(run *recipe.Run, blunt bool) ([]explanation.Part, []explanation.Advice) {
		b := &builder{catalog: c, schema: schema, modes: m, tree: tree, run: &recipe.Run{Kind: run.Kind}, blunt: blunt}
		i := inspector{run: run, b: b}
		i.inspect(tree.Root())
		return i.parts, i.advice
	}
	e.Parts, e.Advice = inspect(run, false)
	if run.Alternatives[recipe.NoToken] != nil {
		e.Blunt, _ = inspect(run.Alternatives[recipe.NoToken], true)
	}
	if len(e.Advice) > 0 {
		t := run.Table
		supposed := c.Next(c.Version, []*catalog.Table{t}, []*catalog.Table{withLayers(t, e.Advice)})
		other, err := Build(tree, supposed, schema, m)
		e.Enough = err == nil && len(other.Local) == 0 && other.Write == nil
	}
	return e
}
