package sql

import (
	"errors"
	"testing"
)

// TestRefusedByServers: the library reads these texts, and no server does.
func TestRefusedByServers(t *testing.T) {
	for text, read := range map[string]bool{
		"SELECT COUNT (*) FROM t":                                               false,
		"SELECT DISTINCTROW COUNT (*) FROM t":                                   false,
		"SELECT SQL_NO_CACHE NOW () FROM t":                                     false,
		"SELECT a FROM t WHERE b REGEXP TRIM (a)":                               false,
		"SELECT a, NOW/**/() FROM t":                                            false,
		"SELECT a FROM t WHERE SUBSTRING\n(a, 1) = 'x'":                         false,
		"INSERT INTO t VALUES (1, MAX (2))":                                     false,
		"UPDATE t SET a = TRIM (b)":                                             false,
		"SELECT COUNT(*), AVG (a), RANK () OVER w, count FROM t WINDOW w AS ()": true,
		"INSERT INTO std (a) VALUES (1)":                                        true,
		"CREATE TABLE count (max INT, KEY (max))":                               true,
		"WITH sum (a) AS (SELECT 1) SELECT a FROM sum":                          true,
		"SELECT (1) 'x' 'y'":                                                    false,
		"SELECT 1 AS 'x' 'y'":                                                   false,
		"SELECT x'41' 'x' 'y'":                                                  false,
		"SELECT 1 'x', 'a' 'b', N'a' 'b', a = 'a' 'b' FROM t":                   true,
		"SELECT a FROM t WHERE b IN ('a' 'b')":                                  true,
		"CREATE TABLE t (a ENUM('a' 'b'))":                                      false,
		"ALTER TABLE t MODIFY a INT COMMENT 'a' 'b'":                            false,
		"SELECT a FROM t x\u00a0`y`":                                            false,
	} {
		s, err := Parse([]byte(text), Modes(0).WithServer("8.0.36"))
		if err != nil || len(s) != 1 {
			t.Fatal(text, err)
		}
		_, err = s[0].Tree()
		if read != (err == nil) || err != nil && !errors.Is(err, ErrTreeSyntax) {
			t.Errorf("%s: %v", text, err)
		}
	}
	s, err := Parse([]byte("SELECT COUNT (*) FROM t"), (Modes(0) | IgnoreSpace).WithServer("8.0.36"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s[0].Tree(); err != nil {
		t.Errorf("with IGNORE_SPACE: %v", err)
	}
}

// TestNullOfTwoBytes: what stands before \N and behind it is no part of it.
func TestNullOfTwoBytes(t *testing.T) {
	for text, want := range map[string]string{
		`SELECT a FROM t WHERE\N`:    "SELECT a FROM t WHERE NULL",
		`SELECT \Nfrom t`:            "SELECT NULL from t",
		"SELECT a FROM t é`b`":       "SELECT a FROM t `é` `b`",
		"SELECT a FROM t WHERE\"b\"": "SELECT a FROM t WHERE `b`",
	} {
		spelled, err := respell([]byte(text), Select, (Modes(0) | ANSIQuotes).WithServer("10.11.6-MariaDB"))
		if err != nil || spelled.text != want {
			t.Errorf("%s: %q, want %q (%v)", text, spelled.text, want, err)
		}
	}
}
