package value

import (
	"bytes"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

var (
	onlyType = flag.String("type", "", "compare columns of this type only")
	mostSeen = flag.Int("most", 8, "differences printed for a type")
	all      = flag.Bool("all", os.Getenv("TUNIC_LONG") != "", "compare all samples under all modes, which takes minutes")
)

// columnTypes are the columns that are compared with the servers.
var columnTypes = []string{
	"tinyint(4)", "tinyint(3) unsigned", "smallint(6)", "mediumint(9)", "mediumint(8) unsigned", "int(11)", "int(10) unsigned", "int(10) unsigned zerofill", "bigint(20)", "bigint(20) unsigned",
	"decimal(10,2)", "decimal(10,0)", "decimal(18,4)", "decimal(65,30)", "decimal(38,30)", "decimal(5,2) unsigned", "decimal(20,6) unsigned zerofill",
	"float", "double", "float unsigned", "double unsigned", "float(7,3)", "double(10,2)", "double(22,0) unsigned zerofill",
	"bit(1)", "bit(10)", "bit(64)", "year(4)",
	"date", "time", "time(3)", "time(6)", "datetime", "datetime(1)", "datetime(6)", "timestamp", "timestamp(3)",
	"char(5)", "varchar(5)", "varchar(200)", "tinytext", "text", "binary(5)", "varbinary(5)", "tinyblob", "blob",
	"enum('a','b','c d','3','ä')", "set('a','b','c d','3','ä')",
}

// sqlModes are tried one after the other: the first two always, the rest with -all.
var sqlModes = []string{
	"",
	"STRICT_TRANS_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE",
	"STRICT_ALL_TABLES",
	"NO_ZERO_DATE,NO_ZERO_IN_DATE",
	"ALLOW_INVALID_DATES,TIME_TRUNCATE",
	"IGNORE,STRICT_ALL_TABLES,NO_ZERO_DATE",
}

// environment sets a mode on the server and returns the Env that goes with it.
func (o *oracle) environment(t *testing.T, mode string) (env *Env, verb string) {
	t.Helper()
	env, verb = &Env{Flavor: o.flavor, Version: o.version, NullFails: true, Location: time.UTC}, "INSERT"
	names := strings.Split(mode, ",")
	for i, name := range names {
		switch name {
		case "IGNORE":
			env.Ignore, verb = true, "INSERT IGNORE"
			names[i] = ""
		case "TIME_TRUNCATE": // what the flavor does not do by itself
			names[i] = "TIME_TRUNCATE_FRACTIONAL"
			if o.flavor == MariaDB {
				names[i] = "TIME_ROUND_FRACTIONAL"
			}
		}
		env.Mode |= ModeNamed(names[i])
	}
	names = slices.DeleteFunc(names, func(s string) bool { return s == "" })
	o.exec(t, "SET sql_mode = '"+strings.Join(names, ",")+"', timestamp = 1580724672")
	c := Clock{Year: 2020, Month: 2, Day: 3}
	env.Today = c.PackDateTime()
	return env, verb
}

// TestAssignAsServersDo stores samples into every type, on the servers and here,
// and compares what is stored, sent and said: a third of them under two modes, or
// with -all each under every mode.
func TestAssignAsServersDo(t *testing.T) {
	forEachServer(t, func(t *testing.T, o *oracle) {
		names := append(slices.Clone(columnTypes), "json", "geometry", "point", "linestring", "geometrycollection")
		if o.flavor == MariaDB {
			names = append(names, "uuid", "inet4", "inet6")
		} else {
			names = append(names, "vector(3)")
		}
		for _, name := range names {
			if *onlyType != "" && !strings.HasPrefix(name, *onlyType) {
				continue
			}
			t.Run(name, func(t *testing.T) { compareColumn(t, o, name) })
		}
	})
}

func compareColumn(t *testing.T, o *oracle, name string) {
	c := o.collation(t, "utf8mb4_general_ci")
	columnCollation := c
	if name == "json" {
		columnCollation = o.collation(t, "utf8mb4_bin")
	}
	column, err := Parse(name, columnCollation)
	if err != nil {
		t.Fatal(err)
	}
	suffix := ""
	if column.Kind == Timestamp {
		suffix = " NULL DEFAULT NULL"
	}
	o.exec(t, "DROP TABLE IF EXISTS t")
	o.exec(t, "SET sql_mode = ''")
	o.exec(t, "CREATE TABLE t (id INT PRIMARY KEY, c "+name+suffix+") CHARSET utf8mb4 COLLATE utf8mb4_general_ci")
	d := &differences{t: t}
	for i, mode := range sqlModes {
		if i > 1 && !*all {
			break
		}
		if column.Kind == JSON && o.flavor == MariaDB && strings.HasPrefix(mode, "IGNORE") {
			continue // a row that fails a check is left out, which is not for Assign to say
		}
		env, verb := o.environment(t, mode)
		stored := map[int][]byte{}
		list := samples(c)
		for id, s := range list {
			if !*all && (id+len(name)+i)%3 != 0 {
				continue
			}
			if canonical, ok := d.compareOutcome(o, column, env, verb, id, s, mode); ok {
				stored[id] = canonical
			}
		}
		d.compareStored(o, column, env, list, stored, mode)
		o.exec(t, "DELETE FROM t")
	}
	d.report()
}

// differences collects what is not as the server has it.
type differences struct {
	t     *testing.T
	cases int
	// refused counts what Assign leaves unanswered.
	refused int
	seen    []string
}

func (d *differences) add(format string, args ...any) {
	d.seen = append(d.seen, fmt.Sprintf(format, args...))
}

func (d *differences) report() {
	d.t.Helper()
	if len(d.seen) == 0 {
		d.t.Logf("%d cases, %d refused", d.cases, d.refused)
		return
	}
	d.t.Errorf("%d of %d cases differ:\n%s", len(d.seen), d.cases, strings.Join(d.seen[:min(len(d.seen), *mostSeen)], "\n"))
}

// compareOutcome compares error and warnings; ok if the row is stored on both
// sides.
func (d *differences) compareOutcome(o *oracle, column *Type, env *Env, verb string, id int, s sample, mode string) ([]byte, bool) {
	d.t.Helper()
	d.cases++
	theirs := o.attempt(d.t, fmt.Sprintf("%s INTO t VALUES (%d, %s)", verb, id, s.sql))
	if column.Kind == JSON && o.flavor == MariaDB { // where its reader of JSON stopped is not told
		theirs.warnings = slices.DeleteFunc(theirs.warnings, func(s string) bool { return strings.HasPrefix(s, "Note 40") })
	}
	canonical, outcome := Assign(nil, column, &s.source, env)
	ours := conditionTexts(&outcome, env)
	if err, failed := outcome.Err(); failed && err.Code == Unanswerable {
		d.refused++
		return nil, false
	}
	if (theirs.err != nil) != outcome.Failed() || !slices.Equal(theirs.warnings, ours) {
		d.add("%q %s:\n  server %q\n  here   %q", mode, s, theirs.warnings, ours)
	}
	if theirs.err != nil || outcome.Failed() {
		return nil, false
	}
	if outcome.Null {
		return nil, true
	}
	if canonical == nil {
		canonical = []byte{}
	}
	return canonical, true
}

// conditionTexts writes conditions as SHOW WARNINGS does.
func conditionTexts(o *Outcome, env *Env) (texts []string) {
	for _, c := range o.Conditions() {
		message := string(c.AppendMessage(nil, env, Column{"test", "t", "c"}, 1))
		switch c.Code {
		case BadDelimiter:
			message = "delimiter"
		case ExtraDelimiter:
			message = "superfluous delimiter"
		default:
		}
		texts = append(texts, fmt.Sprintf("%s %d %s", c.Level, c.Code, message))
	}
	return texts
}

// compareStored compares what a SELECT sends, in both protocols.
func (d *differences) compareStored(o *oracle, column *Type, env *Env, list []sample, stored map[int][]byte, mode string) {
	d.t.Helper()
	text := o.query(d.t, "SELECT id, c FROM t ORDER BY id")
	binary := o.query(d.t, "SELECT id, c FROM t WHERE id >= ? ORDER BY id", -1)
	if len(text.rows) != len(binary.rows) {
		d.t.Fatalf("%d rows as text, %d in binary", len(text.rows), len(binary.rows))
	}
	for row, payload := range text.rows {
		idText, theirText := lenencBytes(payload)
		theirBinary := binary.rows[row][1+1+4:]
		id, _ := strconv.Atoi(string(idText))
		canonical, ok := stored[id]
		if !ok {
			continue // reported already
		}
		s := list[id]
		ourText, ourBinary := []byte{0xfb}, []byte{}
		if canonical != nil {
			out := AppendText(nil, column, canonical, env)
			ourText = append(appendLength(nil, uint64(len(out))), out...)
			ourBinary = AppendBinary(nil, column, canonical, env)
		}
		if !bytes.Equal(theirText, ourText) {
			d.add("%q %s: text\n  server %q\n  here   %q", mode, s, clip(theirText), clip(ourText))
		} else if !bytes.Equal(theirBinary, ourBinary) {
			d.add("%q %s: binary\n  server %s\n  here   %s", mode, s, hex.EncodeToString(clip(theirBinary)), hex.EncodeToString(clip(ourBinary)))
		}
	}
}

func clip(b []byte) []byte { return b[:min(len(b), 100)] }

// lenencBytes splits a length-encoded string off.
func lenencBytes(b []byte) (head, rest []byte) {
	n, rest := lenenc(b)
	return rest[:n], rest[n:]
}
