package exec

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/opening"
	"tunic/internal/recipe"
	"tunic/internal/value"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// keptCases are types whose values are not what they are shown as, with values for them as SQL
// writes them, and expressions that an UPDATE may set them to.
var keptCases = []struct {
	typ            string
	values, become []string
}{
	{"ENUM('3','2','1','x','','Ä') CHARACTER SET latin1", []string{"'3'", "3", "'1'", "1", "'x'", "'X  '", "''", "'ä'", "6", "'6'", "0", "'0'", "'nosuch'", "7", "5"}, []string{"CONCAT(v, '')", "IF(v = 'x', '1', v)", "'2'", "2"}},
	{"ENUM('0','00','b')", []string{"'0'", "0", "1", "'000'", "2", "'b'", "'c'"}, []string{"'b'"}},
	{"SET('4','2','1','ö')", []string{"'4'", "4", "'4,1'", "''", "0", "15", "'ö,4'", "16", "'x'", "'7'"}, []string{"CONCAT_WS(',', v, 'ö')", "v", "'2'", "2"}},
	{"BIT(12)", []string{"0", "1", "4095", "b'101'", "'1'", "4096", "x'0fff'"}, []string{"v", "v + 1", "48", "'0'"}},
	{"BIT(64)", []string{"18446744073709551615", "9223372036854775808", "x'ff'"}, []string{"v", "7"}},
	{"YEAR", []string{"0", "'0'", "'0000'", "1901", "2155", "69", "70", "1900", "'x'"}, []string{"v", "v + 1", "0", "'0'"}},
	{"FLOAT", []string{"0.1", "-0e0", "16777217", "3.4028234663852886e38", "1e-45", "1e39", "'1.5x'", "123456789"}, []string{"v", "v + 1", "-v", "v * 1.1"}},
	{"DOUBLE", []string{"0.1", "-0e0", "0.30000000000000004", "1.7976931348623157e308", "2.2250738585072014e-308", "5e-324", "9007199254740993"}, []string{"v", "v / 3", "-v"}},
	{"FLOAT(7,2)", []string{"2.675", "99999.99", "100000", "-0.001", "1234.565"}, []string{"v", "v / 3"}},
	{"DOUBLE(12,4) UNSIGNED", []string{"2.67545", "99999999.9999", "1e9", "-1", "0.00005"}, []string{"v", "v / 3"}},
	{"TIMESTAMP(3)", []string{"'2020-02-03 10:11:12.123'", "'1970-01-02 00:00:01'", "'2038-01-19 01:14:07.999'", "'2039-01-01 00:00:00'", "0"}, []string{"v", "v + INTERVAL 1 DAY", "'2000-01-01'"}},
}

// TestKept: of a column that is written in the clear and sealed at once, both have the same
// value, which is the one that a plain server has: of each type, in each kind of statement.
func TestKept(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		for i, c := range keptCases {
			r.table(fmt.Sprintf("copied%d", i), []col{
				{name: "id", typ: "INT", protect: "plain"},
				{name: "v", typ: c.typ, protect: "plain", null: true},
				{name: "tunic$v", typ: c.typ, protect: "equality", null: true, copies: "v"},
			}, primary("id"))
			r.table(fmt.Sprintf("bared%d", i), []col{
				{name: "id", typ: "INT", protect: "plain"}, {name: "v", typ: c.typ, protect: "equality", null: true, bare: true},
			}, primary("id"))
		}
		p := r.pair(t, wiretest.ClientCaps)
		for _, mode := range []string{"STRICT_ALL_TABLES", ""} {
			p.each("SET sql_mode = '"+mode+"'", "SET time_zone = '+02:00'")
			for i := range keptCases {
				for _, table := range []string{"copied", "bared"} {
					r.keeps(p, fmt.Sprint(table, i), i)
				}
			}
		}
	})
}

