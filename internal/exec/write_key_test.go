package exec

import (
	"fmt"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/wire/wiretest"
)

// rowKeys are primary keys of all types that a row is found by, each with three values.
var rowKeys = []struct {
	typ, protect, extra string
	values              [3]string
}{
	{"INT", "plain", "", [3]string{"1", "-2", "2147483647"}},
	{"BIGINT UNSIGNED", "plain", "", [3]string{"0", "7", "18446744073709551615"}},
	{"SMALLINT ZEROFILL", "plain", "", [3]string{"1", "20", "300"}},
	{"DECIMAL(20,4)", "plain", "", [3]string{"1.5", "-0.0001", "9999999999999999.9999"}},
	{"VARCHAR(20)", "plain", "CHARACTER SET latin1", [3]string{"'é'", "'it''s'", "''"}},
	{"VARCHAR(20)", "plain", "CHARACTER SET utf8mb4 COLLATE utf8mb4_bin", [3]string{"'a'", "'A'", "'😀'"}},
	{"CHAR(5)", "plain", "", [3]string{"'x'", "'yy'", "'\\\\'"}},
	{"VARBINARY(20)", "plain", "", [3]string{"x'00ff'", "x''", "'text'"}},
	{"BINARY(4)", "plain", "", [3]string{"x'00'", "x'ffffffff'", "'abcd'"}},
	{"DATE", "plain", "", [3]string{"'2020-02-29'", "'1000-01-01'", "'9999-12-31'"}},
	{"DATETIME(6)", "plain", "", [3]string{"'2020-02-29 01:02:03.000004'", "'2020-02-29 01:02:03'", "'2021-01-01'"}},
	{"TIME(3)", "plain", "", [3]string{"'-838:59:59'", "'00:00:00.001'", "'12:00:00'"}},
	{"YEAR", "plain", "", [3]string{"1999", "2024", "2155"}},
	{"INT", "equality", "", [3]string{"1", "-2", "2147483647"}},
	{"VARCHAR(20)", "equality", "", [3]string{"'a'", "'it''s'", "''"}},
	{"DATE", "order", "", [3]string{"'2020-02-29'", "'1000-01-01'", "'9999-12-31'"}},
}

// TestWritesByKey: a row is found again by its key, whatever its type is.
func TestWritesByKey(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		for i, k := range rowKeys {
			name := fmt.Sprintf("keyed%d", i)
			both := catalog.Key{Name: "PRIMARY", Kind: catalog.Primary, Parts: []catalog.Part{{Column: "a"}, {Column: "b"}}}
			r.table(name, []col{
				{name: "a", typ: k.typ, protect: k.protect, extra: k.extra},
				{name: "b", typ: "INT", protect: []string{"plain", "equality"}[i%2]},
				{name: "n", typ: "INT", protect: "sealed"},
			}, both)
		}
		p := r.pair(t, wiretest.ClientCaps)
		for i, k := range rowKeys {
			for j, v := range k.values {
				p.same(fmt.Sprintf("INSERT INTO keyed%d (a, b, n) VALUES (%s, %d, 1)", i, v, j))
			}
			p.each(
				fmt.Sprintf("UPDATE keyed%d SET n = n + 1", i),
				fmt.Sprintf("UPDATE keyed%d SET n = n + 10 WHERE a = %s AND b = 0", i, k.values[0]),
				fmt.Sprintf("UPDATE keyed%d SET n = n + 100, b = 9 WHERE b = 1", i),
				fmt.Sprintf("INSERT INTO keyed%d (a, b, n) VALUES (%s, 2, 5) ON DUPLICATE KEY UPDATE n = n + 1000", i, k.values[2]),
				fmt.Sprintf("SELECT * FROM keyed%d ORDER BY b", i),
				fmt.Sprintf("DELETE FROM keyed%d WHERE n > 100", i),
				fmt.Sprintf("SELECT * FROM keyed%d ORDER BY b", i),
			)
		}
	})
}
