package plan

import (
	"tunic/internal/catalog"
	"tunic/internal/plan/build"
	"tunic/internal/plan/shape"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// SetVariables sets user variables, as SET and SELECT … INTO do. It is for the one text that
// it was made of.
type SetVariables struct{ sql.Assigned }

// keeps reports whether what a text gives the session alone is kept in tunic.
func (k *knowledge) keeps(read []sql.Statement) bool {
	return k.catalog != nil && len(read) == 1 && !k.into && !k.left
}

// uses plans what is done with a statement that has a name. It reports false for any other text.
func (k *knowledge) uses(p *Plan, read []sql.Statement) bool {
	if !k.keeps(read) {
		return false
	}
	t, ok := read[0].Textual()
	if ok {
		p.Action = &ByName{t}
	}
	return ok
}

// sets plans what sets user variables alone. It reports false for any other text.
func (k *knowledge) sets(p *Plan, read []sql.Statement) bool {
	if !k.keeps(read) {
		return false
	}
	a, ok := read[0].Assigned()
	if ok {
		p.Action = &SetVariables{a}
	}
	return ok
}

// PlanInto plans the query of a SetVariables: with a Run that computes all columns of its
// rows, if it is about protected tables or about none; c is the catalog that the session
// has, plain are tables beside protected ones, as of PlanBeside.
func (p *Planner) PlanInto(c *catalog.Catalog, plain []*catalog.Table, fp *sql.Fingerprinter, query []byte, m sql.Modes, schema string) *Plan {
	known := knowledge{names: c, catalog: c, policy: p.rules(), schema: schema, plain: plain, into: true}
	if plain == nil {
		return p.plan(fp, query, m, known)
	}
	return p.planOnce(fp, query, m, known)
}

// PlanLeft plans a text whose plan is to SetVariables or a ByName as one that the server is to carry
// out; c is the catalog that the session has.
func (p *Planner) PlanLeft(c *catalog.Catalog, fp *sql.Fingerprinter, text []byte, m sql.Modes, schema string) *Plan {
	return p.planOnce(fp, text, m, knowledge{names: c, catalog: c, policy: p.rules(), schema: schema, left: true})
}

// own plans what a query of no table comes to, so that it need not be sent: user
// variables that the server does not have may be in it.
func (k *knowledge) own(p *Plan, f *Forward, read []sql.Statement, m sql.Modes, l *sql.Literals) {
	if len(read) != 1 || read[0].Kind != sql.Select || l == nil {
		return
	}
	if len(f.Variables.Names) == 0 && !k.into {
		return
	}
	tree, err := read[0].TreeWithPlaces(l)
	if err != nil {
		return
	}
	n, ok := tree.Root().(*ast.Select)
	if !ok || !shape.Bare(n) {
		return
	}
	run, err := build.OwnRun(tree, n, m)
	if err != nil {
		return
	}
	f.Own = &Plan{Action: &Execute{Run: run}, Statements: p.Statements, Quiet: p.Quiet}
}
