package generate

import (
	"fmt"
	"strconv"
	"strings"
)

// value is a value as both ways of sending it write it.
type value struct{ literal, param string }

var null = value{"NULL", "null"}

// text is a string, as a literal in quotes and as a parameter.
func text(s string) value {
	return value{"'" + strings.ReplaceAll(s, "'", "''") + "'", "string:" + strconv.Quote(s)}
}

// number is an integer.
func number(n int64) value { return value{fmt.Sprint(n), fmt.Sprintf("bigint:%d", n)} }

// digits is a number that no integer parameter holds.
func digits(s string) value { return value{s, "decimal:" + strconv.Quote(s)} }

// nature is what can be done with values of a kind and comes out the same however
// the server reads its rows.
type nature uint8

const (
	numeric nature = 1 << iota // sums, and arithmetic in an UPDATE
	exact                      // equal values are the same bytes: groups, DISTINCT
	textual                    // LIKE, CONCAT
	ranged                     // <, BETWEEN, ORDER BY are of use, MIN where it is exact as well
	indexed                    // may be in a key
	whole                      // integers: DIV and %
	dated                      // has dates of zeros, which servers take for NULL here and there
)

// kind is a type of column.
type kind struct {
	declared string
	nature   nature
	sealed   bool // has no layers, so that its name begins with x
	values   []value
	bad      []value // do not fit: an error or a warning
}

func texts(list ...string) (values []value) {
	for _, s := range list {
		values = append(values, text(s))
	}
	return values
}

func numbers(list ...int64) (values []value) {
	for _, n := range list {
		values = append(values, number(n))
	}
	return values
}

func decimals(list ...string) (values []value) {
	for _, s := range list {
		values = append(values, digits(s))
	}
	return values
}

var (
	names = texts("alice", "bob", "carol", "", "a", "zed", "o'neil", "über", "日本", "100%", "under_score")
	cased = append(texts("Alice", "BOB", "A"), names...)
)

// kinds are the types that columns are drawn from.
var kinds = []kind{
	{"TINYINT", whole | numeric | exact | ranged | indexed, false, numbers(0, 1, 2, -3, 127, -128), numbers(128, -129)},
	{"SMALLINT UNSIGNED", exact | ranged | indexed, false, numbers(0, 1, 2, 300, 65535), numbers(-1, 65536)},
	{"INT", whole | numeric | exact | ranged | indexed, false, numbers(0, 1, 7, -7, 1000, 2147483647, -2147483648), append(numbers(2147483648), text("x"))},
	{"BIGINT", whole | numeric | exact | ranged | indexed, false, numbers(0, 5, -5, 1<<40, -1<<40), decimals("9223372036854775808")},
	{"BIGINT UNSIGNED", exact | ranged | indexed, false, append(numbers(0, 5, 1<<40), digits("18446744073709551615")), decimals("18446744073709551616")},
	{"DECIMAL(8,2)", numeric | exact | ranged | indexed, false, decimals("0.00", "1.50", "-2.25", "999999.99", "10.10"), decimals("1000000.00")},
	{"DECIMAL(40,10)", numeric | exact | ranged, false, decimals("0.0000000000", "123456789012345678901234567890.0123456789", "-1.5000000000"), nil},
	{"DOUBLE", ranged, true, decimals("0.0", "0.25", "-1.5", "1024.75"), nil},
	{"VARCHAR(20) COLLATE utf8mb4_bin", exact | textual | ranged | indexed, false, cased, texts(strings.Repeat("long", 6))},
	{"VARCHAR(20) COLLATE utf8mb4_general_ci", textual | indexed, false, cased, texts(strings.Repeat("long", 6))},
	{"CHAR(12) CHARACTER SET latin1", textual | indexed, false, texts("alice", "Alice", "bob", "", "über"), texts("abcdefghijklm")},
	{"TEXT COLLATE utf8mb4_bin", exact | textual, true, append(texts(strings.Repeat("text ", 30)+"."), names...), nil},
	{"VARBINARY(16)", exact | indexed, false, texts("", "a", "ab", "Ab", "\x01\x02"), texts(strings.Repeat("b", 17))},
	{"DATE", dated | exact | ranged | indexed, false, texts("2024-01-01", "2024-02-29", "1999-12-31", "1000-01-01", "9999-12-31"), texts("2023-02-29", "soon")},
	{"DATETIME(6)", dated | exact | ranged | indexed, false, texts("2024-01-01 00:00:00", "2024-02-29 12:34:56.789012", "1999-12-31 23:59:59"), texts("2024-01-01 25:00:00")},
	{"TIME", exact | ranged | indexed, false, texts("00:00:00", "12:34:56", "-01:00:00", "838:59:59"), texts("839:00:00")},
	{"YEAR", exact | ranged | indexed, false, numbers(2024, 1999, 1901, 2155), numbers(1900)},
	{"ENUM('low','mid','high')", exact | indexed, false, texts("low", "mid", "high"), texts("none")},
	{"SET('r','g','b')", exact, false, texts("", "r", "r,b", "r,g,b"), texts("q")},
	{"BIT(9)", exact | ranged, false, numbers(0, 1, 5, 511), numbers(512)},
}

// primaries are the kinds of primary keys, which never are NULL and are made up as
// the workload goes.
var primaries = []string{"INT", "BIGINT", "VARCHAR(12) COLLATE utf8mb4_bin", "DECIMAL(6,0)"}
