package plan

import (
	"slices"

	"tunic/internal/catalog"
)

// informationSchema is the schema in which servers tell of all others.
const informationSchema = "information_schema"

// toldHow is how a table of information_schema is told.
type toldHow uint8

const (
	// toldChanged: a query in its place tells the logical facts.
	toldChanged toldHow = iota + 1
	// toldStored: it names stored columns, and what else it says is of no other
	// column. It is refused.
	toldStored
	// toldShapes: it lists spatial columns, and is refused if one is protected.
	toldShapes
	// toldOwn: it is one of tunic's own, and a query in its place tells its rows.
	toldOwn
)

// informationTables are the tables of information_schema that tell of columns, keys
// and constraints, or of tunic's own schema. Others are forwarded.
var informationTables = map[string]toldHow{
	"tables": toldChanged, "columns": toldChanged, "statistics": toldChanged, "key_column_usage": toldChanged,
	"table_constraints": toldChanged, "check_constraints": toldChanged, "referential_constraints": toldChanged,
	"schemata": toldChanged, "partitions": toldChanged, "column_privileges": toldChanged, "column_statistics": toldChanged,
	"views": toldChanged, "columns_extensions": toldChanged, "tables_extensions": toldChanged, "table_constraints_extensions": toldChanged,
	"schemata_extensions": toldChanged,

	"st_geometry_columns": toldShapes, "geometry_columns": toldShapes,

	"innodb_columns": toldStored, "innodb_fields": toldStored, "innodb_foreign_cols": toldStored, "innodb_virtual": toldStored,
	"innodb_sys_columns": toldStored, "innodb_sys_fields": toldStored, "innodb_sys_foreign_cols": toldStored,
	"innodb_sys_virtual": toldStored, "tidb_indexes": toldStored,
}

// InformationTables are the names, in lower case, of those that a query stands for.
func InformationTables() []string {
	var all []string
	for name, how := range informationTables {
		if how == toldChanged {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}

// hasShapes reports whether a spatial column is protected.
func hasShapes(c *catalog.Catalog) bool {
	for t := range c.Tables() {
		if slices.ContainsFunc(t.Columns, func(c catalog.Column) bool { return c.Protected() && c.Type.Kind.IsGeometry() }) {
			return true
		}
	}
	return false
}
