package sql

import (
	"slices"
	"testing"
)

func TestDefinedTables(t *testing.T) {
	mariadb := Modes(0).WithServer("10.11.6-MariaDB")
	one := func(names ...string) (all []TableName) {
		for _, n := range names {
			all = append(all, TableName{Name: n})
		}
		return all
	}
	for text, want := range map[string][]TableName{
		"CREATE OR REPLACE TEMPORARY TABLE IF NOT EXISTS `a b` (x INT) WITH SYSTEM VERSIONING": one("a b"),
		"CREATE TABLE s.t LIKE u":                                        {{Schema: "s", Name: "t"}},
		"ALTER ONLINE TABLE IF EXISTS t WAIT 5 ADD c INT":                one("t"),
		"ALTER TABLE t RENAME COLUMN a TO b, RENAME AS s.u":              {{Name: "t"}, {Schema: "s", Name: "u"}},
		"ALTER TABLE t RENAME u":                                         one("t", "u"),
		"ALTER TABLE t CONVERT TO CHARACTER SET utf8mb4":                 one("t"),
		"CREATE OR REPLACE INDEX i ON t (a)":                             one("t"),
		"RENAME TABLE IF EXISTS a WAIT 3 TO b, c NOWAIT TO d":            one("a", "b", "c", "d"),
		"DROP TABLE IF EXISTS a, b WAIT 1":                               nil,
		"CREATE OR REPLACE DATABASE d":                                   nil,
		"ALTER TABLE t EXCHANGE PARTITION p WITH TABLE u":                {{Name: "refused"}},
		"ALTER TABLE t CONVERT PARTITION p TO TABLE u":                   {{Name: "refused"}},
		"CREATE OR REPLACE TEMPORARY SEQUENCE IF NOT EXISTS s.q CACHE 5": {{Schema: "s", Name: "q"}},
		"ALTER SEQUENCE IF EXISTS `sequence` RESTART 5":                  one("sequence"),
		"DROP TEMPORARY SEQUENCE IF EXISTS a, /*M!100000 s.b */":         {{Name: "a"}, {Schema: "s", Name: "b"}},
		"DROP SEQUENCE a,":                                               {{Name: "refused"}},
		"CREATE TABLE":                                                   {{Name: "refused"}},
		"RENAME TABLE a":                                                 {{Name: "refused"}},
	} {
		all, err := Parse([]byte(text), mariadb)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		got, ok := all[0].DefinedTables()
		if !ok {
			got = one("refused")
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

func TestFirst(t *testing.T) {
	for text, want := range map[string][2]string{
		"SELECT 1":                           {"SELECT 1", ""},
		"SELECT 1; ":                         {"SELECT 1", ""},
		"SELECT ';' -- ;\n , 2 ;\n SELECT 3": {"SELECT ';' -- ;\n , 2", "SELECT 3"},
		"SELECT 1; -- the end":               {"SELECT 1", "-- the end"},
		"; SELECT 1":                         {"", "SELECT 1"},
		"CREATE PROCEDURE p() BEGIN SELECT 1; SELECT 2; END; SELECT 3": {"CREATE PROCEDURE p() BEGIN SELECT 1; SELECT 2; END", "SELECT 3"},
		"SELECT 'a; SELECT 2":          {"SELECT 'a; SELECT 2", ""},
		"SELECT 1 /*! ; */ ; SELECT 2": {"SELECT 1 /*! ; */ ; SELECT 2", ""},
	} {
		first, rest := First([]byte(text), 0)
		if string(first) != want[0] || string(rest) != want[1] {
			t.Errorf("%q: %q and %q, want %q", text, first, rest, want)
		}
	}
}

func TestSecondBegins(t *testing.T) {
	for text, want := range map[string]int{
		"SELECT 1; /* x */ SELECT 2": 18,
		"SELECT 1; ; SELECT 2":       10,
		"SELECT 1;":                  -1,
		"SELECT 1; -- the end":       -1,
		"SELECT FROM; SELECT 2":      -1,
	} {
		at, ok := SecondBegins([]byte(text), 0)
		if !ok {
			at = -1
		}
		if at != want {
			t.Errorf("%q: %d, want %d", text, at, want)
		}
	}
}
