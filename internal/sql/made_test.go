package sql

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMade(t *testing.T) {
	for _, c := range []struct {
		text string
		want Made
		ok   bool
	}{
		{"create table t select 1", Made{Query: []byte("select 1")}, true},
		{"CREATE TEMPORARY TABLE IF NOT EXISTS s.t AS SELECT a FROM u;", Made{Query: []byte("SELECT a FROM u")}, true},
		{
			"CREATE TABLE `select` (a INT DEFAULT (1), KEY (a), CHECK (a IN (1, 2))) ENGINE=InnoDB COMMENT='select' IGNORE AS (SELECT 1) UNION SELECT 2 LIMIT 1",
			Made{Query: []byte("(SELECT 1) UNION SELECT 2 LIMIT 1"), Ignore: true},
			true,
		},
		{"CREATE TABLE t (a INT) REPLACE SELECT * FROM u", Made{Query: []byte("SELECT * FROM u"), Replace: true}, true},
		{"CREATE TABLE t PARTITION BY RANGE (a) (PARTITION p VALUES LESS THAN (1)) SELECT a FROM u", Made{Query: []byte("SELECT a FROM u")}, true},
		{"CREATE TABLE t WITH c AS (SELECT 1) SELECT * FROM c", Made{Query: []byte("WITH c AS (SELECT 1) SELECT * FROM c")}, true},
		{"CREATE TABLE t (a INT) WITH SYSTEM VERSIONING AS SELECT 1 AS a", Made{Query: []byte("SELECT 1 AS a")}, true},
		{"CREATE TABLE t VALUES (1), (2)", Made{Query: []byte("VALUES (1), (2)")}, true},
		{"/*!50001 CREATE TABLE t AS SELECT 1 AS a */", Made{Query: []byte("SELECT 1 AS a")}, true},
		{"CREATE TABLE t SELECT a /*!50001 , b */ FROM u", Made{}, false},
		{"CREATE TABLE t (a INT)", Made{}, false},
		{"CREATE TABLE t LIKE u", Made{}, false},
		{"CREATE TABLE t (a INT, b ENUM('select'))", Made{}, false},
		{"CREATE VIEW v AS SELECT 1", Made{}, false},
		{"CREATE TABLE t SELECT 'a", Made{}, false},
	} {
		all, _ := Parse([]byte(c.text), 0)
		if len(all) == 0 {
			t.Fatalf("%s: no statement", c.text)
		}
		got, ok := all[0].Made()
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
