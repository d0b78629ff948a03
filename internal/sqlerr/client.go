package sqlerr

import (
	"fmt"
	"time"
)

// StatementRefused is the answer to a statement of a kind that tunic does not
// run on protected data; statement is the kind's name, such as "HANDLER".
func StatementRefused(statement string) *Error {
	return clientError(statementRefused, ident("statement", statement))
}

// StatementUnkeyed is StatementRefused at a tunic without a key file.
func StatementUnkeyed(statement string) *Error {
	return StatementRefused(statement + ", at a tunic without a key file,")
}

// StatementUnread is the answer to a statement that does not parse and must
// not be forwarded.
func StatementUnread() *Error { return clientError(statementUnread, placeholder{"from", ""}) }

// StatementUnreadFrom is StatementUnread for a statement that tunic has read up to a line of
// its text, counted from 1.
func StatementUnreadFrom(line int) *Error {
	return clientError(statementUnread, placeholder{"from", fmt.Sprintf(" from line %d on", line)})
}

// OutcomeUnknown is the answer to a statement that asks the server about one that
// tunic has refused, in a form that tunic does not answer itself.
func OutcomeUnknown() *Error { return clientError(statementOutcome) }

// VariableSecret refuses a statement that would give the server the value of a user
// variable that may be one of a protected column.
func VariableSecret() *Error { return clientError(statementSecret) }

// VariablesTooLarge refuses to keep more user variables, or longer ones; limit is in
// bytes of all of them.
func VariablesTooLarge(limit int64) *Error {
	return clientError(limitVariables, number("limit", limit))
}

// BesideNotReadable refuses a query with a plain table that the service account may not
// read.
func BesideNotReadable() *Error { return clientError(statementBeside) }

// KeySent refuses a statement that would give the server the key of a cipher.
func KeySent() *Error { return clientError(statementKey) }

// StatementPlain refuses a statement over a plain table of which a rule of the policy protects
// columns.
func StatementPlain(table string) *Error {
	return clientError(statementPlain, ident("table", table))
}

// ColumnPlain refuses a statement over a protected table with a plain column that a rule of the policy
// protects.
func ColumnPlain(table, column string) *Error {
	return clientError(columnPlain, ident("column", column), ident("table", table))
}

// ProgramShows refuses the rows of a program that are of a protected table as it is stored.
func ProgramShows() *Error { return clientError(programShows) }

// FlowRefused refuses a statement that would store a value of a protected column in a
// plain one; column is its name.
func FlowRefused(column string) *Error {
	return clientError(statementFlow, ident("column", column))
}

// ExpressionRefused is the answer to an operation that tunic does not compute on
// operands of these types; operation is its name in SQL, such as "SOUNDEX", and
// operands names classes of types, such as "text, int", or is empty.
func ExpressionRefused(operation, operands string) *Error {
	if operands != "" {
		operation += " of " + operands
	}
	return clientError(expressionRefused, ident("operation", operation))
}

// ValueRefused is the answer to an operation that tunic does not compute for a
// value it has met.
func ValueRefused(operation string) *Error {
	return clientError(expressionValue, ident("operation", operation))
}

// CheckOff refuses a row that fails a CHECK which the session has turned off.
func CheckOff(check string) *Error {
	return clientError(checkOff, ident("check", check))
}

// LayerAdvised is the note of a statement that a layer would serve which its column may have
// and has not; layer is the layer's word.
func LayerAdvised(column, layer string) *Error {
	return clientError(layerAdvised, ident("column", column), ident("layer", layer))
}

// ZoneUnknown is the answer to a statement that stores, compares or returns a
// TIMESTAMP in a session whose time zone tunic does not know; zone is its name.
func ZoneUnknown(zone string) *Error { return clientError(sessionZone, ident("zone", zone)) }

// LocalRows is the answer to a statement that reads more rows than tunic may to
// finish it; what says why, such as "as shop.t.c has no order layer".
func LocalRows(limit int64, what string) *Error {
	return clientError(localRows, number("limit", limit), ident("what", what))
}

// LocalBytes is the same for memory, in bytes.
func LocalBytes(limit int64, what string) *Error {
	return clientError(localBytes, number("limit", limit), ident("what", what))
}

// LocalTotal is the same for the memory of all statements together, in bytes.
func LocalTotal(limit int64, what string) *Error {
	return clientError(localTotal, number("limit", limit), ident("what", what))
}

// LocalCombinations is the same for combinations of rows that are looked at to join
// them, or to compute subqueries for them.
func LocalCombinations(limit int64, what string) *Error {
	return clientError(localCombinations, number("limit", limit), ident("what", what))
}

// UnknownCommand is the answer to a command byte no version of the protocol
// that tunic knows gives a meaning.
func UnknownCommand(command byte) *Error {
	return clientError(protocolUnknownCommand, hexByte("byte", command))
}

// PacketTooLarge is the answer to a message longer than the limit, in bytes.
func PacketTooLarge(limit int64) *Error {
	return clientError(protocolPacketTooLarge, number("limit", limit))
}

// Malformed is the answer to a packet of a client that cannot be decoded; what
// names the message or field.
func Malformed(what fact) *Error { return clientError(protocolMalformed, constant("what", what)) }

