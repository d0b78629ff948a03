package sql

import (
	"slices"
	"strings"
)

// effects reads what the statement of kind k at c does to its session.
func effects(k Kind, c cursor) Effects {
	e := Effects{Stale: kinds[k].flags&stale != 0}
	if kinds[k].flags&commits != 0 {
		e.Tx = TxImplicitCommit
	}
	first := c
	first.next()
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
		e.Schema, _ = first.name()
	case Prepare, Execute:
		e.Prepared, _ = first.name()
	case Deallocate:
		first.accept("PREPARE")
		e.Prepared, _ = first.name()
	case CreateTable:
		e.createTable(first)
	case DropTable:
		e.dropTable(first)
	}
	e.variables(c, k)
	return e
}

// txOf is what a statement about transactions does.
func txOf(k Kind, c cursor) Tx {
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
func phase(c cursor) Tx {
	if c.is("PREPARE") {
		return TxXAPrepare
	}
	return 0
}

// snapshot reads what follows BEGIN and START: WITH CONSISTENT SNAPSHOT among other words. A
// TiDB's transaction sees rows as they are when it begins, whatever it says.
func snapshot(c cursor) Tx {
	at := c.lx.modes&TiDB != 0
	for ; !c.ended() && c.t != tokenSemi; c.next() {
		at = at || c.is("CONSISTENT")
	}
	if at {
		return TxSnapshot
	}
	return 0
}

// savepoint is the name in SAVEPOINT s, ROLLBACK [WORK] TO [SAVEPOINT] s and RELEASE
// SAVEPOINT s. A name may be one of these words: nothing follows it.
func savepoint(c cursor) string {
	name, _ := c.name()
	for next, ok := c.name(); ok; next, ok = c.name() {
		name = next
	}
	return name
}

// completion reads [WORK] [AND [NO] CHAIN] [[NO] RELEASE].
func completion(c cursor) Tx {
	var t Tx
	c.accept("WORK")
	if c.accept("AND") && !c.accept("NO") {
		t |= TxChain
	}
	c.accept("CHAIN")
	if c.is("RELEASE") {
		t |= TxRelease
	}
	return t
}

// flush notes what FLUSH TABLES locks.
func (e *Effects) flush(c cursor) {
	var l TableLocks
	switch {
	case !l.flush(&c):
	case l.All:
		e.Tx |= TxLockAll
	default:
		e.Tx |= TxLockTables
	}
}

// createTable notes the table that CREATE [OR REPLACE] TEMPORARY TABLE makes.
func (e *Effects) createTable(c cursor) {
	c.accepts("OR", "REPLACE")
	if !c.accept("TEMPORARY") {
		return
	}
	e.Tx &^= TxImplicitCommit
	c.accept("TABLE")
	c.accepts("IF", "NOT", "EXISTS")
	if t, ok := c.tableName(); ok {
		e.TemporaryCreated = append(e.TemporaryCreated, t)
	}
}

// dropTable notes the tables that DROP [TEMPORARY] TABLE removes.
func (e *Effects) dropTable(c cursor) {
	names := &e.MaybeDropped
	if c.accept("TEMPORARY") {
		names = &e.TemporaryDropped
		e.Tx &^= TxImplicitCommit
	}
	c.accept("TABLE", "TABLES")
	c.accepts("IF", "EXISTS")
	for {
		t, ok := c.tableName()
		if !ok || e.full(len(*names)) {
			return
		}
		*names = append(*names, t)
		if c.t != tokenComma {
			return
		}
		c.next()
	}
}

// variables notes the user variables that the statement may assign: before :=,
// in the list after INTO, in GET DIAGNOSTICS before =, and in LOAD DATA, whose
// columns may be variables, anywhere.
func (e *Effects) variables(c cursor, k Kind) {
	into := k == LoadData || k == LoadXML
	list := false // in the list after INTO
	for !c.ended() {
		if c.t != tokenVar {
			list = c.is("INTO") || (list && c.t == tokenComma)
			e.userLock(&c)
			c.next()
			continue
		}
		name := variableName(&c)
		c.next()
		if into || list || c.t == tokenAssign || (k == GetDiagnostics && c.op('=')) {
			e.userVariable(name)
		}
	}
}

// userLock notes a function of user locks.
func (e *Effects) userLock(c *cursor) {
	if e.Locks != LocksNothing || c.t != tokenWord {
		return
	}
	switch text := c.text(); {
	case is(text, "GET_LOCK"):
		e.Locks = LocksGet
	case is(text, "RELEASE_LOCK"):
		e.Locks = LocksRelease
	case is(text, "RELEASE_ALL_LOCKS"):
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
func variableName(c *cursor) string {
	text := c.text()[1:]
	if len(text) == 0 {
		return ""
	}
	switch q := text[0]; q {
	case '`':
		text = unquote(text[1:len(text)-1], q, false, c.lx.cs)
	case '\'', '"':
		escapes := c.escapes() && (q == '\'' || c.lx.modes&ANSIQuotes == 0)
		text = unquote(text[1:len(text)-1], q, escapes, c.lx.cs)
	}
	return strings.ToLower(string(text))
}
