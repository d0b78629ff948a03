package build

import (
	"tunic/internal/catalog"
	"tunic/internal/plan/columns"
	"tunic/internal/plan/explanation"
	"tunic/internal/recipe"
	"tunic/internal/sql"
)

// NewExplained explains the Run that Build has made of the tree with the same
// catalog, schema and modes.
func NewExplained(tree *sql.Tree, run *recipe.Run, prefix string, c *catalog.Catalog, schema string, m sql.Modes) *explanation.Explained {
	tree = withoutRows(tree)
	e := &explanation.Explained{Run: run, Prefix: prefix}
	inspect := func(run *recipe.Run, withoutTokens bool) ([]explanation.Part, []explanation.Advice) {
		b := &Builder{Catalog: c, Schema: schema, Modes: m, Tree: tree, Run: &recipe.Run{Kind: run.Kind}, withoutTokens: withoutTokens}
		i := inspector{run: run, b: b}
		i.inspect(tree.Root())
		return i.parts, i.advice
	}
	e.Parts, e.Advice = inspect(run, false)
	if run.Alternatives[recipe.NoToken] != nil {
		e.WithoutTokens, _ = inspect(run.Alternatives[recipe.NoToken], true)
	}
	if len(e.Advice) > 0 {
		t := run.Table
		supposed := c.Next(c.Version, []*catalog.Table{t}, []*catalog.Table{columns.WithLayers(t, e.Advice)})
		other, end := Build(tree, supposed, schema, m)
		e.Enough = end == nil && len(other.Local) == 0 && other.Rewrite() == nil
	}
	return e
}
