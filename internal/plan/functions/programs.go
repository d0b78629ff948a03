package functions

import (
	"strings"

	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// MayRun reports whether statements may run a program of the server's, and whether one is a
// program itself or calls one. True where in doubt.
func MayRun(read []sql.Statement, m sql.Modes) (programs, calls bool) {
	for i := range read {
		switch k := read[i].Kind; {
		case k == sql.Call, k == sql.Compound, k == sql.Unknown, k == sql.Execute, k == sql.ExecuteImmediate, k == sql.SetStatement:
			programs, calls = true, true
		case quietKinds[k]:
		case k == sql.Select || k == sql.Set:
			programs = programs || mayCall(&read[i], m)
		default:
			programs = true
		}
	}
	return programs, calls
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

// MayCall reports whether statements may call a stored function, whatever becomes of
// them: one may set variables of the session, and servers say so of an answer without rows
// at most.
func MayCall(read []sql.Statement, m sql.Modes) bool {
	for i := range read {
		tree, err := read[i].Tree()
		if err != nil {
			if !quietKinds[read[i].Kind] {
				return true
			}
			continue
		}
		if Foreign(tree.Root(), m) || tree.Returning() != nil && Foreign(tree.Returning(), m) {
			return true
		}
	}
	return false
}

// Foreign reports whether a function is called that is not the server's own.
func Foreign(root ast.Node, m sql.Modes) (names bool) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if f, ok := n.(*ast.FuncExpr); ok {
			names = names || !f.Qualifier.IsEmpty() || !isOwn(strings.ToLower(f.Name.String()), m)
		}
		names = names || m&sql.MariaDB != 0 && lacksMariaDB(n)
		return !names, nil
	}, root)
	return names
}

// lacksMariaDB reports whether a node is a call of a function that some MariaDB has not of its own, and the parser a node for.
func lacksMariaDB(n ast.Node) bool {
	switch n.(type) {
	case *ast.RegexpLikeExpr, *ast.JSONStorageFreeExpr, *ast.JSONStorageSizeExpr, *ast.JSONSchemaValidFuncExpr, *ast.JSONSchemaValidationReportFuncExpr,
		*ast.GeoHashFromLatLongExpr, *ast.GeoHashFromPointExpr, *ast.GeomFromGeoHashExpr, *ast.PointPropertyFuncExpr, *ast.GTIDFuncExpr,
		*ast.PerformanceSchemaFuncExpr, *ast.AnyValue:
		return true
	}
	return false
}

// Acts reports whether a statement may do more than read, or wait, where it has no rows: it calls
// a function that is not the server's own or that does something, sets a variable, locks or
// writes a file.
func Acts(root ast.Node, m sql.Modes) (found bool) {
	if Foreign(root, m) || Draws(root) {
		return true
	}
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.FuncExpr:
			found = found || waiting[n.Name.Lowered()]
		case *ast.AssignmentExpr, *ast.LockingFunc, *ast.SelectInto:
			found = true
		case *ast.Select:
			found = found || n.Lock != ast.NoLock
		}
		return !found, nil
	}, root)
	return found
}

// waiting are functions of the servers' own that take as long as they are told.
var waiting = map[string]bool{"benchmark": true, "master_pos_wait": true, "source_pos_wait": true, "load_file": true}

// mayCall reports whether a statement may call a function that is not the server's own:
// one that names a table, which may be a view, may.
func mayCall(s *sql.Statement, m sql.Modes) (may bool) {
	tree, err := s.Tree()
	if err != nil {
		return true
	}
	may = Foreign(tree.Root(), m)
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if t, ok := n.(*ast.AliasedTableExpr); ok {
			name, named := t.Expr.(ast.TableName)
			may = may || !named || name.Name.String() != "dual" || !name.Qualifier.IsEmpty() // as the parser has a query without FROM
		}
		return !may, nil
	}, tree.Root())
	return may
}

// Draws reports whether an expression has a function whose value is another one each time.
func Draws(root ast.Node) (found bool) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		f, ok := n.(*ast.FuncExpr)
		found = found || ok && drawn[f.Name.Lowered()]
		return !found, nil
	}, root)
	return found
}

var drawn = map[string]bool{
	"rand": true, "uuid": true, "uuid_short": true, "random_bytes": true, "sys_guid": true, "sysdate": true, "sleep": true,
	"last_insert_id": true, "row_count": true, "found_rows": true, "nextval": true, "lastval": true, "get_lock": true,
}
