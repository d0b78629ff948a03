package columns

import (
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/sql/ast"
)

// Families are those of columns, each once.
func (o *Of) Families(columns []int) (all []*catalog.Family) {
	for _, i := range columns {
		if f := o.Table.FamilyOf(i); f != nil && !slices.Contains(all, f) {
			all = append(all, f)
		}
	}
	return all
}

// WithFamilies are columns and all others of their families: what is written of one is written of all.
func (o *Of) WithFamilies(columns []int) []int {
	all := slices.Clone(columns)
	for _, f := range o.Families(columns) {
		for _, i := range o.Table.Members(f) {
			if !slices.Contains(all, i) {
				all = append(all, i)
			}
		}
	}
	return all
}

// FamilyNames are the stored columns of all families of the table.
func (o *Of) FamilyNames() (names ast.Columns) {
	for i := range o.Table.Families {
		names = append(names, ast.Identifier(o.Table.Families[i].Stored))
	}
	return names
}
