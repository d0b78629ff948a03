package ddl

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tunic/internal/ddl/service"
	"tunic/internal/racetest"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// TestMisfits: of values that a type to come has no room for the client is told what a plain server
// says, with the number of the row: an error in strict mode, after which the table is as it was, and
// warnings else, with the values that a plain server makes of them.
func TestMisfits(t *testing.T) {
	racetest.InOrder(t)
	onServers(t, func(b *bench) {
		p := b.beside()
		p.both("CREATE TABLE m (id INT AUTO_INCREMENT PRIMARY KEY, n INT, d DECIMAL(10,3), s VARCHAR(20), c CHAR(20), u VARCHAR(10) CHARACTER SET utf8mb4, e ENUM('a','b','c'), x TEXT)")
		p.insert("m", "1", "1", "1.5", "abc", "abc", "x", "a", "t")
		p.insert("m", "2", "300", "123456.789", "abcdefgh", "abcdefgh", "é😀", "c", "t")
		p.insert("m", "3", "-5", "", "ab    ", "x", "x", "b", "tttttttttttttttttttttttttttttt")
		p.insert("m", "4", "70000", "-9999999.999", "abcdefghij", "", "😀", "c", "tttttttttttttttttttttttt")
		mode := b.session.Env.Mode
		for _, strict := range []bool{true, false} {
			if b.session.Env.Mode = mode | value.StrictTransTables; !strict {
				b.session.Env.Mode = mode &^ (value.StrictTransTables | value.StrictAllTables)
			}
			for _, c := range []*client{b.client, p.plain} {
				if err := c.Exec(t.Context(), "SET SESSION sql_mode = '"+map[bool]string{true: "STRICT_TRANS_TABLES"}[strict]+"'"); err != nil {
					t.Fatal(err)
				}
			}
			for _, change := range []string{
				"MODIFY n TINYINT", "MODIFY n SMALLINT UNSIGNED", "MODIFY d DECIMAL(5,3)", "MODIFY s VARCHAR(5)", "MODIFY s CHAR(4)", "MODIFY c CHAR(5)",
				"MODIFY c VARCHAR(3)", "MODIFY x VARCHAR(10)", "MODIFY u VARCHAR(10) CHARACTER SET latin1", "MODIFY e ENUM('a','b')",
				"MODIFY s VARCHAR(3), MODIFY n TINYINT UNSIGNED", "MODIFY s VARCHAR(300)", "CHANGE e ee ENUM('a')", "MODIFY n BIGINT NOT NULL",
			} {
				p.told("ALTER TABLE m " + change)
				b.agrees(change)
				p.compare("m")
			}
		}
	})
}

// told runs a statement on both sides, which have to say the same, warnings included.
func (p *pair) told(statement string) {
	p.t.Helper()
	var have, want []string
	result, err := p.do(statement)
	if said, ok := errors.AsType[*sqlerr.Error](err); ok {
		have = append(have, fmt.Sprint(said.Number, said.Message))
	}
	for _, w := range result.Warnings {
		have = append(have, fmt.Sprint(w.Number, w.Message))
	}
	err = p.plain.Exec(p.t.Context(), statement)
	if said, ok := errors.AsType[*sqlerr.Error](err); ok {
		want = append(want, fmt.Sprint(said.Number, said.Message))
	} else {
		rows, _ := p.plain.Query(p.t.Context(), "SHOW WARNINGS")
		for _, w := range service.ReadWarnings(rows, func(s string) string { return s }) {
			want = append(want, fmt.Sprint(w.Number, w.Message))
		}
	}
	for i := range want { // tunic names the table that it is, and no value
		want[i] = withoutValue(strings.ReplaceAll(want[i], "`plain`", "`shop`"))
	}
	if diff := cmp.Diff(want, have); diff != "" {
		p.t.Errorf("%s (-plain +tunic):\n%s", statement, diff)
	}
}

// withoutValue is a message without the value in it: the server's "Incorrect string value: '…' for".
func withoutValue(message string) string {
	head, rest, ok := strings.Cut(message, " value: '")
	if _, tail, found := strings.Cut(rest, "' for "); ok && found {
		return head + " value for " + tail
	}
	return message
}
