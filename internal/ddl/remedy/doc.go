// Package remedy writes the SQL that removes what hinders the encryption of a plain table, and the SQL that
// restores it afterwards, from what SHOW CREATE TABLE says of the table. It asks no server and carries nothing
// out: which hindrances there are, its callers know.
package remedy