func (r *rig) keeps(p *pair, table string, i int) {
	c := keptCases[i]
	both := func(statement string) {
		p.t.Helper()
		p.kept(statement, table)
	}
	for n, v := range append(c.values, "NULL") {
		both(fmt.Sprintf("INSERT INTO %s (id, v) VALUES (%d, %s)", table, n, v))
		both(fmt.Sprintf("INSERT IGNORE INTO %s (v, id) VALUES (%s, %d)", table, v, n+100))
		both(fmt.Sprintf("INSERT INTO %s (id, v) VALUES (%d, %s) ON DUPLICATE KEY UPDATE v = %s", table, n, v, v))
		both(fmt.Sprintf("UPDATE %s SET v = %s WHERE id = %d", table, v, n))
		both(fmt.Sprintf("REPLACE INTO %s (id, v) VALUES (%d, %s)", table, n+200, v))
	}
	both(fmt.Sprintf("INSERT INTO %s (id, v) SELECT id + 300, v FROM %s WHERE id < 100", table, table))
	if !strings.HasPrefix(c.typ, "ENUM") || strings.HasPrefix(table, "copied") {
		both(fmt.Sprintf("UPDATE %s a JOIN %s b ON b.id = a.id - 299 SET a.v = b.v WHERE a.id BETWEEN 301 AND 320", table, table))
	}
	if strings.HasPrefix(table, "copied") {
		both(fmt.Sprintf("UPDATE %s SET v = v", table))
	}
	for _, e := range c.become {
		both(fmt.Sprintf("UPDATE %s SET v = %s WHERE id BETWEEN 100 AND 150 AND v IS NOT NULL", table, e))
		both(fmt.Sprintf("UPDATE IGNORE %s SET v = %s", table, e))
	}
	p.prepared("SELECT id, v FROM "+table+" WHERE id >= ? ORDER BY id", 0, []binding.Param{long(0)})
	both("DELETE FROM " + table)
	given := []binding.Param{long(1), long(0), long(3), str("1"), str("x"), str("2020"), str("2020-01-01 10:00:00"), null(), {ParamType: binding.ParamType{Kind: wire.TypeDouble}, Bytes: binary.LittleEndian.AppendUint64(nil, 0x8000000000000000)}}
	r.keepsPrepared(p, table, given)
	r.agreesKept(p.t, table)
	both("DELETE FROM " + table)
}

// keepsPrepared writes values of the binary protocol.
func (r *rig) keepsPrepared(p *pair, table string, given []binding.Param) {
	p.t.Helper()
	for _, s := range []string{"INSERT INTO %s (v, id) VALUES (?, ?)", "UPDATE %s SET v = ? WHERE id < ?", "UPDATE %s SET v = IF(? > '', v, v) WHERE id < ?", "REPLACE INTO %s (v, id) VALUES (?, ? + 50)"} {
		for n, v := range given {
			direct, tunnel := p.prepare(fmt.Sprintf(s, table)) // MySQL keeps to the type of a first execution
			sets, err := execute(p.tunnel, tunnel, 0, v, long(int64(n)))
			b := p.answered(s, sets, err)
			if refusesKept(b.err) {
				continue
			}
			sets, err = execute(p.direct, direct, 0, v, long(int64(n)))
			a := p.answered(s, sets, err)
			if diff := difference(a, b, p.direct.Caps); diff != "" {
				p.t.Errorf("EXECUTE %d of %s of %s\n%s", n, s, table, diff)
			}
		}
		p.same("SELECT id, v FROM " + table + " ORDER BY id")
	}
}

// kept compares the answers to a statement, and what it leaves, unless tunic refuses it: then it
// is done nowhere.
func (p *pair) kept(statement, table string) {
	p.t.Helper()
	tunnel := p.readText(p.tunnel, statement)
	if refusesKept(tunnel.err) {
		return
	}
	direct := p.readText(p.direct, statement)
	if e := direct.err; e != nil && e.Number == 1690 {
		e.Message, _, _ = strings.Cut(e.Message, " in '")
	}
	if diff := difference(direct, tunnel, p.direct.Caps); diff != "" {
		p.t.Errorf("%s\n%s", statement, diff)
	}
	p.same("SELECT id, v FROM " + table + " ORDER BY id")
}

// refusesKept reports whether tunic has refused a value, or a parameter.
func refusesKept(e *wiretest.ServerError) bool {
	return e != nil && strings.HasPrefix(e.Message, "TUN")
}

// setBackOnce makes a time zone whose clocks were set back once, by half an hour, on 2015-08-14
// at 15:00 UTC, and forward again in 2018.
var setBackOnce = []string{
	"REPLACE INTO mysql.time_zone VALUES (4712, 'N')",
	"REPLACE INTO mysql.time_zone_name VALUES ('Asia/Pyongyang', 4712)",
	"REPLACE INTO mysql.time_zone_transition_type VALUES (4712, 0, 32400, 0, 'KST'), (4712, 1, 30600, 0, 'KST')",
	"REPLACE INTO mysql.time_zone_transition VALUES (4712, 0, 0), (4712, 1439564400, 1), (4712, 1525446000, 0)",
}

