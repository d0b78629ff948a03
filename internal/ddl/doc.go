// Package ddl makes, changes and drops protected tables.
//
// A definition that an application sends is logical. What the server is to hold
// is another one, and what the catalog is to say of the table comes from a third
// place, the server itself:
//
//		the application's    ──► twin ──► the server's account ──► catalog.Table ─┐
//		statement                         of the twin                             ├─► ledger
//		                                                     ──► stored statement ┘
//
//	  - [Definer.Do] decides each column by policy. If none is protected the
//	    statement is the server's business, and is forwarded as it came.
//	  - The twin is the table as the application means it, empty, in tunic's own
//	    schema, under the service account. What could give something away
//	    stands in it by proxy: labels are replaced by others as long, defaults by
//	    neutral ones, comments by a letter.
//	  - What the server then says of the twin (package service) is the logical
//	    definition: implied lengths, character sets, names of keys, and every error
//	    in it. What stood by proxy is put back into its text (package definition).
//	  - From the same account the stored definition is made: plain
//	    columns stay word for word what the server said, protected ones become a
//	    sealed form and its layers (package form), keys move to the layers.
//	  - The stored statement runs on the client's own connection, so that the
//	    client's privileges decide, between the announcement and the settlement of
//	    the ledger.
//
// A change (ALTER TABLE) goes the same way: a copy of the twin is changed first,
// and the stored table is then brought from what it is to what it is to be
// (package alteration, which also says what a change needs of each row). That is nothing
// while the table has none, which is looked at under a lock. Where it has some, package
// layers backfills them: beside clients, in a revision of its own, for what is added (backfill.go),
// or under the lock, for a type that changes (reseal.go).
//
// What tunic does to a table by itself, for a job, for a command or after a kill, is in packages of
// its own: upkeep, layering and decryption. They go by the revisions of package revision,
// in definitions that do not keep clients waiting (package turn). Encryption is here (adopt.go), as what
// a table is to be is asked of a twin.
//
// A statement on its way is a work. Its file says what is done: create.go and define.go, alter.go and
// bring.go, drop.go, rename.go, the files view*.go. What does not need all of a work has less:
// a [Client] alone to ask as a plain server would be asked (plainServer), how long a session waits
// (patience), a change as statements (rewriting), the columns of a query (derivation).
//
// This package decides when something is done, and by whom, and what is left if somebody is
// killed meanwhile: it has the ledger, the service account and the client's connection. What
// is computed, from texts and tables to texts and tables, is in packages of its own below it,
// which know of none of the three: account, form, definition, alteration, revision, viewtext
// and examination.
package ddl
