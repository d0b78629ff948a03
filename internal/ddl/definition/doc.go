// Package definition reads what an application defines, and says what the server and the catalog get of it.
//
//		CREATE TABLE ──► Definition ──► Twin ──► (the server's account of it) ──► Logical ──► stored definition
//
//	  - A [Definition] is the statement with a decision about each column, which a [Decider] makes by policy, by
//	    annotations and by what foreign keys connect. What of it cannot be had with protected columns is refused here,
//	    before any server has seen it.
//	  - A [Twin] is the text of the empty table that the server is shown instead: labels stand by proxy, defaults are
//	    neutral, comments are hidden. It remembers what stood in their places.
//	  - The server's account of the twin ([Facts]) has what no parser can know: implied lengths, character sets, names of
//	    keys, errors. Read by the twin it becomes a [Logical] table: the catalog's table, and the account with
//	    everything put back.
//	  - The logical table is given layers for its keys, domains for its foreign keys and epochs for what is new, and
//	    then says how it is stored.
//
// A foreign key ties columns of several tables, so that a definition also depends on the catalog; what else it depends
// on is in [Surroundings]. All of this is computed: who asks the server, and when, is package ddl's.
package definition
