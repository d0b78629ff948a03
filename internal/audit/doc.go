// Package audit looks at all that is stored of protected tables, and says what is not as
// tunic has written it.
//
//	ledger    ── is whole, and opened by this key file        (package ledger)
//	tables    ── are what the catalog says of them            (package ddl)
//	rows      ── open, and have the tokens of their values    (package layers)
//	the rest  ── tables with tunic's mark that nobody knows, twins that are gone
//
// It runs beside the tunic that serves the tables and while clients use them, and reads
// each row without a lock. A table whose definition changes meanwhile is looked at again.
//
// Nothing in what it says is a value: rows are counted, and columns, keys and tables named.
package audit
