package exec

import (
	"testing"

	"tunic/internal/binding"
)

// computedInserts are statements with values that are computed before they are sent.
var computedInserts = []string{
	"INSERT INTO stock (id, code, k) VALUES (1 + 1, CONCAT('a', 'b'), 2 * 3)",
	"INSERT INTO stock (id, code, k, day) VALUES (3, UPPER('xyz'), 4 - 9, DATE('2020-02-03 04:05:06'))",
	"INSERT INTO stock (id, code, k, price) VALUES (4, 'p', 1 + 1, 1.005 * 2), (5, 'q', 2 + 2, 2.5 / 3), (6, 'r', 10 DIV 3, 1 / 3)",
	"INSERT INTO stock (id, code, k, rate) VALUES (7, LOWER('ABC'), 7 % 4, 1e3 * 2)",
	"INSERT INTO stock (id, code, k, big) VALUES (8, LEFT('hello', 3), 8, 18446744073709551615 - 5)",
	"INSERT INTO stock (id, code, k) VALUES (9, CONCAT('way too long for this ', 'column'), 1)",
	"INSERT IGNORE INTO stock (id, code, k) VALUES (10, CONCAT('way too long for this ', 'column'), 1 + 99999999999)",
	"INSERT INTO stock (id, code, k) VALUES (11, 'n', 99999999999 + 1)",
	"INSERT INTO stock (id, code, k, day) VALUES (12, 'now', 1, NOW()), (13, 'cur', 2, CURDATE())",
	"INSERT INTO stock (id, code, k, day) VALUES (14, 'utc', 1, UTC_TIMESTAMP()), (15, 'add', 2, LAST_DAY(NOW()))",
	"INSERT INTO stock SET id = 16, code = CONCAT('s', 'et'), k = DEFAULT(k), town = UPPER('plain')",
	"INSERT INTO stock (id, code, k) VALUES (17, COALESCE(NULL, 'co'), IF(1 > 2, 3, 4)), (18, NULLIF('a', 'b'), DEFAULT)",
	"INSERT INTO stock (id, code, k, name) VALUES (19, 'nn', 1, CONCAT(NULL, 'x'))",
	"INSERT INTO stock (id, code, k) VALUES (20, CONCAT(NULL, 'x'), 1)",
	"REPLACE INTO stock (id, code, k) VALUES (19, CONCAT('n', 'n'), 1 + 1), (21, 'new', 5)",
	"UPDATE stock SET name = UPPER('updated'), day = NOW() WHERE id = 7",
	"UPDATE stock SET name = UPPER('updated'), day = NOW() WHERE id = 7",
	"UPDATE stock SET k = 1 + 2, day = CURDATE() ORDER BY id",
	"UPDATE stock SET k = 1 + 99999999999 WHERE id = 7",
}

// TestComputedValues: values that are written as expressions are those that a plain
// server stores, with what it says of them.
func TestComputedValues(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.stock()
		for _, mode := range []string{"STRICT_TRANS_TABLES", ""} {
			p := r.pair(t, 0)
			p.each("DELETE FROM stock", "SET sql_mode = '"+mode+"', timestamp = 1700000000.25")
			for _, s := range computedInserts {
				p.same(s)
				p.same(allStock)
			}
			p.prepared("INSERT INTO stock (id, code, k, name) VALUES (?, CONCAT('c', ?), ? + 1, 'x')", 0,
				[]binding.Param{long(31), str("31"), long(5)}, []binding.Param{long(32), str("32"), long(-5)}, []binding.Param{long(33), null(), long(1 << 40)})
			p.prepared("UPDATE stock SET k = 2 * ?, name = CONCAT(?, '!') WHERE id = ?", 0, []binding.Param{long(5), str("n"), long(31)})
			p.prepared("INSERT INTO stock (id, code, k, day) VALUES (41, CONCAT('a', 'z'), 1 + 1, NOW()), (42, CONCAT('b', 'z'), 2 + 2, NOW())", 0, nil, nil)
			p.same(allStock)
		}
	})
}