// OutOfOrder is the answer to a packet with a wrong sequence number.
func OutOfOrder() *Error { return clientError(protocolOutOfOrder) }

// NoStatement is the answer to a prepared statement number that the session
// does not hold; command names the command, such as "COM_STMT_EXECUTE".
func NoStatement(id uint32, command string) *Error {
	return clientError(protocolNoStatement, number("id", id), ident("command", command))
}

// CommandRefused is the answer to a command that is known and not supported,
// such as "COM_BINLOG_DUMP".
func CommandRefused(command string) *Error {
	return clientError(protocolRefused, ident("command", command))
}

// BadHandshake is the answer to a login packet that cannot be used.
func BadHandshake(what fact) *Error {
	return clientError(protocolHandshake, constant("what", what))
}

// NoProxyHeader refuses a connection of a balancer that does not say where the client is.
func NoProxyHeader() *Error { return clientError(protocolProxy) }

// TooManyConnections greets a client beyond the limit.
func TooManyConnections(limit int) *Error {
	return clientError(limitConnections, number("limit", limit))
}

// MemoryTaken refuses what would take more memory than is left for statements, of which
// there are so many bytes in all.
func MemoryTaken(bytes int64) *Error {
	return clientError(limitMemory, number("bytes", bytes))
}

// TooManyLogins turns a client away that has found no place to log in.
func TooManyLogins() *Error { return clientError(limitLogins) }

// HandshakeTimeout ends a connection that did not log in in time.
func HandshakeTimeout(after time.Duration) *Error {
	return clientError(limitHandshake, span("time", after))
}

// IdleTimeout ends a session that sent nothing for so long.
func IdleTimeout(after time.Duration) *Error {
	return clientError(limitIdle, span("time", after))
}

// TooManyPrepared is the answer to COM_STMT_PREPARE beyond the session's limit.
func TooManyPrepared(limit int) *Error {
	return clientError(limitPrepared, number("limit", limit))
}

// ShuttingDown refuses a client, or ends a session, while tunic drains.
func ShuttingDown() *Error { return clientError(limitDrain) }

// ServerLost ends a login whose server connection broke.
func ServerLost() *Error { return clientError(backendLost) }

// ServerUnreachable greets a client when the server cannot be dialled; network
// is "unix" or "tcp", as net.Dial takes it.
func ServerUnreachable(network string) *Error {
	if network == "unix" {
		return clientError(backendSocket)
	}
	return clientError(backendUnreachable)
}

// ServerMalformed ends a session whose server sent what tunic cannot decode.
func ServerMalformed(what fact) *Error {
	return clientError(backendMalformed, constant("what", what))
}

// LedgerLost is the answer to a statement on a protected table while the ledger
// cannot be used.
func LedgerLost() *Error { return clientError(backendLedger) }

// TableUnlisted is the answer to a statement on a table that has the marks of a protected one, and
// that the ledger does not know.
func TableUnlisted(table string) *Error { return clientError(backendUnlisted, ident("table", table)) }

// ServerTLS ends a login whose server connection cannot be encrypted.
func ServerTLS() *Error { return clientError(backendTLS) }

// PluginNotRelayed ends a login by a plugin that cannot be relayed. The name
// is the server's.
func PluginNotRelayed(plugin string) *Error {
	return clientError(loginPlugin, ident("plugin", plugin))
}

// PluginNeedsTLS ends a login by a plugin that would send the password in the
// clear.
func PluginNeedsTLS(plugin string) *Error {
	return clientError(loginPluginTLS, ident("plugin", plugin))
}

// TLSRequired ends a login without TLS when tunic demands it.
func TLSRequired() *Error { return clientError(loginTLSRequired) }

// AccountRefused ends a login by an account that the operator of tunic has not listed.
func AccountRefused() *Error { return clientError(loginAccount) }

// AccountPlain refuses protected data to an account that the operator of tunic has not listed.
func AccountPlain() *Error { return clientError(loginPlain) }

// AccountChanged ends a session whose account may do less by the rules there are now.
func AccountChanged() *Error { return clientError(loginChanged) }

// SocketAccount ends a login over the server's Unix socket by an account that
// the operating system's word may have let in.
func SocketAccount() *Error { return clientError(loginSocket) }

// NotAuthentic ends a result with a stored value that does not open; column is
// where it was, such as "shop.patient.name".
func NotAuthentic(column string) *Error { return clientError(dataAlien, ident("column", column)) }

// NoKey is the answer to a statement over a table with a column that this tunic has
// no key for, or cannot read.
func NoKey() *Error { return clientError(dataKey) }

// OrdersOtherwise is the answer to a statement on a table with a column whose
// collation the server has otherwise than tunic.
func OrdersOtherwise() *Error { return clientError(dataOrder) }

// TokenMoved ends a result with a row that was found by a token, or has one in its key, that is not of its value; column is
// where it was, such as "shop.patient.name".
func TokenMoved(column string) *Error { return clientError(dataMoved, ident("column", column)) }

// NotDescribed is the answer to a statement whose columns the server does not
// describe.
func NotDescribed() *Error { return clientError(dataColumns) }
