package fingerprint

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"tunic/internal/sql/sqltest"
)

// TestFingerprintAllocatesNothing: after the first texts, whatever they are.
func TestFingerprintAllocatesNothing(t *testing.T) {
	var f Fingerprinter
	texts := []string{
		"SELECT a 'x', _utf8'y', t.b FROM t WHERE c IN (1, 2, 3) AND d = 'it''s' /* x */ ORDER BY 1, f(2) LIMIT 3",
		"INSERT INTO t VALUES (1, 'a', NOW(6)), (2, 'b', NOW(6)) ON DUPLICATE KEY UPDATE a = VALUES(a)",
		"SET NAMES utf8mb4, @a = 5",
		"SELECT 'open",
		"",
	}
	for _, s := range sqltest.Statements {
		texts = append(texts, s.Text)
	}
	for _, text := range texts {
		b := []byte(text)
		f.Fingerprint(b, sqltest.ModelModes)
		if n := testing.AllocsPerRun(100, func() { f.Fingerprint(b, sqltest.ModelModes) }); n != 0 {
			t.Errorf("%q: %v allocations", text, n)
		}
	}
}

// TestFingerprinterIsBounded: the buffer of a text with a huge template is given
// back, and the text is not held.
func TestFingerprinterIsBounded(t *testing.T) {
	var f Fingerprinter
	huge := []byte("SELECT " + strings.Repeat("a + ", 1<<20) + "b")
	if fp := f.Fingerprint(huge, 0); len(fp.Template) < len(huge) {
		t.Fatalf("the template is %d bytes", len(fp.Template))
	}
	f.Fingerprint([]byte("SELECT 1"), 0)
	if cap(f.out) > bufferKeep {
		t.Errorf("%d bytes are kept", cap(f.out))
	}
	if f.lx.Text != nil {
		t.Error("the text is kept")
	}
}

// TestRowsAreWrittenOnce: a megabyte of rows has a template of a few bytes.
func TestRowsAreWrittenOnce(t *testing.T) {
	var f Fingerprinter
	rows := bytes.Repeat([]byte("(1, 'it''s', -2.5e3, NULL, 0x41),\n"), 30_000)
	text := append([]byte("INSERT INTO t VALUES "), rows[:len(rows)-2]...)
	fp := f.Fingerprint(text, 0)
	if got, want := string(fp.Template), "INSERT INTO t VALUES (?,?,?,?,?)..."; got != want || !fp.Clean {
		t.Errorf("%q", got)
	}
}

// TestHashIsOfTheTemplate: equal templates hash alike, whoever makes them;
// others do not.
func TestHashIsOfTheTemplate(t *testing.T) {
	var f, g Fingerprinter
	seen := map[uint64]string{}
	for i := range 10_000 {
		text := fmt.Sprintf("SELECT a%d FROM t WHERE b = %d", i, i)
		a := f.Fingerprint([]byte(text), 0)
		template := string(a.Template)
		if b := g.Fingerprint([]byte(text+"0"), 0); b.Hash != a.Hash {
			t.Fatalf("%q hashes differently", template)
		}
		if other, ok := seen[a.Hash]; ok {
			t.Fatalf("%q and %q hash alike", template, other)
		}
		seen[a.Hash] = template
	}
}

// TestDepth: past the depth with contexts numbers are kept, strings are not,
// and lists are not collapsed; nothing is lost on the way back.
func TestDepth(t *testing.T) {
	var f Fingerprinter
	for depth := range 200 {
		text := strings.Repeat("(", depth) + "SELECT 1, 'x' FROM t WHERE a IN (1, 2) ORDER BY 3" + strings.Repeat(")", depth) + ", 4 LIMIT 5"
		fp := f.Fingerprint([]byte(text), 0)
		if !fp.Clean {
			t.Fatalf("depth %d is not clean", depth)
		}
		got := strings.Trim(string(fp.Template), "()")
		want := "SELECT ?, '?' FROM t WHERE a IN (?...) ORDER BY 3" + strings.Repeat(")", depth) + ", ? LIMIT ?"
		switch {
		case depth == 0:
			want = "SELECT ?, '?' FROM t WHERE a IN (?...) ORDER BY 3, 4 LIMIT ?"
		case depth >= maxDepth:
			want = strings.Replace(want, "SELECT ?", "SELECT 1", 1)
			want = strings.Replace(want, "(?...)", "(1, 2)", 1)
		case depth == maxDepth-1:
			want = strings.Replace(want, "(?...)", "(1, 2)", 1)
		}
		if got != want {
			t.Errorf("depth %d:\n%s\n%s", depth, got, want)
		}
	}
}

// TestZeroBytes: they are bytes like others in strings, comments and names, and
// end a comment of one line, after which no server reads on.
func TestZeroBytes(t *testing.T) {
	for text, want := range map[string]string{
		"SELECT '\x00', `\x00`, \x00": "SELECT '?', `\x00`, \x00",
		"SELECT /* \x00 */ 1":         "SELECT ?",
		"SELECT 1 -- \x00\n+ 1":       "",
		"SELECT 1 #\x00\n+ 1":         "",
		"SELECT 1\x00":                "SELECT ?\x00",
		"SELECT 1 --\x00":             "",
	} {
		var f Fingerprinter
		fp := f.Fingerprint([]byte(text), sqltest.ModelModes)
		if fp.Clean != (want != "") || (fp.Clean && string(fp.Template) != want) {
			t.Errorf("%q: %q, clean %t", text, fp.Template, fp.Clean)
		}
	}
}
