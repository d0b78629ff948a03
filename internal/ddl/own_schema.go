package ddl

import (
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
)

// touchesOwn refuses whatever names tunic's own schema; schema is the current one.
func touchesOwn(schema string, stmt ast.Statement) error {
	own := strings.EqualFold(schema, catalog.Schema)
	visit := func(n ast.Node) (bool, error) {
		if t, ok := n.(ast.TableName); ok {
			q := t.Qualifier.String()
			own = own || strings.EqualFold(q, catalog.Schema)
		}
		return true, nil
	}
	switch stmt := stmt.(type) {
	case *ast.RenameTable:
		for _, p := range stmt.TablePairs {
			if err := ast.Walk(visit, p.FromTable, p.ToTable); err != nil {
				return err
			}
		}
	case *ast.DropDatabase:
		own = strings.EqualFold(stmt.DBName.String(), catalog.Schema)
	case *ast.CreateDatabase:
		own = strings.EqualFold(stmt.DBName.String(), catalog.Schema)
	case *ast.AlterDatabase:
		own = strings.EqualFold(stmt.DBName.String(), catalog.Schema)
	default:
		if err := ast.Walk(visit, stmt); err != nil {
			return err
		}
	}
	if own {
		return sqlerr.OwnSchema()
	}
	return nil
}
