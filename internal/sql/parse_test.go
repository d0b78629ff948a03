package sql

import (
	"errors"
	"strings"
	"testing"

	"tunic/internal/sql/sqltest"
)

// TestParseIsBounded: texts made to be slow or large are read to their end in
// time that grows with their length, into a bounded number of things. They
// would take hours otherwise; no clock is needed to tell.
func TestParseIsBounded(t *testing.T) {
	const n = 300_000
	for name, c := range map[string]struct {
		text       string
		statements int
		err        error
	}{
		"statements":      {strings.Repeat("DO 0;", n), maxStatements + 1, ErrTooMany},
		"empty ones":      {strings.Repeat(";", 5000), 0, nil},
		"variables":       {"SELECT " + strings.Repeat("@", 1) + distinct(n, "@v", ":=1,") + "1", 1, nil},
		"assignments":     {"SET " + distinct(n, "v", "=1,") + "w=1", 1, nil},
		"dropped tables":  {"DROP TABLE " + distinct(n, "t", ",") + "u", 1, nil},
		"parentheses":     {"SELECT " + strings.Repeat("(", n), 1, nil},
		"open functions":  {"CREATE PROCEDURE p() " + strings.Repeat("IF(", n), 1, nil},
		"blocks":          {"CREATE PROCEDURE p() " + strings.Repeat("BEGIN ", n), 1, ErrUnclean},
		"ends":            {"CREATE PROCEDURE p() " + strings.Repeat("END ", n), 1, ErrUnclean},
		"handlers":        {"CREATE PROCEDURE p() " + strings.Repeat("DECLARE HANDLER FOR IF(", n), 1, nil},
		"handlers' ends":  {"CREATE PROCEDURE p() BEGIN " + strings.Repeat("DECLARE HANDLER FOR IF(;", n), 1, ErrUnclean},
		"comments":        {strings.Repeat("/*! */", n) + "SELECT 1", 1, nil},
		"open comments":   {"SELECT " + strings.Repeat("/* ", n), 1, ErrUnclean},
		"open hints":      {"SELECT " + strings.Repeat("/*+ ", n), 1, ErrUnclean},
		"dashes":          {"SELECT " + strings.Repeat("--", n), 1, nil},
		"quotes":          {"SELECT " + strings.Repeat(`'\'`, n), 1, ErrUnclean},
		"definitions":     {"WITH " + strings.Repeat("a AS (SELECT 1), ", n), 1, nil},
		"set operations":  {"SELECT 1 " + strings.Repeat("UNION SELECT 1 INTO ", n), 1, nil},
		"names":           {"SELECT " + strings.Repeat("a.", n) + "b", 1, nil},
		"explain":         {strings.Repeat("EXPLAIN ", n) + "SELECT 1", 1, nil},
		"items of SET":    {"SET " + strings.Repeat("NAMES utf8, ", n) + "a = 1", 1, nil},
		"scopes of SET":   {"SET " + strings.Repeat("GLOBAL ", n) + "a = 1", 1, nil},
		"expression":      {"SET a = " + strings.Repeat("(1, ", n), 1, nil},
		"mode after mode": {strings.Repeat("SET sql_mode = 'ANSI_QUOTES'; ", 5000), 5000, nil},
	} {
		t.Run(name, func(t *testing.T) {
			all, err := Parse([]byte(c.text), sqltest.ModelModes)
			if len(all) != c.statements || !errors.Is(err, c.err) {
				t.Errorf("%d statements, %v; want %d, %v", len(all), err, c.statements, c.err)
			}
			for i := range all {
				e := &all[i].Effects
				if n := max(len(e.UserVariables), len(e.Assignments), len(e.MaybeDropped)); n > effectsMax || (n == effectsMax && !e.Stale) {
					t.Errorf("%d effects, stale %t", n, e.Stale)
				}
			}
			Redact([]byte(c.text), sqltest.ModelModes)
			var f Fingerprinter
			f.Fingerprint([]byte(c.text), sqltest.ModelModes)
			if len(all) == 1 {
				all[0].Mentions(func([]byte) bool { return false })
			}
		})
	}
}

// distinct is n names, each between before and after.
func distinct(n int, before, after string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(before)
		for ; i > 0; i /= 26 {
			b.WriteByte('a' + byte(i%26))
		}
		b.WriteString(after)
	}
	return b.String()
}

