package sql

import "tunic/internal/sql/lex"

// recognize says what the statement at c is, from its first words and, for a
// query, from what follows.
func recognize(c lex.Cursor) Kind {
	for c.Token == lex.Open {
		c.Next() // (SELECT …) UNION (SELECT …)
	}
	if c.Ended() || c.Token == lex.Semi {
		return Empty
	}
	if c.Token != lex.Word {
		return Unknown
	}
	first := string(lex.UpperInto(nil, c.Text()))
	if label(c) {
		return Compound
	}
	c.Next()
	if k, ok := decide(first, &c); ok {
		return k
	}
	return singleWords[first]
}

// label says whether the statement begins with a label, as a compound
// statement may.
func label(c lex.Cursor) bool {
	c.Next()
	if !c.Op(':') {
		return false
	}
	c.Next()
	return c.Is("BEGIN", "LOOP", "WHILE", "REPEAT", "FOR")
}

// singleWords are the statements that their first word tells.
var singleWords = map[string]Kind{
	"INSERT": Insert, "REPLACE": Replace, "UPDATE": Update, "DELETE": Delete,
	"DO": Do, "CALL": Call, "HANDLER": Handler, "TRUNCATE": TruncateTable, "IMPORT": ImportTable,
	"COMMIT": Commit, "SAVEPOINT": Savepoint, "XA": XA, "USE": Use,
	"PREPARE": Prepare, "DEALLOCATE": Deallocate,
	"SIGNAL": Signal, "RESIGNAL": Resignal, "GET": GetDiagnostics,
	"IF": Compound, "CASE": Compound, "LOOP": Compound, "WHILE": Compound, "REPEAT": Compound, "FOR": Compound,
	"DECLARE": Compound, // MariaDB's anonymous block in sql_mode=ORACLE
	"HELP":    Help, "GRANT": Grant, "REVOKE": Revoke,
	"CHECKSUM": ChecksumTable, "CACHE": CacheIndex,
	"FLUSH": Flush, "RESET": Reset, "KILL": Kill, "SHUTDOWN": Shutdown, "RESTART": Restart, "CLONE": Clone,
	"BACKUP": Backup, "BINLOG": Binlog, "PURGE": PurgeBinaryLogs, "CHANGE": Replication, "STOP": Replication,
	"SLAVE": Replication,
	"ADMIN": TiDBStatement, "SPLIT": TiDBStatement, "RECOVER": TiDBStatement, "FLASHBACK": TiDBStatement,
	"BATCH": TiDBStatement, "TRACE": TiDBStatement, "PLAN": TiDBStatement, "QUERY": TiDBStatement,
	"CALIBRATE": TiDBStatement, "CANCEL": TiDBStatement, "DISTRIBUTE": TiDBStatement, "REFRESH": TiDBStatement,
	"VEXPLAIN": VitessStatement, "STREAM": VitessStatement, "VSTREAM": VitessStatement, "REVERT": VitessStatement,
}

// decide tells the statements of which the first word begins several; ok is
// false if it begins one or none. The cursor is after that word.
func decide(first string, c *lex.Cursor) (k Kind, ok bool) {
	switch first {
	case "SELECT":
		return queryEnd(c, Select), true
	case "VALUES":
		return queryEnd(c, Values), true
	case "TABLE":
		return queryEnd(c, Table), true
	case "WITH":
		return with(c), true
	case "LOAD":
		return load(c), true
	case "EXPLAIN", "DESCRIBE", "DESC":
		return explain(c), true
	case "ANALYZE":
		return analyze(c), true
	case "CREATE", "ALTER", "DROP", "RENAME":
		return definition(first, c), true
	case "BEGIN", "START", "ROLLBACK", "RELEASE", "LOCK", "UNLOCK":
		return transaction(first, c), true
	case "SET":
		return set(c), true
	case "EXECUTE":
		return execute(c), true
	case "SHOW":
		return show(c), true
	case "CHECK", "OPTIMIZE", "REPAIR":
		return upkeep(first, c), true
	case "INSTALL", "UNINSTALL":
		return install(first, c), true
	}
	return Unknown, false
}

