package sql

import (
	"errors"
	"runtime/debug"
	"strings"
	"testing"
)

// hostile are texts that are long or deep, and whether they have a tree.
var hostile = map[string]struct {
	text string
	tree bool
}{
	"parentheses":             {"SELECT " + strings.Repeat("(", 900) + "a" + strings.Repeat(")", 900) + " FROM t", true},
	"too many parentheses":    {"SELECT " + strings.Repeat("(", 5000) + "a" + strings.Repeat(")", 5000) + " FROM t", false},
	"NOT":                     {"SELECT a FROM t WHERE " + strings.Repeat("NOT ", 1000) + "a", true},
	"too many NOT":            {"SELECT a FROM t WHERE " + strings.Repeat("NOT ", 90_000) + "a", false},
	"minus":                   {"SELECT " + strings.Repeat("- ", 1000) + "a FROM t", true},
	"too many minus":          {"SELECT " + strings.Repeat("- ", 90_000) + "a FROM t", false},
	"plus":                    {"SELECT 1" + strings.Repeat(" + 1", 5000) + " FROM t", true},
	"too many plus":           {"SELECT 1" + strings.Repeat(" + 1", 45_000) + " FROM t", false},
	"OR":                      {"SELECT a FROM t WHERE a = 1" + strings.Repeat(" OR a = 1", 5000), true},
	"too many AND":            {"SELECT a FROM t WHERE a" + strings.Repeat(" AND a", 45_000), false},
	"UNION":                   {"SELECT a FROM t" + strings.Repeat(" UNION SELECT a FROM t", 1000), true},
	"too many UNION":          {"SELECT a FROM t" + strings.Repeat(" UNION SELECT a FROM t", 19_000), false},
	"INTERSECT":               {"SELECT a FROM t" + strings.Repeat(" INTERSECT SELECT a FROM t", 1000), true},
	"INTERSECT after UNION":   {"SELECT a FROM t UNION SELECT a FROM t" + strings.Repeat(" INTERSECT SELECT a FROM t", 1000), true},
	"too many EXCEPT":         {"SELECT a FROM t" + strings.Repeat(" EXCEPT SELECT a FROM t", 12_000), false},
	"subqueries":              {strings.Repeat("SELECT a FROM t WHERE a IN (", 900) + "1" + strings.Repeat(")", 900), true},
	"too many subqueries":     {strings.Repeat("SELECT a FROM t WHERE a IN (", 1100) + "1" + strings.Repeat(")", 1100), false},
	"derived tables":          {strings.Repeat("SELECT * FROM (", 900) + "SELECT 1" + strings.Repeat(") AS x", 900), true},
	"joins":                   {"SELECT 1 FROM t" + strings.Repeat(" JOIN t", 2000), true},
	"functions":               {"SELECT " + strings.Repeat("ABS(", 900) + "a" + strings.Repeat(")", 900) + " FROM t", true},
	"CASE":                    {"SELECT " + strings.Repeat("CASE WHEN 1 THEN ", 1000) + "a" + strings.Repeat(" END", 1000) + " FROM t", true},
	"too many CASE":           {"SELECT " + strings.Repeat("CASE WHEN 1 THEN ", 19_000) + "a" + strings.Repeat(" END", 19_000) + " FROM t", false},
	"IN of many":              {"SELECT a FROM t WHERE a IN (1" + strings.Repeat(", 1", 10_000) + ")", true},
	"IN of many parameters":   {"SELECT a FROM t WHERE a IN (?" + strings.Repeat(", ?", 10_000) + ")", true},
	"a long string":           {"SELECT a FROM t WHERE a = '" + strings.Repeat("x", 1<<20) + "'", true},
	"a long comment":          {"SELECT a /* " + strings.Repeat("/* x ", 1<<18) + "*/ FROM t", true},
	"a long name":             {"SELECT `" + strings.Repeat("x", 1<<20) + "` FROM t", true},
	"many columns":            {"SELECT a" + strings.Repeat(", a", 40_000) + " FROM t", true},
	"too many columns":        {"SELECT a" + strings.Repeat(", a", 400_000) + " FROM t", false},
	"many rows":               {"INSERT INTO t VALUES (1, 'x')" + strings.Repeat(", (1, 'x')", 10_000), true},
	"many rows of parameters": {"INSERT INTO t VALUES (?, ?)" + strings.Repeat(", (?, ?)", 10_000), true},
	"open parentheses":        {strings.Repeat("(", 100_000), false},
	"open braces":             {"SELECT " + strings.Repeat("{fn ", 20_000), false},
	"open quotes":             {"SELECT " + strings.Repeat("'", 100_001), false},
	"words":                   {strings.Repeat("SELECT ", 150_000), false},
	"INTERSECT alone":         {strings.Repeat("INTERSECT ", 20_000), false},
	"WINDOW alone":            {"SELECT a FROM t WINDOW w AS ()" + strings.Repeat(", w AS ()", 2000), true},
}

// TestHostile: what is long or deep is read or refused, within a stack of 32 MiB: beyond
// it the process would end.
func TestHostile(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(32 << 20))
	m := Modes(0).WithServer("9.7.0")
	for name, of := range hostile {
		text := []byte(of.text)
		var f Fingerprinter
		f.Record(true)
		clean := f.Fingerprint(text, m).Clean
		read, err := Parse(text, m)
		if len(read) == 0 {
			if of.tree {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		_ = Redact(text, m)
		tree, err := read[0].Tree()
		if of.tree && clean {
			tree, err = read[0].TreeWithPlaces(f.Literals())
		}
		if (err == nil) != of.tree {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil {
			continue
		}
		if _, err := tree.Print(m); err != nil && !errors.Is(err, ErrTreeTooLarge) {
			t.Errorf("%s: printed: %v", name, err)
		}
	}
}
