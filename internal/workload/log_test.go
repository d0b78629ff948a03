package workload

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/google/go-cmp/cmp"
)

// told is what is read of a log.
func told(log string) string {
	var b strings.Builder
	read, err := Log(strings.NewReader(log), func(s Statement) error {
		fmt.Fprintf(&b, "%s %s: %q\n", s.User, s.Schema, s.Text)
		return nil
	})
	fmt.Fprintf(&b, "%d statements, %d skipped", read.Statements, read.Skipped)
	if err != nil {
		fmt.Fprintf(&b, ", %v", err)
	}
	return b.String() + "\n"
}

// TestLogs: logs as servers have written them, with tabs as →.
func TestLogs(t *testing.T) {
	datadriven.Walk(t, "testdata/log", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(_ *testing.T, d *datadriven.TestData) string {
			return told(strings.ReplaceAll(d.Input, "→", "\t") + "\n")
		})
	})
}

// TestNoLog: what is no log is refused, and so is what cannot be read.
func TestNoLog(t *testing.T) {
	for _, text := range []string{"", "SELECT 1;\n", "-- MySQL dump 10.13\nINSERT INTO t VALUES (1);\n", "\x00\x01\x02", "\t\t  x Query\tSELECT 1"} {
		if _, err := Log(strings.NewReader(text), func(Statement) error { return nil }); !errors.Is(err, ErrForm) {
			t.Errorf("%q: %v", text, err)
		}
	}
	broken := errors.New("broken")
	if _, err := Log(io.MultiReader(strings.NewReader("\t\t    8 Query\tSELECT 1\n"), failing{broken}), func(Statement) error { return nil }); !errors.Is(err, broken) {
		t.Errorf("a file that cannot be read: %v", err)
	}
	enough := errors.New("enough")
	if _, err := Log(strings.NewReader("\t\t    8 Query\tSELECT 1\n"), func(Statement) error { return enough }); !errors.Is(err, enough) {
		t.Errorf("who is told: %v", err)
	}
}

type failing struct{ error }

func (f failing) Read([]byte) (int, error) { return 0, f.error }

// TestLongStatement: one that is longer than any server takes is skipped, and the next one is told.
func TestLongStatement(t *testing.T) {
	line := bytes.Repeat([]byte("x"), 1<<20)
	parts := []io.Reader{strings.NewReader("\t\t    8 Query\tSELECT '")}
	for range statementBytesMax>>20 + 1 {
		parts = append(parts, bytes.NewReader(line))
	}
	parts = append(parts, strings.NewReader("'\n\t\t    8 Query\tSELECT 2\n"))
	var got []string
	read, err := Log(io.MultiReader(parts...), func(s Statement) error {
		got = append(got, string(s.Text))
		return nil
	})
	if diff := cmp.Diff([]string{"SELECT 2"}, got); diff != "" || err != nil || read != (Read{Statements: 1, Skipped: 1}) {
		t.Errorf("%s%+v, %v", diff, read, err)
	}
}

// FuzzLog: no text of a log is told that was not in it, and a statement of one line that is written as
// servers do is told as it is.
func FuzzLog(f *testing.F) {
	f.Add("\t\t    8 Query\tSELECT 1\n", "SELECT 2")
	f.Add("# Time: 260102 10:11:12\n# User@Host: a[a] @ b []\n# Query_time: 0\nuse shop;\nSET timestamp=1;\nSELECT 1;\n", "USE x")
	f.Add("2026-01-02T10:11:12Z\t    8 Connect\ta@b on shop using TCP/IP\n", "x\ry")
	f.Fuzz(func(t *testing.T, log, statement string) {
		n := 0
		_, _ = Log(strings.NewReader(log), func(s Statement) error {
			if n += len(s.Text); s.Count != 1 || len(s.Text) == 0 {
				t.Errorf("%+v", s)
			}
			return nil
		})
		if n > len(log) {
			t.Errorf("%d bytes of %d", n, len(log))
		}
		if statement = strings.TrimSpace(strings.NewReplacer("\n", "", "\r", "").Replace(statement)); statement == "" {
			return
		}
		var got []string
		_, err := Log(strings.NewReader("\t\t    8 Query\t"+statement+"\n\t\t    8 Quit\t\n"), func(s Statement) error {
			got = append(got, string(s.Text))
			return nil
		})
		if isBanner([]byte("\t\t    8 Query\t" + statement)) {
			return
		}
		if err != nil || len(got) != 1 || got[0] != statement {
			t.Errorf("%q is %q, %v", statement, got, err)
		}
	})
}

// TestDigests: a digest as a statement.
func TestUndigested(t *testing.T) {
	for _, c := range []struct {
		digest, sample, want string
		ok                   bool
	}{
		{"SELECT NAME FROM `t` WHERE `id` = ?", "select name from t where id = 7;", "select name from t where id = 7", true},
		{"SELECT NAME FROM `t` WHERE `id` = ?", strings.Repeat("x", 1024), "SELECT NAME FROM `t` WHERE `id` = ?", true},
		{"SELECT ? FROM `t` WHERE `id` IN (...)", "", "SELECT ? FROM `t` WHERE `id` IN (?, ?)", true},
		{"INSERT INTO `t` ( `a` , `b` , `c` ) VALUES (...) /* , ... */", "", "INSERT INTO `t` ( `a` , `b` , `c` ) VALUES (?, ?, ?) /* , ... */", true},
		{"INSERT INTO `t` VALUES (...)", "", "", false},
		{"SELECT `a` , `b` ...", "", "", false},
		{"", "", "", false},
	} {
		if got, ok := textOf(c.digest, c.sample, 1024); got != c.want || ok != c.ok {
			t.Errorf("%s: %s, %v", c.digest, got, ok)
		}
	}
}
