package exec

import (
	"encoding/binary"
	"math"
	"strconv"
	"strings"
	"testing"

	"tunic/internal/binding"
	"tunic/internal/value"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

func exact(digits string) binding.Param {
	return binding.Param{ParamType: binding.ParamType{Kind: wire.TypeNewDecimal}, Bytes: []byte(digits)}
}

func inexact(f float64) binding.Param {
	return binding.Param{ParamType: binding.ParamType{Kind: wire.TypeDouble}, Bytes: bytes8(math.Float64bits(f))}
}

func day(year uint16, month, day byte) binding.Param {
	b := binary.LittleEndian.AppendUint16(nil, year)
	return binding.Param{ParamType: binding.ParamType{Kind: wire.TypeDate}, Bytes: append(b, month, day)}
}

// localPrepared are prepared statements with the parameters that they are executed
// with.
var localPrepared = []struct {
	statement string
	lists     [][]binding.Param
}{
	{"SELECT id, age FROM people WHERE age > ? ORDER BY id", [][]binding.Param{
		{long(20)}, {long(-1 << 40)}, {null()}, {str("20")}, {str("29.5")}, {inexact(29.5)}, {exact("29.5")},
	}},
	{"SELECT id FROM people WHERE name = ? ORDER BY id", [][]binding.Param{{str("bob")}, {str("ZOE")}, {null()}, {str("")}}},
	{"SELECT id FROM people WHERE note = ? ORDER BY id", [][]binding.Param{{str("12")}, {long(12)}, {exact("12")}, {inexact(12)}, {day(2020, 1, 1)}}},
	{"SELECT id FROM people WHERE note IN (?, 'alpha') ORDER BY id", [][]binding.Param{{str("12")}, {long(12)}, {exact("12")}, {inexact(12)}}},
	{"SELECT id FROM people WHERE CONCAT(name, ?) = 'bob12' ORDER BY id", [][]binding.Param{{str("12")}, {long(12)}, {exact("12")}, {inexact(12)}}},
	{"SELECT id, age + ? FROM people WHERE id < 3 AND LENGTH(name) > 0 ORDER BY id", [][]binding.Param{{str("12")}, {long(12)}, {exact("12.5")}, {inexact(12)}}},
	{"SELECT id FROM people WHERE age + ? > 35 ORDER BY id", [][]binding.Param{{str("12")}, {long(12)}, {exact("12.5")}, {inexact(12)}, {null()}}},
	{"SELECT id FROM people WHERE age > ? + 1 ORDER BY id", [][]binding.Param{{str("12")}, {long(12)}, {exact("12.5")}, {inexact(12)}}},
	{"SELECT id FROM people WHERE amount = ? ORDER BY id", [][]binding.Param{{str("5")}, {long(5)}, {exact("5.00")}, {exact("5.000000001")}, {inexact(5)}}},
	{"SELECT id FROM people WHERE big = ? OR ratio = ? ORDER BY id", [][]binding.Param{{str("3"), str("1.5")}, {long(3), long(7)}, {exact("3.0"), exact("1.5")}}},
	{"SELECT id FROM people WHERE at > ? ORDER BY id", [][]binding.Param{{str("10:00:00")}, {long(100000)}}},
	{"SELECT id FROM people WHERE color = ? ORDER BY id", [][]binding.Param{{str("RED")}, {long(1)}}},
	{"SELECT id FROM people WHERE born > ? ORDER BY id", [][]binding.Param{{long(20200101)}, {str("2020-1-1")}, {str("nonsense")}}},
	{"SELECT id FROM people WHERE COALESCE(age, ?) = ? ORDER BY id", [][]binding.Param{{long(30), long(30)}, {str("30"), long(30)}}},
	{"SELECT id FROM people WHERE CASE WHEN kind = ? THEN name ELSE tag END = ? ORDER BY id", [][]binding.Param{{long(7), str("bob")}, {str("7"), long(12)}}},
	{"SELECT id FROM people WHERE age BETWEEN ? AND ? ORDER BY id", [][]binding.Param{{long(0), long(35)}, {str("0"), str("35")}}},
	{"SELECT id FROM people WHERE name LIKE ? ORDER BY id", [][]binding.Param{{str("%o%")}, {str("b_b")}, {str("")}, {null()}}},
	{"SELECT id FROM people WHERE amount >= ? AND amount < ? ORDER BY id", [][]binding.Param{
		{exact("1.00"), exact("100.50")}, {long(1), long(101)}, {inexact(0.5), inexact(100.5)}, {str("1"), str("100.5")},
	}},
	{"SELECT id FROM people WHERE born = ? ORDER BY id", [][]binding.Param{{day(2020, 1, 1)}, {str("2020-01-01")}, {null()}}},
	{"SELECT id FROM people WHERE born BETWEEN ? AND ? ORDER BY id", [][]binding.Param{
		{day(2020, 1, 1), day(2020, 12, 31)}, {str("2020-01-01"), str("2020-12-31")},
	}},
	{"SELECT id FROM people WHERE made >= ? ORDER BY id", [][]binding.Param{{str("2020-01-01 10:00:00")}, {day(2020, 2, 1)}}},
	{"SELECT id FROM people WHERE age IN (?, ?, ?) ORDER BY id", [][]binding.Param{
		{long(30), long(41), long(17)}, {str("30"), str("41"), str("17")}, {long(30), null(), long(0)},
	}},
	{"SELECT id FROM people WHERE name IN (?, ?) ORDER BY id", [][]binding.Param{{str("Bob"), str("dave")}}},
	{"SELECT id, age + ? FROM people WHERE LENGTH(name) = ? ORDER BY id", [][]binding.Param{{long(1), long(4)}, {long(5), long(3)}}},
	{
		"SELECT id, age, amount, ratio, big, born, at, made, color, flags, note, town, kind, name, tag FROM people WHERE LENGTH(name) > ? ORDER BY id",
		[][]binding.Param{{long(0)}, {long(4)}},
	},
	{
		"SELECT id, age > 20, age / 2, amount * 2, UPPER(name), YEAR(born), born + INTERVAL 1 DAY, age IS NULL, made, at FROM people WHERE id < ? ORDER BY id",
		[][]binding.Param{{long(7)}},
	},
	{"SELECT id FROM people ORDER BY age DESC, id LIMIT ?", [][]binding.Param{{long(3)}, {long(0)}, {long(100)}}},
	{"SELECT id FROM people ORDER BY name, id LIMIT ? OFFSET ?", [][]binding.Param{{long(3), long(2)}, {long(1), long(100)}}},
	{
		"SELECT kind, COUNT(*) AS n, SUM(age), AVG(amount), MIN(name) FROM people GROUP BY kind HAVING n > ? ORDER BY kind",
		[][]binding.Param{{long(0)}, {long(2)}},
	},
	{"SELECT DISTINCT age FROM people WHERE age > ? ORDER BY age", [][]binding.Param{{long(0)}}},
	{"SELECT id FROM people WHERE age = 30 AND UPPER(name) = ? OR age IN (41, 17, 3) ORDER BY id", [][]binding.Param{{str("ALICE")}}},
	{"SELECT COUNT(*) FROM people WHERE color = ? OR flags = ?", [][]binding.Param{{str("red"), str("x,y")}, {str("nosuch"), str("")}}},
	{"SELECT id, IF(age > ?, 'old', 'young') AS a FROM people ORDER BY a, id", [][]binding.Param{{long(30)}}},
}

// paramsRefused reports whether an execution is refused: a number compared with text
// that is none, or with a date; and what MySQL has decided the type of when it prepared.
func paramsRefused(mariadb bool, statement string, list int) bool {
	lists, ok := map[string]string{
		"SELECT id FROM people WHERE note = ? ORDER BY id":                                      "1234",
		"SELECT id FROM people WHERE note IN (?, 'alpha') ORDER BY id":                          "123",
		"SELECT id FROM people WHERE at > ? ORDER BY id":                                        "1",
		"SELECT id FROM people WHERE born > ? ORDER BY id":                                      "012",
		"SELECT id FROM people WHERE COALESCE(age, ?) = ? ORDER BY id":                          "1",
		"SELECT id FROM people WHERE CASE WHEN kind = ? THEN name ELSE tag END = ? ORDER BY id": "1",
		"SELECT id, age + ? FROM people WHERE id < 3 AND LENGTH(name) > 0 ORDER BY id":          "023",
	}[statement]
	if strings.HasPrefix(statement, "SELECT id, age + ?") && mariadb {
		return false
	}
	if !mariadb { // a text for what has been a number or a date
		switch statement {
		case "SELECT id, age FROM people WHERE age > ? ORDER BY id":
			return list == 4
		case "SELECT id FROM people WHERE COALESCE(age, ?) = ? ORDER BY id":
			return false
		case "SELECT id FROM people WHERE amount >= ? AND amount < ? ORDER BY id":
			return list == 3
		}
	}
	return ok && strings.Contains(lists, strconv.Itoa(list))
}

// TestLocalPrepared: the same rows in the binary protocol, for parameters of several
// types. A cursor that is asked for is not opened, which a server may do.
func TestLocalPrepared(t *testing.T) {
	onPeople(t, func(p *pair) {
		for _, c := range localPrepared {
			p.preparedLocally(c.statement, c.lists)
		}
	})
}

// preparedLocally is prepared for statements that may be refused for a parameter of
// a type that is not known to come out the same.
func (p *pair) preparedLocally(statement string, lists [][]binding.Param) {
	p.t.Helper()
	direct, tunnel := p.prepare(statement)
	for i, params := range lists {
		sets, err := execute(p.tunnel, tunnel, 0, params...)
		b := p.answered(statement, sets, err)
		refused := b.err != nil && strings.HasPrefix(b.err.Message, "TUNIC-201")
		if expected := paramsRefused(p.mariadb(), statement, i); refused || expected {
			if refused != expected {
				p.t.Errorf("EXECUTE %d of %s: refused %v", i+1, statement, refused)
			}
			continue
		}
		sets, err = execute(p.direct, direct, 0, params...)
		a := p.answered(statement, sets, err)
		for _, one := range [...]*answer{&a, &b} {
			for i := range one.sets {
				p.loosen(statement, one.sets[i].Definitions)
			}
		}
		if diff := difference(a, b, p.direct.Caps); diff != "" {
			p.t.Errorf("EXECUTE %d of %s\n%s", i+1, statement, diff)
		}
	}
}

// TestLocalCapabilities: clients with and without EOF packets, and MariaDB's own
// forms of results.
func TestLocalCapabilities(t *testing.T) {
	onServers(t, func(t *testing.T, r *rig) {
		r.people("sealed")
		for _, caps := range []wire.Capability{
			wiretest.ClientCaps &^ wire.ClientDeprecateEOF,
			wiretest.ClientCaps | wire.ClientSessionTrack | wire.ClientFoundRows,
			wiretest.ClientCaps&^wire.ClientMySQL | wire.MariaDBExtendedMetadata | wire.MariaDBCacheMetadata,
			wiretest.ClientCaps&^wire.ClientMySQL&^wire.ClientDeprecateEOF | wire.MariaDBCacheMetadata,
		} {
			if r.flavor != value.MariaDB && !caps.Has(wire.ClientMySQL) {
				continue
			}
			p := r.pair(t, caps)
			p.same("DELETE FROM people")
			p.same("INSERT INTO people VALUES " + localRows[0] + ", " + localRows[1] + ", " + localRows[2])
			for _, s := range []string{
				"SELECT id, name, age + 1 FROM people WHERE name LIKE '%o%' ORDER BY id",
				"SELECT id FROM people WHERE name LIKE 'nobody'", "SELECT SUM(age) AS s, COUNT(*) AS n FROM people",
				"SELECT id, age / 0 FROM people WHERE LENGTH(name) > 0 ORDER BY id",
			} {
				p.same(s)
			}
			p.prepared("SELECT id, name, age + 1 FROM people WHERE LENGTH(name) > ? ORDER BY id", 0, []binding.Param{long(0)}, []binding.Param{long(0)}, []binding.Param{long(9)})
		}
	})
}
