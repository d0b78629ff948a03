package sql

import (
	"slices"
	"strings"

	"tunic/internal/sql/lex"
)

// effects reads what the statement of kind k at c does to its session.
func effects(k Kind, c lex.Cursor) Effects {
	e := Effects{Stale: kinds[k].flags&stale != 0}
	if kinds[k].flags&commits != 0 {
		e.Tx = TxImplicitCommit
	}
	first := c
	first.Next()
	switch k {
	case Begin, Commit, Rollback, RollbackToSavepoint, Savepoint, ReleaseSavepoint, XA:
		e.Tx |= txOf(k, first)
		if e.Tx.Has(TxSavepoint) {
			e.Savepoint = savepoint(first)
		}
	case LockTables:
		e.Tx |= TxLockTables
	case Flush:
		e.flush(first)
	case UnlockTables:
		e.Tx |= TxUnlockTables
	case Set, SetStatement, SetNames, SetCharacterSet, SetRole, SetDefaultRole, SetPassword:
		e.assignments(first)
	case SetTransaction:
		e.Tx |= TxCharacteristics
		e.transactionAssignments(first)
	case Use:
		e.Schema, _ = first.Name()
	case Prepare, Execute:
		e.Prepared, _ = first.Name()
	case Deallocate:
		first.Accept("PREPARE")
		e.Prepared, _ = first.Name()
	case CreateTable, CreateSequence:
		e.createTable(first)
	case DropTable, DropSequence:
		e.dropTable(first)
	}
	e.variables(c, k)
	return e
}

// txOf is what a statement about transactions does.
func txOf(k Kind, c lex.Cursor) Tx {
	switch k {
	case Begin:
		return TxBegin | snapshot(c)
	case Commit:
		return TxCommit | completion(c)
	case Rollback:
		return TxRollback | completion(c)
	case XA:
		return TxXA | phase(c)
	}
	return TxSavepoint
}

// phase reads the word behind XA.
func phase(c lex.Cursor) Tx {
	if c.Is("PREPARE") {
		return TxXAPrepare
	}
	return 0
}

// snapshot reads what follows BEGIN and START: WITH CONSISTENT SNAPSHOT among other words. A
// TiDB's transaction sees rows as they are when it begins, whatever it says.
func snapshot(c lex.Cursor) Tx {
	at := c.Lexer.Modes&TiDB != 0
	for ; !c.Ended() && c.Token != lex.Semi; c.Next() {
		at = at || c.Is("CONSISTENT")
	}
	if at {
		return TxSnapshot
	}
	return 0
}

// savepoint is the name in SAVEPOINT s, ROLLBACK [WORK] TO [SAVEPOINT] s and RELEASE
// SAVEPOINT s. A name may be one of these words: nothing follows it.
func savepoint(c lex.Cursor) string {
	name, _ := c.Name()
	for next, ok := c.Name(); ok; next, ok = c.Name() {
		name = next
	}
	return name
}

// completion reads [WORK] [AND [NO] CHAIN] [[NO] RELEASE].
func completion(c lex.Cursor) Tx {
	var t Tx
	c.Accept("WORK")
	if c.Accept("AND") && !c.Accept("NO") {
		t |= TxChain
	}
	c.Accept("CHAIN")
	if c.Is("RELEASE") {
		t |= TxRelease
	}
	return t
}

// flush notes what FLUSH TABLES locks.
func (e *Effects) flush(c lex.Cursor) {
	var l TableLocks
	switch {
	case !l.flush(&c):
	case l.All:
		e.Tx |= TxLockAll
	default:
		e.Tx |= TxLockTables
	}
}

// createTable notes the table or sequence that CREATE [OR REPLACE] TEMPORARY makes.
func (e *Effects) createTable(c lex.Cursor) {
	c.Accepts("OR", "REPLACE")
	if !c.Accept("TEMPORARY") {
		return
	}
	e.Tx &^= TxImplicitCommit
	c.Accept("TABLE", "SEQUENCE")
	c.Accepts("IF", "NOT", "EXISTS")
	if t, ok := c.TableName(); ok {
		e.TemporaryCreated = append(e.TemporaryCreated, t)
	}
}

// dropTable notes the tables or sequences that DROP [TEMPORARY] removes.
func (e *Effects) dropTable(c lex.Cursor) {
	names := &e.MaybeDropped
	if c.Accept("TEMPORARY") {
		names = &e.TemporaryDropped
		e.Tx &^= TxImplicitCommit
	}
	c.Accept("TABLE", "TABLES", "SEQUENCE")
	c.Accepts("IF", "EXISTS")
	for {
		t, ok := c.TableName()
		if !ok || e.full(len(*names)) {
			return
		}
		*names = append(*names, t)
		if c.Token != lex.Comma {
			return
		}
		c.Next()
	}
}

// variables notes the user variables that the statement may assign: before :=,
// in the list after INTO, in GET DIAGNOSTICS before =, and in LOAD DATA, whose
// columns may be variables, anywhere.
func (e *Effects) variables(c lex.Cursor, k Kind) {
	into := k == LoadData || k == LoadXML
	list := false // in the list after INTO
	for !c.Ended() {
		if c.Token != lex.Var {
			list = c.Is("INTO") || (list && c.Token == lex.Comma)
			e.userLock(&c)
			c.Next()
			continue
		}
		name := variableName(&c)
		c.Next()
		if into || list || c.Token == lex.Assign || (k == GetDiagnostics && c.Op('=')) {
			e.userVariable(name)
		}
	}
}

// userLock notes a function of user locks.
func (e *Effects) userLock(c *lex.Cursor) {
	if e.Locks != LocksNothing || c.Token != lex.Word {
		return
	}
	switch text := c.Text(); {
	case lex.Is(text, "GET_LOCK"):
		e.Locks = LocksGet
	case lex.Is(text, "RELEASE_LOCK"):
		e.Locks = LocksRelease
	case lex.Is(text, "RELEASE_ALL_LOCKS"):
		e.Locks = LocksReleaseAll
	}
}

// effectsMax bounds each list of effects. A statement with more is possible,
// and so is a session that has to be told that anything may have changed.
const effectsMax = 1000

// full says that a list of n effects takes no more; the rest is not known then.
func (e *Effects) full(n int) bool {
	e.Stale = e.Stale || n >= effectsMax
	return n >= effectsMax
}

func (e *Effects) userVariable(name string) {
	if e.full(len(e.UserVariables)) || slices.Contains(e.UserVariables, name) {
		return
	}
	e.UserVariables = append(e.UserVariables, name)
}

// variableName is the name of the user variable at c, in lower case: their
// case does not matter to the server.
func variableName(c *lex.Cursor) string {
	text := c.Text()[1:]
	if len(text) == 0 {
		return ""
	}
	switch q := text[0]; q {
	case '`':
		text = lex.Unquote(text[1:len(text)-1], q, false, c.Lexer.Charset)
	case '\'', '"':
		escapes := c.Escapes() && (q == '\'' || c.Lexer.Modes&ANSIQuotes == 0)
		text = lex.Unquote(text[1:len(text)-1], q, escapes, c.Lexer.Charset)
	}
	return strings.ToLower(string(text))
}
