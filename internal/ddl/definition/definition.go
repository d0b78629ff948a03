package definition

import (
	"strings"

	"tunic/internal/policy"
	"tunic/internal/sql/ast"
)

// Definition is a table as the application defines it, with what the policy says
// of each column.
type Definition struct {
	Schema, Table string
	Spec          *ast.TableSpec
	Temporary     bool
	IfNotExists   bool
	// Replaces says that a table of the name is to be dropped first.
	Replaces bool
	// Like says that it is a copy of another's, of which nothing is to be said again.
	Like bool
	// Annotated are the annotations that columns have from a definition that the catalog has:
	// nobody says them anew. They are by folded names.
	Annotated map[string]policy.Note
	Columns   []Column // parallel to those of Spec
}

// Column is one column of a definition.
type Column struct {
	*ast.ColumnDefinition
	Decision policy.Decision
	// wanted is the policy's decision about a generated column.
	wanted policy.Decision
	// unread says that the policy cannot decide about the column now, which keeps what it has.
	unread bool
}

// NameText is the name of the column, as it was written.
func (c *Column) NameText() string { return c.Name.String() }

// Protected reports whether the column is to be protected.
func (c *Column) Protected() bool { return c.Decision.Protected }

// Comment is the comment of the column, "" without one.
func (c *Column) Comment() string {
	if o := c.Type.Options; o != nil && o.Comment != nil {
		return o.Comment.Val
	}
	return ""
}

// Column finds a column; nil if there is none of the name.
func (d *Definition) Column(name string) *Column {
	for i := range d.Columns {
		if strings.EqualFold(d.Columns[i].NameText(), name) {
			return &d.Columns[i]
		}
	}
	return nil
}

// Protects says whether any column is protected.
func (d *Definition) Protects() bool {
	for i := range d.Columns {
		if d.Columns[i].Protected() {
			return true
		}
	}
	return false
}
