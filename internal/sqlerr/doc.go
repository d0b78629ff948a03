// Package sqlerr holds every error that tunic itself raises, in a few tables.
//
// An error of tunic has a stable code, TUNIC-NNNN, whose first digit is its
// class: 1 start-up, 2 a statement refused, 3 protocol, 4 a limit, 5 the
// database server, 6 login, 7 stored data. The tables in table_*.go give each code the MySQL
// error number and SQLSTATE that clients and drivers already know how to treat
// (MySQL Error Message Reference; MariaDB Error Codes), the fact and the fix.
// docs/errors.md is generated from it. A code is never reused.
//
// Two types leave this room. [Error] goes to a client in an ERR packet;
// [StartError] goes to the operator and ends the process with the exit status
// of its code.
//
// Neither may ever carry a SQL literal, a value or a password. That is why
// there is no constructor that takes a format string: each code has its own
// function, its arguments are numbers, identifiers and facts: a type that
// other packages can only make from a string constant.
package sqlerr
