package sql

// recognize says what the statement at c is, from its first words and, for a
// query, from what follows.
func recognize(c cursor) Kind {
	for c.t == tokenOpen {
		c.next() // (SELECT …) UNION (SELECT …)
	}
	if c.ended() || c.t == tokenSemi {
		return Empty
	}
	if c.t != tokenWord {
		return Unknown
	}
	first := string(upperInto(nil, c.text()))
	if label(c) {
		return Compound
	}
	c.next()
	if k, ok := decide(first, &c); ok {
		return k
	}
	return singleWords[first]
}

// label says whether the statement begins with a label, as a compound
// statement may.
func label(c cursor) bool {
	c.next()
	if !c.op(':') {
		return false
	}
	c.next()
	return c.is("BEGIN", "LOOP", "WHILE", "REPEAT", "FOR")
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
func decide(first string, c *cursor) (k Kind, ok bool) {
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
func queryEnd(c *cursor, kind Kind) Kind {
	for depth := 0; !c.ended() && c.t != tokenSemi; c.next() {
		switch c.t {
		case tokenOpen:
			depth++
		case tokenClose:
			depth--
		case tokenWord:
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

func setOperator(c *cursor) bool {
	if afterDot(c) {
		return false
	}
	return c.is("UNION", "INTERSECT", "EXCEPT") || (c.is("MINUS") && c.lx.modes&Oracle != 0)
}

// acceptInto says that the current token is INTO and the next is one of words.
func acceptInto(c *cursor, words ...string) bool {
	if !c.is("INTO") {
		return false
	}
	at := *c
	at.next()
	return at.is(words...)
}

// afterDot says that the word is the second part of a name.
func afterDot(c *cursor) bool {
	return c.lx.gap == c.lx.from && c.lx.from > 0 && c.lx.text[c.lx.from-1] == '.'
}

// with reads a common table expression: the statement after it is the kind.
func with(c *cursor) Kind {
	for !c.ended() && c.t != tokenSemi {
		switch {
		case c.t == tokenOpen:
			c.skipParens()
			// After a list of definitions a query may be in parentheses.
			if c.t == tokenOpen {
				return recognize(*c)
			}
		case c.is("SELECT", "UPDATE", "DELETE", "VALUES", "TABLE", "INSERT", "REPLACE"):
			return recognize(*c)
		default:
			c.next()
		}
	}
	return Unknown
}

func load(c *cursor) Kind {
	switch {
	case c.is("DATA"):
		return LoadData
	case c.is("XML"):
		return LoadXML
	case c.is("INDEX"):
		return LoadIndex
	case c.is("STATS"):
		return TiDBStatement
	}
	return Unknown
}

// explain tells EXPLAIN of a statement from DESCRIBE of a table.
func explain(c *cursor) Kind {
	if c.t == tokenOpen {
		return Explain
	}
	if c.is("SELECT", "INSERT", "REPLACE", "UPDATE", "DELETE", "WITH", "VALUES", "TABLE",
		"FORMAT", "EXTENDED", "PARTITIONS", "ANALYZE", "FOR", "INTO") {
		return Explain
	}
	return Describe
}

// analyze tells ANALYZE TABLE from MariaDB's ANALYZE of a statement.
func analyze(c *cursor) Kind {
	at := *c
	at.accept("NO_WRITE_TO_BINLOG", "LOCAL")
	if at.is("TABLE", "TABLES") {
		return AnalyzeTable
	}
	if explain(c) == Explain {
		return Explain
	}
	return Unknown
}

// transaction tells the statements about transactions and locks.
func transaction(first string, c *cursor) Kind {
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

func begin(c *cursor) Kind {
	if c.accept("WORK") || c.ended() || c.t == tokenSemi {
		return Begin
	}
	if c.is("OPTIMISTIC", "PESSIMISTIC") {
		return Begin // TiDB
	}
	return Compound
}

func start(c *cursor) Kind {
	switch {
	case c.is("TRANSACTION"):
		return Begin
	case c.is("SLAVE", "REPLICA", "GROUP_REPLICATION", "ALL"):
		return Replication
	}
	return Unknown
}

func rollback(c *cursor) Kind {
	c.accept("WORK")
	if c.is("TO") {
		return RollbackToSavepoint
	}
	return Rollback
}

func release(c *cursor) Kind {
	if c.is("SAVEPOINT") {
		return ReleaseSavepoint
	}
	return Unknown
}

func lock(c *cursor) Kind {
	switch {
	case c.is("TABLE", "TABLES"):
		return LockTables
	case c.is("INSTANCE"):
		return LockInstance
	case c.is("STATS"):
		return TiDBStatement
	}
	return Unknown
}

func unlock(c *cursor) Kind {
	switch {
	case c.is("TABLE", "TABLES"):
		return UnlockTables
	case c.is("INSTANCE"):
		return UnlockInstance
	case c.is("STATS"):
		return TiDBStatement
	}
	return Unknown
}

func execute(c *cursor) Kind {
	if c.is("IMMEDIATE") {
		return ExecuteImmediate
	}
	return Execute
}

// set tells what SET sets. Its items may be of several kinds; a password makes
// the whole one of those, else the first decides.
func set(c *cursor) Kind {
	at := *c
	if of := at; of.accept("STATEMENT") && !assigns(&of) {
		return SetStatement
	}
	switch {
	case setsPassword(at):
		return SetPassword
	case at.accept("NAMES"):
		return setUnlessAssigned(&at, SetNames)
	case at.accept("CHARSET"):
		return setUnlessAssigned(&at, SetCharacterSet)
	case at.accepts("CHARACTER", "SET"), at.accepts("CHAR", "SET"):
		return SetCharacterSet
	case at.accept("ROLE"):
		return setUnlessAssigned(&at, SetRole)
	case at.accepts("DEFAULT", "ROLE"):
		return SetDefaultRole
	case at.accepts("RESOURCE", "GROUP"):
		return SetResourceGroup
	}
	at.accept("GLOBAL", "SESSION", "LOCAL")
	if at.accept("TRANSACTION") {
		return setUnlessAssigned(&at, SetTransaction)
	}
	return Set
}

// setUnlessAssigned is k, unless the word just read is the name of a variable.
func setUnlessAssigned(c *cursor, k Kind) Kind {
	if assigns(c) {
		return Set
	}
	return k
}

// setsPassword says that one of the items is PASSWORD = … or PASSWORD FOR ….
func setsPassword(c cursor) bool {
	for !c.ended() && c.t != tokenSemi {
		if secretItem(&c) {
			return true
		}
		skipExpression(&c)
		if c.t != tokenComma {
			return false
		}
		c.next()
	}
	return false
}

// assigns says that the name just read is that of a variable.
func assigns(c *cursor) bool { return c.op('=') || c.t == tokenAssign || c.t == tokenDot }

func upkeep(first string, c *cursor) Kind {
	c.accept("NO_WRITE_TO_BINLOG", "LOCAL")
	switch {
	case c.is("VIEW"):
		return CheckView
	case first == "OPTIMIZE":
		return OptimizeTable
	case first == "REPAIR":
		return RepairTable
	}
	return CheckTable
}

func install(first string, c *cursor) Kind {
	component := c.is("COMPONENT")
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
