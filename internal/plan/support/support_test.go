package support

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

// rewriting says that golden files are rewritten: -rewrite.
var rewriting = flag.Bool("rewrite", false, "write docs/sql-support.md anew")

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
		if r.Note != "" && strings.Contains(r.Reason, r.Note) {
			t.Errorf("%v: the reason says already what the note does: %q", r.Kind, r.Note)
		}
	}
}

// TestSQLSupport compares docs/sql-support.md with the statement table.
func TestSQLSupport(t *testing.T) {
	path := filepath.Join("..", "..", "..", "docs", "sql-support.md")
	want := document()
	if *rewriting {
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
		t.Errorf("%s is not what the statement table says; run go test ./internal/plan/support -rewrite", path)
	}
}

const documentHead = `# What tunic does with each statement

<!-- Made from the statement table in internal/plan/support by
     go test ./internal/plan/support -rewrite. Do not edit. -->

Every kind of statement of MySQL, MariaDB and TiDB is in these tables. The class says
what tunic does with a statement that **names something protected**: a protected table,
or a view or routine that uses one.

| class | meaning |
|---|---|
| forward | the server gets the statement byte for byte: it touches no protected data and nothing that tunic keeps |
| plan | tunic decides what to send to the server and what to do itself |
| refuse | the client gets an error with the reason; the server gets nothing |

Each section first says why its statements have their class; the note of a row says what
differs.

A statement that names nothing protected is forwarded, even if tunic does not know it. Only
definitions are not: if tunic has a key, the policy decides what they create. tunic cannot
plan every statement of class *plan* yet: [the README](../README.md#what-it-does-not-do-yet)
names most that it refuses, and [functions](functions.md) the expressions that it computes.

tunic finds the kind from keywords, so it also recognises statements with newer syntax.
Everything else is the kind *unknown*. A text of several statements is forwarded as a whole
if all are forwarded and none uses a user variable or an SQL prepared statement. Otherwise
they run one after the other until one fails.
`

// document is docs/sql-support.md.
func document() []byte {
	var b bytes.Buffer
	b.WriteString(documentHead)
	for _, s := range sections {
		fmt.Fprintf(&b, "\n## %s\n", s.title)
		why, sep := usualReasons(s.rows), "\n"
		for _, c := range []Class{Forward, Plan, Refuse} {
			if why[c] != "" {
				fmt.Fprintf(&b, "%s- %s: %s\n", sep, c, why[c])
				sep = ""
			}
		}
		b.WriteString("\n| statement | class | example | note |\n|---|---|---|---|\n")
		writeRows(&b, s.rows, why)
	}
	return b.Bytes()
}

// writeRows writes a section's table. Up to four neighbours of one class and note share a row.
func writeRows(b *bytes.Buffer, rows []Row, why map[Class]string) {
	note := func(r Row) string {
		if r.Reason == why[r.Class] {
			return r.Note
		}
		return strings.TrimSuffix(r.Reason+"; "+r.Note, "; ")
	}
	for len(rows) > 0 {
		first := rows[0]
		var kinds, examples []string
		for len(rows) > 0 && len(kinds) < 4 && rows[0].Class == first.Class && note(rows[0]) == note(first) {
			kinds, examples = append(kinds, rows[0].Kind.String()), append(examples, code(rows[0].Example))
			rows = rows[1:]
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", strings.Join(kinds, ", "), first.Class, strings.Join(examples, ", "), cell(note(first)))
	}
}

// usualReasons are the reasons that most rows of a class have, of those that several have.
func usualReasons(rows []Row) map[Class]string {
	count, most := map[Row]int{}, map[Class]int{}
	why := map[Class]string{}
	for _, r := range rows {
		k := Row{Class: r.Class, Reason: r.Reason}
		count[k]++
		if count[k] > max(1, most[r.Class]) {
			most[r.Class], why[r.Class] = count[k], r.Reason
		}
	}
	return why
}

func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

func code(s string) string { return "`" + cell(s) + "`" }
