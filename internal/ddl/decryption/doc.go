// Package decryption makes protected tables plain ones, while clients use them: the work of `tunic decrypt`.
//
// A protected table comes to be a plain one in steps, each of which looks at what is there and
// does what is missing, so that whoever goes on after a kill begins with the first of them:
//
//	Solidify      MariaDB only: the fence, and what stands for columns of families, become columns that
//	              are not computed, beside which the server moves others without copying the table
//	Bare          each protected column gets a plain form (catalog.PlainForm), which everything
//	              writes that writes the column, and nobody reads
//	Backfill      rows from before get theirs, and all rows are looked at
//	Shape         the plain forms get their place and NOT NULL, in place; keys over them are made
//	Swap          one statement gives the plain forms the names of the columns, and these others:
//	              from now on they are read. The catalog has the table as one of plain columns
//	Purge         what was stored of the protected columns is dropped
//	Leave         one statement takes fence and mark: the table is nobody's but the server's
//
// None of them copies the table under a lock, and none keeps clients waiting behind a
// definition for longer than it takes (package turn).
package decryption
