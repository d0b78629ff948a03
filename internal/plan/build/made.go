package build

import (
	"tunic/internal/plan/shape"
	"tunic/internal/plan/views"
	"tunic/internal/recipe"
)

// StartMade is start of the query of a CREATE TABLE … SELECT; right is false if the server says what is wrong.
func (b *Builder) StartMade() (right bool, err error) {
	right, end := b.made()
	return right, end.told()
}

func (b *Builder) made() (right bool, end *ending) {
	x := views.Expander{Catalog: b.Catalog, Schema: b.Schema, Modes: b.Modes}
	root, end := b.expand(&x)
	if end != nil {
		return false, end
	}
	b.Asked, b.views, b.found = b.Tree, x.Named, x.Found
	if len(x.Named) > 0 {
		b.written = b.Asked.Root()
	}
	b.Tree = b.Tree.WithRoot(root)
	b.Run = &recipe.Run{Kind: b.Tree.Kind(), Variables: b.Asked.Variables(), InUTF8: x.InUTF8}
	if shape.Hinted(root) {
		return false, beyond("an optimizer hint")
	}
	_, end = b.treeOf(root, b.Asked.Root(), true)
	right = end == nil
	if end.isWrong() {
		b.Run = &recipe.Run{Kind: b.Run.Kind, Table: b.Run.Table, Variables: b.Run.Variables}
		b.Run.Answer.Describe, end = b.describedTree(b.Asked.Root())
	}
	if end != nil {
		return false, end
	}
	if right && b.Run.Remote == nil {
		b.Run.Remote = b.Run.Answer.Describe // of constants alone; it is only described
	}
	b.Run.FindTables()
	b.overViews(b.Run)
	return right, nil
}
