package sql

import "testing"

// TestUnnamed: it is known of a statement whether a value may come to a column, or be compared with it, without the column's name.
func TestUnnamed(t *testing.T) {
	for text, want := range map[string]bool{
		"INSERT INTO t SELECT 1 LIMIT ROWS EXAMINED 5":                           true,
		"INSERT t VALUES (1)":                                                    true,
		"INSERT LOW_PRIORITY IGNORE INTO `d`.`t` PARTITION (p) VALUES (1)":       true,
		"INSERT INTO t () VALUES ()":                                             true,
		"INSERT INTO t ((SELECT 1))":                                             true,
		"REPLACE INTO t (SELECT 1)":                                              true,
		"REPLACE INTO t TABLE u":                                                 true,
		"INSERT INTO t (a) SELECT * FROM u":                                      false,
		"INSERT INTO t PARTITION (p) (a) VALUES (1)":                             false,
		"INSERT INTO t SET a = 1":                                                false,
		"SELECT INSERT('a', 1, 1, 'b'), REPLACE(a, 'x', 'y') FROM t":             false,
		"SELECT * FROM t FOR UPDATE WAIT 5":                                      false,
		"SELECT SQL_NO_CACHE DISTINCT t.*, u.* FROM t, u":                        false,
		"SELECT a * 2, COUNT(*) FROM t WHERE (a * 3) IN (SELECT a FROM u)":       false,
		"SELECT a FROM t WHERE EXISTS (SELECT * FROM u) AND b IN (1 * 2, 3)":     false,
		"SELECT a FROM t WHERE EXISTS (SELECT DISTINCT * FROM u)":                false,
		"SELECT a FROM t WHERE EXISTS (SELECT 1, (SELECT * FROM u))":             true,
		"SELECT a FROM t WHERE (1, 2) IN (SELECT * FROM u)":                      true,
		"SELECT a FROM t WHERE (1, 2) IN (SELECT SQL_NO_CACHE u.* FROM u)":       true,
		"SELECT a FROM t WHERE (1, 2) IN (TABLE u)":                              true,
		"SELECT 1, 2 UNION ALL SELECT * FROM t":                                  true,
		"SELECT 1, 2 UNION ALL TABLE t":                                          true,
		"SELECT * FROM t EXCEPT SELECT 1, 2":                                     true,
		"SELECT a FROM t UNION SELECT a FROM u":                                  false,
		"TABLE t":                                                                false,
		"SET @a = EXISTS (TABLE t INTERSECT VALUES ROW(1, 'x'))":                 true,
		"CREATE PROCEDURE p() TABLE t EXCEPT VALUES ROW(1, 'x')":                 true,
		"WITH x AS (SELECT 1) TABLE t INTERSECT VALUES ROW(1)":                   true,
		"CREATE TEMPORARY TABLE v AS SELECT a FROM t UNION SELECT b FROM t":      false,
		"TABLE t UNION VALUES ROW(1)":                                            true,
		"CREATE VIEW v AS TABLE t UNION VALUES ROW(1)":                           true,
		"CREATE TABLE v AS SELECT a FROM t UNION SELECT b FROM t":                false,
		"HANDLER t READ i = (1)":                                                 true,
		"LOAD XML INFILE 'f' INTO TABLE t":                                       true,
		"LOAD DATA INFILE 'f' INTO TABLE t PARTITION (p)":                        true,
		"LOAD DATA INFILE 'f' INTO TABLE t":                                      false, // it is read
		"CREATE OR REPLACE VIEW v AS SELECT * FROM t":                            false,
		"CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW SET NEW.a = 1":         false,
		"CREATE PROCEDURE p() INSERT INTO t VALUES (1)":                          true,
		"CREATE PROCEDURE p() BEGIN SELECT * FROM t; SELECT b FROM u; END":       false,
		"CREATE PROCEDURE p() BEGIN PREPARE s FROM 'SELECT 1'; EXECUTE s; END":   true,
		"SET @a = (SELECT COUNT(*) FROM t)":                                      false,
		"PURGE BINARY LOGS BEFORE (SELECT a FROM t)":                             true, // nobody has looked at that kind
		"PREPARE s FROM 'SELECT 1'":                                              true,
		"INSERT INTO t (a) SELECT 1 FROM u WHERE (1, 2) = ANY (SELECT * FROM u)": true,
	} {
		all, err := Parse([]byte(text), MariaDB)
		if err != nil || len(all) != 1 {
			t.Fatalf("%s: %d statements, %v", text, len(all), err)
		}
		if got := all[0].Unnamed(); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
}
