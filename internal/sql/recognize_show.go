package sql

import "tunic/internal/sql/lex"

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

func show(c *lex.Cursor) Kind {
	if c.Accept("CREATE") {
		return kindOr(showCreates, c, Show)
	}
	c.Accept("FULL", "EXTENDED", "OPEN")
	c.Accept("FULL")
	if c.Is("COUNT") { // SHOW COUNT(*) WARNINGS
		return ShowWarnings
	}
	return kindOr(shows, c, Show)
}

func kindOr(of map[string]Kind, c *lex.Cursor, otherwise Kind) Kind {
	if c.Token != lex.Word {
		return otherwise
	}
	if k, ok := of[string(lex.UpperInto(nil, c.Text()))]; ok {
		return k
	}
	return otherwise
}