// queryEnd looks for what makes a query more than kind says. A query in
// parentheses began outside of them, so that its depth is negative here.
func queryEnd(c *lex.Cursor, kind Kind) Kind {
	for depth := 0; !c.Ended() && c.Token != lex.Semi; c.Next() {
		switch c.Token {
		case lex.Open:
			depth++
		case lex.Close:
			depth--
		case lex.Word:
			if depth <= 0 && setOperator(c) {
				kind = SetOperation
			}
			if acceptInto(c, "OUTFILE", "DUMPFILE") {
				return SelectIntoFile
			}
		}
	}
	return kind
}

func setOperator(c *lex.Cursor) bool {
	if afterDot(c) {
		return false
	}
	return c.Is("UNION", "INTERSECT", "EXCEPT") || (c.Is("MINUS") && c.Lexer.Modes&Oracle != 0)
}

// acceptInto says that the current token is INTO and the next is one of words.
func acceptInto(c *lex.Cursor, words ...string) bool {
	if !c.Is("INTO") {
		return false
	}
	at := *c
	at.Next()
	return at.Is(words...)
}

// afterDot says that the word is the second part of a name.
func afterDot(c *lex.Cursor) bool {
	return c.Lexer.Gap == c.Lexer.From && c.Lexer.From > 0 && c.Lexer.Text[c.Lexer.From-1] == '.'
}

// with reads a common table expression: the statement after it is the kind.
func with(c *lex.Cursor) Kind {
	for !c.Ended() && c.Token != lex.Semi {
		switch {
		case c.Token == lex.Open:
			c.SkipParens()
			// After a list of definitions a query may be in parentheses.
			if c.Token == lex.Open {
				return recognize(*c)
			}
		case c.Is("SELECT", "UPDATE", "DELETE", "VALUES", "TABLE", "INSERT", "REPLACE"):
			return recognize(*c)
		default:
			c.Next()
		}
	}
	return Unknown
}

func load(c *lex.Cursor) Kind {
	switch {
	case c.Is("DATA"):
		return LoadData
	case c.Is("XML"):
		return LoadXML
	case c.Is("INDEX"):
		return LoadIndex
	case c.Is("STATS"):
		return TiDBStatement
	}
	return Unknown
}

// explain tells EXPLAIN of a statement from DESCRIBE of a table.
func explain(c *lex.Cursor) Kind {
	if c.Token == lex.Open {
		return Explain
	}
	if c.Is("SELECT", "INSERT", "REPLACE", "UPDATE", "DELETE", "WITH", "VALUES", "TABLE",
		"FORMAT", "EXTENDED", "PARTITIONS", "ANALYZE", "FOR", "INTO") {
		return Explain
	}
	return Describe
}

// analyze tells ANALYZE TABLE from MariaDB's ANALYZE of a statement.
func analyze(c *lex.Cursor) Kind {
	at := *c
	at.Accept("NO_WRITE_TO_BINLOG", "LOCAL")
	if at.Is("TABLE", "TABLES") {
		return AnalyzeTable
	}
	if explain(c) == Explain {
		return Explain
	}
	return Unknown
}

// transaction tells the statements about transactions and locks.
func transaction(first string, c *lex.Cursor) Kind {
	switch first {
	case "BEGIN":
		return begin(c)
	case "START":
		return start(c)
	case "ROLLBACK":
		return rollback(c)
	case "RELEASE":
		return release(c)
	case "LOCK":
		return lock(c)
	}
	return unlock(c)
}

func begin(c *lex.Cursor) Kind {
	if c.Accept("WORK") || c.Ended() || c.Token == lex.Semi {
		return Begin
	}
	if c.Is("OPTIMISTIC", "PESSIMISTIC") {
		return Begin // TiDB
	}
	return Compound
}

