package evaluators

import "strings"

// operands are constants of every class that vitess's evaluator knows.
var operands = []string{
	"NULL", "0", "1", "-7", "9223372036854775807", "18446744073709551615", "CAST(5 AS UNSIGNED)",
	"0.0", "-2.50", "12345678901234567890.5", "1.5e0", "-2.5e0", "1e300",
	"''", "'a'", "'ABC'", "'a '", "'12abc'", "'1.5'", "'Straße'", "'2020-01-02'", "'10:11:12'", "'a%'",
	"CAST('abc' AS BINARY)", "0x41",
	"DATE'2020-02-29'", "TIME'-10:11:12.5'", "TIMESTAMP'2020-12-31 23:59:59.999999'",
	`CAST('{"a":[1,2.5,"x",null]}' AS JSON)`, "CAST('17' AS JSON)",
}

// templates are the operations on one operand, @a, or two.
var templates = strings.Split(strings.TrimSpace(`
NOT @a
@a IS NULL
@a = @b
@a < @b
@a <=> @b
@a LIKE @b
@a BETWEEN @b AND 5
@a IN (@b, 1)
@a AND @b
@a XOR @b
@a + @b
@a - @b
@a * @b
@a / @b
@a DIV @b
@a % @b
-@a
~@a
@a & @b
@a | @b
@a ^ @b
@a << @b
IF(@a, 1, @b)
IFNULL(@a, @b)
COALESCE(@a, @b)
NULLIF(@a, @b)
GREATEST(@a, @b)
LEAST(@a, @b)
CASE @a WHEN @b THEN 1 ELSE 2 END
CONCAT(@a, @b)
CONCAT_WS('-', @a, @b)
LENGTH(@a)
CHAR_LENGTH(@a)
BIT_LENGTH(@a)
LEFT(@a, 2)
RIGHT(@a, 2)
SUBSTRING(@a, 2, 2)
LOWER(@a)
UPPER(@a)
TRIM(@a)
LTRIM(@a)
RTRIM(@a)
REPLACE(@a, @b, 'z')
REVERSE(@a)
REPEAT(@a, 3)
LPAD(@a, 5, @b)
RPAD(@a, 5, @b)
LOCATE(@a, @b)
INSTR(@a, @b)
STRCMP(@a, @b)
ASCII(@a)
ORD(@a)
HEX(@a)
UNHEX(@a)
BIN(@a)
CONV(@a, 10, 16)
INSERT(@a, 2, 1, @b)
FIELD(@a, @b, 'a')
ELT(1, @a, @b)
SPACE(@a)
CHAR(@a)
QUOTE(@a)
SUBSTRING_INDEX(@a, 'b', 1)
REGEXP_LIKE(@a, @b)
ABS(@a)
CEILING(@a)
FLOOR(@a)
ROUND(@a)
ROUND(@a, 1)
TRUNCATE(@a, 1)
SIGN(@a)
SQRT(@a)
POW(@a, 2)
EXP(@a)
LN(@a)
LOG(2, @a)
MOD(@a, @b)
CRC32(@a)
MD5(@a)
SHA1(@a)
TO_BASE64(@a)
FROM_BASE64(@a)
INET_ATON(@a)
CAST(@a AS SIGNED)
CAST(@a AS UNSIGNED)
CAST(@a AS DECIMAL(20,3))
CAST(@a AS DOUBLE)
CAST(@a AS CHAR)
CAST(@a AS CHAR(3))
CAST(@a AS BINARY(4))
CAST(@a AS DATE)
CAST(@a AS TIME)
CAST(@a AS DATETIME(3))
CAST(@a AS JSON)
DATE(@a)
TIME(@a)
YEAR(@a)
MONTH(@a)
DAYOFMONTH(@a)
DAYOFWEEK(@a)
DAYOFYEAR(@a)
WEEK(@a)
WEEKDAY(@a)
QUARTER(@a)
HOUR(@a)
MINUTE(@a)
SECOND(@a)
MICROSECOND(@a)
DAYNAME(@a)
MONTHNAME(@a)
LAST_DAY(@a)
TO_DAYS(@a)
FROM_DAYS(@a)
TIME_TO_SEC(@a)
SEC_TO_TIME(@a)
UNIX_TIMESTAMP(@a)
FROM_UNIXTIME(@a)
DATE_FORMAT(@a, '%Y-%m-%d %H:%i:%s')
@a + INTERVAL 1 MONTH
DATE_ADD(@a, INTERVAL -90 MINUTE)
MAKEDATE(@a, 60)
MAKETIME(@a, 5, 6)
JSON_EXTRACT(@a, '$.a')
JSON_UNQUOTE(@a)
JSON_OBJECT('k', @a)
JSON_ARRAY(@a, @b)
JSON_KEYS(@a)
JSON_CONTAINS_PATH(@a, 'one', '$.a')
JSON_LENGTH(@a)
`), "\n")

// expression is one of an operation.
type expression struct{ operation, text string }

// expressions are all templates with all operands.
func expressions() (all []expression) {
	for _, t := range templates {
		for _, a := range operands {
			first := strings.ReplaceAll(t, "@a", a)
			if !strings.Contains(t, "@b") {
				all = append(all, expression{t, first})
				continue
			}
			for _, b := range operands {
				all = append(all, expression{t, strings.ReplaceAll(first, "@b", b)})
			}
		}
	}
	return all
}
