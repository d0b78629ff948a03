package exec

import (
	"fmt"
	"testing"

	"tunic/internal/binding"
)

// TestBounds: what no value of a column is equal to has its place among the tokens,
// whether the server goes through an index or not.
func TestBounds(t *testing.T) {
	onServers(t, func(t *testing.T, r *rig) {
		r.table("t", []col{
			{name: "id", typ: "INT", protect: "plain"},
			{name: "v", typ: "TINYINT", protect: "order", null: true},
			{name: "d", typ: "DECIMAL(5,2)", protect: "order", null: true},
			{name: "u", typ: "BIGINT UNSIGNED", protect: "equality", null: true},
		}, primary("id"))
		p := r.pair(t, 0)
		p.same("INSERT INTO t VALUES (1, -128, -999.99, 0), (2, -1, -0.01, 1), (3, 0, 0, 9223372036854775808), (4, 1, 0.01, 18446744073709551615), (5, 127, 999.99, 5), (6, NULL, NULL, NULL)")
		bounds := map[string][]string{
			"v": {"-129", "-128", "-1.5", "0", "0.5", "127", "127.5", "128", "99999999999999999999", "NULL"},
			"d": {"-1000", "-999.99", "-0.015", "0", "0.005", "999.99", "999.991", "1000"},
			"u": {"-1", "0", "1.5", "18446744073709551615", "18446744073709551616", "9223372036854775808"},
		}
		for _, index := range []string{"", "ALTER TABLE shop.t ADD KEY (`v$ord`), ADD KEY (`d$ord`), ADD KEY (`u$eq`), ADD KEY (`v$eq`), ADD KEY (`d$eq`)"} {
			if index != "" {
				r.exec(index, "ANALYZE TABLE shop.t")
			}
			for column, values := range bounds {
				for _, v := range values {
					operators := []string{"=", "<>", "<=>"}
					if column != "u" {
						operators = append(operators, "<", "<=", ">", ">=")
					}
					for _, op := range operators {
						p.same(fmt.Sprintf("SELECT id FROM t WHERE %s %s %s ORDER BY id", column, op, v))
						p.same(fmt.Sprintf("SELECT id FROM t WHERE NOT (%s %s %s) ORDER BY id", column, op, v))
					}
					p.same(fmt.Sprintf("SELECT id FROM t WHERE %s IN (%s, 1, 0) ORDER BY id", column, v))
					if column != "u" {
						p.same(fmt.Sprintf("SELECT id FROM t WHERE %s NOT BETWEEN %s AND 1 ORDER BY id", column, v))
					}
				}
			}
			p.prepared("SELECT id FROM t WHERE v >= ? AND v < ? ORDER BY id", 0,
				[]binding.Param{long(-1000), long(1000)}, []binding.Param{long(-128), long(127)}, []binding.Param{long(500), long(5)}, []binding.Param{null(), long(5)})
		}
	})
}
