package sql

import (
	"fmt"
	"strings"
	"testing"
)

// TestAsked: what SHOW and DESCRIBE ask for. SHOW statements of other things, and
// what is not read to its end, are none.
func TestAsked(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"SHOW COLUMNS FROM t", "1 .t"},
		{"show full fields in `a b` in s", "1 s.a b"},
		{"SHOW EXTENDED FULL COLUMNS FROM s.t FROM r LIKE 'x%'", "1 r.t"},
		{"SHOW COLUMNS FROM t WHERE `Key` = 'PRI' AND Type LIKE CONCAT('a', Field)", "1 .t Key,AND,Type,LIKE,Field"},
		{"SHOW COLUMNS FROM t WHERE Field IN (SELECT a FROM b)", "1 .t Field,SELECT,a,FROM,b queries"},
		{"SHOW INDEX FROM t", "2 .t"},
		{"SHOW KEYS IN t FROM s WHERE Key_name = 'k'", "2 s.t Key_name"},
		{"SHOW TABLES", "3 ."},
		{"SHOW FULL TABLES FROM s LIKE 'a'", "3 s."},
		{"SHOW TABLE STATUS WHERE Name = 'a'", "4 . Name"},
		{"SHOW OPEN TABLES FROM s", "5 s."},
		{"SHOW CREATE TABLE s.t", "6 s.t"},
		{"SHOW DATABASES LIKE 'a'", "7 ."},
		{"SHOW SCHEMAS", "7 ."},
		{"SHOW CREATE DATABASE IF NOT EXISTS s", "8 s."},
		{"SHOW TRIGGERS FROM s LIKE 'a'", "8 s."},
		{"DESC t", "1 .t"},
		{"DESCRIBE s.t `a`", "1 s.t"},
		{"EXPLAIN t 'a%'", "1 .t"},
		{"SHOW /*!50002 FULL */ COLUMNS FROM t", "1 .t"},
		{"SHOW VARIABLES LIKE 'a'", ""},
		{"SHOW GRANTS", "9 ."},
		{"SHOW COLUMNS FROM t LIMIT 1", ""},
		{"SHOW COLUMNS t", ""},
		{"SELECT 1", ""},
	} {
		all, err := Parse([]byte("DO 0; "+c.text+";"), 0)
		if err != nil || len(all) != 2 {
			t.Fatalf("%s: %v", c.text, err)
		}
		a, ok := all[1].Asked()
		got := ""
		if ok {
			got = describeAsked(a, "DO 0; "+c.text)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
}

func describeAsked(a Asked, text string) string {
	var names []string
	for _, n := range a.Where {
		names = append(names, strings.Trim(text[n.From:n.To], "`"))
		if names[len(names)-1] != n.Name {
			names = append(names, "but "+n.Name)
		}
	}
	out := strings.TrimSpace(fmt.Sprintf("%d %s.%s %s", a.Thing, a.Table.Schema, a.Table.Name, strings.Join(names, ",")))
	if a.Queries {
		out += " queries"
	}
	return out
}
