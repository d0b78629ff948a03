package sql

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestGranted(t *testing.T) {
	for _, c := range []struct {
		text  string
		table TableName
		lists string
		ok    bool
	}{
		{"GRANT SELECT ON t TO u", TableName{Name: "t"}, "", true},
		{"GRANT SELECT (a, `b c`), INSERT, UPDATE (a) ON TABLE s.t TO 'u'@'h' WITH GRANT OPTION", TableName{Schema: "s", Name: "t"}, "a+b c, a", true},
		{"REVOKE IF EXISTS SELECT (a) ON t FROM u", TableName{Name: "t"}, "a", true},
		{"GRANT ALL PRIVILEGES ON *.* TO u", TableName{}, "", true},
		{"GRANT ALL ON s.* TO u", TableName{Schema: "s"}, "", true},
		{"GRANT ALL ON * TO u", TableName{}, "", true},
		{"GRANT EXECUTE ON PROCEDURE p TO u", TableName{}, "", false},
		{"GRANT r TO u", TableName{}, "", false},
		{"GRANT SELECT (a ON t TO u", TableName{}, "", false},
		{"DROP TABLE t", TableName{}, "", false},
	} {
		all, _ := Parse([]byte(c.text), 0)
		g, ok := all[0].Granted()
		if ok != c.ok {
			t.Errorf("%s: read %v", c.text, ok)
		}
		if !ok {
			continue
		}
		var lists []string
		for _, list := range g.Lists {
			var names []string
			for _, s := range list {
				names = append(names, s.Name)
				if got := c.text[s.From:s.To]; got != s.Name && got != "`"+s.Name+"`" {
					t.Errorf("%s: %s stands at %q", c.text, s.Name, got)
				}
			}
			lists = append(lists, strings.Join(names, "+"))
		}
		if diff := cmp.Diff(c.lists, strings.Join(lists, ", ")) + cmp.Diff(c.table, g.Table); diff != "" {
			t.Errorf("%s: %s", c.text, diff)
		}
	}
}
