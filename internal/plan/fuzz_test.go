package plan

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/plan/plantest"
	"tunic/internal/plan/shape"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// servers are the modes of the servers that statements are planned for.
var servers = []sql.Modes{
	sql.Modes(0).WithServer("10.11.14-MariaDB"), sql.Modes(0).WithServer("9.7.0"),
	sql.Modes(0).WithServer("9.7.0").WithSQLMode("ANSI"), sql.Modes(0).WithServer("8.0.11-TiDB-v8.1.0"),
}

// statementsOfGolden are the statements of the golden plans.
func statementsOfGolden(t testing.TB) (all []string) {
	t.Helper()
	var paths []string
	for _, of := range []string{"testdata/*/*", "build/testdata/*/*"} {
		found, err := filepath.Glob(of)
		if err != nil || len(found) == 0 {
			t.Fatal("no golden plans", err)
		}
		paths = append(paths, found...)
	}
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for block := range strings.SplitSeq(string(content), "\n\n") {
			if statement, _, ok := strings.Cut(block, "\n----"); ok {
				_, statement, _ = strings.Cut(statement, "\n")
				all = append(all, statement)
			}
		}
	}
	return all
}

// TestNothingTold: no golden plan has a stored statement in which a value of the client's
// meets a protected column, in a session of any server.
func TestNothingTold(t *testing.T) {
	c := plantest.Tables(t)
	statements := statementsOfGolden(t)
	for _, m := range servers {
		checked := 0
		for _, s := range statements {
			checked += toldBy(t, c, []byte(s), m)
		}
		if checked < 100 {
			t.Errorf("only %d stored statements", checked)
		}
	}
}

