package show

import (
	"testing"
	"time"

	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// secretsOf are the secrets of two types, a default and two comments.
func secretsOf(t testing.TB, flavor value.Flavor) *secrets {
	t.Helper()
	collation, ok := charset.Lookup(flavor, "utf8mb4_general_ci")
	if !ok {
		t.Fatal("no collation")
	}
	version := 101100
	if flavor == value.MySQL {
		version = 80400
	}
	a := &Answer{words: newWords(), session: Session{
		Env: &value.Env{Flavor: flavor, Version: version, Location: time.UTC}, Collation: collation,
	}}
	a.words.text(wordOf{kind: typeWord, column: "0"}, "enum('sad','it''s fine','grün')")
	a.words.text(wordOf{kind: typeWord, column: "1"}, "set('a','b','c')")
	a.words.text(wordOf{kind: defaultWord, column: "2"}, "'sad'")
	a.words.text(wordOf{kind: commentWord, column: "3"}, "how they feel")
	a.words.text(wordOf{kind: tableWord, column: "4"}, "those who come")
	return &secrets{Answer: a, relations: map[string]string{"c": "columns", "t": "tables", "o": ""}, selected: map[string]bool{}}
}

// TestIndependent: expressions whose value does not depend on what a word stands for,
// and others.
func TestIndependent(t *testing.T) {
	for _, flavor := range []value.Flavor{value.MariaDB, value.MySQL} {
		s := secretsOf(t, flavor)
		for text, want := range map[string]bool{
			"LOCATE(')', column_type)":                                             false, // labels are as long as they are
			"SUBSTRING(column_type, 1 + LOCATE(')', column_type))":                 true,
			"CONCAT('x', SUBSTRING(column_type, 1, LOCATE('(', column_type) - 1))": true,
			"LEFT(column_type, 9)":                                                 false,
			"column_type LIKE 'enum%'":                                             true, // and so is its word
			"column_type LIKE '% unsigned'":                                        true,
			"column_type = 'tinyint(1)'":                                           true,
			"column_type IN ('int', 'set(''a'',''b'')')":                           true,
			"column_type IN ('set(''a'',''b'',''c'')')":                            false,
			"column_type LIKE '%sad%'":                                             false,
			"column_type LIKE '%gr_n%'":                                            false,
			"UPPER(column_type) LIKE '%UNSIGNED%'":                                 true,
			"LOCATE('UNSIGNED', UPPER(column_type)) = 0":                           true,
			"LOCATE('(1)', column_type) != 0":                                      true,
			"LOCATE('(', column_type)":                                             true,
			"LOCATE('SAD', column_type) > 0":                                       false,
			"LOCATE('grun', column_type) > 0":                                      false,
			"INSTR(column_type, 'zerofill')":                                       true,
			"c.column_type LIKE 'tinyint(1)%'":                                     true,
			"column_default IS NULL":                                               true,
			"column_default = 'CURRENT_TIMESTAMP'":                                 true,
			"column_default = column_comment":                                      false,
			"column_default = o.x":                                                 false,
			"column_comment = ''":                                                  true,
			"column_comment <> 'how they feel'":                                    false,
			"LENGTH(column_comment) > 0":                                           true,
			"LENGTH(column_comment) > 20":                                          false,
			"table_comment = 'VIEW'":                                               true,
			"IF(column_comment = '', NULL, 'x')":                                   true,
			"column_comment = (SELECT 'x')":                                        false,
			"column_comment = @x":                                                  false,
			"NOW() > column_comment":                                               false,
			"SUBSTRING(column_type, 1, 3)":                                         true,
			"column_type REGEXP 'enum'":                                            true,
			"column_type REGEXP 'sad'":                                             false,
			"CASE WHEN column_type LIKE 'x%' THEN 1 END":                           true,
			"column_default <=> NULL OR column_type = 'x'":                         false,
		} {
			if got := s.independent(expression(t, text)); got != want {
				t.Errorf("%s: %s: %v, want %v", flavor, text, got, want)
			}
		}
	}
}

// expression reads an expression.
func expression(t testing.TB, text string) ast.Expr {
	t.Helper()
	all, err := sql.Parse([]byte("SELECT "+text), 0)
	if err != nil || len(all) != 1 {
		t.Fatalf("%s: %v", text, err)
	}
	tree, err := all[0].Tree()
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return tree.Root().(*ast.Select).SelectExprs.Exprs[0].(*ast.AliasedExpr).Expr
}
