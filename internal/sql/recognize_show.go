package sql

// shows are the SHOW statements whose answer speaks of tables, by the first
// word after SHOW and what may stand before it (FULL, EXTENDED, OPEN …).
var shows = map[string]Kind{
	"TABLES": ShowTables, "TABLE": ShowTables,
	"COLUMNS": ShowColumns, "FIELDS": ShowColumns,
	"INDEX": ShowIndex, "INDEXES": ShowIndex, "KEYS": ShowIndex,
	"WARNINGS": ShowWarnings, "ERRORS": ShowWarnings,
	"PROCESSLIST": ShowProcesslist,
	"BINLOG":      ShowBinlogEvents, "RELAYLOG": ShowBinlogEvents,
}

// showCreates are the things whose definition SHOW CREATE prints.
var showCreates = map[string]Kind{
	"TABLE": ShowCreateTable, "VIEW": ShowCreateTable, "SEQUENCE": ShowCreateTable,
	"TRIGGER": ShowCreateProgram, "PROCEDURE": ShowCreateProgram, "FUNCTION": ShowCreateProgram,
	"EVENT": ShowCreateProgram, "PACKAGE": ShowCreateProgram, "LIBRARY": ShowCreateProgram,
}

func show(c *cursor) Kind {
	if c.accept("CREATE") {
		return kindOr(showCreates, c, Show)
	}
	c.accept("FULL", "EXTENDED", "OPEN")
	c.accept("FULL")
	if c.is("COUNT") { // SHOW COUNT(*) WARNINGS
		return ShowWarnings
	}
	return kindOr(shows, c, Show)
}

func kindOr(of map[string]Kind, c *cursor, otherwise Kind) Kind {
	if c.t != tokenWord {
		return otherwise
	}
	if k, ok := of[string(upperInto(nil, c.text()))]; ok {
		return k
	}
	return otherwise
}
