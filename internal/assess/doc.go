// Package assess says what would happen if the tables of a schema were encrypted: what the policy
// protects of each, what hinders it, how long it takes and how much room, and which statements that
// the server has been sent would be refused or finished locally.
//
// It looks, and changes nothing: what hinders is found by package migrate, as tunic encrypt does, and
// statements are planned by package plan with a catalog that is assumed, of the tables as they would
// be. Of a statement nothing is kept but its template and one text for each, and no value is told.
package assess
