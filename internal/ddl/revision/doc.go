// Package revision says what the next revision of a protected table is, and by which clauses of ALTER TABLE the
// stored table comes to it, where no statement of a client says so but a step of tunic's own: columns that are
// backfilled, layers that come and go, shadow columns that take the places of plain ones, plain forms that take the
// places of sealed ones, shadow layers that take the places of layers.
//
// Each step is a function from the catalog's table, and perhaps from what the server shows of the stored one, to the
// table to come and the text that leads there. What can be seen in both is not done again, so that whoever takes over
// a step after a kill asks the same function, and gets the clauses that are still missing. Every statement that ends
// a revision ends with the fence and the mark of the next one ([Alter]): from then on the server refuses what was
// planned for the one before.
//
// When a statement may run, and who waits for it, is no question of this package: it has no server and no ledger
// but the text of the mark.
package revision
