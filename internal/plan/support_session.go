package plan

import "tunic/internal/sql"

var transactionRows = []Support{
	{sql.Begin, ClassForward, "START TRANSACTION WITH CONSISTENT SNAPSHOT", transaction, ""},
	{sql.Commit, ClassForward, "COMMIT AND CHAIN", transaction, ""},
	{sql.Rollback, ClassForward, "ROLLBACK RELEASE", transaction, ""},
	{sql.Savepoint, ClassForward, "SAVEPOINT s", transaction, ""},
	{sql.RollbackToSavepoint, ClassForward, "ROLLBACK TO SAVEPOINT s", transaction, ""},
	{sql.ReleaseSavepoint, ClassForward, "RELEASE SAVEPOINT s", transaction, ""},
	{sql.SetTransaction, ClassForward, "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED", transaction, ""},
	{sql.XA, ClassForward, "XA START 'x'", transaction, ""},
	{sql.LockTables, ClassPlan, "LOCK TABLES t READ, u AS v WRITE", "sent as it came, as stored tables have the names of the logical ones; it waits while the definition of one of them changes", "MariaDB's WAIT and NOWAIT as well; refused for tunic's own schema"},
	{sql.UnlockTables, ClassForward, "UNLOCK TABLES", transaction, ""},
	{sql.LockInstance, ClassForward, "LOCK INSTANCE FOR BACKUP", serverOnly, "MySQL"},
	{sql.UnlockInstance, ClassForward, "UNLOCK INSTANCE", serverOnly, "MySQL"},
}

var sessionRows = []Support{
	{sql.Set, ClassPlan, "SET @a = 1, SESSION sql_mode = 'ANSI_QUOTES', autocommit = 0", "a value may be a query; tunic follows variables that change what statements mean, and keeps user variables itself where the statement sets nothing else", "[decision](decisions/0026-variables-of-our-own.md)"},
	{sql.SetNames, ClassForward, "SET NAMES utf8mb4 COLLATE utf8mb4_bin", sessionOnly, ""},
	{sql.SetCharacterSet, ClassForward, "SET CHARACTER SET latin1", sessionOnly, ""},
	{sql.SetStatement, ClassPlan, "SET STATEMENT max_statement_time = 1 FOR SELECT a FROM t", "for statements that read or write rows of plain tables; refused for definitions, for statements from text, and for statements that change the session", "MariaDB"},
	{sql.SetPassword, ClassForward, "SET PASSWORD FOR 'u'@'h' = 'x'", accounts, "never logged"},
	{sql.SetRole, ClassForward, "SET ROLE r", sessionOnly, ""},
	{sql.SetDefaultRole, ClassForward, "SET DEFAULT ROLE r TO 'u'@'h'", accounts, "MariaDB writes FOR instead of TO"},
	{sql.SetResourceGroup, ClassForward, "SET RESOURCE GROUP g", serverOnly, "MySQL"},
	{sql.Use, ClassForward, "USE d", sessionOnly, ""},
	{sql.Prepare, ClassPlan, "PREPARE s FROM 'SELECT a FROM t WHERE b = ?'", "tunic keeps a statement over protected tables and plans it when it is executed", "if the text is in a variable, tunic reads the variable first"},
	{sql.Execute, ClassPlan, "EXECUTE s USING @a", "the values after USING are parameters", "the server executes what it has prepared"},
	{sql.Deallocate, ClassPlan, "DEALLOCATE PREPARE s", "tunic keeps prepared statements over protected tables", "DROP PREPARE as well"},
	{sql.ExecuteImmediate, ClassPlan, "EXECUTE IMMEDIATE 'SELECT a FROM t'", "as PREPARE and EXECUTE", "MariaDB"},
	{sql.Signal, ClassForward, "SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'x'", noData, ""},
	{sql.Resignal, ClassForward, "RESIGNAL", noData, ""},
	{sql.GetDiagnostics, ClassPlan, "GET DIAGNOSTICS CONDITION 1 @a = MESSAGE_TEXT", "the text of an error may contain stored names", "refused if both tunic and the server have messages about the statement, and for items other than NUMBER, ROW_COUNT, RETURNED_SQLSTATE, MYSQL_ERRNO and MESSAGE_TEXT"},
}

var showRows = []Support{
	{sql.Show, ClassForward, "SHOW VARIABLES LIKE 'sql_mode'", noData, "SHOW STATUS, GRANTS, ENGINES, MASTER STATUS and others"},
	{sql.ShowTables, ClassPlan, "SHOW FULL TABLES FROM d", logicalNames, "SHOW TABLE STATUS and OPEN TABLES as well"},
	{sql.ShowColumns, ClassPlan, "SHOW FULL COLUMNS FROM t", logicalNames, ""},
	{sql.ShowIndex, ClassPlan, "SHOW INDEX FROM t", logicalNames, ""},
	{sql.ShowCreateTable, ClassPlan, "SHOW CREATE TABLE t", logicalNames, "SHOW CREATE VIEW and SEQUENCE as well"},
	{sql.ShowCreateProgram, ClassForward, "SHOW CREATE PROCEDURE p", "no stored program touches protected data", "SHOW CREATE FUNCTION, TRIGGER, EVENT and PACKAGE as well"},
	{sql.ShowWarnings, ClassPlan, "SHOW WARNINGS", "the text of a warning may contain stored names", "SHOW ERRORS as well"},
	{sql.ShowProcesslist, ClassForward, "SHOW FULL PROCESSLIST", "shows statements as the server received them; they hold no protected values", ""},
	{sql.ShowBinlogEvents, ClassForward, "SHOW BINLOG EVENTS LIMIT 5", "shows stored forms, which anyone who may read the log can see", ""},
	{sql.Help, ClassForward, "HELP 'contents'", noData, ""},
}
