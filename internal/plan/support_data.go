package plan

import "tunic/internal/sql"

var dataRows = []Support{
	{sql.Select, ClassPlan, "SELECT a, COUNT(*) FROM t JOIN u USING (id) WHERE a > 5 GROUP BY a", readsRows, "FOR UPDATE and FOR SHARE lock rows on the server as usual"},
	{sql.SelectIntoFile, ClassRefuse, "SELECT a FROM t INTO OUTFILE '/tmp/t.csv'", serverWrites, "INTO DUMPFILE as well; SELECT … INTO @a is a SELECT"},
	{sql.SetOperation, ClassPlan, "SELECT a FROM t UNION ALL SELECT b FROM u ORDER BY 1", readsRows, "INTERSECT and EXCEPT as well"},
	{sql.Values, ClassPlan, "VALUES (1, 'a'), (2, 'b')", readsRows, "VALUES ROW(1, 'a') as well; a query in it may read rows"},
	{sql.Table, ClassPlan, "TABLE t ORDER BY a LIMIT 5", readsRows, "MySQL"},
	{sql.Insert, ClassPlan, "INSERT INTO t (a, b) VALUES (1, 'x') ON DUPLICATE KEY UPDATE b = 'y'", readsRows, ""},
	{sql.Replace, ClassPlan, "REPLACE INTO t (a, b) VALUES (1, 'x')", readsRows, ""},
	{sql.Update, ClassPlan, "UPDATE t SET a = a + 1 WHERE id = 5", readsRows, "what the server cannot compute, tunic computes and writes back; several tables as well"},
	{sql.Delete, ClassPlan, "DELETE FROM t WHERE a = 5 ORDER BY b LIMIT 1", readsRows, "several tables as well"},
	{sql.LoadData, ClassPlan, "LOAD DATA LOCAL INFILE 'f.csv' INTO TABLE t FIELDS TERMINATED BY ','", readsRows, "refused without LOCAL, as the server would read the file"},
	{sql.LoadXML, ClassRefuse, "LOAD XML LOCAL INFILE 'f.xml' INTO TABLE t", "the server would read the rows of the file", ""},
	{sql.ImportTable, ClassRefuse, "IMPORT TABLE FROM '/tmp/t.sdi'", serverWrites, "MySQL"},
	{sql.Do, ClassPlan, "DO SLEEP(1)", readsRows, "it may contain a query"},
	{sql.Call, ClassPlan, "CALL p(1, @a)", "no procedure touches protected data; tunic itself runs those of schema tunic", ""},
	{sql.Handler, ClassRefuse, "HANDLER t OPEN", "reads stored rows without a query", ""},
	{sql.Explain, ClassPlan, "EXPLAIN SELECT a FROM t WHERE b = 1", "the server explains what tunic would send; tunic adds what it would do itself: [EXPLAIN](explain.md)", "EXPLAIN ANALYZE and MariaDB's ANALYZE run a query, and are refused for a statement that writes"},
	{sql.Describe, ClassPlan, "DESCRIBE t", logicalNames, ""},
}

