package definition

import (
	tsql "tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
)

// Parse reads a definition that the server, or tunic in its form, has written. modes are of a session of any settings.
func Parse(written, table string, modes tsql.Modes) (*ast.TableSpec, error) {
	all, err := tsql.Parse([]byte(InParentheses(written)), modes.WithSQLMode("").WithCharset("utf8mb4"))
	if err == nil && len(all) == 1 {
		if tree, err := all[0].Tree(); err == nil {
			if create, ok := tree.Root().(*ast.CreateTable); ok && create.TableSpec != nil {
				return create.TableSpec, nil
			}
		}
	}
	return nil, sqlerr.DefinitionForm(table, "a change or copy of a definition with parts that tunic cannot read")
}