// TestTold: the check sees what would be told.
func TestTold(t *testing.T) {
	c := plantest.Tables(t)
	for text, told := range map[string]bool{
		"select `name` from `person` where `name$eq` = x'51'":                                   false,
		"select `name` from `person` where `town` = 77777 and `name$eq` in (x'51')":             false,
		"select `name` from `person` where `name$eq` in (x'51', 77777)":                         true,
		"select `name` from `person` where `name` = 'x'":                                        true,
		"select upper(concat(`name`, 77777)) from `person`":                                     true,
		"select `p`.`name` from `person` as `p` join `log` as `l` on `p`.`name$eq` = 77777":     true,
		"select `p`.`name` from `person` as `p` join `log` as `l` on `p`.`id` = `l`.`id` + 1":   false,
		"select `name`, 0 from `person` union all select `line`, 1 from `log` where `line` = 1": true,
		"update `person` set `name` = 77777":                                                    true,
		"select 1 from `log` where `line` in (select `name$eq` from `person` where `id` = 7)":   false,
		"select 1 from `log` where `id` in (select `id` from `person` where `name$eq` = 77777)": true,
		"select 1 from `log` where `line` in (select 77777 from `person`)":                      true,
		"update `person` set `town` = 77777, `name` = x'51'":                                    false,
		"insert into `person` (`town`, `name`) values (77777, x'51')":                           false,
		"insert into `person` (`town`, `name`) values ('x', 77777)":                             true,
	} {
		if got := tells(treeOf(t, []byte(text), servers[0]), c); got != told {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// FuzzPlan: no text makes the planner panic; what is forwarded names no protected table;
// and in no stored statement does a literal or parameter of the client's meet a protected
// column.
func FuzzPlan(f *testing.F) {
	for i, s := range statementsOfGolden(f) {
		f.Add([]byte(s), uint8(i))
	}
	for _, s := range []string{
		"SELECT p.name FROM person p, log l WHERE (p.name, l.line) IN (('a', 'b')) AND p.age + 1 > l.id",
		"SELECT name FROM person WHERE name = 'a' UNION SELECT line FROM log WHERE line IN ('a', 'b') INTERSECT SELECT 'c'",
		"WITH RECURSIVE c AS (SELECT id, name FROM person WHERE name = 'x' UNION ALL SELECT p.id, p.name FROM person p JOIN c ON c.name = p.name WHERE p.age > 3) SELECT * FROM c",
		"UPDATE person SET name = (SELECT line FROM log WHERE line = 'x' LIMIT 1), town = 'y' WHERE age IN (SELECT k FROM sbtest1 WHERE c = 'z')",
		"DELETE FROM person WHERE EXISTS (SELECT 1 FROM log WHERE log.line = person.name AND log.line <> 'q')",
		"INSERT INTO person (id, name) SELECT id, 'x' FROM log WHERE line = 'y'",
	} {
		for i := range servers {
			f.Add([]byte(s), uint8(i))
		}
	}
	c := plantest.Tables(f)
	f.Fuzz(func(t *testing.T, text []byte, server uint8) { toldBy(t, c, text, servers[int(server)%len(servers)]) })
}

// toldBy plans a text and fails if what is sent would tell of protected values; checked is
// how many stored statements there are.
func toldBy(t testing.TB, c *catalog.Catalog, text []byte, m sql.Modes) (checked int) {
	t.Helper()
	var fp sql.Fingerprinter
	p := New(Options{Catalog: func() *catalog.Catalog { return c }}).Plan(&fp, text, m, "test")
	if Is[*Forward](p) && forwardsProtected(text, m, c) {
		t.Errorf("forwarded: %s", text)
	}
	if p.Run() == nil {
		return 0
	}
	for _, r := range []*recipe.Run{p.Run(), p.Run().Alternatives[recipe.CountsChanged], p.Run().Alternatives[recipe.NoToken]} {
		if r == nil || r.Remote == nil {
			continue
		}
		checked++
		stored := filled(r.Remote)
		if root := treeOf(t, stored, m); root == nil || tells(root, c) {
			t.Errorf("%s\nhas the stored statement\n%s", text, stored)
		}
	}
	return checked
}

// client is what stands for every value of the client's, and of the statement's form.
const client = "77777"

// filled is a stored statement with slots as hexadecimal strings.
func filled(p *sql.Printed) []byte {
	out, _ := p.Fill(nil, func(int) int { return 2 }, func(dst []byte, h sql.Hole, _ int) ([]byte, error) {
		switch {
		case h.Kind == sql.HoleSlot:
			return append(dst, "x'51'"...), nil
		case bytes.HasSuffix(dst, []byte("date ")), bytes.HasSuffix(dst, []byte("time ")), bytes.HasSuffix(dst, []byte("timestamp ")):
			return append(dst, "'"+client+"'"...), nil
		}
		return append(dst, client...), nil
	})
	return out
}

func treeOf(t testing.TB, text []byte, m sql.Modes) ast.Statement {
	t.Helper()
	all, err := sql.Parse(text, m)
	if err != nil || len(all) != 1 {
		return nil
	}
	tree, err := all[0].Tree()
	if err != nil {
		return nil
	}
	return tree.Root()
}

// forwardsProtected reports whether a text reads or writes a protected table.
func forwardsProtected(text []byte, m sql.Modes, c *catalog.Catalog) (found bool) {
	root := treeOf(discard{}, text, m)
	switch root.(type) {
	case *ast.Select, *ast.Union, *ast.Insert, *ast.Update, *ast.Delete:
	default:
		return false
	}
	common := shape.CommonNames(root)
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if e, ok := n.(*ast.AliasedTableExpr); ok {
			name, ok := e.Expr.(ast.TableName)
			found = found || ok && tableNamed(c, name) != nil && !(name.Qualifier.IsEmpty() && common[strings.ToLower(name.Name.String())])
		}
		return !found, nil
	}, root)
	return found
}

// discard is for helpers that cannot fail.
type discard struct{ testing.TB }

func (discard) Helper() {}

func tableNamed(c *catalog.Catalog, name ast.TableName) *catalog.Table {
	schema := name.Qualifier.String()
	if schema == "" {
		schema = "test"
	}
	return c.Table(schema, name.Name.String())
}

// tells reports whether a value of the client's meets a protected column in a stored
// statement.
func tells(root ast.Statement, c *catalog.Catalog) (found bool) {
	if root == nil {
		return false
	}
	names := tablesIn(root, c)
	if n, ok := root.(*ast.Insert); ok {
		table, _ := n.Table.Expr.(ast.TableName)
		rows, _ := n.Rows.(ast.Values)
		for _, row := range rows {
			for i, e := range row {
				name := &ast.ColName{Name: n.Columns[i], Qualifier: ast.TableName{Name: table.Name}}
				found = found || storedForm(name, names) && hasClients(e)
			}
		}
	}
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.Select:
			own := tablesIn(n, c)
			for _, inner := range n.SelectExprs.Exprs {
				if e, ok := inner.(*ast.AliasedExpr); ok {
					found = found || meets(e.Expr, own)
				}
			}
			if n.Where != nil {
				found = found || meets(n.Where.Expr, own)
			}
			if n.Having != nil {
				found = found || meets(n.Having.Expr, own)
			}
		case *ast.JoinCondition:
			found = found || n.On != nil && meets(n.On, names)
		case *ast.UpdateExpr:
			found = found || storedForm(n.Name, names) && hasClients(n.Expr) || meets(n.Expr, names)
		case *ast.Update:
			found = found || n.Where != nil && meets(n.Where.Expr, names)
		case *ast.Delete:
			found = found || n.Where != nil && meets(n.Where.Expr, names)
		}
		return !found, nil
	}, root)
	return found
}

