package sql

import (
	"strings"
	"testing"
)

// TestAssigned: what sets user variables and nothing else, and the query of their values.
func TestAssigned(t *testing.T) {
	for text, want := range map[string]string{
		"SET @a = 1": "a: SELECT 1",
		"set @A:='x;,', @`b c` = (SELECT a, b FROM t) + 1": "a,b c: SELECT 'x;,', (SELECT a, b FROM t) + 1",
		"SET @a = 1, sql_mode = ''":                        "",
		"SET sql_mode = '', @a = 1":                        "",
		"SET @a = @b := 1":                                 "",
		"SET @a = (@b := 1)":                               "",
		"SET @a =":                                         "",
		"SET @a = 1,":                                      "",
		"SET @a = (1":                                      "",
		"SET @a":                                           "",
		"SET @@a = 1":                                      "",
		"SELECT a, b INTO @x, @y FROM t WHERE c = 'INTO'":   "x,y: SELECT a, b             FROM t WHERE c = 'INTO'",
		"SELECT a FROM t LIMIT 1 INTO @x":                   "x: SELECT a FROM t LIMIT 1        ",
		"SELECT 1 UNION SELECT 2 INTO @x":                   "x: SELECT 1 UNION SELECT 2        ",
		"SELECT (SELECT a INTO @x) FROM t":                  "",
		"SELECT a INTO @x FROM t INTO @y":                   "",
		"SELECT a INTO OUTFILE 'x' FROM t":                  "",
		"SELECT a INTO x FROM t":                            "",
		"SELECT @a := 1 INTO @b":                            "",
		"SELECT @a":                                         "",
		"INSERT INTO t SELECT 1":                            "",
		"SET STATEMENT max_statement_time = 1 FOR SELECT 1": "",
	} {
		read, err := Parse([]byte(text), 0)
		if err != nil || len(read) != 1 {
			continue
		}
		a, ok := read[0].Assigned()
		got := ""
		if ok {
			got = strings.Join(a.Targets, ",") + ": " + string(a.Query)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestTextual: the parts of SQL's own statements about prepared statements.
func TestTextual(t *testing.T) {
	maria := Modes(0).WithServer("10.11.6-MariaDB")
	for text, want := range map[string]string{
		"PREPARE s FROM 'SELECT ''x'''":                "s|SELECT 'x'||",
		"PREPARE `S t` FROM @Text":                     "S t||text|",
		"PREPARE s FROM CONCAT('a', 'b')":              "",
		"PREPARE s FROM 'a' 'b'":                       "",
		"EXECUTE s":                                    "s|||",
		"EXECUTE s USING @a, @b":                       "s|||@a;@b",
		"EXECUTE s USING 1 + 1, CONCAT('a', ',')":      "s|||1 + 1;CONCAT('a', ',')",
		"EXECUTE s USING":                              "",
		"EXECUTE s USING @a,":                          "",
		"EXECUTE IMMEDIATE 'SELECT ?' USING 5":         "|SELECT ?||5",
		"EXECUTE IMMEDIATE @t":                         "||t|",
		"DEALLOCATE PREPARE s":                         "s|||",
		"DROP PREPARE s":                               "s|||",
		"SELECT 1":                                     "",
		"EXECUTE s USING @a /* USING */, (SELECT 1)":   "s|||@a;(SELECT 1)",
		"PREPARE s FROM _utf8mb4'SELECT 1'":            "",
		"EXECUTE IMMEDIATE 'SELECT 1' 'USING' USING 1": "",
	} {
		read, err := Parse([]byte(text), maria)
		if err != nil || len(read) != 1 {
			t.Fatalf("%s: %v", text, err)
		}
		p, ok := read[0].Textual()
		got := ""
		if ok {
			var using []string
			for _, e := range p.Using {
				using = append(using, strings.TrimSpace(string(e)))
			}
			got = p.Name + "|" + string(p.Text) + "|" + p.Variable + "|" + strings.Join(using, ";")
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	for _, text := range []string{"EXECUTE s USING 1", "EXECUTE IMMEDIATE 'SELECT 1'", "EXECUTE s USING @a + 1"} {
		if read, err := Parse([]byte(text), 0); err != nil || len(read) != 1 {
			t.Fatal(text)
		} else if _, ok := read[0].Textual(); ok {
			t.Errorf("%s is read for a server that does not know it", text)
		}
	}
}

// TestUserVariables: the variables that a text names, wherever they stand.
func TestUserVariables(t *testing.T) {
	got, more := UserVariables([]byte("SELECT @a, @'B', @`c d`, @@e, 'x@f', @A FROM t -- @g"), 0)
	if strings.Join(got, ",") != "a,b,c d" || more {
		t.Errorf("%q, more %v", got, more)
	}
	if _, more := UserVariables([]byte("SELECT '@a"), 0); !more {
		t.Error("a text that cannot be read has others, perhaps")
	}
}
