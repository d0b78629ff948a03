package plan

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tunic/internal/sql"
)

// rewriting says that golden files are rewritten: -rewrite, which datadriven defines.
func rewriting() bool { return flag.Lookup("rewrite").Value.String() == "true" }

// mariadb and mysql are the modes of sessions with servers of today.
var (
	mariadb = sql.Modes(0).WithServer("10.11.6-MariaDB")
	mysql   = sql.Modes(0).WithServer("9.1.0")
)

func TestEveryKindHasOneRow(t *testing.T) {
	seen := map[sql.Kind]int{}
	for _, r := range Rows() {
		seen[r.Kind]++
	}
	for _, k := range sql.Kinds() {
		if seen[k] != 1 {
			t.Errorf("%v: %d rows in the statement table", k, seen[k])
		}
	}
	if len(seen) != len(sql.Kinds()) {
		t.Errorf("%d kinds in the table, %d exist", len(seen), len(sql.Kinds()))
	}
}

// TestExamples: the table's example of a kind is of that kind, whichever
// server it is sent to, and is one statement.
func TestExamples(t *testing.T) {
	for _, r := range Rows() {
		for _, m := range []sql.Modes{mariadb, mysql} {
			all, err := sql.Parse([]byte(r.Example), m)
			if r.Kind == sql.Empty {
				if err != nil || len(all) != 0 {
					t.Errorf("%q: %v, %v", r.Example, all, err)
				}
				continue
			}
			if err != nil || len(all) != 1 {
				t.Errorf("%v: %q is %d statements, %v", r.Kind, r.Example, len(all), err)
				continue
			}
			if all[0].Kind != r.Kind {
				t.Errorf("%q is %v, its row says %v", r.Example, all[0].Kind, r.Kind)
			}
		}
	}
}

func TestRowsAreWritten(t *testing.T) {
	for _, r := range Rows() {
		if r.Reason == "" || r.Example == "" {
			t.Errorf("%v: a row needs an example and a reason", r.Kind)
		}
		for _, text := range []string{r.Reason, r.Note} {
			if strings.HasSuffix(text, ".") || strings.TrimSpace(text) != text {
				t.Errorf("%v: %q is not a phrase", r.Kind, text)
			}
		}
	}
}

// TestSQLSupport compares docs/sql-support.md with the statement table.
func TestSQLSupport(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "sql-support.md")
	want := document()
	if rewriting() {
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	have, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, want) {
		t.Errorf("%s is not what the statement table says; run go test ./internal/plan -run TestSQLSupport -rewrite", path)
	}
}

const documentHead = `# What tunic does with each statement

<!-- Made from the statement table in internal/plan by
     go test ./internal/plan -run TestSQLSupport -rewrite. Do not edit. -->

Every kind of statement of MySQL, MariaDB and TiDB has one row here. The class
says what happens to a statement that **names something protected**: a protected
table, or a view or routine that touches one.

| class | meaning |
|---|---|
| forward | it touches no protected data and nothing that tunic keeps; the server gets it as it came, byte for byte |
| plan | tunic works out what to send and what to do itself |
| refuse | the client gets an error that says so; the server does not see the statement |

A statement that names nothing protected is forwarded byte for byte whatever its
class, whether tunic knows it or not. Definitions are the exception: with a key, what
they make is for the policy to say. A statement to plan that tunic cannot run yet is
refused; [the README](../README.md#what-it-does-not-do-yet) names the most of them. What
is computed in a statement is another matter: [functions](functions.md).

The kind is found from the statement's words, not by a full parse, so that
statements newer than tunic are known by what they begin with, and everything
else is the kind *unknown*. A text of several statements is forwarded as a whole
where all of them are to be, and none has to do with a user variable or a prepared
statement of SQL; otherwise they are planned and carried out one after the
other, up to the first that fails, as the server does.
`

// document is docs/sql-support.md.
func document() []byte {
	var b bytes.Buffer
	b.WriteString(documentHead)
	for _, s := range sections {
		fmt.Fprintf(&b, "\n## %s\n\n| statement | class | example | why | note |\n|---|---|---|---|---|\n", s.title)
		for _, r := range s.rows {
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", r.Kind, r.Class, code(r.Example), cell(r.Reason), cell(r.Note))
		}
	}
	return b.Bytes()
}

func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

func code(s string) string { return "`" + cell(s) + "`" }
