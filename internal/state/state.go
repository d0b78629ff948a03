package state

import (
	"strings"

	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/wire"
)

// State is what the client has set that changes what its statements mean or touch.
type State struct {
	now     sql.Modes
	login   sql.Modes // as they were after the login
	current string    // schema

	// What decides how values in statements are taken, and which table a name
	// means, is kept for statements on protected tables; those on plain tables
	// leave both to the server.
	//
	// variables are the session variables that the client has set, by name: the
	// time zone, the collations, the clock that stands still, the digits of a
	// division. temporary are the tables whose names may be those of temporary
	// tables, as they were written: which of them are alike is the server's rule.
	variables map[string]variable
	temporary map[sql.TableName]struct{}

	// stale says that a variable that is not among these may have another value
	// than after the login, and that there may be other temporary tables. unknown
	// says what nothing has told since of how statements are read.
	stale   bool
	unknown Part
	// doubtful says that what values mean may be otherwise than the server has told
	// last.
	doubtful bool
	// locked says that LOCK TABLES holds tables, frozen that FLUSH TABLES WITH READ LOCK
	// does. They may say so when UNLOCK TABLES was somewhere that nobody has read; held
	// are those that are held for sure.
	locked, frozen bool
	held           held
	// uncommitted says that the client may have set READ UNCOMMITTED for the session, or for a transaction.
	uncommitted bool
}

// Part is a part of what decides how statements are read.
type Part uint8

// Parts.
const (
	PartSQLMode Part = 1 << iota
	PartCharset
	PartSchema
	AllParts = PartSQLMode | PartCharset | PartSchema
)

// variable is a session variable as the client has set it.
type variable struct {
	value string
	known bool // false: the value is an expression that only the server has evaluated
}

// valueBytesMax is the longest value of a variable that is kept. No mode or
// character set is longer.
const valueBytesMax = 1 << 10

// namesMax bounds each of the sets of names a client can make tunic keep. A
// session beyond it is stale.
const namesMax = 4096

// Modes are how statements are read.
func (st *State) Modes() sql.Modes { return st.now }

// AtLogin is how they were read after the login.
func (st *State) AtLogin() sql.Modes { return st.login }

// Schema is the current one.
func (st *State) Schema() string { return st.current }

// IsUnknown reports whether nothing has told how statements are read, or not all of it.
func (st *State) IsUnknown() bool { return st.unknown != 0 }

// Missing is what nothing has told of that.
func (st *State) Missing() Part { return st.unknown }

// IsDoubtful reports whether what values mean may be otherwise than the server has told last.
func (st *State) IsDoubtful() bool { return st.doubtful }

// Doubt makes it doubtful.
func (st *State) Doubt() { st.doubtful = true }

// Trust is when the server is to be asked before it matters.
func (st *State) Trust() { st.doubtful = false }

// Told takes over how the server reads statements when it has told what values mean.
func (st *State) Told(modes sql.Modes) { st.doubtful, st.now = false, modes }

// Variable is a variable of the session as the client has set it; known is false if its value is an expression
// that only the server has evaluated, set if the client has not set it.
func (st *State) Variable(name string) (value string, known, set bool) {
	v, set := st.variables[name]
	return v.value, v.known, set
}

// Begin is the state after a login. What the client has asked for is only likely
// then: the sql_mode is the server's own, its init_connect may have changed it
// all, and it may not go by the client's character set
// (character-set-client-handshake).
func (st *State) Begin(schema string, collation uint16, serverVersion string) {
	modes := sql.Modes(0).WithServer(serverVersion).WithCharset(charsetOf(collation))
	*st = State{now: modes, login: modes, current: schema, unknown: AllParts, doubtful: true}
}

// Reset is the state after COM_RESET_CONNECTION: as after the login, but that
// the schema stays.
func (st *State) Reset() {
	*st = State{now: st.login, login: st.login, current: st.current, unknown: AllParts, doubtful: true}
}

// Forget is the state after something that tells nothing of it.
func (st *State) Forget() {
	clear(st.variables)
	st.stale, st.unknown, st.doubtful = true, AllParts, true
	st.held = held{}
}

// Learn takes over what the server says when it is asked.
func (st *State) Learn(sqlMode, charset, schema string) {
	st.now = st.now.WithSQLMode(sqlMode).WithCharset(charset)
	st.current = schema
	st.unknown = 0
}

