package lex

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// tokenNames are how tokens are written in the tests.
var tokenNames = [...]string{
	End: "end", Error: "error", Word: "word", Quoted: "quoted", Var: "var", SysVar: "sysvar", Number: "number", Float: "float", Hex: "hex",
	String: "string", NString: "nstring", Null: "null", Param: "param", Open: "open", Close: "close", Comma: "comma", Semi: "semi", Dot: "dot",
	Assign: "assign", Op: "op", Code: "code", CodeEnd: "codeend", Note: "note",
}

// TestTokens: what tokens a text has, each with its bytes, in which modes.
func TestTokens(t *testing.T) {
	mysql := Modes(0).WithServer("8.0.36")
	mariadb, newer, older := Modes(0).WithServer("10.11.6-MariaDB"), Modes(0).WithServer("9.7.4"), Modes(0).WithServer("5.7.44")
	for _, c := range []struct {
		modes   Modes
		text    string
		want    string
		unclean bool
	}{
		{0, "SELECT a.`b``c`, 1", "word SELECT|word a|dot .|quoted `b``c`|comma ,|number 1", false},
		{0, `"x"`, `string "x"`, false},
		{ANSIQuotes, `"x"`, `quoted "x"`, false},
		{MSSQL, "[x]", "quoted [x]", false},
		{0, "1.5 .5 1e5 0x4d b'01' 1a", "number 1.5|number .5|float 1e5|hex 0x4d|hex b'01'|word 1a", false},
		{0, `'it''s \' one' N'x' \N`, `string 'it''s \' one'|nstring N'x'|null \N`, false},
		{NoBackslashEscapes, `'a\' ?`, `string 'a\'|param ?`, false},
		{0, "@a := @@global.b;", "var @a|assign :=|sysvar @@global.b|semi ;", false},
		{0, "5--1 -- c\n# d\n/* e */+", "number 5|op -|op -|number 1|op +", false},
		{mysql, "/*!80001 a*/ /*+ h */", "code /*!80001|word a|codeend */|note /*+ h */", false},
		{mysql, "/*!90001 a*/", "note /*!90001 a*/", false},
		{mariadb, "/*!80001 a*/ /*M!100000 b */", "note /*!80001 a*/|code /*M!100000|word b|codeend */", false},
		{newer, "/*!080001 a*/ /*!500000 a*/", "code /*!080001|word a|codeend */|note /*!500000 a*/", false},
		{newer, "/*!500001,*/ 2", "code /*!50000|number 1|comma ,|codeend */|number 2", false},
		{newer, "/*!500001*/", "code /*!50000|number 1|codeend */", false},
		{newer, "/*!500001\xa0*/", "code /*!50000|word 1\xa0|codeend */", true},
		{mysql, "/*!500001,*/", "note /*!500001,*/", true},
		{older, "/*!500001 a*/", "code /*!50000|number 1|word a|codeend */", false},
		{mariadb, "/*!500001,*/ 2", "note /*!500001,*/|number 2", false},
		{mysql, "'a' /* b */ 'c' /*! , */ 'd'", "string 'a'|string 'c'|code /*!|comma ,|codeend */|string 'd'", false},
		{mysql, "'a' /*! 'b' */", "string 'a'|code /*!|string 'b'|codeend */", true},
		{mysql, "'a' /*!99999 b */ /*! */'c'", "string 'a'|note /*!99999 b */|code /*!|codeend */|string 'c'", true},
		{mysql, "N'a' /*+ b */ 'c'", "nstring N'a'|note /*+ b */|string 'c'", true},
		{mysql, "'a' /*! b */ 'c'", "string 'a'|code /*!|word b|codeend */|string 'c'", false},
		{0, "/*!80001 a*/", "code /*!80001|word a|codeend */", true},
		{0, "/*!a", "code /*!|word a", true},
		{0, "a 'b", "word a|error 'b", true},
		{Modes(0).WithCharset("swe7"), "a", "word a", true},
		{Modes(0).WithCharset("gbk"), "'\x81\x5c'", "string '\x81\x5c'", false},
	} {
		var lx Lexer
		lx.Reset([]byte(c.text), c.modes)
		var got []string
		for {
			token := lx.Next()
			if token == End {
				break
			}
			got = append(got, tokenNames[token]+" "+string(lx.Value()))
			if token == Error {
				break
			}
		}
		if diff := cmp.Diff(c.want, strings.Join(got, "|")); diff != "" || lx.Unclean != c.unclean {
			t.Errorf("%s: unclean %t\n%s", c.text, lx.Unclean, diff)
		}
	}
}

// TestCursor: a cursor passes over hints and the marks of code, and a copy of it is a place to come back to.
func TestCursor(t *testing.T) {
	c := NewCursor([]byte("CREATE /*!80001 or */ /*+ h */ replace TABLE `a``b`.c (d (e), f) 'it\\'s' END"), 0)
	if !c.Accept("CREATE") || c.Accepts("OR", "TABLE") || !c.Is("OR") || !c.Accepts("OR", "REPLACE", "TABLE") {
		t.Fatalf("at %s", c.Text())
	}
	if name, ok := c.TableName(); !ok || name != (TableName{Schema: "a`b", Name: "c"}) {
		t.Errorf("%+v, %t", name, ok)
	}
	before := c
	c.SkipParens()
	if s := c.StringValue(); s != "it's" {
		t.Errorf("%q", s)
	}
	c.Next()
	if !c.Accept("END") || !c.Ended() {
		t.Errorf("at %s", c.Text())
	}
	if c = before; c.Token != Open {
		t.Errorf("came back to %s", c.Text())
	}
}

// TestReadingAllocatesNothing: every query is read with a Lexer.
func TestReadingAllocatesNothing(t *testing.T) {
	text := []byte("SELECT c FROM sbtest1 WHERE id = 4984 AND k IN ('a', 0x4d) /* x */ LIMIT 1")
	if n := testing.AllocsPerRun(100, func() {
		var lx Lexer
		lx.Reset(text, 0)
		for lx.Next() > Error {
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestWordSet(t *testing.T) {
	s := NewWordSet("FROM", "FOR", "WHERE")
	for word, in := range map[string]bool{"from": true, "For": true, "WHERE": true, "fro": false, "form": false, "": false} {
		if s.Has([]byte(word)) != in {
			t.Errorf("%q: %t", word, !in)
		}
	}
}
