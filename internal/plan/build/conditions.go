package build

import (
	"tunic/internal/plan/columns"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// conditions finds out what the server can decide of the conditions on the rows of one table, by plain columns and
// by tokens: exactly (predicate), of some rows for certain (certain), or so that what is left is decided here
// (around). Of the run it knows the slots alone, which it adds to.
type conditions struct {
	scope *columns.Of
	run   *recipe.Run
	tree  *sql.Tree
	base  int
	// secret and withoutTokens are the builder's.
	secret, withoutTokens bool
}

// conditions are those on the table that is planned, for the run that is made.
func (b *Builder) conditions() *conditions {
	return &conditions{scope: b.scope, run: b.Run, tree: b.Tree, base: b.base, secret: b.secret, withoutTokens: b.withoutTokens}
}

func (d *conditions) slot(s recipe.Slot, of *ast.Argument) *ast.Argument {
	return addSlot(d.run, d.base, s, of)
}
