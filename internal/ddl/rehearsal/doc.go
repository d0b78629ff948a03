// Package rehearsal measures how long a server takes to encrypt a table, on a private table in tunic's own schema
// whose rows mean nothing. It has the columns and keys that the table would have, and values as long as those of the
// table are. No value of the table is read.
package rehearsal
