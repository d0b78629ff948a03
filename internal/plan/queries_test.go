package plan

import (
	"testing"

	"tunic/internal/plan/plantest"
	"tunic/internal/sql"
)

// TestQueriesInside: a statement that is no query, nor made of one, is refused if it has a
// query in it and names something protected: its text would be sent as it came.
func TestQueriesInside(t *testing.T) {
	known := plantest.Tables(t)
	want := map[string]string{
		`SHOW TABLES WHERE (SELECT 1)=1`:                                                           "forward",
		`SHOW COLUMNS FROM person WHERE Field = 'id'`:                                              "introspect",
		`GRANT SELECT (a), INSERT ON p TO u`:                                                       "forward",
		`GRANT SELECT ON person TO u`:                                                              "forward",
		`GRANT SELECT, INSERT ON test.* TO u`:                                                      "forward",
		`CREATE TABLE k5 SELECT name FROM person`:                                                  "define",
		`CREATE TABLE k5 (a INT) AS (SELECT name FROM person WHERE id IN (SELECT 1))`:              "define",
		`CREATE TABLE k5 LIKE person`:                                                              "define",
		`CREATE TABLE k5 AS WITH c AS (SELECT * FROM person) SELECT * FROM c`:                      "define",
		`CREATE TABLE k5 AS ((SELECT name FROM person) UNION (SELECT 'x'))`:                        "define",
		`CREATE TABLE k5 (a INT COMMENT 'select', ` + "`select`" + ` INT) SELECT name FROM person`: "define",
		`ALTER TABLE person ADD COLUMN c INT COMMENT '(SELECT 1)'`:                                 "define",
		`ALTER TABLE p ADD CHECK (id > (SELECT 1))`:                                                "define",
		`FLUSH TABLE person`:                                                                       "forward",
	}
	for _, text := range queriesInside {
		want[text] = "refuse"
	}
	for text, action := range want {
		for _, m := range servers {
			p := New(Options{}).PlanWith(known, new(sql.Fingerprinter), []byte(text), m, "test")
			if p.ActionName() != action || action == "refuse" && p.Refusal() == nil {
				t.Errorf("%s: %v", text, p.ActionName())
			}
		}
	}
}

