package exec

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"tunic/internal/binding"
	"tunic/internal/value"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// typeCases are types with values for them as SQL writes them.
var typeCases = []struct {
	typ    string
	values []string
}{
	{"TINYINT", []string{"0", "-128", "127", "128", "'12'", "1.5", "-0.5", "TRUE", "x'41'", "'abc'"}},
	{"SMALLINT UNSIGNED", []string{"0", "65535", "-1", "65536"}},
	{"MEDIUMINT", []string{"-8388608", "8388607", "'1e3'"}},
	{"INT UNSIGNED ZEROFILL", []string{"7", "4294967295"}},
	{"BIGINT", []string{"-9223372036854775808", "9223372036854775807", "9223372036854775808", "0x7fffffffffffffff"}},
	{"BIGINT UNSIGNED", []string{"18446744073709551615", "18446744073709551616"}},
	{"DECIMAL(10,2)", []string{"0", "1.005", "-99999999.99", "99999999.995", "'12.3'", "1e3"}},
	{"DECIMAL(65,30)", []string{"-1.5", "12345678901234567890123456789012345.123456789012345678901234567890"}},
	{"FLOAT", []string{"1.5", "3.4e38", "1e39", "'x'", "0.1"}},
	{"DOUBLE", []string{"-0.0", "-0e0", "1.7976931348623157e308", "0.1", "123456789012345678"}},
	{"BIT(10)", []string{"b'1011'", "1023", "1024", "x'03ff'", "'12'"}},
	{"YEAR", []string{"2020", "0", "69", "'70'", "1900"}},
	{"DATE", []string{"'2020-02-29'", "'2021-02-29'", "DATE'2021-03-04'", "20200203", "'2020-02-03 10:11:12'", "TIMESTAMP'2020-02-03 10:11:12'"}},
	{"TIME(3)", []string{"'838:59:59'", "'-10:11:12.5555'", "101112", "TIME'10:11:12'", "'839:00:00'"}},
	{"DATETIME(6)", []string{"'2020-02-03 10:11:12.123456'", "'9999-12-31 23:59:59'", "DATE'2021-03-04'", "'nonsense'"}},
	{"TIMESTAMP(3)", []string{"'2020-02-03 10:11:12.123'", "'1970-01-01 00:00:01'", "'2039-01-01 00:00:00'", "'1969-01-01'"}},
	{"CHAR(5)", []string{"'abc  '", "'ab'", "''", "'äöüß€'", "'toolong'", "12345", "_latin1'\xe4'", "x'6162'"}},
	{"VARCHAR(5)", []string{"'abc  '", "'abcde  '", "'😀'", "123", "1.5", "N'n'", "'abcdef'"}},
	{"VARCHAR(300) CHARACTER SET latin1", []string{"'äöü'", "'€'", "REPEAT_A"}},
	{"TEXT", []string{"'text'", "''", "REPEAT_A"}},
	{"BINARY(4)", []string{"'ab'", "x'00ff'", "'abcd'", "'abcde'"}},
	{"VARBINARY(300)", []string{"x'00ff00'", "''", "REPEAT_A"}},
	{"BLOB", []string{"x'00ff00'", "'text'"}},
	{"ENUM('a','b','c d','ö')", []string{"'a'", "'B'", "3", "'ö'", "'nosuch'", "'4'"}},
	{"SET('a','b','ö')", []string{"'a,b'", "''", "5", "'ö'", "'x'", "'12'"}},
}

// sqlOf is a value of typeCases as it is written.
func sqlOf(v string) string {
	if v == "REPEAT_A" {
		return "'" + strings.Repeat("a", 270) + "'"
	}
	return v
}

// typeTables makes a table for each type, t0 and so on, with a sealed column of it.
func (r *rig) typeTables(types ...string) {
	for i, typ := range types {
		r.table(fmt.Sprintf("t%d", i), []col{
			{name: "id", typ: "INT", protect: "plain"}, {name: "v", typ: typ, protect: "sealed", null: true},
		}, primary("id"))
	}
}

func typesOfCases() (types []string) {
	for _, c := range typeCases {
		types = append(types, c.typ)
	}
	return types
}

