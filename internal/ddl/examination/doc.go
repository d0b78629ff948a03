// Package examination compares a stored table with what the catalog says it is.
//
// Both sides are texts of SHOW CREATE TABLE, read by package showcreate: what the server shows, and what tunic would
// make if it made the table now. Whatever is in one and not in the other is a [Mismatch], with a name for what it is:
// a column, a key, a CHECK, tunic's own mark. The AUTO_INCREMENT is not compared: it moves with the rows.
//
// Between two steps of an encryption or a decryption a table has things that the catalog does not know yet, or no
// longer: keys and columns aside, shadow columns that are invisible. [BetweenSteps] knows them by their names, so that an
// audit in the middle of a job finds a table that is to go on, and not a broken one.
//
// The package asks no server: package ddl brings what it shows, and the audit decides what a mismatch means.
package examination
