package support

import "tunic/internal/sql"

var accountRows = []Row{
	{sql.CreateUser, Forward, "CREATE USER 'u'@'h' IDENTIFIED BY 'x'", accounts, "never logged"},
	{sql.AlterUser, Forward, "ALTER USER 'u'@'h' ACCOUNT LOCK", accounts, "never logged"},
	{sql.DropUser, Forward, "DROP USER 'u'@'h'", accounts, ""},
	{sql.RenameUser, Forward, "RENAME USER 'u'@'h' TO 'v'@'h'", accounts, ""},
	{sql.CreateRole, Forward, "CREATE ROLE r", accounts, ""},
	{sql.DropRole, Forward, "DROP ROLE r", accounts, ""},
	{sql.Grant, Forward, "GRANT SELECT (a), INSERT ON d.t TO 'u'@'h'", accounts, "a grant on a column applies to all stored columns of it"},
	{sql.Revoke, Forward, "REVOKE ALL ON d.* FROM 'u'@'h'", accounts, ""},
}

var upkeepRows = []Row{
	{sql.AnalyzeTable, Forward, "ANALYZE TABLE t", serverUpkeep, "a histogram of a protected column describes the stored form; `USING DATA` is refused, as it contains values"},
	{sql.CheckTable, Forward, "CHECK TABLE t EXTENDED", serverUpkeep, ""},
	{sql.ChecksumTable, Plan, "CHECKSUM TABLE t", serverUpkeep, "refused if t is protected: the checksum would be that of the stored rows"},
	{sql.OptimizeTable, Forward, "OPTIMIZE TABLE t", serverUpkeep, ""},
	{sql.RepairTable, Forward, "REPAIR TABLE t QUICK", serverUpkeep, ""},
	{sql.CheckView, Forward, "CHECK VIEW v", serverUpkeep, "MariaDB; REPAIR VIEW as well"},
	{sql.CacheIndex, Forward, "CACHE INDEX t IN c", serverUpkeep, ""},
	{sql.LoadIndex, Forward, "LOAD INDEX INTO CACHE t", serverUpkeep, ""},
}

var serverRows = []Row{
	{sql.Flush, Forward, "FLUSH TABLES t WITH READ LOCK", serverOnly, "tunic follows its locks as those of LOCK TABLES; FLUSH TABLES … FOR EXPORT leaves stored rows in files"},
	{sql.Reset, Forward, "RESET QUERY CACHE", serverOnly, ""},
	{sql.Kill, Forward, "KILL QUERY 5", serverOnly, "connection numbers are the server's"},
	{sql.Shutdown, Forward, "SHUTDOWN", serverOnly, ""},
	{sql.Restart, Forward, "RESTART", serverOnly, "MySQL"},
	{sql.Clone, Forward, "CLONE LOCAL DATA DIRECTORY = '/tmp/x'", serverUpkeep, "MySQL"},
	{sql.Backup, Forward, "BACKUP STAGE START", serverUpkeep, "MariaDB; BACKUP LOCK and UNLOCK as well"},
	{sql.Binlog, Refuse, "BINLOG 'AAAA'", "writes stored rows without a query", "whatever they are of, which cannot be read"},
	{sql.PurgeBinaryLogs, Forward, "PURGE BINARY LOGS TO 'b.1'", serverOnly, ""},
	{sql.Replication, Forward, "CHANGE REPLICATION SOURCE TO SOURCE_HOST = 'h'", serverOnly, "CHANGE MASTER, CHANGE REPLICATION FILTER, START and STOP REPLICA as well; replicas receive stored forms"},
	{sql.InstallPlugin, Forward, "INSTALL PLUGIN p SONAME 'p.so'", serverOnly, "INSTALL SONAME as well"},
	{sql.UninstallPlugin, Forward, "UNINSTALL PLUGIN p", serverOnly, "UNINSTALL SONAME as well"},
	{sql.InstallComponent, Forward, "INSTALL COMPONENT 'file://c'", serverOnly, "MySQL"},
	{sql.UninstallComponent, Forward, "UNINSTALL COMPONENT 'file://c'", serverOnly, "MySQL"},
	{sql.AlterInstance, Forward, "ALTER INSTANCE ROTATE INNODB MASTER KEY", serverOnly, "MySQL"},
	{sql.CreateServer, Forward, "CREATE SERVER s FOREIGN DATA WRAPPER mysql OPTIONS (HOST 'h')", serverOnly, ""},
	{sql.AlterServer, Forward, "ALTER SERVER s OPTIONS (USER 'u')", serverOnly, ""},
	{sql.DropServer, Forward, "DROP SERVER s", serverOnly, ""},
	{sql.CreateTablespace, Forward, "CREATE TABLESPACE s ADD DATAFILE 's.ibd'", serverUpkeep, "MySQL; UNDO TABLESPACE and LOGFILE GROUP as well"},
	{sql.AlterTablespace, Forward, "ALTER TABLESPACE s RENAME TO r", serverUpkeep, "MySQL"},
	{sql.DropTablespace, Forward, "DROP TABLESPACE s", serverUpkeep, "MySQL"},
	{sql.CreateResourceGroup, Forward, "CREATE RESOURCE GROUP g TYPE = USER", serverOnly, "MySQL"},
	{sql.AlterResourceGroup, Forward, "ALTER RESOURCE GROUP g VCPU = 0", serverOnly, "MySQL"},
	{sql.DropResourceGroup, Forward, "DROP RESOURCE GROUP g", serverOnly, "MySQL"},
	{sql.CreateSpatialReferenceSystem, Forward, "CREATE SPATIAL REFERENCE SYSTEM 1000001 NAME 'x' DEFINITION 'y'", serverOnly, "MySQL"},
	{sql.DropSpatialReferenceSystem, Forward, "DROP SPATIAL REFERENCE SYSTEM 1000001", serverOnly, "MySQL"},
}

var otherRows = []Row{
	{sql.Empty, Forward, "/* nothing */ ;", noData, "the server answers that the query was empty"},
	{sql.TiDBStatement, Refuse, "ADMIN CHECK TABLE t", "statements of TiDB alone, which may read and write stored rows without a query", "ADMIN, SPLIT, RECOVER, FLASHBACK, BATCH, TRACE, CREATE BINDING and others"},
	{sql.VitessStatement, Refuse, "VEXPLAIN SELECT a FROM t", notMySQL, "the server would answer with a syntax error"},
	{sql.Unknown, Refuse, "FROBNICATE t", "a statement that tunic cannot read may do anything", "text that cannot be split into tokens with certainty as well"},
}