// TestTypes: every type, stored as text and read as text and as binary, is what a
// plain table has; so are errors, and warnings without strict mode.
func TestTypes(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.typeTables(typesOfCases()...)
		p := r.pair(t, 0)
		for _, mode := range []string{"STRICT_ALL_TABLES", ""} {
			p.each("SET sql_mode = '"+mode+"'", "SET time_zone = '+02:00'")
			for i, c := range typeCases {
				table := fmt.Sprintf("t%d", i)
				for n, v := range append(c.values, "NULL") {
					p.same(fmt.Sprintf("INSERT INTO %s VALUES (%d, %s)", table, n, sqlOf(v)))
					p.same(fmt.Sprintf("INSERT IGNORE INTO %s (v, id) VALUES (%s, %d)", table, sqlOf(v), n+100))
				}
				p.same("SELECT v, id FROM " + table + " ORDER BY id")
				p.prepared("SELECT id, v FROM "+table+" WHERE id >= ? ORDER BY id", 0, []binding.Param{long(0)})
				p.same("DELETE FROM " + table)
			}
		}
	})
}

// paramCases are parameters of every type.
var paramCases = []binding.Param{
	{ParamType: binding.ParamType{Kind: wire.TypeTiny}, Bytes: []byte{0xff}},
	{ParamType: binding.ParamType{Kind: wire.TypeTiny, Unsigned: true}, Bytes: []byte{0xff}},
	{ParamType: binding.ParamType{Kind: wire.TypeShort}, Bytes: []byte{0xfe, 0xff}},
	{ParamType: binding.ParamType{Kind: wire.TypeLong}, Bytes: []byte{1, 2, 3, 0}},
	{ParamType: binding.ParamType{Kind: wire.TypeLongLong}, Bytes: []byte{1, 0, 0, 0, 0, 0, 0, 0}},
	{ParamType: binding.ParamType{Kind: wire.TypeLongLong, Unsigned: true}, Bytes: bytes8(math.MaxUint64)},
	{ParamType: binding.ParamType{Kind: wire.TypeFloat}, Bytes: binary.LittleEndian.AppendUint32(nil, math.Float32bits(1.5))},
	{ParamType: binding.ParamType{Kind: wire.TypeDouble}, Bytes: bytes8(math.Float64bits(-2.25))},
	{ParamType: binding.ParamType{Kind: wire.TypeNewDecimal}, Bytes: []byte("12.50")},
	{ParamType: binding.ParamType{Kind: wire.TypeVarString}, Bytes: []byte("2020-02-03")},
	{ParamType: binding.ParamType{Kind: wire.TypeVarString}, Bytes: []byte("a")},
	{ParamType: binding.ParamType{Kind: wire.TypeString}, Bytes: []byte("12")},
	{ParamType: binding.ParamType{Kind: wire.TypeBlob}, Bytes: []byte("12")},
	{ParamType: binding.ParamType{Kind: wire.TypeDate}, Bytes: []byte{0xe4, 7, 2, 3}},
	{ParamType: binding.ParamType{Kind: wire.TypeDatetime}, Bytes: []byte{0xe4, 7, 2, 3, 10, 11, 12, 0x40, 0xe2, 1, 0}},
	{ParamType: binding.ParamType{Kind: wire.TypeTimestamp}, Bytes: []byte{0xe4, 7, 2, 3, 10, 11, 12}},
	{ParamType: binding.ParamType{Kind: wire.TypeTime}, Bytes: []byte{1, 1, 0, 0, 0, 2, 3, 4}},
	null(),
}

func bytes8(u uint64) []byte { return binary.LittleEndian.AppendUint64(nil, u) }

// TestParams: parameters of every type, stored in columns of every type.
func TestParams(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.typeTables(typesOfCases()...)
		p := r.pair(t, 0)
		p.each("SET sql_mode = ''", "SET time_zone = '+00:00', timestamp = 1580724672")
		for i := range typeCases {
			table := fmt.Sprintf("t%d", i)
			direct, tunnel := p.prepare("INSERT INTO " + table + " (id, v) VALUES (?, ?)")
			for n, v := range paramCases {
				p.param(table, direct, tunnel, long(int64(n)), v)
			}
			p.same("SELECT id, v FROM " + table + " ORDER BY id")
		}
	})
}

// param executes an INSERT with a parameter on both sides. What MySQL makes of some,
// by giving them the type of the column first, is not known and refused; MariaDB has
// no such secrets.
func (p *pair) param(table string, direct, tunnel uint32, params ...binding.Param) {
	p.t.Helper()
	sets, err := execute(p.tunnel, tunnel, 0, params...)
	through := p.answered(table, sets, err)
	if through.err != nil && strings.HasPrefix(through.err.Message, "TUNIC-2011") && !p.mariadb() {
		return
	}
	sets, err = execute(p.direct, direct, 0, params...)
	if diff := difference(p.answered(table, sets, err), through, p.direct.Caps); diff != "" {
		p.t.Errorf("%s, parameter %x of type %#x\n%s", table, params[1].Bytes, params[1].Kind, diff)
	}
}

