package exec

import (
	"fmt"
	"strings"
	"testing"

	"tunic/internal/binding"
	"tunic/internal/value"
)

// TestDuplicateEntry: the message of a duplicate has the values that the client has
// sent, as a plain server shows and cuts them.
func TestDuplicateEntry(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.table("dup", []col{
			{name: "id", typ: "INT", protect: "plain"},
			{name: "n", typ: "BIGINT", protect: "equality", null: true},
			{name: "s", typ: "VARCHAR(300) CHARACTER SET utf8mb4", protect: "equality", null: true},
			{name: "b", typ: "VARBINARY(100)", protect: "equality", null: true},
			{name: "d", typ: "DATETIME(2)", protect: "order", null: true},
			{name: "e", typ: "ENUM('ä','b')", protect: "equality", null: true},
			{name: "p", typ: "INT", protect: "plain", null: true},
			{name: "q", typ: "DECIMAL(10,2)", protect: "equality", null: true},
		}, primary("id"), unique("by_n", "n"), unique("by_s", "s"), unique("by_b", "b"), unique("by_d", "d"),
			unique("by_ep", "e", "p"), unique("by_pq", "p", "q"))
		p := r.pair(t, 0)
		row := func(id int, n, s, b, d, e, p, q string) string {
			return fmt.Sprintf("(%d, %s, %s, %s, %s, %s, %s, %s)", id, n, s, b, d, e, p, q)
		}
		const null = "NULL"
		p.same("INSERT INTO dup VALUES " + row(1, "-5", "'Straße'", "x'00ff41'", "'2001-02-03 04:05:06.78'", "'ä'", "7", "-1.50"))
		p.same("INSERT INTO dup VALUES " + row(2, "-5", null, null, null, null, null, null))
		p.same("INSERT INTO dup VALUES " + row(2, null, "'STRASSE'", null, null, null, null, null))
		p.same("INSERT INTO dup VALUES " + row(2, null, "'straße'", null, null, null, null, null))
		p.same("INSERT INTO dup VALUES " + row(2, null, null, "x'00ff41'", null, null, null, null))
		p.same("INSERT INTO dup VALUES " + row(2, null, null, null, "'2001-02-03 04:05:06.779'", null, null, null))
		p.same("INSERT INTO dup VALUES " + row(2, null, null, null, null, "1", "7", null))
		p.same("INSERT INTO dup VALUES " + row(2, null, null, null, null, null, "7", "-1.5"))
		p.same("INSERT INTO dup VALUES " + row(1, null, null, null, null, null, null, null))
		p.same("INSERT INTO dup VALUES " + strings.Join([]string{
			row(2, "6", null, null, null, null, null, null), row(3, "8", null, null, null, null, null, null), row(4, "'-5'", null, null, null, null, null, null),
		}, ", "))
		p.same("INSERT INTO dup VALUES " + row(11, null, "'Kanne'", null, null, null, null, null))
		for _, c := range []struct{ values, message string }{ // alike in all that the server shows
			{row(12, null, "'kanne'", null, null, null, null, null) + ", " + row(13, null, "'KANNE'", null, null, null, null, null), "Duplicate entry for key"},
			{row(12, null, "'KANNE'", null, null, null, null, null) + ", " + row(13, null, "'KANNE'", null, null, null, null, null), "Duplicate entry 'KANNE' for key"},
		} {
			if got := p.readText(p.tunnel, "INSERT INTO dup VALUES "+c.values).err.Message; !strings.HasPrefix(got, c.message) {
				t.Errorf("%s, want %s", got, c.message)
			}
		}
		p.same("UPDATE dup SET n = -5 WHERE id = 2")
		p.prepared("INSERT INTO dup (id, n) VALUES (?, ?)", 0, []binding.Param{long(9), long(-5)})
		for i, size := range []int{20, 21, 22, 30, 31, 32, 33, 60, 61, 62, 63, 64, 65, 66, 200} {
			for j, letter := range []string{"x", "é", "€", "😀", "xx€"} {
				text := strings.Repeat(letter, size)
				p.same(fmt.Sprintf("INSERT INTO dup (id, s) VALUES (%d, '%s')", 1000+10*i+j, text))
				p.same(fmt.Sprintf("INSERT INTO dup (id, s) VALUES (%d, '%s')", 2000+10*i+j, text))
			}
		}
		if r.flavor == value.MariaDB { // where the server counts no row that it does not take
			p.same("SET NAMES latin1")
			p.same("INSERT INTO dup (id, s) VALUES (9, 'stra\xdfe')")
		}
	})
}
