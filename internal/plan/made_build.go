package plan

import (
	"errors"

	"tunic/internal/plan/shape"
	"tunic/internal/plan/views"
	"tunic/internal/recipe"
	"tunic/internal/resolve"
)

// startMade is start of the query of a CREATE TABLE … SELECT; right is false if the server says what is wrong.
func (b *builder) startMade() (right bool, err error) {
	x := views.Expander{Catalog: b.catalog, Schema: b.schema, Modes: b.modes}
	root, err := b.expand(&x)
	if err != nil {
		return false, err
	}
	b.asked, b.views, b.found = b.tree, x.Named, x.Found
	if len(x.Named) > 0 {
		b.written = b.asked.Root()
	}
	b.tree = b.tree.WithRoot(root)
	b.run = &recipe.Run{Kind: b.tree.Kind(), Variables: b.asked.Variables(), InUTF8: x.InUTF8}
	if shape.Hinted(root) {
		return false, &resolve.Beyond{What: "an optimizer hint"}
	}
	_, err = b.treeOf(root, b.asked.Root(), true)
	right = err == nil
	if wrong := (*Wrong)(nil); errors.As(err, &wrong) {
		b.run = &recipe.Run{Kind: b.run.Kind, Table: b.run.Table, Variables: b.run.Variables}
		b.run.Describe, err = b.describedTree(b.asked.Root())
	}
	if err != nil {
		return false, err
	}
	if right && b.run.Remote == nil {
		b.run.Remote = b.run.Describe // of constants alone; it is only described
	}
	b.run.FindTables()
	b.overViews(b.run)
	return right, nil
}
