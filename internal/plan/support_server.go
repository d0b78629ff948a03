package plan

import "tunic/internal/sql"

var accountRows = []Support{
	{sql.CreateUser, ClassForward, "CREATE USER 'u'@'h' IDENTIFIED BY 'x'", accounts, "never logged"},
	{sql.AlterUser, ClassForward, "ALTER USER 'u'@'h' ACCOUNT LOCK", accounts, "never logged"},
	{sql.DropUser, ClassForward, "DROP USER 'u'@'h'", accounts, ""},
	{sql.RenameUser, ClassForward, "RENAME USER 'u'@'h' TO 'v'@'h'", accounts, ""},
	{sql.CreateRole, ClassForward, "CREATE ROLE r", accounts, ""},
	{sql.DropRole, ClassForward, "DROP ROLE r", accounts, ""},
	{sql.Grant, ClassForward, "GRANT SELECT (a), INSERT ON d.t TO 'u'@'h'", accounts, "a grant on a column applies to all stored columns of it"},
	{sql.Revoke, ClassForward, "REVOKE ALL ON d.* FROM 'u'@'h'", accounts, ""},
}

var upkeepRows = []Support{
	{sql.AnalyzeTable, ClassForward, "ANALYZE TABLE t", serverUpkeep, "a histogram of a protected column describes the stored form; `USING DATA` is refused, as it contains values"},
	{sql.CheckTable, ClassForward, "CHECK TABLE t EXTENDED", serverUpkeep, ""},
	{sql.ChecksumTable, ClassPlan, "CHECKSUM TABLE t", serverUpkeep, "refused if t is protected: the checksum would be that of the stored rows"},
	{sql.OptimizeTable, ClassForward, "OPTIMIZE TABLE t", serverUpkeep, ""},
	{sql.RepairTable, ClassForward, "REPAIR TABLE t QUICK", serverUpkeep, ""},
	{sql.CheckView, ClassForward, "CHECK VIEW v", serverUpkeep, "MariaDB; REPAIR VIEW as well"},
	{sql.CacheIndex, ClassForward, "CACHE INDEX t IN c", serverUpkeep, ""},
	{sql.LoadIndex, ClassForward, "LOAD INDEX INTO CACHE t", serverUpkeep, ""},
}

var serverRows = []Support{
	{sql.Flush, ClassForward, "FLUSH TABLES t WITH READ LOCK", serverOnly, "tunic follows its locks as those of LOCK TABLES; FLUSH TABLES … FOR EXPORT leaves stored rows in files"},
	{sql.Reset, ClassForward, "RESET QUERY CACHE", serverOnly, ""},
	{sql.Kill, ClassForward, "KILL QUERY 5", serverOnly, "connection numbers are the server's"},
	{sql.Shutdown, ClassForward, "SHUTDOWN", serverOnly, ""},
	{sql.Restart, ClassForward, "RESTART", serverOnly, "MySQL"},
	{sql.Clone, ClassForward, "CLONE LOCAL DATA DIRECTORY = '/tmp/x'", serverUpkeep, "MySQL"},
	{sql.Backup, ClassForward, "BACKUP STAGE START", serverUpkeep, "MariaDB; BACKUP LOCK and UNLOCK as well"},
	{sql.Binlog, ClassRefuse, "BINLOG 'AAAA'", "writes stored rows without a query", ""},
	{sql.PurgeBinaryLogs, ClassForward, "PURGE BINARY LOGS TO 'b.1'", serverOnly, ""},
	{sql.Replication, ClassForward, "CHANGE REPLICATION SOURCE TO SOURCE_HOST = 'h'", serverOnly, "CHANGE MASTER, CHANGE REPLICATION FILTER, START and STOP REPLICA as well; replicas receive stored forms"},
	{sql.InstallPlugin, ClassForward, "INSTALL PLUGIN p SONAME 'p.so'", serverOnly, "INSTALL SONAME as well"},
	{sql.UninstallPlugin, ClassForward, "UNINSTALL PLUGIN p", serverOnly, "UNINSTALL SONAME as well"},
	{sql.InstallComponent, ClassForward, "INSTALL COMPONENT 'file://c'", serverOnly, "MySQL"},
	{sql.UninstallComponent, ClassForward, "UNINSTALL COMPONENT 'file://c'", serverOnly, "MySQL"},
	{sql.AlterInstance, ClassForward, "ALTER INSTANCE ROTATE INNODB MASTER KEY", serverOnly, "MySQL"},
	{sql.CreateServer, ClassForward, "CREATE SERVER s FOREIGN DATA WRAPPER mysql OPTIONS (HOST 'h')", serverOnly, ""},
	{sql.AlterServer, ClassForward, "ALTER SERVER s OPTIONS (USER 'u')", serverOnly, ""},
	{sql.DropServer, ClassForward, "DROP SERVER s", serverOnly, ""},
	{sql.CreateTablespace, ClassForward, "CREATE TABLESPACE s ADD DATAFILE 's.ibd'", serverUpkeep, "MySQL; UNDO TABLESPACE and LOGFILE GROUP as well"},
	{sql.AlterTablespace, ClassForward, "ALTER TABLESPACE s RENAME TO r", serverUpkeep, "MySQL"},
	{sql.DropTablespace, ClassForward, "DROP TABLESPACE s", serverUpkeep, "MySQL"},
	{sql.CreateResourceGroup, ClassForward, "CREATE RESOURCE GROUP g TYPE = USER", serverOnly, "MySQL"},
	{sql.AlterResourceGroup, ClassForward, "ALTER RESOURCE GROUP g VCPU = 0", serverOnly, "MySQL"},
	{sql.DropResourceGroup, ClassForward, "DROP RESOURCE GROUP g", serverOnly, "MySQL"},
	{sql.CreateSpatialReferenceSystem, ClassForward, "CREATE SPATIAL REFERENCE SYSTEM 1000001 NAME 'x' DEFINITION 'y'", serverOnly, "MySQL"},
	{sql.DropSpatialReferenceSystem, ClassForward, "DROP SPATIAL REFERENCE SYSTEM 1000001", serverOnly, "MySQL"},
}

var otherRows = []Support{
	{sql.Empty, ClassForward, "/* nothing */ ;", noData, "the server answers that the query was empty"},
	{sql.TiDBStatement, ClassRefuse, "ADMIN CHECK TABLE t", "statements of TiDB alone, which may read and write stored rows without a query", "ADMIN, SPLIT, RECOVER, FLASHBACK, BATCH, TRACE, CREATE BINDING and others"},
	{sql.VitessStatement, ClassRefuse, "VEXPLAIN SELECT a FROM t", notMySQL, "the server would answer with a syntax error"},
	{sql.Unknown, ClassRefuse, "FROBNICATE t", "a statement that tunic cannot read may do anything", "text that cannot be split into tokens with certainty as well"},
}
