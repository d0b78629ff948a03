package build

import (
	"errors"

	"tunic/internal/plan/shape"
	"tunic/internal/plan/views"
	"tunic/internal/recipe"
	"tunic/internal/resolve"
)

// StartMade is start of the query of a CREATE TABLE … SELECT; right is false if the server says what is wrong.
func (b *Builder) StartMade() (right bool, err error) {
	x := views.Expander{Catalog: b.Catalog, Schema: b.Schema, Modes: b.Modes}
	root, err := b.expand(&x)
	if err != nil {
		return false, err
	}
	b.Asked, b.views, b.found = b.Tree, x.Named, x.Found
	if len(x.Named) > 0 {
		b.written = b.Asked.Root()
	}
	b.Tree = b.Tree.WithRoot(root)
	b.Run = &recipe.Run{Kind: b.Tree.Kind(), Variables: b.Asked.Variables(), InUTF8: x.InUTF8}
	if shape.Hinted(root) {
		return false, &resolve.Beyond{What: "an optimizer hint"}
	}
	_, err = b.treeOf(root, b.Asked.Root(), true)
	right = err == nil
	if wrong := (*Wrong)(nil); errors.As(err, &wrong) {
		b.Run = &recipe.Run{Kind: b.Run.Kind, Table: b.Run.Table, Variables: b.Run.Variables}
		b.Run.Describe, err = b.describedTree(b.Asked.Root())
	}
	if err != nil {
		return false, err
	}
	if right && b.Run.Remote == nil {
		b.Run.Remote = b.Run.Describe // of constants alone; it is only described
	}
	b.Run.FindTables()
	b.overViews(b.Run)
	return right, nil
}
