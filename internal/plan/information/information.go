package information

import (
	"slices"

	"tunic/internal/catalog"
)

// Schema is the schema in which servers tell of all others.
const Schema = "information_schema"

// How is how a table of information_schema is told.
type How uint8

const (
	// Changed: a query in its place tells the logical facts.
	Changed How = iota + 1
	// Stored: it names stored columns, and what else it says is of no other
	// column. It is refused.
	Stored
	// Shapes: it lists spatial columns, and is refused if one is protected.
	Shapes
	// Own: it is one of tunic's own, and a query in its place tells its rows.
	Own
)

// Tables are the tables of information_schema that tell of columns, keys
// and constraints, or of tunic's own schema. Others are forwarded.
var Tables = map[string]How{
	"tables": Changed, "columns": Changed, "statistics": Changed, "key_column_usage": Changed,
	"table_constraints": Changed, "check_constraints": Changed, "referential_constraints": Changed,
	"schemata": Changed, "partitions": Changed, "column_privileges": Changed, "column_statistics": Changed,
	"views": Changed, "columns_extensions": Changed, "tables_extensions": Changed, "table_constraints_extensions": Changed,
	"schemata_extensions": Changed,

	"st_geometry_columns": Shapes, "geometry_columns": Shapes,

	"innodb_columns": Stored, "innodb_fields": Stored, "innodb_foreign_cols": Stored, "innodb_virtual": Stored,
	"innodb_sys_columns": Stored, "innodb_sys_fields": Stored, "innodb_sys_foreign_cols": Stored,
	"innodb_sys_virtual": Stored, "tidb_indexes": Stored,
}

// Changes are the names, in lower case, of those that a query stands for.
func Changes() []string {
	var all []string
	for name, how := range Tables {
		if how == Changed {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}

// HasShapes reports whether a spatial column is protected.
func HasShapes(c *catalog.Catalog) bool {
	for t := range c.Tables() {
		if slices.ContainsFunc(t.Columns, func(c catalog.Column) bool { return c.Protected() && c.Type.Kind.IsGeometry() }) {
			return true
		}
	}
	return false
}
