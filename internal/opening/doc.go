// Package opening opens the rows that a server returns: sealed forms become values again, one row after the other.
//
//	row ── Opener ──► the same row as the server would send it, on its way to the client
//	row ── Fetcher ──► canonical values, for what is computed with them (packages eval and local)
//
// Which columns are sealed the recipe says (recipe.Cell), and which keys they have the binding.Statement; how a
// value is shown depends on the session (environment.Environment): its time zone, the character set of results.
// What is not sealed passes through an Opener as it came; a Fetcher reads it, as it has to have all values of a row
// in one form.
//
// # What is not shown
//
// A value that does not open was not stored by tunic, or was altered: it is never shown, and never NULL. The error
// ends the result, and says which column it is. The same holds for a row that the server has found by a token, or that
// has one in its key, that is not the token of the row's value (binding.Sought): it is another row's, and not an answer to what was asked.
// A time that the clocks of the session's zone show twice is refused where rows are put together by it.
//
// # Memory
//
// Nothing is kept of a row. An Opener writes it into the buffer that goes to the client, where it stays if its bytes
// are those that are sent; a Fetcher's row is good until the next one. Both belong to one session and keep their
// buffers: in steady state a row costs no allocation.
package opening