// queriesInside are statements with a query in them that name something protected.
var queriesInside = []string{
	`SHOW TABLES WHERE (SELECT COUNT(*) FROM person WHERE name = 'canary') = 1`,
	`SHOW FULL TABLES WHERE (TABLE person) = 1`,
	`SHOW FULL TABLES FROM test WHERE (SELECT COUNT(*) FROM person WHERE name = 'canary') = 1`,
	`SHOW COLUMNS FROM p WHERE Field='id' AND (SELECT COUNT(*) FROM person WHERE name = 'canary') = 1`,
	`SHOW INDEX FROM p WHERE (SELECT COUNT(*) FROM person WHERE name = 'canary') = 1`,
	`SHOW COLUMNS FROM p WHERE 1 IN (WITH a AS (TABLE person) TABLE a)`,
	`SHOW STATUS WHERE (SELECT COUNT(*) FROM person WHERE name = 'canary') = 1`,
	`SHOW GLOBAL VARIABLES WHERE (SELECT COUNT(*) FROM person WHERE name = 'canary') = 1`,
	`SHOW COLLATION WHERE (SELECT COUNT(*) FROM person WHERE name = 'canary') = 1`,
	`SHOW CHARACTER SET WHERE (SELECT COUNT(*) FROM person WHERE name = 'canary') = 1`,
	`SHOW PROCESSLIST WHERE (SELECT COUNT(*) FROM person WHERE name = 'canary') = 1`,
	`SHOW EVENTS WHERE (SELECT COUNT(*) FROM person WHERE name = 'canary') = 1`,
	`SHOW TRIGGERS WHERE (SELECT COUNT(*) FROM person WHERE name = 'canary') = 1`,
	`SHOW TRIGGERS WHERE (TABLE person) = 1`,
	`SHOW FUNCTION STATUS WHERE (SELECT COUNT(*) FROM person WHERE name = 'canary') = 1`,
	`SHOW PROCEDURE STATUS WHERE (TABLE person) = 1`,
	`SHOW PACKAGE STATUS WHERE (TABLE person) = 1`,
	`SHOW PACKAGE BODY STATUS WHERE (TABLE person) = 1`,
	`SHOW TABLE STATUS WHERE (TABLE person) = 1`,
	`SHOW TABLE STATUS FROM other WHERE (TABLE test.person) = 1`,
	`SHOW OPEN TABLES WHERE (TABLE person) = 1`,
	`SHOW DATABASES WHERE (TABLE person) = 1`,
	`SHOW GRANTS FOR (SELECT 1 FROM person WHERE name = 'canary')`,
	`SHOW CREATE TABLE p WHERE (SELECT COUNT(*) FROM person WHERE name = 'canary') = 1`,
	`SHOW WARNINGS LIMIT (SELECT COUNT(*) FROM person WHERE name = 'canary')`,
	`SHOW BINLOG EVENTS LIMIT (SELECT COUNT(*) FROM person WHERE name = 'canary')`,
	`SHOW ENGINES WHERE (SELECT COUNT(*) FROM person WHERE name = 'canary')`,
	`SHOW USER_STATISTICS WHERE (SELECT COUNT(*) FROM person WHERE name = 'canary')`,
	`SHOW EXPLAIN FOR (SELECT COUNT(*) FROM person WHERE name = 'canary')`,
	`SHOW PROFILE LIMIT (SELECT COUNT(*) FROM person WHERE name = 'canary')`,
	`DESCRIBE p (SELECT COUNT(*) FROM person WHERE name = 'canary')`,
	`SHOW TABLES FROM test WHERE (SELECT 1) = 1`,
	`HELP (SELECT COUNT(*) FROM person WHERE name = 'canary')`,
	`DO (SELECT COUNT(*) FROM person WHERE name = 'canary')`,
	`SET GLOBAL max_connections = (SELECT COUNT(*) FROM person WHERE name = 'canary')`,
	`SET SESSION sort_buffer_size = (SELECT COUNT(*) FROM person WHERE name = 'canary')`,
	`SET @@sort_buffer_size = (SELECT COUNT(*) FROM person WHERE name = 'canary')`,
	`SET @a = (SELECT COUNT(*) FROM person WHERE name = 'canary'), sql_mode=''`,
	`SET NAMES (SELECT COUNT(*) FROM person WHERE name = 'canary')`,
	`SET NAMES utf8mb4, @a = (SELECT COUNT(*) FROM person WHERE name = 'canary')`,
	`SET CHARACTER SET (SELECT COUNT(*) FROM person WHERE name = 'canary')`,
	`SET PASSWORD = (SELECT COUNT(*) FROM person WHERE name = 'canary')`,
	`SET PASSWORD = PASSWORD((TABLE person))`,
	`SET ROLE (SELECT COUNT(*) FROM person WHERE name = 'canary')`,
	`SET STATEMENT max_statement_time = (SELECT COUNT(*) FROM person WHERE name = 'canary') FOR SELECT 1`,
	`SET STATEMENT max_statement_time = 1 FOR SHOW TABLES WHERE (SELECT COUNT(*) FROM person WHERE name = 'canary')`,
	`SET TRANSACTION ISOLATION LEVEL (SELECT COUNT(*) FROM person WHERE name = 'canary')`,
	`CALL proc((SELECT COUNT(*) FROM person WHERE name = 'canary'))`,
	`CALL proc((TABLE person))`,
	`KILL (SELECT COUNT(*) FROM person WHERE name = 'canary')`,
	`KILL (TABLE person)`,
	`ANALYZE TABLE p PERSISTENT FOR COLUMNS (TABLE person) INDEXES ()`,
	`ANALYZE TABLE p (SELECT COUNT(*) FROM person WHERE name = 'canary')`,
	`CHECKSUM TABLE p, (SELECT COUNT(*) FROM person WHERE name = 'canary')`,
	`CHECK TABLE p (SELECT COUNT(*) FROM person WHERE name = 'canary')`,
	`ANALYZE SHOW TABLES WHERE (SELECT COUNT(*) FROM person WHERE name = 'canary')`,
	`EXPLAIN SHOW TABLES WHERE (SELECT COUNT(*) FROM person WHERE name = 'canary')`,
	`GET DIAGNOSTICS @a = NUMBER, (SELECT COUNT(*) FROM person WHERE name = 'canary')`,
	`GET DIAGNOSTICS CONDITION (SELECT COUNT(*) FROM person WHERE name = 'canary') @a = MESSAGE_TEXT`,
	`SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = (SELECT COUNT(*) FROM person WHERE name = 'canary')`,
	`PREPARE s FROM (SELECT COUNT(*) FROM person WHERE name = 'canary')`,
	`GRANT SELECT ON p TO u REQUIRE SUBJECT (SELECT COUNT(*) FROM person WHERE name = 'canary')`,
	`GRANT SELECT ON p TO u WITH MAX_QUERIES_PER_HOUR (SELECT COUNT(*) FROM person WHERE name = 'canary')`,
	`LOCK TABLES p READ, (SELECT COUNT(*) FROM person WHERE name = 'canary') READ`,
	`CREATE TABLE k (a INT COMMENT 'tunic: plain', CHECK (a > (SELECT COUNT(*) FROM person WHERE name = 'canary')))`,
	`ALTER TABLE p ADD CHECK (id > (SELECT COUNT(*) FROM person WHERE name = 'canary'))`,
	`CREATE INDEX i ON p ((id + (SELECT COUNT(*) FROM person WHERE name = 'canary')))`,
	`ALTER TABLE p ADD COLUMN g INT AS ((SELECT COUNT(*) FROM person WHERE name = 'canary'))`,
	`ALTER TABLE p PARTITION BY RANGE ((SELECT COUNT(*) FROM person WHERE name = 'canary')) (PARTITION a VALUES LESS THAN (1))`,
	`CREATE TABLE k4 (a INT, b INT AS ((SELECT COUNT(*) FROM person WHERE name = 'canary')))`,
	`CREATE TABLE k4 (a INT DEFAULT ((SELECT COUNT(*) FROM person WHERE name = 'canary')))`,
	`CREATE TABLE k4 (a INT DEFAULT ((TABLE person)))`,
	`CREATE TABLE k4 (a INT ON UPDATE (SELECT COUNT(*) FROM person WHERE name = 'canary'))`,
	`ALTER TABLE p ALTER a SET DEFAULT ((SELECT COUNT(*) FROM person WHERE name = 'canary'))`,
	`CREATE TABLE k5 (SELECT name FROM person)`,
	`CREATE TABLE k5 (a INT CHECK (a > (SELECT COUNT(*) FROM person WHERE name = 'canary'))) SELECT 1 a`,
	`CREATE TABLE k5 TABLE person`,
	`CREATE TABLE k5 (a INT) PARTITION BY HASH ((SELECT COUNT(*) FROM person WHERE name = 'canary')) SELECT 1 a`,
	`CREATE DATABASE d COMMENT (SELECT COUNT(*) FROM person WHERE name = 'canary')`,
	`DROP TABLE p, (SELECT COUNT(*) FROM person WHERE name = 'canary')`,
	`CREATE SEQUENCE s START WITH (SELECT COUNT(*) FROM person WHERE name = 'canary')`,
	`CREATE EVENT e ON SCHEDULE EVERY (SELECT COUNT(*) FROM person WHERE name = 'canary') DAY DO SELECT 1`,
	`ALTER EVENT e ON SCHEDULE EVERY (SELECT COUNT(*) FROM person WHERE name = 'canary') DAY`,
	`CREATE USER u IDENTIFIED BY (SELECT COUNT(*) FROM person WHERE name = 'canary')`,
	`PURGE BINARY LOGS BEFORE (SELECT COUNT(*) FROM person WHERE name = 'canary')`,
	`PURGE BINARY LOGS BEFORE (TABLE person)`,
	`FLUSH TABLES (TABLE person)`,
	`CHANGE MASTER TO MASTER_LOG_POS = (SELECT COUNT(*) FROM person WHERE name = 'canary')`,
	`VALUES ((SELECT COUNT(*) FROM person WHERE name = 'canary'))`,
	`HANDLER p READ FIRST WHERE (SELECT COUNT(*) FROM person WHERE name = 'canary')`,
	`LOAD DATA LOCAL INFILE 'x' INTO TABLE p SET a = (SELECT COUNT(*) FROM person WHERE name = 'canary')`,
	`SAVEPOINT (SELECT COUNT(*) FROM person WHERE name = 'canary')`,
	`USE (SELECT COUNT(*) FROM person WHERE name = 'canary')`,
	`XA START (SELECT COUNT(*) FROM person WHERE name = 'canary')`,
	`DEALLOCATE PREPARE (SELECT COUNT(*) FROM person WHERE name = 'canary')`,
	`SELECT 1 FROM information_schema.tables WHERE (SELECT COUNT(*) FROM person WHERE name = 'canary')`,
}
