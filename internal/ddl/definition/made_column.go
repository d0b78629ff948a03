package definition

import (
	"slices"
	"strings"

	"tunic/internal/identifier"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
)

// Defaults are the options of a definition that say which collation text has in it.
func (d *Definition) Defaults(from SchemaDefaults) string {
	charset, collation := "", ""
	for _, o := range d.Spec.Options {
		switch strings.ToUpper(o.Name) {
		case "CHARSET", "CHARACTER SET":
			charset = o.String
		case "COLLATE":
			collation = o.String
		}
	}
	switch {
	case collation != "" && charset == "":
		return "COLLATE " + identifier.Quoted(collation)
	case charset == "":
		charset, collation = from.Charset, from.Collation
	}
	text := "CHARACTER SET " + identifier.Quoted(charset)
	if collation != "" {
		text += " COLLATE " + identifier.Quoted(collation)
	}
	return text
}

// WithoutDefaultCollation leaves out a collation that is shown of a column because it is
// not its character set's own, though it is the table's: said by a definition it would be
// the column's.
func WithoutDefaultCollation(spec *ast.TableSpec) {
	for _, def := range spec.Columns {
		if o := def.Type.Options; o != nil && def.Type.Charset.Name == "" && strings.EqualFold(o.Collate, defaultCollation(spec)) {
			o.Collate = ""
		}
	}
}

// Defines is the statement's own definition of a column of the query.
func (d *Definition) Defines(def *ast.ColumnDefinition) (own *ast.ColumnDefinition, ok bool) {
	for _, c := range d.Spec.Columns {
		if c.Name.Equal(def.Name) {
			return c, true
		}
	}
	return nil, false
}

// SaysNothing reports whether a default is the same in every twin.
func SaysNothing(def ast.Expr) bool {
	switch def.(type) {
	case *ast.NullVal, *ast.CurTimeFuncExpr:
		return true
	}
	return false
}

// IsZero reports whether a default is the one that a column gets that has none: 0, no
// text, a date of zeros.
func IsZero(def ast.Expr) bool {
	l, ok := def.(*ast.Literal)
	return ok && strings.Trim(l.Val, "0.-: ") == ""
}

// WithColumns is the definition with the columns of a query: one that the statement
// defines as well has that definition and stands where the query has it.
func (d *Definition) WithColumns(derived []*ast.ColumnDefinition, names []string) (*ast.TableSpec, error) {
	spec := ast.Clone(d.Spec)
	spec.Columns = slices.DeleteFunc(spec.Columns, func(own *ast.ColumnDefinition) bool {
		return slices.ContainsFunc(derived, func(c *ast.ColumnDefinition) bool { return c.Name.Equal(own.Name) })
	})
	for i, c := range derived {
		if !c.Name.EqualString(names[i]) {
			return nil, sqlerr.CreateSelect(d.Table, "it is not certain what its columns are called")
		}
		if own, ok := d.Defines(c); ok {
			c = own
		}
		spec.Columns = append(spec.Columns, c)
	}
	return spec, nil
}
