package plan

import (
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/plan/shape"
	"tunic/internal/plan/twin"
	"tunic/internal/recipe"
	"tunic/internal/resolve"
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
	run, err := ownRun(tree, n, m)
	if err != nil {
		return
	}
	f.Own = &Plan{Action: &Execute{Run: run}, Statements: p.Statements, Quiet: p.Quiet}
}

// ownRun is the Run of a query of no table. The server is asked for a row without any
// of it.
func ownRun(tree *sql.Tree, n *ast.Select, m sql.Modes) (*recipe.Run, error) {
	b := &builder{modes: m, tree: tree, run: &recipe.Run{Kind: tree.Kind(), Variables: tree.Variables()}}
	var items []recipe.Item
	for _, e := range n.SelectExprs.Exprs {
		one, ok := e.(*ast.AliasedExpr)
		if !ok || shape.HasAggregate(one.Expr) || shape.HasColumn(one.Expr) || shape.HasSubquery(one.Expr) || len(shape.Windows(one.Expr)) > 0 {
			return nil, &resolve.Beyond{What: "what is selected"}
		}
		items = append(items, recipe.Item{Expr: one.Expr, As: one.As, Column: -1})
	}
	described := ast.Clone(n)
	if err := twin.Silent(described); err != nil {
		return nil, err
	}
	twin.Mute(described, b.modes)
	var err error
	if b.run.Describe, err = b.print(described); err != nil {
		return nil, err
	}
	twin.FindDigits(b.run, n, items)
	b.run.Local = []recipe.Step{&recipe.Project{Items: items}}
	b.run.Fetch = []recipe.Fetch{{Column: -1}}
	b.run.Derived = make([]bool, len(items))
	one := &ast.Literal{Type: ast.IntVal, Val: "1"}
	b.run.Remote, err = b.print(&ast.Select{
		SelectExprs: &ast.SelectExprs{Exprs: []ast.SelectExpr{&ast.AliasedExpr{Expr: one}}}, From: n.From,
	})
	return b.run, err
}

// tellsVariable reports whether the server would get the value of a user variable in a
// clause behind WHERE, and is not to.
func (b *builder) tellsVariable(n *ast.Select) bool {
	if !b.secret {
		return false
	}
	if n.GroupBy != nil && shape.ReadsVariable(n.GroupBy) || n.Having != nil && shape.ReadsVariable(n.Having) {
		return true
	}
	return slices.ContainsFunc(n.OrderBy, func(o *ast.Order) bool { return shape.ReadsVariable(o) })
}

// discreet plans the statement once more so that the server gets no user variable's
// value, but in slots, if it would: a variable may have a value of a protected column.
func (b *builder) discreet() {
	if len(b.run.SentVariables()) == 0 {
		return
	}
	other := *b
	other.secret, other.run = true, b.fresh()
	if other.build(b.tree.Root()) != nil {
		return
	}
	other.fallBack()
	if len(other.run.SentVariables()) == 0 {
		b.run.Alternatives[recipe.SecretVariable] = other.run
	}
}

// fresh is a Run of the statement without a plan yet.
func (b *builder) fresh() *recipe.Run {
	return &recipe.Run{Kind: b.run.Kind, Variables: b.run.Variables, Told: b.run.Told}
}

// derived is, for each item of a query of one table, whether there is a protected column
// in it.
func (b *builder) derived(items []recipe.Item) []bool {
	all := make([]bool, len(items))
	for i, it := range items {
		use, err := b.scope.UseOf(it.Expr)
		all[i] = err != nil || use == resolve.Protected
	}
	return all
}
