package sql

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestView(t *testing.T) {
	for _, c := range []struct {
		text string
		want View
		ok   bool
	}{
		{"create view v as select 1", View{Name: TableName{Name: "v"}, Query: []byte(" select 1")}, true},
		{
			"CREATE OR REPLACE ALGORITHM=merge DEFINER='a'@'%' SQL SECURITY invoker VIEW s.`v w` (a, `b`) AS (SELECT a FROM t) WITH LOCAL CHECK OPTION;",
			View{
				Name: TableName{Schema: "s", Name: "v w"}, Replace: true, Algorithm: "MERGE", Definer: "'a'@'%'", Security: "INVOKER",
				Columns: []string{"a", "b"}, Query: []byte(" (SELECT a FROM t)"), Check: "LOCAL",
			},
			true,
		},
		{
			"CREATE DEFINER = CURRENT_USER() VIEW IF NOT EXISTS v AS WITH c AS (SELECT 1) SELECT * FROM c WITH CHECK OPTION",
			View{
				Name: TableName{Name: "v"}, IfNotExists: true, Definer: "CURRENT_USER()",
				Query: []byte(" WITH c AS (SELECT 1) SELECT * FROM c"), Check: "CASCADED",
			},
			true,
		},
		{"ALTER VIEW v AS SELECT a FROM t", View{Name: TableName{Name: "v"}, Alter: true, Query: []byte(" SELECT a FROM t")}, true},
		{
			"/*!50001 CREATE ALGORITHM=UNDEFINED */\n/*!50013 DEFINER=`a`@`%` SQL SECURITY DEFINER */\n" +
				"/*!50001 VIEW `v` AS select `t`.`a` AS `a` from `t` */\n/*!50002 WITH CASCADED CHECK OPTION */;",
			View{
				Name: TableName{Name: "v"}, Algorithm: "UNDEFINED", Definer: "`a`@`%`", Security: "DEFINER",
				Query: []byte(" select `t`.`a` AS `a` from `t`"), Check: "CASCADED",
			},
			true,
		},
		{"/*!50001 CREATE VIEW `v` AS SELECT\n 1 AS `a` */", View{Name: TableName{Name: "v"}, Query: []byte(" SELECT\n 1 AS `a`")}, true},
		{"CREATE VIEW v AS SELECT a /*!50001 , b */ FROM t", View{}, false},
		{"CREATE VIEW v AS SELECT a FROM t /*!50001 WHERE b */", View{}, false},
		{"/*!50001 CREATE VIEW v AS SELECT a */ FROM t", View{}, false},
		{"CREATE DEFINER = a /*!50001 @b */ VIEW v AS SELECT a FROM t", View{}, false},
		{"CREATE VIEW v (a AS SELECT 1", View{}, false},
		{"CREATE VIEW v AS", View{}, false},
		{"CREATE TABLE v AS SELECT 1", View{}, false},
		{"CREATE ALGORITHM=fast VIEW v AS SELECT 1", View{}, false},
		{"CREATE VIEW v AS SELECT 'a", View{}, false},
	} {
		all, _ := Parse([]byte(c.text), 0)
		if len(all) == 0 {
			t.Fatalf("%s: no statement", c.text)
		}
		got, ok := all[0].View()
		if ok != c.ok {
			t.Errorf("%s: read %v, want %v", c.text, ok, c.ok)
		}
		if ok {
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s: %s", c.text, diff)
			}
		}
	}
}
