package support

import "tunic/internal/sql"

var transactionRows = []Row{
	{sql.Begin, Forward, "START TRANSACTION WITH CONSISTENT SNAPSHOT", transaction, ""},
	{sql.Commit, Forward, "COMMIT AND CHAIN", transaction, ""},
	{sql.Rollback, Forward, "ROLLBACK RELEASE", transaction, ""},
	{sql.Savepoint, Forward, "SAVEPOINT s", transaction, ""},
	{sql.RollbackToSavepoint, Forward, "ROLLBACK TO SAVEPOINT s", transaction, ""},
	{sql.ReleaseSavepoint, Forward, "RELEASE SAVEPOINT s", transaction, ""},
	{sql.SetTransaction, Forward, "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED", transaction, ""},
	{sql.XA, Forward, "XA START 'x'", transaction, ""},
	{sql.LockTables, Plan, "LOCK TABLES t READ, u AS v WRITE", "sent as it came, as stored tables have the names of the logical ones; it waits while the definition of one of them changes", "MariaDB's WAIT and NOWAIT as well; refused for tunic's own schema"},
	{sql.UnlockTables, Forward, "UNLOCK TABLES", transaction, ""},
	{sql.LockInstance, Forward, "LOCK INSTANCE FOR BACKUP", serverOnly, "MySQL"},
	{sql.UnlockInstance, Forward, "UNLOCK INSTANCE", serverOnly, "MySQL"},
}

var sessionRows = []Row{
	{sql.Set, Plan, "SET @a = 1, SESSION sql_mode = 'ANSI_QUOTES', autocommit = 0", "a value may be a query; tunic follows variables that change what statements mean, and keeps user variables itself where the statement sets nothing else", "[decision](decisions/0026-variables-of-our-own.md)"},
	{sql.SetNames, Forward, "SET NAMES utf8mb4 COLLATE utf8mb4_bin", sessionOnly, ""},
	{sql.SetCharacterSet, Forward, "SET CHARACTER SET latin1", sessionOnly, ""},
	{sql.SetStatement, Plan, "SET STATEMENT max_statement_time = 1 FOR SELECT a FROM t", "for statements that read or write rows of plain tables; refused for definitions, for statements from text, and for statements that change the session", "MariaDB"},
	{sql.SetPassword, Forward, "SET PASSWORD FOR 'u'@'h' = 'x'", accounts, "never logged"},
	{sql.SetRole, Forward, "SET ROLE r", sessionOnly, ""},
	{sql.SetDefaultRole, Forward, "SET DEFAULT ROLE r TO 'u'@'h'", accounts, "MariaDB writes FOR instead of TO"},
	{sql.SetResourceGroup, Forward, "SET RESOURCE GROUP g", serverOnly, "MySQL"},
	{sql.Use, Forward, "USE d", sessionOnly, ""},
	{sql.Prepare, Plan, "PREPARE s FROM 'SELECT a FROM t WHERE b = ?'", "tunic keeps a statement over protected tables and plans it when it is executed", "if the text is in a variable, tunic reads the variable first"},
	{sql.Execute, Plan, "EXECUTE s USING @a", "the values after USING are parameters", "the server executes what it has prepared"},
	{sql.Deallocate, Plan, "DEALLOCATE PREPARE s", "tunic keeps prepared statements over protected tables", "DROP PREPARE as well"},
	{sql.ExecuteImmediate, Plan, "EXECUTE IMMEDIATE 'SELECT a FROM t'", "as PREPARE and EXECUTE", "MariaDB"},
	{sql.Signal, Forward, "SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'x'", noData, ""},
	{sql.Resignal, Forward, "RESIGNAL", noData, ""},
	{sql.GetDiagnostics, Plan, "GET DIAGNOSTICS CONDITION 1 @a = MESSAGE_TEXT", "the text of an error may contain stored names", "refused if both tunic and the server have messages about the statement, and for items other than NUMBER, ROW_COUNT, RETURNED_SQLSTATE, MYSQL_ERRNO and MESSAGE_TEXT"},
}

var showRows = []Row{
	{sql.Show, Forward, "SHOW VARIABLES LIKE 'sql_mode'", noData, "SHOW STATUS, GRANTS, ENGINES, MASTER STATUS and others"},
	{sql.ShowTables, Plan, "SHOW FULL TABLES FROM d", logicalNames, "SHOW TABLE STATUS and OPEN TABLES as well"},
	{sql.ShowColumns, Plan, "SHOW FULL COLUMNS FROM t", logicalNames, ""},
	{sql.ShowIndex, Plan, "SHOW INDEX FROM t", logicalNames, ""},
	{sql.ShowCreateTable, Plan, "SHOW CREATE TABLE t", logicalNames, "SHOW CREATE VIEW and SEQUENCE as well"},
	{sql.ShowCreateProgram, Forward, "SHOW CREATE PROCEDURE p", "no stored program touches protected data", "SHOW CREATE FUNCTION, TRIGGER, EVENT and PACKAGE as well"},
	{sql.ShowWarnings, Plan, "SHOW WARNINGS", "the text of a warning may contain stored names", "SHOW ERRORS as well"},
	{sql.ShowProcesslist, Forward, "SHOW FULL PROCESSLIST", "shows statements as the server received them; they hold no protected values", ""},
	{sql.ShowBinlogEvents, Forward, "SHOW BINLOG EVENTS LIMIT 5", "shows stored forms, which anyone who may read the log can see", ""},
	{sql.Help, Forward, "HELP 'contents'", noData, ""},
}