// TestParamHistory: a text is given to a parameter that has been something else before.
func TestParamHistory(t *testing.T) {
	texts := []string{"7", "007", "7.5", "1e2", " 7 ", "", "a", "12abc", "-", "nan", "0x10", "2020-1-1", "2020-01-02 03:04:05.678",
		"2020-01-02", "2020-02-30", "0000-00-00", "10:11:12", "99999999999999999999", "-3", "+4", "20200101", "true", "1.", ".5", "- 3", "\t8", "\v8", "8\v", "10 Downing Street", "10:11 station"}
	before := []binding.Param{
		{ParamType: binding.ParamType{Kind: wire.TypeLong}, Bytes: []byte{5, 0, 0, 0}},
		{ParamType: binding.ParamType{Kind: wire.TypeLongLong, Unsigned: true}, Bytes: bytes8(5)},
		{ParamType: binding.ParamType{Kind: wire.TypeLong}, Null: true},
		{ParamType: binding.ParamType{Kind: wire.TypeDouble}, Bytes: bytes8(math.Float64bits(2.5))},
		{ParamType: binding.ParamType{Kind: wire.TypeNewDecimal}, Bytes: []byte("12.50")},
		{ParamType: binding.ParamType{Kind: wire.TypeDate}, Bytes: []byte{0xe4, 7, 2, 3}},
		{ParamType: binding.ParamType{Kind: wire.TypeTime}, Bytes: []byte{0, 0, 0, 0, 0, 2, 3, 4}},
		{ParamType: binding.ParamType{Kind: wire.TypeVarString}, Bytes: []byte("b")},
		{ParamType: binding.ParamType{Kind: wire.TypeBlob}, Bytes: []byte("12")},
		null(),
	}
	onServers(t, func(t *testing.T, r *rig) {
		types := []string{"VARCHAR(30)", "VARBINARY(30)", "INT", "BIGINT UNSIGNED", "DECIMAL(8,3)", "DOUBLE", "DATETIME(2)", "DATE", "TIME(2)",
			"YEAR", "ENUM('a','b','7')", "SET('a','b','c','7')", "BIT(10)", "TEXT"}
		r.typeTables(types...)
		p := r.pair(t, 0)
		p.each("SET sql_mode = ''", "SET time_zone = '+00:00', timestamp = 1580724672")
		for i := range types {
			table, id := fmt.Sprintf("t%d", i), int64(0)
			for _, first := range before {
				for _, text := range texts {
					direct, tunnel := p.prepare("INSERT INTO " + table + " (id, v) VALUES (?, ?)")
					for _, v := range []binding.Param{first, {ParamType: binding.ParamType{Kind: wire.TypeVarString}, Bytes: []byte(text)}} {
						id++
						p.param(table, direct, tunnel, long(id), v)
					}
				}
			}
			p.same("SELECT id, v FROM " + table + " ORDER BY id")
		}
	})
}

// TestParamsWithoutNumber: a DOUBLE or FLOAT that no literal says is refused, and the session goes on.
func TestParamsWithoutNumber(t *testing.T) {
	onServers(t, func(t *testing.T, r *rig) {
		r.typeTables(typesOfCases()...)
		p := r.pair(t, 0)
		for i := range typeCases {
			_, tunnel := p.prepare(fmt.Sprintf("INSERT INTO t%d (id, v) VALUES (?, ?)", i))
			for _, f := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
				for _, v := range []binding.Param{
					{ParamType: binding.ParamType{Kind: wire.TypeDouble}, Bytes: bytes8(math.Float64bits(f))},
					{ParamType: binding.ParamType{Kind: wire.TypeFloat}, Bytes: binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(f)))},
				} {
					_, err := execute(p.tunnel, tunnel, 0, long(1), v)
					if through := p.answered("", nil, err); through.err == nil || !strings.HasPrefix(through.err.Message, "TUNIC-2011") {
						t.Errorf("%s, %v: %v", typeCases[i].typ, f, err)
					}
				}
			}
		}
	})
}

func (p *pair) mariadb() bool { return bytes.Contains(p.direct.Handshake.Version, []byte("MariaDB")) }

