package sql

import (
	"testing"
)

// TestAsksIn: what asks for something of the statement before is found, and what has only the words
// is not.
func TestAsksIn(t *testing.T) {
	rows, warnings, list := Asks{Rows: true}, Asks{Warnings: true}, Asks{List: true}
	for text, want := range map[string]Asks{
		"select row_count()": rows, "SELECT FOUND_ROWS ()": rows, "SELECT `Found_Rows`\t()": rows,
		"SELECT 1+row_count/**/()": rows, "DO row_count -- x\n()": rows, "SELECT row_count#\n()": rows,
		"SELECT a, FOUND_ROWS() FROM t": rows, "SELECT /*!40000 row_count() */": rows, "SELECT 1; (SELECT row_count())": rows,
		"SELECT SQL_CALC_FOUND_ROWS a FROM t": {}, "SELECT SQL_CALC_FOUND_ROWS (1)": {}, "SELECT row_count FROM t": {}, "row_count": {},
		"SELECT @@warning_count": warnings, "SELECT @@SESSION.Error_Count": warnings, "SELECT @@session.`error_count`": warnings,
		"SELECT warning_count FROM t": {},
		"SHOW WARNINGS":               list, "show errors": list, "SHOW COUNT(*) WARNINGS": list, "/*! SHOW */ ERRORS LIMIT 1": list, "SELECT 1; SHOW WARNINGS": list,
		"GET DIAGNOSTICS @n = NUMBER": list, "GET CURRENT /* x */ DIAGNOSTICS CONDITION 1 @a = MESSAGE_TEXT": list,
		"GET DIAGNOSTICS @n = ROW_COUNT":                            {Rows: true, List: true},
		"INSERT INTO t VALUES ('an error, a warning, row_count()')": {}, "INSERT INTO errors (warnings) VALUES ('@@warning_count')": {},
		"UPDATE t SET a = 'SHOW WARNINGS; SHOW ERRORS'": {}, "SELECT errors, warnings FROM t /* row_count() */": {},
		"CREATE TABLE errors (a VARCHAR(20) DEFAULT 'row_count()')":        {},
		"SELECT 'it''s row_count()', \"found_rows()\", 'a\\' row_count()'": {},
		"PREPARE s FROM 'SELECT row_count()'":                              rows, "EXECUTE IMMEDIATE 'SHOW WARNINGS'": list,
		"SET STATEMENT max_statement_time=1 FOR SHOW WARNINGS": list, "SET @a = 'SHOW WARNINGS'": {}, "SET @a = @@warning_count": warnings,
		"BEGIN NOT ATOMIC SHOW WARNINGS; END": list,
		"SELECT 1":                            {}, "SELECT a FROM t": {}, "": {}, "warn": {}, "SELECT rowcount": {}, "SELECT 'row_count()": {},
	} {
		if got := AsksIn([]byte(text), 0); got != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
}

// TestAsksInAny: data asks nothing in any mode, and what is code in one of them is found.
func TestAsksInAny(t *testing.T) {
	for text, want := range map[string]bool{
		"INSERT INTO `jobs`(`note`) VALUES ('a disk error')":              false,
		"INSERT INTO jobs VALUES ('errors'), (\"warnings, row_count()\")": false,
		"INSERT INTO jobs VALUES ('it\\'s of errors')":                    false,
		"INSERT INTO jobs VALUES ('\xe4\xb8\xad errors @@error_count')":   false,
		"SHOW WARNINGS":                            true,
		"SELECT '\\', row_count(), '1'":            true, // where a backslash is one
		"SELECT '\\', \"',row_count(),'\" , 'x\\'": true, // where it is none
		"SELECT \"row_count\"()":                   true, // in ANSI_QUOTES
		"SELECT [row_count]()":                     true, // in MSSQL
		"SELECT '\xe5\x5c', row_count(), '1'":      true, // the second byte of a character
		"SELECT 'a\xe5\x5c' ,' row_count()'":       true, // the same byte in another character set
	} {
		if got := AsksInAny([]byte(text), MariaDB).Any(); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}
