// Package workload reads which statements a database server was sent: from its general query log,
// from its slow query log, in the forms of MySQL and of MariaDB, and from the table of digests of
// performance_schema. It knows no SQL, and keeps nothing.
package workload
