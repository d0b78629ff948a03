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
	{sql.LockTables, ClassPlan, "LOCK TABLES t READ, u AS v WRITE", "stored tables have the names of the logical ones: it is sent as it came, but not while a definition of theirs changes", "MariaDB's WAIT and NOWAIT as well; not of tunic's own schema"},
	{sql.UnlockTables, ClassForward, "UNLOCK TABLES", transaction, ""},
	{sql.LockInstance, ClassForward, "LOCK INSTANCE FOR BACKUP", serverOnly, "MySQL"},
	{sql.UnlockInstance, ClassForward, "UNLOCK INSTANCE", serverOnly, "MySQL"},
}

var sessionRows = []Support{
	{sql.Set, ClassPlan, "SET @a = 1, SESSION sql_mode = 'ANSI_QUOTES', autocommit = 0", "a value may be a query; the variables that change what statements mean are followed; user variables are kept by tunic where nothing else is set", "decision 0026"},
	{sql.SetNames, ClassForward, "SET NAMES utf8mb4 COLLATE utf8mb4_bin", sessionOnly, ""},
	{sql.SetCharacterSet, ClassForward, "SET CHARACTER SET latin1", sessionOnly, ""},
	{sql.SetStatement, ClassPlan, "SET STATEMENT max_statement_time = 1 FOR SELECT a FROM t", "queries and changes of rows of plain tables; refused of definitions, of statements from text, and of what changes the session", "MariaDB"},
	{sql.SetPassword, ClassForward, "SET PASSWORD FOR 'u'@'h' = 'x'", accounts, "never in a log"},
	{sql.SetRole, ClassForward, "SET ROLE r", sessionOnly, ""},
	{sql.SetDefaultRole, ClassForward, "SET DEFAULT ROLE r TO 'u'@'h'", accounts, "MariaDB says FOR instead of TO"},
	{sql.SetResourceGroup, ClassForward, "SET RESOURCE GROUP g", serverOnly, "MySQL"},
	{sql.Use, ClassForward, "USE d", sessionOnly, ""},
	{sql.Prepare, ClassPlan, "PREPARE s FROM 'SELECT a FROM t WHERE b = ?'", "a statement over protected tables is kept by tunic and planned when it is executed; one in a variable is read first", ""},
	{sql.Execute, ClassPlan, "EXECUTE s USING @a", "values behind USING are those of parameters", "what the server has prepared it executes, and the session's state is read anew after it"},
	{sql.Deallocate, ClassPlan, "DEALLOCATE PREPARE s", "tunic keeps the statements that speak of protected tables", "DROP PREPARE as well"},
	{sql.ExecuteImmediate, ClassPlan, "EXECUTE IMMEDIATE 'SELECT a FROM t'", "as PREPARE and EXECUTE", "MariaDB"},
	{sql.Signal, ClassForward, "SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'x'", noData, ""},
	{sql.Resignal, ClassForward, "RESIGNAL", noData, ""},
	{sql.GetDiagnostics, ClassPlan, "GET DIAGNOSTICS CONDITION 1 @a = MESSAGE_TEXT", "an error's text may speak of stored names", "refused where both tunic and the server have something to say of a statement, and for other items than NUMBER, ROW_COUNT, RETURNED_SQLSTATE, MYSQL_ERRNO and MESSAGE_TEXT"},
}

var showRows = []Support{
	{sql.Show, ClassForward, "SHOW VARIABLES LIKE 'sql_mode'", noData, "SHOW STATUS, GRANTS, ENGINES, MASTER STATUS and the like"},
	{sql.ShowTables, ClassPlan, "SHOW FULL TABLES FROM d", logicalNames, "SHOW TABLE STATUS and OPEN TABLES as well"},
	{sql.ShowColumns, ClassPlan, "SHOW FULL COLUMNS FROM t", logicalNames, ""},
	{sql.ShowIndex, ClassPlan, "SHOW INDEX FROM t", logicalNames, ""},
	{sql.ShowCreateTable, ClassPlan, "SHOW CREATE TABLE t", logicalNames, "SHOW CREATE VIEW and SEQUENCE as well"},
	{sql.ShowCreateProgram, ClassForward, "SHOW CREATE PROCEDURE p", "no program touches protected data", "SHOW CREATE FUNCTION, TRIGGER, EVENT, PACKAGE as well"},
	{sql.ShowWarnings, ClassPlan, "SHOW WARNINGS", "a warning's text may speak of stored names", "SHOW ERRORS as well"},
	{sql.ShowProcesslist, ClassForward, "SHOW FULL PROCESSLIST", "shows statements as the server got them, without protected values", ""},
	{sql.ShowBinlogEvents, ClassForward, "SHOW BINLOG EVENTS LIMIT 5", "shows stored forms, which are no secret to who may read the log", ""},
	{sql.Help, ClassForward, "HELP 'contents'", noData, ""},
}