// tablesIn are the tables of a statement by the names that they have in it.
func tablesIn(root ast.Node, c *catalog.Catalog) map[string]*catalog.Table {
	all := map[string]*catalog.Table{}
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		e, ok := n.(*ast.AliasedTableExpr)
		if !ok {
			return true, nil
		}
		if name, ok := e.Expr.(ast.TableName); ok {
			alias := e.As.String()
			if alias == "" {
				alias = name.Name.String()
			}
			all[strings.ToLower(alias)] = tableNamed(c, name)
		}
		return true, nil
	}, root)
	return all
}

// meets reports whether a condition or value has a stored form and a value of the client's
// in one comparison, function or computation.
func meets(e ast.Expr, names map[string]*catalog.Table) bool {
	switch e := e.(type) {
	case *ast.AndExpr:
		return meets(e.Left, names) || meets(e.Right, names)
	case *ast.OrExpr:
		return meets(e.Left, names) || meets(e.Right, names)
	case *ast.NotExpr:
		return meets(e.Expr, names)
	case *ast.ComparisonExpr:
		row, ok := e.Left.(ast.ValTuple)
		if q, is := e.Right.(*ast.Subquery); is { // its conditions are those of a query of its own
			if !ok {
				row = ast.ValTuple{e.Left}
			}
			return rowMeets(row, selected(q), names)
		}
		if ok {
			return rowMeets(row, e.Right, names)
		}
	}
	forms := false
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if name, ok := n.(*ast.ColName); ok {
			forms = forms || storedForm(name, names)
		}
		return !forms, nil
	}, e)
	return forms && hasClients(e)
}

// selected are the columns of a subquery, as a row.
func selected(q *ast.Subquery) (row ast.ValTuple) {
	n, ok := q.Select.(*ast.Select)
	if !ok {
		return nil
	}
	for _, e := range n.SelectExprs.Exprs {
		if one, ok := e.(*ast.AliasedExpr); ok {
			row = append(row, one.Expr)
		}
	}
	return row
}

// rowMeets is meets for a row that is compared with another, or with a list of them,
// column by column.
func rowMeets(row ast.ValTuple, with ast.Expr, names map[string]*catalog.Table) bool {
	rows, _ := with.(ast.ValTuple)
	if len(rows) == 0 {
		return true
	}
	if _, list := rows[0].(ast.ValTuple); !list {
		rows = ast.ValTuple{rows}
	}
	for _, r := range rows {
		other, ok := r.(ast.ValTuple)
		if !ok || len(other) != len(row) {
			return true
		}
		for i := range row {
			if meets(&ast.ComparisonExpr{Operator: ast.EqualOp, Left: row[i], Right: other[i]}, names) {
				return true
			}
		}
	}
	return false
}