// Status takes over the flags of an answer, which tell the truth about one part
// of sql_mode and, if it is not what was known, that the rest is not known.
func (st *State) Status(flags wire.Status) {
	if flags&wire.StatusDatabaseDropped != 0 {
		st.unknown |= PartSchema
	}
	told := flags&wire.StatusNoBackslashEscapes != 0
	if told == (st.now&sql.NoBackslashEscapes != 0) {
		return
	}
	st.now ^= sql.NoBackslashEscapes
	st.doubtful = true
	st.unknown |= PartSQLMode
}

// Observe takes over what the server tells of the session. It tells the truth
// about everything it mentions.
func (st *State) Observe(changes []byte) error {
	return wire.SessionChanges(changes, func(c wire.Change) {
		switch c.Kind {
		case wire.ChangeSchema:
			st.Chosen(string(c.Value))
		case wire.ChangeVariable:
			st.set(string(c.Name), variable{value: string(c.Value), known: true})
		default:
		}
	})
}

// Apply takes over the effects of the statements of a plan that have succeeded.
// A server that answers to more statements than were read has run something that
// nobody has read.
func (st *State) Apply(p *plan.Plan, succeeded int, failed bool) {
	if succeeded > len(p.Statements) || failed && succeeded == len(p.Statements) {
		st.Forget()
		return
	}
	if p.Quiet {
		return
	}
	for i := range p.Statements[:succeeded] {
		st.effects(p.Statements[i].Kind, &p.Statements[i].Effects)
		if p.Statements[i].Effects.Stale && i+1 < len(p.Statements) {
			return // it may have had several results: nobody can tell whose the rest are
		}
	}
	if failed {
		st.failed(p.Statements[succeeded].Kind, &p.Statements[succeeded].Effects)
	}
}

// failed is after a statement that has failed: it may have done a part of what it
// does.
func (st *State) failed(kind sql.Kind, e *sql.Effects) {
	if e.Stale {
		st.Forget()
	}
	if e.Charset != (sql.CharsetChange{}) {
		st.charset(sql.CharsetChange{})
	}
	for _, a := range e.Assignments {
		a.Known = false
		st.isolates(a)
		if a.Scope == sql.ScopeSession {
			st.set(a.Name, variable{})
		}
	}
	if e.Schema != "" {
		st.unknown |= PartSchema
	}
	if e.Tx&(sql.TxLockTables|sql.TxUnlockTables|sql.TxBegin) != 0 {
		st.held = held{}
	}
	st.renames(kind)
}

func (st *State) effects(kind sql.Kind, e *sql.Effects) {
	if e.Stale {
		st.Forget()
	}
	if e.Schema != "" {
		st.Chosen(e.Schema)
	}
	if e.Charset != (sql.CharsetChange{}) {
		st.charset(e.Charset)
	}
	for _, a := range e.Assignments {
		st.isolates(a)
		if a.Scope == sql.ScopeSession {
			st.set(a.Name, variable{value: a.Value, known: a.Known})
		}
	}
	if kind == sql.DropDatabase {
		st.unknown |= PartSchema // it may have been the current one
	}
	st.locking(kind, e.Tx)
	st.tables(e)
	st.renames(kind)
}

// isolates follows the isolation level. One that is set for a transaction counts for the session: nobody follows which one it is.
func (st *State) isolates(a sql.Assignment) {
	if a.Scope == sql.ScopeGlobal || a.Name != "transaction_isolation" && a.Name != "tx_isolation" {
		return
	}
	switch {
	case !a.Known || strings.EqualFold(a.Value, "READ-UNCOMMITTED"):
		st.uncommitted = true
	case a.Scope == sql.ScopeSession:
		st.uncommitted = false
	}
}

// MayReadUncommitted reports whether the client may have set READ UNCOMMITTED. What the session has begun with, the server tells.
func (st *State) MayReadUncommitted() bool { return st.uncommitted }

// locking follows what LOCK TABLES and FLUSH TABLES WITH READ LOCK hold. MariaDB can
// prepare LOCK TABLES.
func (st *State) locking(kind sql.Kind, tx sql.Tx) {
	switch {
	case tx.Has(sql.TxLockTables), kind == sql.Execute && st.now&sql.MariaDB != 0, kind == sql.ExecuteImmediate:
		st.locked, st.held.tables = true, nil
	case tx.Has(sql.TxLockAll):
		st.frozen = true
	case tx.Has(sql.TxUnlockTables):
		st.Unlocked()
	case tx.Has(sql.TxBegin):
		st.locked, st.held.tables = false, nil
	}
}

