package sqlerr

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var rewrite = flag.Bool("rewrite", false, "write the generated document instead of comparing it")

var (
	statePattern       = regexp.MustCompile(`^[0-9A-Z]{5}$`)
	placeholderPattern = regexp.MustCompile(`\{[a-z]+\}`)
)

// TestTable holds every line of the table to its form.
func TestTable(t *testing.T) {
	if !slices.IsSortedFunc(table, func(a, b Entry) int { return int(a.Code) - int(b.Code) }) {
		t.Fatal("the table is not in order of code: Lookup halves it")
	}
	for i, e := range table {
		if i > 0 && table[i-1].Code == e.Code {
			t.Errorf("%s is there twice", e.Code)
		}
		if startup := e.Code.Class() == Startup; startup != (e.State == "") || startup != (e.Number == 0) || startup != (e.Exit != 0) {
			t.Errorf("%s: start-up errors have an exit status, all others a number and a state", e.Code)
		}
		if e.State != "" && !statePattern.MatchString(e.State) {
			t.Errorf("%s: %q is no SQLSTATE", e.Code, e.State)
		}
		if e.Code.Class().String() == "unknown" {
			t.Errorf("%s has no class", e.Code)
		}
		if e.Message == "" || e.Fix == "" || strings.HasSuffix(e.Message, ".") || strings.HasSuffix(e.Fix, ".") {
			t.Errorf("%s: message and fix are half sentences without a full stop", e.Code)
		}
		if !strings.HasSuffix(e.Why, ".") {
			t.Errorf("%s: why is sentences", e.Code)
		}
		if placeholderPattern.MatchString(e.Fix) || (e.Exit != 0 && placeholderPattern.MatchString(e.Message)) {
			t.Errorf("%s: nothing fills this placeholder", e.Code)
		}
	}
}

// gone are codes that tunic once had. Drivers and operators match on codes, so none comes back for something else.
var gone = []Code{2067, 3009, 5002, 7002}

// TestGone: a code that is gone stays so, and each that is missing in the middle of a run of codes is gone. A run
// begins at a number that ends in 0 or 1.
func TestGone(t *testing.T) {
	for i, e := range table {
		if slices.Contains(gone, e.Code) {
			t.Errorf("%s was another error once: take the number after the last of the class", e.Code)
		}
		for c := table[max(0, i-1)].Code + 1; c < e.Code && e.Code%10 > 1; c++ {
			if !slices.Contains(gone, c) {
				t.Errorf("%s is missing: a code that is taken out belongs in gone", c)
			}
		}
	}
}

// TestLookup finds every line and nothing else.
func TestLookup(t *testing.T) {
	for _, e := range Entries() {
		if got, ok := Lookup(e.Code); !ok || got != e {
			t.Errorf("Lookup(%s) = %v, %v", e.Code, got, ok)
		}
	}
	for _, c := range []Code{0, 999, 1000, 3999, 65535} {
		if _, ok := Lookup(c); ok {
			t.Errorf("Lookup finds %s", c)
		}
	}
}

// TestEachCodeIsRaised: each number that has a name is in the table, and a function or a constant for the
// command has it too.
func TestEachCodeIsRaised(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var raising, tables strings.Builder
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case strings.HasSuffix(name, "_test.go"), name == "numbers.go":
		case strings.HasPrefix(name, "table_"):
			tables.Write(text)
		default:
			raising.Write(text)
		}
	}
	numbers, err := os.ReadFile("numbers.go")
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`(?m)^\t(\w+)\s+Code = \d+$`).FindAllSubmatch(numbers, -1)
	if len(names) < len(table) {
		t.Errorf("%d numbers for %d errors", len(names), len(table))
	}
	for _, n := range names {
		word := regexp.MustCompile(`\b` + string(n[1]) + `\b`)
		if !word.MatchString(tables.String()) || !word.MatchString(raising.String()) {
			t.Errorf("%s is not in the table, or raised by nothing", n[1])
		}
	}
}

// TestDocument keeps docs/errors.md what the table says.
func TestDocument(t *testing.T) {
	const path = "../../docs/errors.md"
	want := document()
	if *rewrite {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("%s is not what the table makes; run go test ./internal/sqlerr -rewrite\n%s", path, diff)
	}
}

const documentHead = `<!-- Generated from the tables in internal/sqlerr/table_*.go by go test ./internal/sqlerr -rewrite. Do not edit. -->

# Errors

Every error that tunic itself raises has a code, ` + "`TUNIC-NNNN`" + `, that keeps its meaning for ever. Errors of the database server come
through as the server sends them and have no such code. No error holds a literal of a statement, a value or a password.

A client gets a MySQL error whose number and SQLSTATE drivers already know how to treat, with code, fact and fix in the text:

` + "```text" + `
%s
` + "```" + `

A mistake that keeps tunic from starting is one line on standard error, and an exit status of its class:

| exit status | what is wrong |
|---|---|
| 0 | nothing: tunic drained and ended, or did what it was asked |
| 1 | anything that has no status of its own |
| 2 | the command line or a setting |
| 3 | the address to listen on |
| 4 | the database server; a tunic that a command asks |
| 5 | the key file |
| 6 | the service account or its password file; the login of a command |
| 7 | a TLS file |
| 8 | the ledger of protected tables |
| 9 | the statement that a command was given |
| 10 | what is stored is not all as tunic has written it |
`

var classTitles = map[Class]string{
	Startup:   "1xxx: tunic does not start",
	Statement: "2xxx: a statement is refused",
	Protocol:  "3xxx: protocol",
	Limit:     "4xxx: a limit is reached",
	Backend:   "5xxx: the database server",
	Login:     "6xxx: login",
	Data:      "7xxx: stored data",
}

// document is docs/errors.md.
func document() string {
	var b strings.Builder
	fmt.Fprintf(&b, documentHead, UnknownCommand(0x2a))
	var class Class
	for _, e := range Entries() {
		if c := e.Code.Class(); c != class {
			class = c
			fmt.Fprintf(&b, "\n## %s\n", classTitles[c])
		}
		fmt.Fprintf(&b, "\n### %s\n\n%s\n", e.Code, e.Explanation())
	}
	return b.String()
}

// TestNumbersAreServers: libmariadb takes an error packet whose number is one of
// a client library's own for malformed, and hides the message.
func TestNumbersAreServers(t *testing.T) {
	for _, e := range Entries() {
		if e.Number >= 2000 && e.Number < 3000 {
			t.Errorf("%s has number %d, which only client libraries give", e.Code, e.Number)
		}
	}
}
