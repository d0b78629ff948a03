// Package account says what the logical definition of a protected table says: its comment, the defaults, comments
// and expressions of its columns, its CHECKs over protected columns, and what SHOW CREATE TABLE is to print.
//
// The catalog has the definition of a table twice. What plans need of it is in fields: columns, types, keys. The
// rest, which only people and tools read, is in the text alone, which is the server's account of the table as the
// application has defined it (package showcreate). This package reads it from there when somebody asks: answers of
// information_schema and SHOW, the CHECKs that tunic has to look at itself, and the annotations in comments, which
// a change of the table may say again.
//
// A stored table says none of this. Its comment is tunic's mark, its protected columns are bytes without a default,
// and a CHECK over one of them is nothing that a server can look at.
package account