// TestKeptWhereClocksAreSetBack: a moment that the client's clock shows for the second time is
// the same in the clear and sealed, or is refused.
func TestKeptWhereClocksAreSetBack(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.exec(setBackOnce...)
		r.table("copied", []col{
			{name: "id", typ: "INT", protect: "plain"},
			{name: "v", typ: "TIMESTAMP(3)", protect: "plain", null: true, def: "CURRENT_TIMESTAMP(3)"},
			{name: "tunic$v", typ: "TIMESTAMP(3)", protect: "order", null: true, copies: "v", def: "CURRENT_TIMESTAMP(3)"},
		}, primary("id"))
		r.table("bared", []col{
			{name: "id", typ: "INT", protect: "plain"}, {name: "v", typ: "TIMESTAMP(3)", protect: "order", null: true, bare: true, def: "CURRENT_TIMESTAMP(3)"},
		}, primary("id"))
		p := r.pair(t, wiretest.ClientCaps)
		p.each("SET time_zone = 'Asia/Pyongyang'")
		mysql := r.flavor == value.MySQL
		for _, table := range []string{"copied", "bared"} {
			stored := 0
			for n, at := range []string{"1439562600.000", "1439564399.999", "1439564400.000", "1439566199.999", "1439566200.000"} {
				p.each("SET timestamp = " + at)
				for i, s := range []string{"(id) VALUES (%d)", "(id, v) VALUES (%d, NOW(3))", "(id, v) VALUES (%d, FROM_UNIXTIME(" + at + "))", "(id, v) VALUES (%d, NOW(6))", "(id, v) VALUES (%d, LOCALTIME)", "(id, v) VALUES (%d, IF(TRUE, NOW(3), NULL))", "(id) VALUES (%d) ON DUPLICATE KEY UPDATE v = NOW(3)"} {
					p.kept("INSERT INTO "+table+" "+fmt.Sprintf(s, 10*n+i), table)
				}
				moment, _ := strconv.ParseFloat(at, 64)
				text := time.UnixMilli(int64(moment * 1000)).UTC().Format("2006-01-02 15:04:05.000+00:00")
				if mysql {
					p.kept(fmt.Sprintf("INSERT INTO %s VALUES (%d, '%s')", table, 10*n+8, text), table)
					p.prepared("INSERT INTO "+table+" VALUES (?, ?)", 0, []binding.Param{long(int64(10*n + 9)), str(text)})
					stored++
				}
			}
			p.each("SET timestamp = DEFAULT", "SET time_zone = '+00:00'", "SELECT id, v FROM "+table+" ORDER BY id")
			r.agreesKept(t, table)
			p.kept("UPDATE "+table+" SET v = v + INTERVAL 1 SECOND", table)
			p.each("SET time_zone = 'Asia/Pyongyang'")
			r.agreesKept(t, table)
			if n := r.secondTime(table); mysql && n == 0 {
				t.Errorf("%s: no row has a moment that clocks show for the second time", table)
			}
		}
	})
}

// secondTime counts the rows of a table with such a moment.
func (r *rig) secondTime(table string) (n int) {
	r.t.Helper()
	row := r.db.QueryRowContext(r.t.Context(), "SELECT COUNT(*) FROM plain."+table+" WHERE UNIX_TIMESTAMP(v) BETWEEN 1439564400 AND 1439566201")
	if err := row.Scan(&n); err != nil {
		r.t.Fatal(err)
	}
	return n
}

// agreesKept compares the values in the clear with the sealed ones.
func (r *rig) agreesKept(t *testing.T, name string) {
	t.Helper()
	table := r.catalog.Table("shop", name)
	c := &table.Columns[len(table.Columns)-1]
	plain := c.Shadows
	if l := c.Layer(catalog.PlainForm); l != nil {
		plain = l.Stored
	}
	from, open := r.opener(t, name, c)
	expression := "CAST(`" + plain + "` AS UNSIGNED)"
	switch c.Type.Kind {
	case value.Float, value.Double:
		expression = "`" + plain + "` * 1e0"
	case value.Timestamp:
		expression = "UNIX_TIMESTAMP(`" + plain + "`)"
	default:
	}
	rows, err := r.db.QueryContext(t.Context(), "SELECT id, "+expression+", "+from+" FROM shop."+name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	n := 0
	for ; rows.Next(); n++ {
		var id int
		var plain *string
		var sealed []byte
		if err := rows.Scan(&id, &plain, &sealed); err != nil {
			t.Fatal(err)
		}
		canonical, err := open(sealed)
		if err != nil {
			t.Fatal(err)
		}
		if (plain == nil) != (canonical == nil) {
			t.Errorf("%s, row %d: one of both is NULL", name, id)
		}
		if plain == nil || canonical == nil {
			continue
		}
		if !sameKept(c, *plain, canonical) {
			t.Errorf("%s, row %d: %s in the clear, %x sealed", name, id, *plain, canonical)
		}
	}
	if err := rows.Err(); err != nil || n == 0 {
		t.Errorf("%s: %d rows, %v", name, n, err)
	}
}

func sameKept(c *catalog.Column, plain string, canonical []byte) bool {
	switch c.Type.Kind {
	case value.Float, value.Double:
		f, err := strconv.ParseFloat(plain, 64)
		g := value.DoubleOf(&c.Type, canonical)
		return err == nil && fmt.Sprintf("%b", f) == fmt.Sprintf("%b", g)
	case value.Timestamp:
		var f opening.Fetcher
		st := &binding.Statement{Run: recipe.Run{Cells: []recipe.Cell{{}}, Fetch: []recipe.Fetch{{}}}, Columns: []*binding.Column{{Column: c}}}
		row, _, err := f.Read(st, []wire.Cell{{Bytes: []byte(plain)}}, nil)
		return err == nil && string(row[0]) == string(canonical)
	default:
		n, err := strconv.ParseUint(plain, 10, 64)
		return err == nil && n == binary.BigEndian.Uint64(canonical)
	}
}