// Unlocked is after UNLOCK TABLES.
func (st *State) Unlocked() { st.locked, st.frozen, st.held = false, false, held{} }

// Chosen takes over the current schema.
func (st *State) Chosen(schema string) {
	st.current = schema
	st.unknown &^= PartSchema
}

// tables follows temporary tables.
func (st *State) tables(e *sql.Effects) {
	for _, t := range e.TemporaryCreated {
		st.temporary = remember(st, st.temporary, st.qualified(t))
	}
	for _, t := range e.TemporaryDropped {
		st.dropped(t)
	}
	for _, t := range e.MaybeDropped {
		st.dropped(t)
	}
}

// dropped leaves a table out, if it is sure which one that is.
func (st *State) dropped(t sql.TableName) {
	if t.Schema != "" || st.unknown&PartSchema == 0 {
		delete(st.temporary, st.qualified(t))
	}
}

// renames is after a statement that gives tables other names, which is not
// followed: a temporary one may have one that is not among those that are kept.
func (st *State) renames(kind sql.Kind) {
	if (kind == sql.AlterTable || kind == sql.RenameTable) && len(st.temporary) > 0 {
		st.stale = true
	}
}

func (st *State) qualified(t sql.TableName) sql.TableName {
	if t.Schema == "" {
		t.Schema = st.current
		st.stale = st.stale || st.unknown&PartSchema != 0
	}
	return t
}

// charset follows SET NAMES and SET CHARACTER SET. Of the zero change nothing is
// known.
func (st *State) charset(c sql.CharsetChange) {
	set := variable{value: c.Charset, known: c.Charset != "" && c.Charset != "default"}
	st.set("character_set_client", set)
	st.set("character_set_results", set)
	if !c.Names {
		set.known = false // the schema's, which is the server's to know
	}
	st.keep("character_set_connection", set)
	st.keep("collation_connection", variable{value: c.Collation, known: c.Collation != "" && c.Collation != "default"})
}

// set takes over a session variable and what follows from it.
func (st *State) set(name string, v variable) {
	if len(v.value) > valueBytesMax {
		v = variable{}
	}
	st.keep(name, v)
	switch name {
	case "sql_mode":
		st.now, st.unknown = st.follow(PartSQLMode, v.known, st.now.WithSQLMode(v.value))
	case "character_set_client":
		st.now, st.unknown = st.follow(PartCharset, v.known, st.now.WithCharset(v.value))
	case "character_set_connection":
		st.keep("collation_connection", variable{}) // each sets the other
	case "collation_connection":
		st.keep("character_set_connection", variable{})
	}
}

// keep remembers a variable, if there is room for one more.
func (st *State) keep(name string, v variable) {
	st.doubtful = st.doubtful || changesValues(name)
	if _, there := st.variables[name]; len(name) > valueBytesMax || !there && len(st.variables) >= namesMax {
		st.stale = true
		return
	}
	if st.variables == nil {
		st.variables = make(map[string]variable)
	}
	if !v.known {
		v.value = ""
	}
	st.variables[name] = v
}

// changesValues reports whether a variable of the session decides what values mean
// or in which form they are sent; one whose name is too long is none of the
// server's.
func changesValues(name string) bool {
	switch name {
	case "sql_mode", "time_zone", "timestamp", "max_error_count", "max_allowed_packet", "sql_safe_updates", "sql_notes", "sql_auto_is_null", "old_mode",
		"div_precision_increment", "group_concat_max_len", "default_week_format",
		"block_encryption_mode", "default_regex_flags", "cte_max_recursion_depth", "max_recursive_iterations",
		"lc_time_names", "sql_select_limit", "sql_big_selects", "max_join_size", "max_execution_time", "check_constraint_checks":
		return true
	}
	return strings.HasPrefix(name, "character_set_") || strings.HasPrefix(name, "collation_")
}

// follow returns modes and what is unknown of them once a part has been set.
func (st *State) follow(p Part, known bool, modes sql.Modes) (sql.Modes, Part) {
	if !known {
		return st.now, st.unknown | p
	}
	return modes, st.unknown &^ p
}

// remember adds a name to one of the sets.
func remember[K comparable](st *State, set map[K]struct{}, name K) map[K]struct{} {
	if set == nil {
		set = make(map[K]struct{})
	}
	if len(set) >= namesMax {
		st.stale = true
		return set
	}
	set[name] = struct{}{}
	return set
}
