package definition

import (
	"tunic/internal/catalog"
	"tunic/internal/policy"
	"tunic/internal/sql/ast"
)

// An annotation decides what the server may learn of a column. The operator may list who may
// annotate: then one of another account is refused, and nothing is made. What the catalog has
// already was allowed to somebody, and may be said again: MODIFY has to repeat a comment, and
// LIKE copies it.

// Repeats reports whether the annotation of a column is the one of a definition that the catalog has.
func (d *Definition) Repeats(c *Column) bool {
	_, annotated, err := policy.Annotation(c.Comment())
	return annotated && err == nil && !d.annotatesAnew(c)
}

// annotatesAnew reports whether a column is annotated otherwise than in a definition that the
// catalog has.
func (d *Definition) annotatesAnew(c *Column) bool {
	note, annotated, err := policy.Annotation(c.Comment())
	known, said := d.Annotated[catalog.Folded(c.NameText())]
	return annotated && err == nil && !(said && note == known)
}

// Annotate notes what the comment of a column says in a definition that the catalog has.
func (d *Definition) Annotate(column, comment string) {
	if note, annotated, err := policy.Annotation(comment); annotated && err == nil {
		if d.Annotated == nil {
			d.Annotated = map[string]policy.Note{}
		}
		d.Annotated[catalog.Folded(column)] = note
	}
}

// AnnotateAll is annotate of all columns.
func (d *Definition) AnnotateAll(spec *ast.TableSpec) {
	for _, def := range spec.Columns {
		c := Column{ColumnDefinition: def}
		d.Annotate(c.NameText(), c.Comment())
	}
}
