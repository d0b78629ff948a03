package wire

// Command is the first byte of what a client sends when it is its turn.
type Command uint8

// Commands (MySQL source documentation, "Command Phase"; COM_STMT_BULK_EXECUTE is
// MariaDB's).
const (
	ComSleep           Command = 0x00
	ComQuit            Command = 0x01
	ComInitDB          Command = 0x02
	ComQuery           Command = 0x03
	ComFieldList       Command = 0x04
	ComCreateDB        Command = 0x05
	ComDropDB          Command = 0x06
	ComRefresh         Command = 0x07
	ComShutdown        Command = 0x08
	ComStatistics      Command = 0x09
	ComProcessInfo     Command = 0x0a
	ComConnect         Command = 0x0b
	ComProcessKill     Command = 0x0c
	ComDebug           Command = 0x0d
	ComPing            Command = 0x0e
	ComTime            Command = 0x0f
	ComDelayedInsert   Command = 0x10
	ComChangeUser      Command = 0x11
	ComBinlogDump      Command = 0x12
	ComTableDump       Command = 0x13
	ComConnectOut      Command = 0x14
	ComRegisterReplica Command = 0x15
	ComStmtPrepare     Command = 0x16
	ComStmtExecute     Command = 0x17
	ComStmtLongData    Command = 0x18
	ComStmtClose       Command = 0x19
	ComStmtReset       Command = 0x1a
	ComSetOption       Command = 0x1b
	ComStmtFetch       Command = 0x1c
	ComDaemon          Command = 0x1d
	ComBinlogDumpGTID  Command = 0x1e
	ComResetConnection Command = 0x1f
	ComClone           Command = 0x20
	ComSubscribeGroup  Command = 0x21
	ComStmtBulkExecute Command = 0xfa
)

// answer is the form in which a server answers a command.
type answer uint8

const (
	answerRefused answer = iota // tunic does not pass the command on
	answerNothing               // the server sends nothing back
	answerOne                   // one OK, EOF or error
	answerText                  // one packet of text, or an error
	answerResults               // result sets, OKs, a request for a local file
	answerRows                  // rows of an open cursor, without column definitions
	answerPrepare               // a prepared statement's description
	answerColumns               // column definitions up to an EOF
	answerLogin                 // an exchange of authentication packets
)

type commandInfo struct {
	name   string
	answer answer
}

// commands has a row for every command of the protocol. One that is missing, or
// whose answer is answerRefused, is answered with an error by tunic itself:
// replication and clone streams carry data tunic cannot look into, and the
// rest is internal to servers or gone from them.
var commands = [256]commandInfo{
	ComSleep:           {name: "COM_SLEEP"},
	ComQuit:            {"COM_QUIT", answerNothing},
	ComInitDB:          {"COM_INIT_DB", answerOne},
	ComQuery:           {"COM_QUERY", answerResults},
	ComFieldList:       {"COM_FIELD_LIST", answerColumns},
	ComCreateDB:        {name: "COM_CREATE_DB"},
	ComDropDB:          {name: "COM_DROP_DB"},
	ComRefresh:         {"COM_REFRESH", answerOne},
	ComShutdown:        {"COM_SHUTDOWN", answerOne},
	ComStatistics:      {"COM_STATISTICS", answerText},
	ComProcessInfo:     {"COM_PROCESS_INFO", answerResults},
	ComConnect:         {name: "COM_CONNECT"},
	ComProcessKill:     {"COM_PROCESS_KILL", answerOne},
	ComDebug:           {"COM_DEBUG", answerOne},
	ComPing:            {"COM_PING", answerOne},
	ComTime:            {name: "COM_TIME"},
	ComDelayedInsert:   {name: "COM_DELAYED_INSERT"},
	ComChangeUser:      {"COM_CHANGE_USER", answerLogin},
	ComBinlogDump:      {name: "COM_BINLOG_DUMP"},
	ComTableDump:       {name: "COM_TABLE_DUMP"},
	ComConnectOut:      {name: "COM_CONNECT_OUT"},
	ComRegisterReplica: {name: "COM_REGISTER_SLAVE"},
	ComStmtPrepare:     {"COM_STMT_PREPARE", answerPrepare},
	ComStmtExecute:     {"COM_STMT_EXECUTE", answerResults},
	ComStmtLongData:    {"COM_STMT_SEND_LONG_DATA", answerNothing},
	ComStmtClose:       {"COM_STMT_CLOSE", answerNothing},
	ComStmtReset:       {"COM_STMT_RESET", answerOne},
	ComSetOption:       {"COM_SET_OPTION", answerOne},
	ComStmtFetch:       {"COM_STMT_FETCH", answerRows},
	ComDaemon:          {name: "COM_DAEMON"},
	ComBinlogDumpGTID:  {name: "COM_BINLOG_DUMP_GTID"},
	ComResetConnection: {"COM_RESET_CONNECTION", answerOne},
	ComClone:           {name: "COM_CLONE"},
	ComSubscribeGroup:  {name: "COM_SUBSCRIBE_GROUP_REPLICATION_STREAM"},
	ComStmtBulkExecute: {"COM_STMT_BULK_EXECUTE", answerResults},
}

// String returns the protocol's name of the command, or "unknown".
func (c Command) String() string {
	if name := commands[c].name; name != "" {
		return name
	}
	return "unknown"
}

// Known reports whether the command is one that tunic understands and passes on.
func (c Command) Known() bool { return commands[c].answer != answerRefused }

// Answered reports whether the server sends anything back.
func (c Command) Answered() bool {
	return c.Known() && commands[c].answer != answerNothing
}
