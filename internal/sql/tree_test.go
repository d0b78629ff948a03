package sql

import (
	"errors"
	"go/ast"
	goparser "go/parser"
	gotoken "go/token"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestEveryTypeOfTheLibrary: each type that implements the library's Statement
// has a case in treeKind, which gives it a kind and so a row in the statement
// table; and no case is of a type that is gone.
func TestEveryTypeOfTheLibrary(t *testing.T) {
	theirs := statementTypes(t, libraryFolder(t))
	ours := treeKindCases(t)
	if len(theirs) < 50 {
		t.Fatalf("only %d types found: %v", len(theirs), theirs)
	}
	for _, name := range theirs {
		if !slices.Contains(ours, name) {
			t.Errorf("sqlparser.%s has no case in treeKind", name)
		}
	}
	for _, name := range ours {
		if !slices.Contains(theirs, name) {
			t.Errorf("sqlparser.%s is no statement", name)
		}
	}
}

func libraryFolder(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "vitess.io/vitess").Output()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "go", "vt", "sqlparser")
}

// statementTypes are the receivers of the method that makes a statement one.
func statementTypes(t *testing.T, folder string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") || filepath.Base(path) == "sql.go" {
			continue // the second is the grammar's table, and large
		}
		file, err := goparser.ParseFile(gotoken.NewFileSet(), path, nil, goparser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Name.Name != "iStatement" || f.Recv == nil {
				continue
			}
			if star, ok := f.Recv.List[0].Type.(*ast.StarExpr); ok {
				names = append(names, star.X.(*ast.Ident).Name)
			}
		}
	}
	return names
}

// treeKindCases are the types that tree.go's switches name.
func treeKindCases(t *testing.T) []string {
	t.Helper()
	file, err := goparser.ParseFile(gotoken.NewFileSet(), "tree.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	ast.Inspect(file, func(n ast.Node) bool {
		c, ok := n.(*ast.CaseClause)
		if !ok {
			return true
		}
		for _, e := range c.List {
			if star, ok := e.(*ast.StarExpr); ok {
				names = append(names, star.X.(*ast.SelectorExpr).Sel.Name)
			}
		}
		return true
	})
	return names
}

// TestTreesAgree: what the library makes of the statements of its own grammar
// that MySQL has is of the kind that Parse says; the exceptions are known.
func TestTreesAgree(t *testing.T) {
	for _, text := range []string{
		"SELECT 1", "(SELECT 1)", "SELECT 1 UNION SELECT 2", "VALUES ROW(1)", "INSERT INTO t VALUES (1)", "REPLACE INTO t VALUES (1)",
		"UPDATE t SET a = 1", "DELETE FROM t", "CALL p()", "EXPLAIN SELECT 1", "DESCRIBE t", "SHOW TABLES", "SHOW WARNINGS",
		"KILL QUERY 5", "FLUSH TABLES", "PURGE BINARY LOGS TO 'x'", "ANALYZE TABLE t", "BEGIN", "START TRANSACTION", "COMMIT", "ROLLBACK",
		"ROLLBACK TO s", "SAVEPOINT s", "RELEASE SAVEPOINT s", "LOCK TABLES t READ", "UNLOCK TABLES", "SET a = 1", "SET NAMES utf8mb4",
		"SET CHARACTER SET utf8mb4", "SET TRANSACTION READ ONLY", "USE d", "PREPARE s FROM 'SELECT 1'", "EXECUTE s", "DEALLOCATE PREPARE s",
		"CREATE DATABASE d", "ALTER DATABASE d CHARACTER SET utf8mb4", "DROP DATABASE d", "CREATE TABLE t (a INT)", "ALTER TABLE t ADD COLUMN b INT",
		"CREATE INDEX i ON t (a)", "DROP INDEX i ON t", "DROP TABLE t", "RENAME TABLE t TO u", "TRUNCATE TABLE t", "CREATE VIEW v AS SELECT 1",
		"ALTER VIEW v AS SELECT 1", "DROP VIEW v", "DROP PROCEDURE p", "CREATE PROCEDURE p() BEGIN SELECT 1; END",
		"WITH a AS (SELECT 1) SELECT * FROM a", "SELECT 1 INTO OUTFILE 'f'",
	} {
		all, err := Parse([]byte(text), 0)
		if err != nil || len(all) != 1 {
			t.Errorf("%q: %v, %v", text, all, err)
			continue
		}
		if _, err := all[0].Tree(); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestTreeIsBounded: a statement that would make a tree too deep to walk or too
// large to hold is refused before the library sees it.
func TestTreeIsBounded(t *testing.T) {
	for name, text := range map[string]string{
		"deep":  "SELECT " + strings.Repeat("(", 5_000) + "1" + strings.Repeat(")", 5_000),
		"long":  "SELECT 1" + strings.Repeat("+1", 200_000),
		"notes": "SELECT " + strings.Repeat("NOT ", 200_000) + "1",
	} {
		all, err := Parse([]byte(text), 0)
		if err != nil || len(all) != 1 {
			t.Fatalf("%s: %d statements, %v", name, len(all), err)
		}
		if _, err := all[0].Tree(); !errors.Is(err, ErrTreeTooLarge) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