// TestExecutesOthers: what a program executes and has not prepared itself cannot be read.
func TestExecutesOthers(t *testing.T) {
	for text, want := range map[string]bool{
		"CREATE PROCEDURE p() EXECUTE s":                                                                       true,
		"CREATE PROCEDURE p() BEGIN PREPARE s FROM 'SELECT 1'; EXECUTE S; END":                                 false,
		"CREATE PROCEDURE p() BEGIN PREPARE s FROM 'SELECT 1'; EXECUTE s; EXECUTE z; END":                      true,
		"CREATE PROCEDURE p() BEGIN EXECUTE s USING @a; PREPARE s FROM 'SELECT 1'; END":                        true,
		"CREATE PROCEDURE p() BEGIN EXECUTE `s`; END":                                                          true,
		"CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO EXECUTE s":                                                  true,
		"CREATE PROCEDURE p() SELECT execute FROM x":                                                           false,
		"CREATE PROCEDURE p() SELECT x.execute y FROM x":                                                       false,
		"CREATE PROCEDURE p() SELECT `execute` y FROM x":                                                       false,
		"CREATE PROCEDURE p() GRANT EXECUTE ON PROCEDURE q TO u":                                               false,
		"CREATE PROCEDURE p() SELECT 'EXECUTE s'":                                                              false,
		"CREATE PROCEDURE p() BEGIN IF 0 THEN PREPARE s FROM 'DO 0'; END IF; EXECUTE s; END":                   true,
		"CREATE PROCEDURE p() BEGIN IF 0 THEN PREPARE s FROM 'DO 0'; ELSE EXECUTE s; END IF; END":              true,
		"CREATE PROCEDURE p() BEGIN IF 1 THEN PREPARE s FROM 'DO 0'; EXECUTE s; END IF; END":                   false,
		"CREATE PROCEDURE p() BEGIN WHILE 0 DO PREPARE s FROM 'DO 0'; END WHILE; EXECUTE s; END":               true,
		"CREATE PROCEDURE p() BEGIN DECLARE EXIT HANDLER FOR 1062 PREPARE s FROM 'DO 0'; EXECUTE s; END":       true,
		"CREATE PROCEDURE p() BEGIN DECLARE EXIT HANDLER FOR 1062 DO 0; PREPARE s FROM 'DO 0'; EXECUTE s; END": false,
		"CREATE PROCEDURE p() EXECUTE IMMEDIATE 'BEGIN NOT ATOMIC EXECUTE s; END'":                             true,
		"CREATE PROCEDURE p() BEGIN PREPARE x FROM 'IF 1 THEN EXECUTE s; END IF'; EXECUTE x; END":              true,
		"CREATE PROCEDURE q() LANGUAGE JAVASCRIPT AS 'session.sql(1)'":                                         true,
		"CREATE PROCEDURE q() LANGUAGE SQL SELECT language FROM t":                                             false,
		"BINLOG 'AAAA'":                   true,
		"BEGIN NOT ATOMIC EXECUTE s; END": true,
		"IF 1 THEN EXECUTE s; END IF":     true,
		"EXECUTE s":                       false, // which says so itself
	} {
		all, err := Parse([]byte(text), MariaDB)
		if err != nil || len(all) != 1 {
			t.Fatalf("%s: %d statements, %v", text, len(all), err)
		}
		if got := all[0].Mentions(func(name []byte) bool { return len(name) == 0 }); got != want {
			t.Errorf("%s: unread is %t", text, got)
		}
		if body, is := strings.CutPrefix(text, "CREATE PROCEDURE p() "); is {
			if got := ProgramMentions([]byte(body), MariaDB, func(name []byte) bool { return len(name) == 0 }); got != want {
				t.Errorf("the body %s: unread is %t", body, got)
			}
		}
	}
}

// TestStringsAroundComments: what is in a string is never read as code, or as a name.
func TestStringsAroundComments(t *testing.T) {
	for _, text := range []string{
		"SELECT a FROM t WHERE b = 'x' /*! ' OR secret = 5 # ' */",
		"SELECT a FROM t WHERE b = 'x' /*!99999 z */ ' OR secret = 5 # '",
		"SELECT a, 'x' /*! 'secret' */ FROM t",
		"SELECT a, 'x' /*+ h */ 'secret' FROM t",
	} {
		all, err := Parse([]byte(text), sqltest.ModelModes)
		if err == nil && len(all) == 1 {
			_, err = all[0].Tree()
		}
		if !errors.Is(err, ErrUnclean) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestMentions(t *testing.T) {
	for text, want := range map[string]string{
		"SELECT a.`b``c`, 'x', @y FROM t": "SELECT a b`c FROM t",
		"PREPARE s FROM 'SELECT z'":       "PREPARE s FROM SELECT z",
		"PREPARE s FROM @y":               "PREPARE s FROM <unread>",
		"FROB 'a \\'b\\' c'":              "FROB a b c",
		"FROB 'it\\'s'":                   "FROB it <unread>",
		"SELECT 1 /*!99999 a */ /* b */":  "SELECT a",
		"SELECT 1 /*!99999 'a`b */":       "SELECT <unread>",
		"DO 0 /*M!999999 x */":            "DO x",
		"SELECT /*+ SET_VAR(a = 1) */ 1":  "SELECT <unread>",
		"SELECT 1 /*!40101 + a */":        "SELECT a",
		"SELECT 'a":                       "SELECT <unread>",
	} {
		all, _ := Parse([]byte(text), sqltest.ModelModes)
		var got []string
		all[0].Mentions(func(name []byte) bool {
			if len(name) == 0 {
				name = []byte("<unread>")
			}
			got = append(got, string(name))
			return false
		})
		if g := strings.Join(got, " "); g != want {
			t.Errorf("%q mentions %q, want %q", text, g, want)
		}
	}
}
