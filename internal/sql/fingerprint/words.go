package fingerprint

import "tunic/internal/sql/lex"

// beforeValue are the reserved words after which a string can only be a value.
// After any other word it may be an alias (SELECT a 'x'), the name of a
// collation or a character set, a separator: part of the statement's form.
var beforeValue = lex.NewWordSet(
	"SELECT", "DISTINCT", "DISTINCTROW", "ALL", "WHERE", "HAVING", "ON", "AND", "OR", "XOR", "NOT",
	"LIKE", "RLIKE", "REGEXP", "BETWEEN", "IN", "CASE", "WHEN", "THEN", "ELSE", "BY", "INTERVAL",
	"DIV", "MOD", "BINARY", "VALUES", "LIMIT", "RETURNING", "IS", "BOTH", "LEADING", "TRAILING",
)

// sizedTypes are the words whose numbers in parentheses are part of a type or
// the precision of a clock, which is part of the result's type: CHAR(10),
// DECIMAL(10,2), NOW(6). CHAR is a function as well; its numbers are kept, too.
var sizedTypes = lex.NewWordSet(
	"CHAR", "CHARACTER", "NCHAR", "VARCHAR", "VARCHAR2", "NVARCHAR", "VARCHARACTER", "VARYING",
	"BINARY", "VARBINARY", "RAW", "BLOB", "TEXT", "CLOB", "BIT", "YEAR", "VECTOR",
	"INT", "INTEGER", "TINYINT", "SMALLINT", "MEDIUMINT", "BIGINT", "INT1", "INT2", "INT3", "INT4", "INT8", "MIDDLEINT",
	"DECIMAL", "DEC", "NUMERIC", "FIXED", "NUMBER", "FLOAT", "FLOAT4", "FLOAT8", "DOUBLE", "PRECISION", "REAL",
	"TIME", "DATETIME", "TIMESTAMP",
	"NOW", "CURTIME", "CURRENT_TIME", "CURRENT_TIMESTAMP", "LOCALTIME", "LOCALTIMESTAMP", "SYSDATE",
	"UTC_TIME", "UTC_TIMESTAMP",
)

// endOfBy are the words that end a list of columns or positions after BY.
var endOfBy = lex.NewWordSet(
	"LIMIT", "OFFSET", "FETCH", "HAVING", "FOR", "INTO", "LOCK", "PROCEDURE", "UNION", "INTERSECT", "EXCEPT", "MINUS",
	"ROWS", "RANGE", "SEPARATOR", "WINDOW", "SELECT", "FROM", "VALUES", "ON",
)
