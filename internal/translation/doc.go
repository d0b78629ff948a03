// Package translation says what the errors and warnings of a server mean that are about a stored statement.
//
//	server: Column 'name$eq' cannot be null ── Message ──► Column 'name' cannot be null
//	server: Unknown column 't.t$7' ── MayBeStale, MayBeDenied ──► planned again, and nobody is told
//
// In the words of a server are the names of stored columns, of twins and of fences, and stored forms: a token in the
// message of a duplicate, a sealed form near a syntax error. A client reads the names of the logical table, and no
// byte of a form. Where it has sent the values itself, a [Translator] shows them in the place of their tokens, and names
// the CHECK of the logical table that a row fails.
//
// An error of a name that is not there says rather that the statement is of another time: its tables
// have another definition by now. Which errors may mean that is known here; what is then done is not.
//
// The package asks no server and keeps no value but those of the message that a client was told last.
package translation
