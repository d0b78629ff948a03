package sql

import (
	"fmt"
	"testing"
)

// TestFileLoad reads LOAD DATA as the manual writes it.
func TestFileLoad(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"LOAD DATA LOCAL INFILE 'f.csv' INTO TABLE t", `local "f.csv" t fields "\t" "" "\\" lines "" "\n" skip 0 []`},
		{"load data low_priority local infile \"a\" 'b' replace into table s.t charset latin1", `local "ab" replace s.t latin1 fields "\t" "" "\\" lines "" "\n" skip 0 []`},
		{
			"LOAD DATA INFILE 'f' IGNORE INTO TABLE `t` CHARACTER SET 'utf8mb4' COLUMNS TERMINATED BY ',' OPTIONALLY ENCLOSED BY '\"' ESCAPED BY '' LINES STARTING BY 'xx' TERMINATED BY '\\r\\n' IGNORE 3 ROWS",
			`"f" ignore t utf8mb4 fields "," "\"" "" lines "xx" "\r\n" skip 3 []`,
		},
		{
			"LOAD DATA LOCAL INFILE 'f' INTO TABLE t FIELDS TERMINATED BY 0x2C ENCLOSED BY x'27' (a, @b, t.c) SET d = UPPER(@b), e = 1 + a",
			`local "f" t fields "," "'" "\\" lines "" "\n" skip 0 [{a false} {b true} {c false}] set 2`,
		},
	} {
		read, err := Parse([]byte(c.text), 0)
		if err != nil || len(read) != 1 {
			t.Fatalf("%s: %d statements, %v", c.text, len(read), err)
		}
		l, ok := read[0].FileLoad()
		if got := toldOf(&l); !ok || got != c.want {
			t.Errorf("%s\n%v %s\nwant %s", c.text, ok, got, c.want)
		}
	}
}

func toldOf(l *FileLoad) (s string) {
	add := func(format string, args ...any) { s += fmt.Sprintf(format, args...) + " " }
	if l.Local {
		add("local")
	}
	add("%q", l.File)
	if l.Replace {
		add("replace")
	}
	if l.Ignore {
		add("ignore")
	}
	if l.Table.Schema != "" {
		s += l.Table.Schema + "."
	}
	add("%s", l.Table.Name)
	if l.Charset != "" {
		add("%s", l.Charset)
	}
	f := &l.Format
	add("fields %q %q %q lines %q %q skip %d", f.Terminated, f.Enclosed, f.Escaped, f.Starting, f.LineEnd, l.Skip)
	s += fmt.Sprint(l.Fields)
	if len(l.Set) > 0 {
		s += fmt.Sprintf(" set %d", len(l.Set))
	}
	return s
}

// TestFileLoadUnread leaves what it does not know.
func TestFileLoadUnread(t *testing.T) {
	for _, text := range []string{
		"LOAD DATA LOCAL INFILE 'f' INTO TABLE t PARTITION (p0)",
		"LOAD DATA LOCAL INFILE 'f' INTO TABLE t FIELDS",
		"LOAD DATA LOCAL INFILE 'f' INTO TABLE t LINES TERMINATED",
		"LOAD DATA LOCAL INFILE 'f' INTO TABLE t IGNORE LINES",
		"LOAD DATA LOCAL INFILE 'f' INTO TABLE t (a",
		"LOAD DATA LOCAL INFILE 'f' INTO TABLE t (a) SET b = 1 WHERE a = 2",
		"LOAD DATA LOCAL INFILE 'f' INTO TABLE t (@`q`)",
		"LOAD DATA LOCAL INFILE f INTO TABLE t",
		"SELECT 1",
	} {
		read, err := Parse([]byte(text), 0)
		if err != nil || len(read) != 1 {
			t.Fatalf("%s: %d statements, %v", text, len(read), err)
		}
		if _, ok := read[0].FileLoad(); ok {
			t.Errorf("%s: read", text)
		}
	}
}
