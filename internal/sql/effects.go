package sql

import (
	"slices"
)

// Effects are what a statement does to its session beside its answer, if it
// succeeds. They are what the text says; a stored function or a trigger that
// it sets off can do more, which only the server's session tracking tells. Of
// each list the first thousand are here; if there are more, Stale is set.
type Effects struct {
	Tx Tx

	// Locks is what it does to user locks; a program of the server's may do so unseen.
	Locks Locks

	// Schema is the schema that USE names; "" otherwise.
	Schema string

	// Charset is what SET NAMES and SET CHARACTER SET ask for.
	Charset CharsetChange

	// Assignments are the variables of the server's that SET assigns, in order.
	Assignments []Assignment

	// UserVariables are the user variables that may have been assigned, without
	// their @ and in lower case.
	UserVariables []string

	// Prepared names the statement of PREPARE, EXECUTE or DEALLOCATE PREPARE,
	// as written; the statement's kind says which.
	Prepared string

	// Savepoint is the name of SAVEPOINT, ROLLBACK TO and RELEASE SAVEPOINT, as
	// written; "" if it cannot be read.
	Savepoint string

	// TemporaryCreated and TemporaryDropped are the temporary tables that CREATE
	// TEMPORARY TABLE and DROP TEMPORARY TABLE name. DROP TABLE drops temporary
	// tables as well; it names them in MaybeDropped.
	TemporaryCreated, TemporaryDropped, MaybeDropped []TableName

	// Stale says that any part of the session's state may have changed: CALL,
	// EXECUTE, a compound statement, a statement that is not known.
	Stale bool
}

// Quiet says that there are none.
func (e *Effects) Quiet() bool {
	return e.Tx == 0 && e.Locks == 0 && !e.Stale && e.Schema == "" && e.Prepared == "" && e.Charset == CharsetChange{} &&
		len(e.Assignments)+len(e.UserVariables)+len(e.TemporaryCreated)+len(e.TemporaryDropped)+len(e.MaybeDropped) == 0
}

// Modes are the modes after the statement in a session that was in modes m;
// known is false if only the server knows them. A statement that changes modes
// changes how texts after it are read, and the rest of its own text.
func (e *Effects) Modes(m Modes) (after Modes, known bool) {
	if e.Stale {
		return m, false
	}
	if e.Charset.Charset != "" {
		if e.Charset.Charset == "default" {
			return m, false
		}
		m = m.WithCharset(e.Charset.Charset)
	}
	for _, a := range e.Assignments {
		if a.Scope != ScopeSession || !a.readsText() {
			continue
		}
		switch {
		case !a.Known:
			return m, false
		case a.Name == "sql_mode":
			m = m.WithSQLMode(a.Value)
		default:
			m = m.WithCharset(a.Value)
		}
	}
	return m, true
}

// readsText says that the variable is one that decides how text is read.
func (a *Assignment) readsText() bool {
	return a.Name == "sql_mode" || a.Name == "character_set_client"
}

// ChangesModes says that the modes after the statement may be others than
// before.
func (e *Effects) ChangesModes() bool {
	if e.Stale || e.Charset != (CharsetChange{}) {
		return true
	}
	return slices.ContainsFunc(e.Assignments, func(a Assignment) bool { return a.readsText() })
}

// TextCommit ends a transaction, whatever completion_type is.
const TextCommit = "COMMIT AND NO CHAIN NO RELEASE"

// Tx is what a statement does to the session's transaction.
type Tx uint16

// The parts of a [Tx].
const (
	TxBegin           Tx = 1 << iota // a transaction begins (BEGIN, START TRANSACTION, XA START)
	TxCommit                         // the transaction is committed
	TxRollback                       // the transaction is rolled back, all of it
	TxChain                          // another one begins at once, with the same characteristics
	TxRelease                        // the server closes the session after it
	TxImplicitCommit                 // the server commits whatever is open before it runs the statement
	TxSavepoint                      // SAVEPOINT, ROLLBACK TO, RELEASE SAVEPOINT
	TxXA                             // by XA: begins, commits and rolls back in two phases
	TxCharacteristics                // SET TRANSACTION: of the next transaction, or of the session's
	TxLockTables                     // LOCK TABLES, and FLUSH TABLES of some WITH READ LOCK or FOR EXPORT
	TxUnlockTables                   // UNLOCK TABLES: commits if tables were locked
	TxLockAll                        // FLUSH TABLES WITH READ LOCK
	TxSnapshot                       // the transaction that begins sees rows as they are at once: WITH CONSISTENT SNAPSHOT
	TxXAPrepare                      // XA PREPARE: the transaction waits for its second phase
)

// Locks is what a statement does to the locks that have names.
type Locks uint8

// The values of Locks. Where a statement does several of it, the first counts.
const (
	LocksNothing    Locks = iota
	LocksGet              // GET_LOCK
	LocksRelease          // RELEASE_LOCK
	LocksReleaseAll       // RELEASE_ALL_LOCKS
)

// Has says whether t has all of part.
func (t Tx) Has(part Tx) bool { return t&part == part }

// CharsetChange is a SET NAMES or SET CHARACTER SET. The zero value is none.
type CharsetChange struct {
	// Names says that it is SET NAMES, which sets the connection's character set
	// as well; SET CHARACTER SET sets that to the schema's.
	Names bool
	// Charset is in lower case; "default" is the server's.
	Charset, Collation string
}

// Scope is the scope of a variable in SET.
type Scope uint8

// The scopes of a variable. An assignment without one is to the session,
// except SET TRANSACTION's, which is of the next transaction only.
const (
	ScopeSession Scope = iota
	ScopeGlobal
	ScopePersist
	ScopePersistOnly
	ScopeStatement // SET STATEMENT: until the end of the statement
	ScopeNext      // the next transaction only
)

// Assignment is one variable that SET assigns.
type Assignment struct {
	Scope Scope
	Name  string // in lower case, without @@ and scope
	Value string // if Known: of the literal or the word; a string without its quotes
	// Known says that the value is a literal or a word (ON, utf8mb4), and not
	// what only the server can tell: an expression, DEFAULT, the number of a
	// character set or of a set of modes.
	Known bool
}