var tableRows = []Support{
	{sql.CreateTable, ClassPlan, "CREATE TABLE t (id INT PRIMARY KEY, ssn CHAR(11) COMMENT 'tunic: equality')", changesTable, "LIKE and AS SELECT as well; temporary tables belong to the session"},
	{sql.AlterTable, ClassPlan, "ALTER TABLE t ADD COLUMN c INT", changesTable, ""},
	{sql.DropTable, ClassPlan, "DROP TABLE IF EXISTS t, u", changesTable, ""},
	{sql.RenameTable, ClassPlan, "RENAME TABLE t TO u", changesTable, ""},
	{sql.TruncateTable, ClassPlan, "TRUNCATE TABLE t", changesTable, ""},
	{sql.CreateIndex, ClassPlan, "CREATE UNIQUE INDEX i ON t (a)", "an index on a protected column is over a layer", ""},
	{sql.DropIndex, ClassPlan, "DROP INDEX i ON t", "an index on a protected column is over a layer", ""},
	{sql.CreateView, ClassPlan, "CREATE OR REPLACE ALGORITHM = MERGE SQL SECURITY INVOKER VIEW v AS SELECT a FROM t", keptView, "[views](views.md)"},
	{sql.AlterView, ClassPlan, "ALTER VIEW v AS SELECT b FROM t", keptView, ""},
	{sql.DropView, ClassPlan, "DROP VIEW v", keptView, ""},
	{sql.CreateSequence, ClassForward, "CREATE SEQUENCE s START WITH 100", "the server makes the numbers", "MariaDB"},
	{sql.AlterSequence, ClassForward, "ALTER SEQUENCE s RESTART 50", "the server makes the numbers", "MariaDB"},
	{sql.DropSequence, ClassForward, "DROP SEQUENCE s", "the server makes the numbers", "MariaDB"},
	{sql.CreateDatabase, ClassPlan, "CREATE DATABASE d DEFAULT CHARACTER SET utf8mb4", changesTable, "the default collation decides how strings compare"},
	{sql.AlterDatabase, ClassPlan, "ALTER DATABASE d CHARACTER SET latin1", changesTable, ""},
	{sql.DropDatabase, ClassPlan, "DROP DATABASE d", changesTable, ""},
}

var programRows = []Support{
	{sql.CreateTrigger, ClassRefuse, "CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW SET NEW.a = 1", inServer, ""},
	{sql.DropTrigger, ClassForward, "DROP TRIGGER g", "no stored program touches protected data", ""},
	{sql.CreateProcedure, ClassRefuse, "CREATE PROCEDURE p() BEGIN SELECT a FROM t; END", inServer, ""},
	{sql.AlterProcedure, ClassForward, "ALTER PROCEDURE p COMMENT 'x'", "no stored program touches protected data", ""},
	{sql.DropProcedure, ClassForward, "DROP PROCEDURE p", "no stored program touches protected data", ""},
	{sql.CreateFunction, ClassRefuse, "CREATE FUNCTION f() RETURNS INT RETURN (SELECT MAX(a) FROM t)", inServer, ""},
	{sql.AlterFunction, ClassForward, "ALTER FUNCTION f COMMENT 'x'", "no stored program touches protected data", ""},
	{sql.DropFunction, ClassForward, "DROP FUNCTION f", "no stored program touches protected data", ""},
	{sql.CreateLoadableFunction, ClassForward, "CREATE AGGREGATE FUNCTION f RETURNS REAL SONAME 'udf.so'", noData, ""},
	{sql.CreateEvent, ClassRefuse, "CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO DELETE FROM t", inServer, ""},
	{sql.AlterEvent, ClassRefuse, "ALTER EVENT e DO DELETE FROM t", inServer, ""},
	{sql.DropEvent, ClassForward, "DROP EVENT e", "no stored program touches protected data", ""},
	{sql.CreatePackage, ClassRefuse, "CREATE PACKAGE k AS PROCEDURE p; END", inServer, "MariaDB with sql_mode=ORACLE; PACKAGE BODY as well"},
	{sql.AlterPackage, ClassForward, "ALTER PACKAGE k COMMENT 'x'", "no stored program touches protected data", "MariaDB with sql_mode=ORACLE"},
	{sql.DropPackage, ClassForward, "DROP PACKAGE k", "no stored program touches protected data", "MariaDB with sql_mode=ORACLE"},
	{sql.CreateLibrary, ClassRefuse, "CREATE LIBRARY l LANGUAGE JAVASCRIPT AS 'export function f() {}'", inServer, "MySQL 9"},
	{sql.AlterLibrary, ClassForward, "ALTER LIBRARY l COMMENT 'x'", "no stored program touches protected data", "MySQL 9"},
	{sql.DropLibrary, ClassForward, "DROP LIBRARY l", "no stored program touches protected data", "MySQL 9"},
	{sql.Compound, ClassRefuse, "BEGIN NOT ATOMIC SELECT a FROM t; END", inServer, "MariaDB; IF, CASE, LOOP, WHILE, REPEAT and FOR as statements as well"},
}