// storedForm reports whether a column is a sealed form or a token.
func storedForm(n *ast.ColName, names map[string]*catalog.Table) bool {
	for alias, table := range names {
		if table == nil || !n.Qualifier.Name.IsEmpty() && !strings.EqualFold(alias, n.Qualifier.Name.String()) {
			continue
		}
		for i := range table.Columns {
			c := &table.Columns[i]
			if c.Protected() && n.Name.EqualString(c.Name) {
				return true
			}
			for _, l := range c.Layers {
				if n.Name.EqualString(l.Stored) {
					return true
				}
			}
		}
	}
	return false
}

// hasClients reports whether there is a value other than a slot's.
func hasClients(e ast.Expr) (found bool) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if l, ok := n.(*ast.Literal); ok && l.Type != ast.HexVal {
			found = true
		}
		return !found, nil
	}, e)
	return found
}

// TestHostile: statements over protected tables that are long or deep are planned or
// refused, within a stack of 64 MiB, and tell nothing.
func TestHostile(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(64 << 20))
	c := plantest.Tables(t)
	nest := func(open, inside, shut string, n int) string {
		return strings.Repeat(open, n) + inside + strings.Repeat(shut, n)
	}
	var parameters, values, rows strings.Builder
	for i := range 10_000 {
		parameters.WriteString(", ?")
		fmt.Fprintf(&values, ", 'v%d'", i)
		fmt.Fprintf(&rows, ", (%d, 'n%d', %d)", i, i, i%90)
	}
	for _, s := range map[string]string{
		"parentheses":        "SELECT name FROM person WHERE " + nest("(", "age = 3", ")", 990),
		"NOT":                "SELECT name FROM person WHERE " + nest("NOT ", "age = 3", "", 5000),
		"OR":                 "SELECT name FROM person WHERE age = 1" + nest(" OR age = 3", "", "", 5000),
		"AND":                "SELECT p.name FROM person p JOIN log l ON l.line = p.name WHERE p.age = 1" + nest(" AND p.age <> l.id", "", "", 3000),
		"plus":               "SELECT age" + nest(" + age", "", "", 5000) + " FROM person",
		"CASE":               "SELECT " + nest("CASE WHEN age = 1 THEN ", "age", " END", 900) + " FROM person",
		"functions":          "SELECT " + nest("ABS(", "age", ")", 990) + " FROM person",
		"UNION":              "SELECT name FROM person" + nest(" UNION SELECT line FROM log", "", "", 900),
		"INTERSECT":          "SELECT name FROM person" + nest(" INTERSECT SELECT line FROM log", "", "", 900),
		"subqueries":         nest("SELECT name FROM person WHERE age IN (SELECT k FROM sbtest1 WHERE k IN (", "SELECT id FROM log", "))", 450),
		"scalar subqueries":  "SELECT " + nest("(SELECT ", "age FROM person", ")", 900),
		"derived tables":     nest("SELECT * FROM (", "SELECT name FROM person", ") AS x", 900),
		"joins":              "SELECT COUNT(*) FROM person p" + nest(" JOIN log l ON l.id = p.id", "", "", 300),
		"values":             "SELECT id FROM person WHERE name IN ('a'" + values.String() + ")",
		"parameters":         "SELECT id FROM person WHERE name IN (?" + parameters.String() + ")",
		"values of a join":   "SELECT p.id FROM person p, log l WHERE p.note < l.line AND p.name NOT IN ('a'" + values.String() + ")",
		"a long string":      "SELECT id FROM person WHERE name = '" + strings.Repeat("x", 1<<20) + "' OR note LIKE '" + strings.Repeat("%y", 1<<10) + "'",
		"many rows":          "INSERT INTO person (id, name, age) VALUES (1, 'a', 1)" + rows.String(),
		"many columns":       "SELECT name" + nest(", name", "", "", 4000) + " FROM person",
		"many expressions":   "SELECT p.age" + nest(", p.age + l.id", "", "", 2000) + " FROM person p, log l WHERE p.note < l.line",
		"common expressions": "WITH RECURSIVE " + nest("a AS (SELECT id FROM log UNION ALL SELECT id + 1 FROM a WHERE id < 9), ", "", "", 200) + "z AS (SELECT 1) SELECT * FROM person, z",
	} {
		for _, m := range servers[:2] {
			toldBy(t, c, []byte(s), m)
		}
	}
}
