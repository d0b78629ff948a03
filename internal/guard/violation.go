package guard

import (
	"tunic/internal/catalog"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// Errors of a CHECK (MySQL: ER_CHECK_CONSTRAINT_VIOLATED; MariaDB: ER_CONSTRAINT_FAILED).
const (
	ErrCheck      = 3819
	ErrConstraint = 4025
)

// Violation is what the server says of a row that fails a CHECK of a table.
func (g *Guard) Violation(t *catalog.Table, flavor value.Flavor) *sqlerr.Error {
	if flavor != value.MariaDB {
		return &sqlerr.Error{Number: ErrCheck, State: "HY000", Message: "Check constraint '" + g.Name + "' is violated."}
	}
	name := g.Name
	if g.InColumn {
		name = t.Name + "." + name
	}
	return &sqlerr.Error{
		Number: ErrConstraint, State: "23000", Message: "CONSTRAINT `" + name + "` failed for `" + t.Schema + "`.`" + t.Name + "`",
	}
}

// GeneratedIgnored is what MariaDB says of a value for a generated column.
func GeneratedIgnored(column, table string) *sqlerr.Error {
	return &sqlerr.Error{Number: 1906, State: "HY000", Message: "The value specified for generated column '" + column + "' in table '" + table + "' has been ignored"}
}