// TestUnconverted: what is stored in one character set is read in another.
func TestUnconverted(t *testing.T) {
	onServers(t, func(t *testing.T, r *rig) {
		r.table("t", []col{
			{name: "id", typ: "INT", protect: "plain"},
			{name: "a", typ: "VARCHAR(20) CHARACTER SET latin1", protect: "equality"},
			{name: "b", typ: "VARCHAR(20) CHARACTER SET utf8mb4", protect: "equality"},
			{name: "c", typ: "ENUM('ä','€')", protect: "sealed"},
			{name: "d", typ: "VARBINARY(20)", protect: "sealed"},
		}, primary("id"))
		p := r.pair(t, 0)
		p.same("INSERT INTO t VALUES (1, 'äöü', 'äöü€', 'ä', 'äöü')")
		for _, names := range []string{"latin1", "utf8mb4", "utf8mb4 COLLATE utf8mb4_bin", "binary", "latin2"} {
			p.same("SET NAMES " + names)
			p.same("SELECT a, b, c, d FROM t ORDER BY id")
			p.prepared("SELECT a, b, c, d FROM t WHERE id = ?", 0, []binding.Param{long(1)})
		}
		p.same("SET NAMES latin1")
		p.same("INSERT INTO t VALUES (2, '\xe4', '\xe4', '\xe4', '\xe4')")
		p.same("SELECT id FROM t WHERE a = '\xe4'")
		p.same("SELECT a, b, c, d FROM t ORDER BY id")
		p.same("SET NAMES utf8mb4")
		p.same("INSERT INTO t (id, a, b, c, d) VALUES (3, _latin1 x'e9', _latin1 x'e9', 'ä', _latin1 x'e9'), (4, N'x', _utf8mb4 0xc3a9, x'c3a4', 'two ' 'parts')")
		p.same("SELECT id FROM t WHERE a = _latin1 x'e9' OR b = _latin1 0xe9 ORDER BY id")
		p.same("SET character_set_results = NULL")
		p.same("SELECT a, b, c, d FROM t ORDER BY id")
	})
}

// TestCapabilities: clients with and without EOF packets, session tracking and
// MariaDB's own forms of results.
func TestCapabilities(t *testing.T) {
	onServers(t, func(t *testing.T, r *rig) {
		r.person()
		for _, caps := range capabilitySets(r.flavor) {
			p := r.pair(t, caps)
			p.same("DELETE FROM person")
			p.same("INSERT INTO person (id, name, age) VALUES (1, 'Alice', 30), (2, 'Bob', NULL)")
			p.same("SELECT * FROM person ORDER BY id")
			if !caps.Has(wire.ClientQueryAttributes) {
				p.prepared("SELECT * FROM person WHERE id > ? ORDER BY id", 0, []binding.Param{long(0)}, []binding.Param{long(1)}, []binding.Param{long(5)})
				p.prepared("SELECT SUM(age) FROM person WHERE id > ?", 0, []binding.Param{long(0)}, []binding.Param{long(1)}, []binding.Param{long(5)})
			}
		}
	})
}

// TestManyFrames: a stored statement is longer than the client's; where it has more
// frames, the server's answer is numbered from there.
func TestManyFrames(t *testing.T) {
	onServers(t, func(t *testing.T, r *rig) {
		r.exec("SET GLOBAL max_allowed_packet = 67108864")
		r.table("long", []col{{name: "id", typ: "INT", protect: "plain"}, {name: "v", typ: "LONGBLOB", protect: "sealed"}}, primary("id"))
		p := r.pair(t, 0)
		value := strings.Repeat("x", 3<<20)
		p.same(fmt.Sprintf("INSERT INTO `long` VALUES (1, '%s'), (2, '%s'), (3, '%s')", value, value, value))
		p.same("SELECT id, LENGTH(v) FROM `long` ORDER BY id")
	})
}

// capabilitySets are those of clients that get answers in different forms.
func capabilitySets(flavor value.Flavor) []wire.Capability {
	all := []wire.Capability{wiretest.ClientCaps &^ wire.ClientDeprecateEOF, wiretest.ClientCaps | wire.ClientSessionTrack}
	if flavor != value.MariaDB {
		return append(all, wiretest.ClientCaps|wire.ClientFoundRows|wire.ClientQueryAttributes)
	}
	const theirs = wiretest.ClientCaps &^ wire.ClientMySQL
	return append(all, wiretest.ClientCaps|wire.ClientFoundRows,
		theirs|wire.MariaDBExtendedMetadata|wire.MariaDBCacheMetadata, theirs&^wire.ClientDeprecateEOF|wire.MariaDBCacheMetadata)
}
