package exec

import (
	"sort"
	"strings"
	"testing"

	"tunic/internal/description"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// localRows are the rows of the tables that local work is tried on: their values
// repeat, are NULL, differ in case, in accents and in spaces at their end.
var localRows = []string{
	"(1, 'Alice', 'a', 30, 100.50, 1.5, 2.25, '2020-01-01', '10:00:00', '2020-01-01 10:00:00', 'red', 'x', 'Rome', 7, 'alpha beta')",
	"(2, 'bob', 'B', 41, -3.25, -2.5, 1e10, '1999-12-31', '-01:30:00', '1999-12-31 23:59:59', 'green', 'x,y', 'Oslo', 7, '')",
	"(3, 'Bob', 'b', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)",
	"(4, 'carol', 'c ', 30, 0.01, 0, -0.0, '2020-02-29', '838:59:59', '2020-02-29 00:00:00', 'blue', '', 'Rome', 8, '100%')",
	"(5, 'Zoë', 'ä', -5, 99999999.99, 3.25, 0.1, '2021-03-04', '00:00:00', '2021-03-04 05:06:07', 'red', 'z', 'oslo', 9, 'under_score')",
	"(6, 'zoe', 'a', 0, 100.50, 1.5, 2.25, '2020-01-01', '23:59:59', '2020-01-01 10:00:00', 'green', 'x,z', 'Paris', 8, 'alpha')",
	"(7, 'Dave', 'd', 2147483647, -3.25, 100, -1e-5, '0001-01-01', '10:00:00', '9999-12-31 23:59:59', 'blue', 'y', NULL, 9, 'beta alpha')",
	"(8, 'dave', 'D', -2147483648, 5.00, -2.5, 3, '2020-01-02', '12:34:56', '2020-01-02 00:00:00', 'red', 'x,y,z', 'Rome', 7, '12')",
	"(9, '', '', 41, 12.34, 7, 8, '2019-06-15', '01:02:03', '2019-06-15 12:00:00', 'green', 'x', 'Berlin', 8, '12abc')",
	"(10, 'erin', 'e', 17, 1.00, 1, 1, '2020-01-01', '10:00:00', '2020-01-01 10:00:00', 'red', 'x', 'Rome', 7, NULL)",
}

// people makes a table whose columns are protected in one way.
func (r *rig) people(protect string) {
	c := func(name, typ string, null bool) col { return col{name: name, typ: typ, protect: protect, null: null} }
	r.table("people", []col{
		{name: "id", typ: "INT", protect: "plain"},
		c("name", "VARCHAR(40)", false), c("tag", "CHAR(5)", false),
		c("age", "INT", true), c("amount", "DECIMAL(10,2)", true), c("ratio", "FLOAT", true), c("big", "DOUBLE", true),
		c("born", "DATE", true), c("at", "TIME", true), c("made", "DATETIME", true),
		c("color", "ENUM('red','green','blue')", true), c("flags", "SET('x','y','z')", true),
		{name: "town", typ: "VARCHAR(20)", protect: "plain", null: true},
		{name: "kind", typ: "TINYINT UNSIGNED", protect: "plain", null: true},
		c("note", "TEXT", true),
	}, primary("id"))
}

// ordered reports whether the order of a statement's rows is the statement's.
func ordered(statement string) bool { return strings.Contains(statement, "ORDER BY") }

// bag compares answers whose rows may be in any order.
func (p *pair) bag(statement string) {
	p.t.Helper()
	direct, tunnel := p.text(statement)
	if !ordered(statement) {
		for _, a := range [...]*answer{&direct, &tunnel} {
			for i := range a.sets {
				rows := a.sets[i].Rows
				sort.Slice(rows, func(x, y int) bool { return string(rows[x]) < string(rows[y]) })
			}
		}
	}
	if through := tunnel.err; through != nil && strings.HasPrefix(through.Message, "TUNIC-201") {
		if !localRefused[p.mariadb()][statement] {
			p.t.Errorf("%s\n%s", statement, errorText(through))
		}
		return
	}
	if localRefused[p.mariadb()][statement] {
		p.t.Errorf("%s is not refused any more", statement)
	}
	for _, a := range [...]*answer{&direct, &tunnel} {
		if a.err != nil && a.err.Number == outOfRange {
			a.err.Message, _, _ = strings.Cut(a.err.Message, " in '") // the expression, as the server writes it
		}
		for i := range a.sets {
			p.loosen(statement, a.sets[i].Definitions)
		}
	}
	if diff := difference(direct, tunnel, p.direct.Caps); diff != "" {
		p.t.Errorf("%s\n%s", statement, diff)
	}
}

const outOfRange = 1690

// loosen takes out of definitions what is known to differ: of groups and windows, all that tells
// whether the server has put them into a table of its own meanwhile, as it likes.
func (p *pair) loosen(statement string, definitions [][]byte) {
	const binaryFlag = 1 << 7
	grouped := strings.Contains(statement, "GROUP BY") || strings.Contains(statement, "DISTINCT") || strings.Contains(statement, " OVER ")
	for i, d := range definitions {
		c, err := wire.DecodeColumn(d, p.direct.Caps)
		if err != nil {
			p.t.Fatal(err)
		}
		if grouped {
			c = wire.ColumnDefinition{Name: c.Name, Charset: c.Charset}
		}
		if c.Charset == description.BinaryCollation {
			c.Flags &^= binaryFlag
		}
		definitions[i] = c.AppendColumn(nil, p.direct.Caps)
	}
}

// onPeople runs a test over the same rows under each protection.
func onPeople(t *testing.T, test func(p *pair)) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		for _, protect := range []string{"sealed", "equality", "order"} {
			t.Run(protect, func(t *testing.T) {
				r := r.another(t)
				r.people(protect)
				p := r.pair(t, wiretest.ClientCaps)
				for i := 0; i < len(localRows); i += 5 {
					p.same("INSERT INTO people VALUES " + strings.Join(localRows[i:i+5], ", "))
				}
				test(p)
			})
		}
	})
}

// TestLocal: queries that the server cannot finish, or not all of them, are answered
// as by a plain server.
func TestLocal(t *testing.T) {
	onPeople(t, func(p *pair) {
		for _, s := range localStatements {
			p.bag(s)
		}
	})
}
