package value

import (
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/value/charset"
)

// params are sources as a driver binds them.
func params(c *charset.Collation) (all []sample) {
	add := func(v any, s Source) {
		s.Param = true
		all = append(all, sample{param: v, source: s})
	}
	for _, text := range integerLiterals {
		if i, err := strconv.ParseInt(text, 10, 64); err == nil {
			add(i, IntSource(i))
			if i >= 0 { // with the unsigned flag
				add(uint64(i), Source{Form: FormUint, Number: uint64(i)})
			}
		} else {
			u, _ := strconv.ParseUint(text, 10, 64)
			add(u, UintSource(u))
		}
	}
	for _, text := range doubleLiterals {
		f, _ := strconv.ParseFloat(text, 64)
		add(f, DoubleSource(f))
	}
	for _, list := range [][]string{numberTexts, temporalTexts[:80], plainTexts, {"[1]", "123e4567-e89b-12d3-a456-426614174000", "1.2.3.4", "::1"}} {
		for _, text := range list {
			add(text, StringSource([]byte(text), c))
		}
	}
	return all
}

// TestAssignParametersAsServersDo stores parameters of the binary protocol.
func TestAssignParametersAsServersDo(t *testing.T) {
	forEachServer(t, func(t *testing.T, o *oracle) {
		c := o.collation(t, "utf8mb4_general_ci")
		for _, name := range []string{
			"tinyint(4)", "int(11)", "bigint(20) unsigned", "decimal(10,2)", "float", "double", "bit(10)", "year(4)",
			"date", "time(3)", "datetime", "timestamp", "varchar(5)", "text", "varbinary(5)", "enum('a','b','c d','3')", "set('a','b','3')",
		} {
			t.Run(name, func(t *testing.T) { compareParams(t, o, name, c) })
		}
	})
}

func compareParams(t *testing.T, o *oracle, name string, c *charset.Collation) {
	column, err := Parse(name, c)
	if err != nil {
		t.Fatal(err)
	}
	env, _ := o.environment(t, "")
	o.exec(t, "DROP TABLE IF EXISTS t")
	o.exec(t, "CREATE TABLE t (id INT PRIMARY KEY, c "+name+" NULL DEFAULT NULL) CHARSET utf8mb4 COLLATE utf8mb4_general_ci")
	d := &differences{t: t}
	list := params(c)
	stored := map[int][]byte{}
	for id, s := range list {
		d.cases++
		theirs := o.attempt(t, "INSERT INTO t VALUES (?, ?)", id, s.param)
		canonical, outcome := Assign(nil, column, &s.source, env)
		if err, failed := outcome.Err(); failed && err.Code == Unanswerable {
			d.refused++
			continue
		}
		if ours := conditionTexts(&outcome, env); !slices.Equal(theirs.warnings, ours) {
			d.add("%s:\n  server %q\n  here   %q", s, theirs.warnings, ours)
		}
		if theirs.err == nil && !outcome.Failed() {
			stored[id] = append([]byte{}, canonical...)
		}
	}
	d.compareStored(o, column, env, list, stored, "")
	d.report()
}

// TestTimestampAsServersDo stores and shows local times around the changes of
// clocks.
func TestTimestampAsServersDo(t *testing.T) {
	forEachServer(t, func(t *testing.T, o *oracle) {
		sandboxtest.Zone(t, func(statement string) { o.exec(t, statement) }, "Europe/Berlin")
		berlin, err := time.LoadLocation("Europe/Berlin")
		if err != nil {
			t.Skipf("SKIP: no time zone data: %v", err)
		}
		c := o.collation(t, "utf8mb4_general_ci")
		column, err := Parse("timestamp(3)", c)
		if err != nil {
			t.Fatal(err)
		}
		env, _ := o.environment(t, "")
		o.exec(t, "SET time_zone = 'Europe/Berlin'")
		env.Location = berlin
		o.exec(t, "DROP TABLE IF EXISTS t")
		o.exec(t, "CREATE TABLE t (id INT PRIMARY KEY, c TIMESTAMP(3) NULL)")
		d := &differences{t: t}
		var list []sample
		for _, day := range []string{"2024-03-31", "2024-10-27", "2024-07-01", "2024-01-01"} {
			for minute := 0; minute < 6*60; minute += 15 {
				text := fmt.Sprintf("%s %02d:%02d:00.5", day, minute/60, minute%60)
				list = append(list, sample{sql: quote(text), source: StringSource([]byte(text), c)})
			}
		}
		for _, text := range []string{"1970-01-01 01:00:00", "1970-01-01 01:00:01", "2038-01-19 04:14:07", "2038-01-19 04:14:08", "2024-05-05 10:11:12+00:00"} {
			list = append(list, sample{sql: quote(text), source: StringSource([]byte(text), c)})
		}
		stored := map[int][]byte{}
		for id, s := range list {
			if canonical, ok := d.compareOutcome(o, column, env, "INSERT", id, s, ""); ok {
				stored[id] = canonical
			}
		}
		d.compareStored(o, column, env, list, stored, "Berlin")
		d.report()
	})
}

// TestCharsetsAsServersDo stores texts into columns of several character sets and
// reads them in others.
func TestCharsetsAsServersDo(t *testing.T) {
	forEachServer(t, func(t *testing.T, o *oracle) {
		connection := o.collation(t, "utf8mb4_general_ci")
		for _, collation := range []string{"latin1_swedish_ci", "utf8mb3_general_ci", "ascii_general_ci", "latin2_general_ci", "utf16_general_ci", "ucs2_general_ci", "gbk_chinese_ci", "sjis_japanese_ci", "cp1251_general_ci"} {
			c := o.collation(t, collation)
			if ok, _ := c.Charset.Convertible(); !ok {
				continue
			}
			for _, name := range []string{"varchar(5)", "char(5)", "tinytext", "enum('a','b','c d','3')"} {
				t.Run(collation+"_"+name, func(t *testing.T) { compareCharset(t, o, name, c, connection) })
			}
		}
	})
}

func compareCharset(t *testing.T, o *oracle, name string, c, connection *charset.Collation) {
	column, err := Parse(name, c)
	if err != nil {
		t.Fatal(err)
	}
	o.exec(t, "DROP TABLE IF EXISTS t")
	o.exec(t, "CREATE TABLE t (id INT PRIMARY KEY, c "+name+") CHARSET "+c.Charset.Name+" COLLATE "+c.Name)
	d := &differences{t: t}
	env, verb := o.environment(t, "")
	var list []sample
	for _, text := range slices.Concat(plainTexts, []string{"č", "€", "€uro", "ЖЖЖЖЖЖ", "漢字漢字漢字", "aé日😀x"}) {
		list = append(list, sample{sql: quote(text), source: StringSource([]byte(text), connection)})
	}
	stored := map[int][]byte{}
	for id, s := range list {
		if canonical, ok := d.compareOutcome(o, column, env, verb, id, s, ""); ok {
			stored[id] = canonical
		}
	}
	for _, results := range []string{"utf8mb4", "latin1", "binary", "NULL"} {
		o.exec(t, "SET character_set_results = "+results)
		env.Results, _ = charset.CharsetByName(o.flavor, results)
		d.compareStored(o, column, env, list, stored, results)
	}
	o.exec(t, "SET character_set_results = utf8mb4")
	d.report()
}
