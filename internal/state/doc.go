// Package state follows what a client has set in its session that changes what its statements mean or touch: the
// sql_mode, the character set, the current schema, variables, temporary tables, tables that are locked.
//
// It is tracked from three sources:
//
//	the status flags of every answer ─────────────────────────┐
//	the session tracking of servers whose clients ask for it ─┼─► State ──► Modes, Schema, Variable, Locks, …
//	the statements themselves, by the effects in their plans ─┘
//
// What none of them tells exactly (an expression in a SET, a procedure) is marked as not known; nothing is
// guessed. Missing says what is not known of how statements are read, IsDoubtful that values may mean otherwise
// than the server has told last. To ask the server is for others, and so is to refuse: a State has no
// connection, and gives no error but for bytes that do not follow the protocol.
//
// What a client makes up is bounded: beyond it the state knows that it has lost track.
package state
