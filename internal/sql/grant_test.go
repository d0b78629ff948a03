package sql

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestGranted(t *testing.T) {
	for _, c := range []struct {
		text    string
		table   TableName
		columns []string
		ok      bool
	}{
		{"GRANT SELECT ON t TO u", TableName{Name: "t"}, nil, true},
		{"GRANT SELECT (a, `b c`), INSERT, UPDATE (a) ON TABLE s.t TO 'u'@'h' WITH GRANT OPTION", TableName{Schema: "s", Name: "t"}, []string{"a", "b c", "a"}, true},
		{"REVOKE IF EXISTS SELECT (a) ON t FROM u", TableName{Name: "t"}, []string{"a"}, true},
		{"GRANT ALL PRIVILEGES ON *.* TO u", TableName{}, nil, true},
		{"GRANT ALL ON s.* TO u", TableName{Schema: "s"}, nil, true},
		{"GRANT ALL ON * TO u", TableName{}, nil, true},
		{"GRANT EXECUTE ON PROCEDURE p TO u", TableName{}, nil, false},
		{"GRANT r TO u", TableName{}, nil, false},
		{"GRANT SELECT (a ON t TO u", TableName{}, nil, false},
		{"DROP TABLE t", TableName{}, nil, false},
	} {
		all, _ := Parse([]byte(c.text), 0)
		g, ok := all[0].Granted()
		if ok != c.ok {
			t.Errorf("%s: read %v", c.text, ok)
		}
		if !ok {
			continue
		}
		var names []string
		for _, s := range g.Columns {
			names = append(names, s.Name)
			if got := c.text[s.From:s.To]; got != s.Name && got != "`"+s.Name+"`" {
				t.Errorf("%s: %s stands at %q", c.text, s.Name, got)
			}
		}
		if diff := cmp.Diff(c.columns, names) + cmp.Diff(c.table, g.Table); diff != "" {
			t.Errorf("%s: %s", c.text, diff)
		}
	}
}
