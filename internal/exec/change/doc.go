// Package change knows what the rows of a statement become that reads them before it writes them: the second
// half of an UPDATE, DELETE or ON DUPLICATE KEY UPDATE, without the server.
//
//	recipe.Write  ── Of.Ready ──► Write     once a plan: where each column is in the rows, how it is set
//	row as it was ── Computer ──► row as it becomes, or a refusal
//
// A [Computer] sets the columns of a row one after the other, as servers do: to values of the statement, to what
// expressions of the row come to (package eval), or, in an [Upsert], to what the row has that was to be inserted. It
// converts each to its column's type, computes generated columns, gives columns the time of the change, and looks whether
// CHECKs hold. A row that does not change is left alone. What a server would make of a value in another way than
// is known here is refused ([Unstorable]).
//
// Which statements are then sent, in which transaction, and what the client is told is package exec's.
//
// # Memory
//
// A Computer belongs to one session and keeps its buffers, and what it has compiled. A row is good until the next one.
package change