func start(c *lex.Cursor) Kind {
	switch {
	case c.Is("TRANSACTION"):
		return Begin
	case c.Is("SLAVE", "REPLICA", "GROUP_REPLICATION", "ALL"):
		return Replication
	}
	return Unknown
}

func rollback(c *lex.Cursor) Kind {
	c.Accept("WORK")
	if c.Is("TO") {
		return RollbackToSavepoint
	}
	return Rollback
}

func release(c *lex.Cursor) Kind {
	if c.Is("SAVEPOINT") {
		return ReleaseSavepoint
	}
	return Unknown
}

func lock(c *lex.Cursor) Kind {
	switch {
	case c.Is("TABLE", "TABLES"):
		return LockTables
	case c.Is("INSTANCE"):
		return LockInstance
	case c.Is("STATS"):
		return TiDBStatement
	}
	return Unknown
}

func unlock(c *lex.Cursor) Kind {
	switch {
	case c.Is("TABLE", "TABLES"):
		return UnlockTables
	case c.Is("INSTANCE"):
		return UnlockInstance
	case c.Is("STATS"):
		return TiDBStatement
	}
	return Unknown
}

func execute(c *lex.Cursor) Kind {
	if c.Is("IMMEDIATE") {
		return ExecuteImmediate
	}
	return Execute
}

// set tells what SET sets. Its items may be of several kinds; a password makes
// the whole one of those, else the first decides.
func set(c *lex.Cursor) Kind {
	at := *c
	if of := at; of.Accept("STATEMENT") && !assigns(&of) {
		return SetStatement
	}
	switch {
	case setsPassword(at):
		return SetPassword
	case at.Accept("NAMES"):
		return setUnlessAssigned(&at, SetNames)
	case at.Accept("CHARSET"):
		return setUnlessAssigned(&at, SetCharacterSet)
	case at.Accepts("CHARACTER", "SET"), at.Accepts("CHAR", "SET"):
		return SetCharacterSet
	case at.Accept("ROLE"):
		return setUnlessAssigned(&at, SetRole)
	case at.Accepts("DEFAULT", "ROLE"):
		return SetDefaultRole
	case at.Accepts("RESOURCE", "GROUP"):
		return SetResourceGroup
	}
	at.Accept("GLOBAL", "SESSION", "LOCAL")
	if at.Accept("TRANSACTION") {
		return setUnlessAssigned(&at, SetTransaction)
	}
	return Set
}

// setUnlessAssigned is k, unless the word just read is the name of a variable.
func setUnlessAssigned(c *lex.Cursor, k Kind) Kind {
	if assigns(c) {
		return Set
	}
	return k
}

// setsPassword says that one of the items is PASSWORD = … or PASSWORD FOR ….
func setsPassword(c lex.Cursor) bool {
	for !c.Ended() && c.Token != lex.Semi {
		if secretItem(&c) {
			return true
		}
		skipExpression(&c)
		if c.Token != lex.Comma {
			return false
		}
		c.Next()
	}
	return false
}

// assigns says that the name just read is that of a variable.
func assigns(c *lex.Cursor) bool { return c.Op('=') || c.Token == lex.Assign || c.Token == lex.Dot }

func upkeep(first string, c *lex.Cursor) Kind {
	c.Accept("NO_WRITE_TO_BINLOG", "LOCAL")
	switch {
	case c.Is("VIEW"):
		return CheckView
	case first == "OPTIMIZE":
		return OptimizeTable
	case first == "REPAIR":
		return RepairTable
	}
	return CheckTable
}

func install(first string, c *lex.Cursor) Kind {
	component := c.Is("COMPONENT")
	switch {
	case first == "INSTALL" && component:
		return InstallComponent
	case first == "INSTALL":
		return InstallPlugin
	case component:
		return UninstallComponent
	}
	return UninstallPlugin
}
