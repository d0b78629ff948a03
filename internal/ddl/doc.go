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
//	    schema, under the service account (twin.go). What could give something away
//	    stands in it by proxy: labels are replaced by others as long, defaults by
//	    neutral ones, comments by a letter.
//	  - What the server then says of the twin (service.go, show.go) is the logical
//	    definition: implied lengths, character sets, names of keys, and every error
//	    in it. What stood by proxy is put back into its text (logical.go).
//	  - From the same account the stored definition is made (stored.go): plain
//	    columns stay word for word what the server said, protected ones become a
//	    sealed form and its layers, keys move to the layers.
//	  - The stored statement runs on the client's own connection, so that the
//	    client's privileges decide, between the announcement and the settlement of
//	    the ledger.
//
// A change (ALTER TABLE) goes the same way: a copy of the twin is changed first,
// and the stored table is then brought from what it is to what it is to be
// (diff.go). What a change needs of each row (merge.go) is nothing while the table has
// none, which is looked at under a lock. Where it has some, package layers fills them:
// beside clients, in a revision of its own, for what is added (fill.go), or under the
// lock, for a type that changes (reseal.go).
//
// What has no place above is pure and has no I/O: texts in, texts and tables out.
package ddl
