package plan

import (
	"strings"

	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// findPrograms finds out whether statements to be forwarded may run a program of the
// server's. True where in doubt.
func (p *Plan) findPrograms(read []sql.Statement) {
	for i := range read {
		switch k := read[i].Kind; {
		case k == sql.Call, k == sql.Compound, k == sql.Unknown, k == sql.Execute, k == sql.ExecuteImmediate:
			p.Programs, p.Calls = true, true
		case quietKinds[k]:
		case k == sql.Select || k == sql.Set:
			p.Programs = p.Programs || mayCall(&read[i])
		default:
			p.Programs = true
		}
	}
}

// quietKinds are the kinds of statements that run nothing of an application's.
var quietKinds = map[sql.Kind]bool{
	sql.Begin: true, sql.Commit: true, sql.Rollback: true, sql.Savepoint: true, sql.RollbackToSavepoint: true,
	sql.ReleaseSavepoint: true, sql.SetTransaction: true, sql.XA: true, sql.LockTables: true, sql.UnlockTables: true,
	sql.SetNames: true, sql.SetCharacterSet: true, sql.Use: true, sql.Deallocate: true, sql.Prepare: true,
	sql.Show: true, sql.ShowTables: true, sql.ShowColumns: true, sql.ShowIndex: true, sql.ShowCreateTable: true,
	sql.ShowCreateProgram: true, sql.ShowWarnings: true, sql.ShowProcesslist: true, sql.Describe: true,
	sql.GetDiagnostics: true, sql.Empty: true,
}

// mayCall reports whether a statement may call a function that is not the server's own:
// one that names a table, which may be a view, may.
func mayCall(s *sql.Statement) (may bool) {
	tree, err := s.Tree()
	if err != nil {
		return true
	}
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.FuncExpr:
			may = may || !n.Qualifier.IsEmpty() || !builtIn[strings.ToLower(n.Name.String())]
		case *ast.AliasedTableExpr:
			name, ok := n.Expr.(ast.TableName)
			may = may || !ok || !isDual(name)
		}
		return !may, nil
	}, tree.Root())
	return may
}

// builtIn are functions of the servers' own that are called in statements of no table;
// of others it is not asked whose they are.
var builtIn = map[string]bool{
	"version": true, "database": true, "schema": true, "user": true, "current_user": true, "session_user": true,
	"system_user": true, "connection_id": true, "last_insert_id": true, "row_count": true, "found_rows": true,
	"concat": true, "upper": true, "lower": true, "length": true, "if": true, "ifnull": true, "coalesce": true,
	"uuid": true, "sleep": true, "get_lock": true, "release_lock": true, "is_free_lock": true, "rand": true,
}
