package sql

import (
	"strings"
	"testing"

	"tunic/internal/sql/ast"
)

// TestSets: what INTERSECT and EXCEPT stand between is what the servers' precedence
// says, however it is written.
func TestSets(t *testing.T) {
	mysql, mariadb := Modes(0).WithServer("9.7.0"), Modes(0).WithServer("10.11.14-MariaDB")
	for _, of := range []struct{ text, want string }{
		{"SELECT 1 INTERSECT SELECT 2", "(1 intersect 2)"},
		{"SELECT 1 INTERSECT ALL SELECT 2", "(1 intersect all 2)"},
		{"SELECT 1 intersect distinct SELECT 2", "(1 intersect 2)"},
		{"SELECT 1 EXCEPT SELECT 2", "(1 except 2)"},
		{"SELECT 1 EXCEPT ALL SELECT 2 EXCEPT SELECT 3", "((1 except all 2) except 3)"},
		{"SELECT 1 UNION SELECT 2 INTERSECT SELECT 3", "(1 union (2 intersect 3))"},
		{"SELECT 1 INTERSECT SELECT 2 UNION SELECT 3", "((1 intersect 2) union 3)"},
		{"SELECT 1 UNION ALL SELECT 2 INTERSECT SELECT 3 INTERSECT SELECT 4 UNION SELECT 5", "((1 union all ((2 intersect 3) intersect 4)) union 5)"},
		{"SELECT 1 EXCEPT SELECT 2 INTERSECT ALL SELECT 3 EXCEPT SELECT 4", "((1 except (2 intersect all 3)) except 4)"},
		{"(SELECT 1 UNION SELECT 2) INTERSECT SELECT 3", "((1 union 2) intersect 3)"},
		{"SELECT 1 UNION (SELECT 2) INTERSECT (SELECT 3 EXCEPT SELECT 4)", "(1 union (2 intersect (3 except 4)))"},
		{"SELECT 1 EXCEPT (SELECT 2 EXCEPT SELECT 3)", "(1 except (2 except 3))"},
		{"SELECT 1 UNION SELECT 2 INTERSECT SELECT 3 ORDER BY 1 LIMIT 2", "(1 union (2 intersect 3)) sorted limited"},
		{"(SELECT 1 ORDER BY 1 LIMIT 3) EXCEPT SELECT 2", "(1 sorted limited except 2)"},
		{"SELECT a FROM t WHERE a IN (SELECT 1 UNION SELECT 2 INTERSECT SELECT 3)", "a"},
		{"WITH x AS (SELECT 1 EXCEPT SELECT 2) SELECT 3 INTERSECT SELECT 4", "(3 intersect 4)"},
		{"SELECT t.except FROM t INTERSECT SELECT `intersect` FROM t", "(`except` intersect `intersect`)"},
	} {
		for _, m := range []Modes{mysql, mariadb} {
			tree := treeOf([]byte(of.text), m)
			if tree == nil {
				t.Errorf("%s: no tree", of.text)
				continue
			}
			if got := shapeOf(tree.Root()); got != of.want {
				t.Errorf("%s\n got %s\nwant %s", of.text, got, of.want)
			}
			printed, err := tree.Print(m)
			if err != nil {
				t.Errorf("%s: %v", of.text, err)
				continue
			}
			if again := treeOf([]byte(printed.String()), m); again == nil || shapeOf(again.Root()) != of.want {
				t.Errorf("%s: printed as %s", of.text, printed)
			}
		}
	}
}

// TestNoSets: what is no set of the server's has no tree, whatever it looks like to
// the library.
func TestNoSets(t *testing.T) {
	for _, text := range []string{
		"SELECT 1 INTERSECT",
		"SELECT 1 INTERSECT ALL",
		"INTERSECT SELECT 1",
		"SELECT 1 INTERSECT EXCEPT SELECT 2",
		"SELECT 1 UNION INTERSECT SELECT 2",
		"SELECT 1 INTERSECT 2",
		"SELECT 1 UNION ALL SELECT :set_intersect UNION ALL SELECT 2",
		"SELECT 1 INTERSECT SELECT 2 FOR UPDATE",
		"SELECT intersect FROM t",
		"SELECT 1 except",
	} {
		if tree := treeOf([]byte(text), Modes(0).WithServer("10.11.14-MariaDB")); tree != nil {
			t.Errorf("%s has a tree: %s", text, shapeOf(tree.Root()))
		}
	}
	if tree := treeOf([]byte("SELECT 1 INTERSECT SELECT 2"), Modes(0).WithServer("8.0.30")); tree != nil {
		t.Error("MySQL 8.0.30 has no INTERSECT")
	}
}

// TestTableInQueries: TABLE t is a query wherever one may be.
func TestTableInQueries(t *testing.T) {
	m := Modes(0).WithServer("9.7.0")
	for text, want := range map[string]string{
		"TABLE t":                                 "select * from `t`",
		"TABLE t UNION TABLE u ORDER BY 1":        "select * from `t` union select * from `u` order by 1 asc",
		"SELECT 1 UNION ALL TABLE u":              "select 1 from dual union all select * from `u`",
		"SELECT 1 INTERSECT DISTINCT TABLE u":     "select 1 from dual intersect select * from `u`",
		"SELECT a FROM t WHERE a > ALL (TABLE u)": "select `a` from `t` where `a` > all (select * from `u`)",
		"SELECT a FROM (TABLE u LIMIT 1) AS x":    "select `a` from (select * from `u` limit 1) as `x`",
		"WITH c AS (TABLE u) SELECT * FROM c":     "with `c` as (select * from `u`) select * from `c`",
		"(TABLE t) EXCEPT ALL TABLE u":            "select * from `t` except all select * from `u`",
		"DELETE FROM t WHERE a IN (TABLE u)":      "delete from `t` where `a` in (select * from `u`)",
	} {
		tree := treeOf([]byte(text), m)
		if tree == nil {
			t.Errorf("%s has no tree", text)
			continue
		}
		printed, err := tree.Print(m)
		if err != nil || printed.String() != want {
			t.Errorf("%s\n got %v, %v\nwant %s", text, printed, err, want)
		}
	}
}

// shapeOf shows how the sets of a query are nested, and the first column of each block.
func shapeOf(n ast.Node) string {
	switch n := n.(type) {
	case *ast.Union:
		operator, _ := ast.SetOf(n)
		if !n.Distinct {
			operator += " all"
		}
		return "(" + shapeOf(n.Left) + " " + operator + " " + shapeOf(n.Right) + ")" + behind(n.OrderBy, n.Limit)
	case *ast.Select:
		item, _ := n.SelectExprs.Exprs[0].(*ast.AliasedExpr)
		switch e := item.Expr.(type) {
		case *ast.Literal:
			return e.Val + behind(n.OrderBy, n.Limit)
		case *ast.ColName:
			if name := e.Name.String(); len(name) == 1 {
				return name
			}
			return "`" + e.Name.String() + "`"
		}
	}
	return "?"
}

func behind(by ast.OrderBy, limit *ast.Limit) string {
	var all []string
	if by != nil {
		all = append(all, " sorted")
	}
	if limit != nil {
		all = append(all, " limited")
	}
	return strings.Join(all, "")
}
