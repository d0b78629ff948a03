package ddl

import (
	"tunic/internal/catalog"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/policy"
	"tunic/internal/sql/ast"
)

// An annotation decides what the server may learn of a column. The operator may list who may
// annotate: then one of another account is refused, and nothing is made. What the catalog has
// already was allowed to somebody, and may be said again: MODIFY has to repeat a comment, and
// LIKE copies it.

// annotatesAnew reports whether a column is annotated otherwise than in a definition that the
// catalog has.
func (d *definition) annotatesAnew(c *column) bool {
	note, annotated, err := policy.Annotation(c.comment())
	known, said := d.Annotated[catalog.Folded(c.name())]
	return annotated && err == nil && !(said && note == known)
}

// annotate notes what the comment of a column says in a definition that the catalog has.
func (d *definition) annotate(column, comment string) {
	if note, annotated, err := policy.Annotation(comment); annotated && err == nil {
		if d.Annotated == nil {
			d.Annotated = map[string]policy.Protection{}
		}
		d.Annotated[catalog.Folded(column)] = note
	}
}

// annotateAll is annotate of all columns.
func (d *definition) annotateAll(spec *ast.TableSpec) {
	for _, def := range spec.Columns {
		c := column{ColumnDefinition: def}
		d.annotate(c.name(), c.comment())
	}
}

// learnAnnotations notes the annotations of the columns that go on, under their names to come.
func (c *change) learnAnnotations() {
	for to, from := range c.names {
		if at := c.shown.Place(from); at >= 0 {
			text := c.shown.Columns[at].Text
			comment := showcreate.PartsOf(text).Comment
			c.d.annotate(to, showcreate.UnquoteString(text[comment.From:comment.To]))
		}
	}
}
