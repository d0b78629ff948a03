package definition

import (
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/sql/ast"
)

// Reference is a foreign key of a definition.
type Reference struct {
	Columns       []string
	schema, table string
	referenced    []string // may be none: the primary key
	definition    *ast.ReferenceDefinition
}

// ForeignKeysOf are the foreign keys of a definition, those that a column declares
// by itself included.
func ForeignKeysOf(d *Definition) []Reference {
	var keys []Reference
	add := func(columns []string, def *ast.ReferenceDefinition) {
		k := Reference{Columns: columns, definition: def, table: def.ReferencedTable.Name.String(), schema: def.ReferencedTable.Qualifier.String()}
		if k.schema == "" {
			k.schema = d.Schema
		}
		for _, name := range def.ReferencedColumns {
			k.referenced = append(k.referenced, name.String())
		}
		keys = append(keys, k)
	}
	for _, c := range d.Spec.Columns {
		if o := c.Type.Options; o != nil && o.Reference != nil {
			add([]string{c.Name.String()}, o.Reference)
		}
	}
	for _, c := range d.Spec.Constraints {
		if k, ok := c.Details.(*ast.ForeignKeyDefinition); ok {
			var columns []string
			for _, name := range k.Source {
				columns = append(columns, name.String())
			}
			add(columns, k.ReferenceDefinition)
		}
	}
	return keys
}

func (k *Reference) own(d *Definition) bool {
	return strings.EqualFold(k.schema, d.Schema) && strings.EqualFold(k.table, d.Table)
}

// referencedName is the name of the i-th column that the key refers to.
func (k *Reference) referencedName(t *catalog.Table, i int) string {
	if len(k.referenced) > 0 {
		return at(k.referenced, i)
	}
	for j := range t.Keys {
		if t.Keys[j].Kind == catalog.Primary && i < len(t.Keys[j].Parts) {
			return t.Keys[j].Parts[i].Column
		}
	}
	return ""
}

func at(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return ""
}
