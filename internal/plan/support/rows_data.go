package support

import "tunic/internal/sql"

var dataRows = []Row{
	{sql.Select, Plan, "SELECT a, COUNT(*) FROM t JOIN u USING (id) WHERE a > 5 GROUP BY a", readsRows, "FOR UPDATE and FOR SHARE lock rows on the server as usual"},
	{sql.SelectIntoFile, Refuse, "SELECT a FROM t INTO OUTFILE '/tmp/t.csv'", serverWrites, "INTO DUMPFILE as well; SELECT … INTO @a is a SELECT"},
	{sql.SetOperation, Plan, "SELECT a FROM t UNION ALL SELECT b FROM u ORDER BY 1", readsRows, "INTERSECT and EXCEPT as well"},
	{sql.Values, Plan, "VALUES (1, 'a'), (2, 'b')", readsRows, "VALUES ROW(1, 'a') as well; a query in it may read rows"},
	{sql.Table, Plan, "TABLE t ORDER BY a LIMIT 5", readsRows, "MySQL"},
	{sql.Insert, Plan, "INSERT INTO t (a, b) VALUES (1, 'x') ON DUPLICATE KEY UPDATE b = 'y'", readsRows, ""},
	{sql.Replace, Plan, "REPLACE INTO t (a, b) VALUES (1, 'x')", readsRows, ""},
	{sql.Update, Plan, "UPDATE t SET a = a + 1 WHERE id = 5", readsRows, "what the server cannot compute, tunic computes and writes back; several tables as well"},
	{sql.Delete, Plan, "DELETE FROM t WHERE a = 5 ORDER BY b LIMIT 1", readsRows, "several tables as well"},
	{sql.LoadData, Plan, "LOAD DATA LOCAL INFILE 'f.csv' INTO TABLE t FIELDS TERMINATED BY ','", readsRows, "refused without LOCAL, as the server would read the file"},
	{sql.LoadXML, Refuse, "LOAD XML LOCAL INFILE 'f.xml' INTO TABLE t", "the server would read the rows of the file", ""},
	{sql.ImportTable, Refuse, "IMPORT TABLE FROM '/tmp/t.sdi'", serverWrites, "MySQL"},
	{sql.Do, Plan, "DO SLEEP(1)", readsRows, "it may contain a query"},
	{sql.Call, Plan, "CALL p(1, @a)", "no procedure touches protected data; tunic itself runs those of schema tunic", ""},
	{sql.Handler, Refuse, "HANDLER t OPEN", "reads stored rows without a query", "of a plain table it is forwarded, but not with an alias"},
	{sql.Explain, Plan, "EXPLAIN SELECT a FROM t WHERE b = 1", "the server explains what tunic would send; tunic adds what it would do itself: [EXPLAIN](explain.md)", "EXPLAIN ANALYZE and MariaDB's ANALYZE run a query, and are refused for a statement that writes"},
	{sql.Describe, Plan, "DESCRIBE t", logicalNames, ""},
}

var tableRows = []Row{
	{sql.CreateTable, Plan, "CREATE TABLE t (id INT PRIMARY KEY, ssn CHAR(11) COMMENT 'tunic: equality')", changesTable, "LIKE and AS SELECT as well; temporary tables belong to the session"},
	{sql.AlterTable, Plan, "ALTER TABLE t ADD COLUMN c INT", changesTable, "refused, as CREATE TABLE is, if it makes rows of a protected table those of another one: MERGE tables, partitions"},
	{sql.DropTable, Plan, "DROP TABLE IF EXISTS t, u", changesTable, ""},
	{sql.RenameTable, Plan, "RENAME TABLE t TO u", changesTable, ""},
	{sql.TruncateTable, Plan, "TRUNCATE TABLE t", changesTable, ""},
	{sql.CreateIndex, Plan, "CREATE UNIQUE INDEX i ON t (a)", "an index on a protected column is over a layer", ""},
	{sql.DropIndex, Plan, "DROP INDEX i ON t", "an index on a protected column is over a layer", ""},
	{sql.CreateView, Plan, "CREATE OR REPLACE ALGORITHM = MERGE SQL SECURITY INVOKER VIEW v AS SELECT a FROM t", keptView, ""},
	{sql.AlterView, Plan, "ALTER VIEW v AS SELECT b FROM t", keptView, ""},
	{sql.DropView, Plan, "DROP VIEW v", keptView, ""},
	{sql.CreateSequence, Plan, "CREATE SEQUENCE s START WITH 100", "the server makes the numbers; refused with the name of a protected table, as a sequence is a table", "MariaDB"},
	{sql.AlterSequence, Plan, "ALTER SEQUENCE s RESTART 50", "the server makes the numbers; refused with the name of a protected table, as a sequence is a table", "MariaDB"},
	{sql.DropSequence, Plan, "DROP SEQUENCE s", "the server makes the numbers; refused with the name of a protected table, as a sequence is a table", "MariaDB"},
	{sql.CreateDatabase, Plan, "CREATE DATABASE d DEFAULT CHARACTER SET utf8mb4", changesTable, "the default collation decides how strings compare"},
	{sql.AlterDatabase, Plan, "ALTER DATABASE d CHARACTER SET latin1", changesTable, ""},
	{sql.DropDatabase, Plan, "DROP DATABASE d", changesTable, ""},
}

var programRows = []Row{
	{sql.CreateTrigger, Refuse, "CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW SET NEW.a = 1", inServer, ""},
	{sql.DropTrigger, Forward, "DROP TRIGGER g", "no stored program touches protected data", ""},
	{sql.CreateProcedure, Refuse, "CREATE PROCEDURE p() BEGIN SELECT a FROM t; END", inServer, ""},
	{sql.AlterProcedure, Forward, "ALTER PROCEDURE p COMMENT 'x'", "no stored program touches protected data", ""},
	{sql.DropProcedure, Forward, "DROP PROCEDURE p", "no stored program touches protected data", ""},
	{sql.CreateFunction, Refuse, "CREATE FUNCTION f() RETURNS INT RETURN (SELECT MAX(a) FROM t)", inServer, ""},
	{sql.AlterFunction, Forward, "ALTER FUNCTION f COMMENT 'x'", "no stored program touches protected data", ""},
	{sql.DropFunction, Forward, "DROP FUNCTION f", "no stored program touches protected data", ""},
	{sql.CreateLoadableFunction, Forward, "CREATE AGGREGATE FUNCTION f RETURNS REAL SONAME 'udf.so'", noData, ""},
	{sql.CreateEvent, Refuse, "CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO DELETE FROM t", inServer, ""},
	{sql.AlterEvent, Refuse, "ALTER EVENT e DO DELETE FROM t", inServer, ""},
	{sql.DropEvent, Forward, "DROP EVENT e", "no stored program touches protected data", ""},
	{sql.CreatePackage, Refuse, "CREATE PACKAGE k AS PROCEDURE p; END", inServer, "MariaDB with sql_mode=ORACLE; PACKAGE BODY as well"},
	{sql.AlterPackage, Forward, "ALTER PACKAGE k COMMENT 'x'", "no stored program touches protected data", "MariaDB with sql_mode=ORACLE"},
	{sql.DropPackage, Forward, "DROP PACKAGE k", "no stored program touches protected data", "MariaDB with sql_mode=ORACLE"},
	{sql.CreateLibrary, Refuse, "CREATE LIBRARY l LANGUAGE JAVASCRIPT AS 'export function f() {}'", inServer, "MySQL 9"},
	{sql.AlterLibrary, Forward, "ALTER LIBRARY l COMMENT 'x'", "no stored program touches protected data", "MySQL 9"},
	{sql.DropLibrary, Forward, "DROP LIBRARY l", "no stored program touches protected data", "MySQL 9"},
	{sql.Compound, Refuse, "BEGIN NOT ATOMIC SELECT a FROM t; END", inServer, "MariaDB; IF, CASE, LOOP, WHILE, REPEAT and FOR as statements as well"},
}
