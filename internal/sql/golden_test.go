package sql

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// TestGolden runs the files of testdata; go test -run TestGolden -rewrite
// writes what comes out into them.
//
// A case's arguments are the modes: sqlmode=(ANSI_QUOTES,…), charset=gbk,
// server=10.11.6-MariaDB. Its input is taken without the newline at its end.
func TestGolden(t *testing.T) {
	commands := map[string]func(text []byte, m Modes) string{
		"fingerprint": goldenFingerprint,
		"parse":       goldenParse,
		"each":        goldenEach,
		"redact":      Redact,
		"tree":        goldenTree,
		"places":      goldenPlaces,
	}
	datadriven.Walk(t, "testdata/golden", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			run := commands[d.Cmd]
			if run == nil {
				d.Fatalf(t, "no such command: %s", d.Cmd)
			}
			return strings.TrimRight(run([]byte(d.Input), goldenModes(d)), "\n") + "\n"
		})
	})
}

func goldenModes(d *datadriven.TestData) Modes {
	m := Modes(0).WithServer("10.11.6-MariaDB")
	for _, arg := range d.CmdArgs {
		value := strings.Join(arg.Vals, ",")
		switch arg.Key {
		case "sqlmode":
			m = m.WithSQLMode(value)
		case "charset":
			m = m.WithCharset(value)
		case "server":
			m = m.WithServer(value)
		}
	}
	return m
}

func goldenFingerprint(text []byte, m Modes) string {
	var f Fingerprinter
	var b strings.Builder
	for line := range strings.SplitSeq(string(text), "\n") {
		fp := f.Fingerprint([]byte(line), m)
		b.Write(fp.Template)
		if !fp.Clean {
			b.WriteString("   [unclean]")
		}
		if fp.Statements != 1 {
			fmt.Fprintf(&b, "   [%d statements]", fp.Statements)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// goldenEach parses each line on its own.
func goldenEach(text []byte, m Modes) string {
	var b strings.Builder
	for line := range strings.SplitSeq(string(text), "\n") {
		b.WriteString(goldenParse([]byte(line), m))
	}
	return b.String()
}

func goldenParse(text []byte, m Modes) string {
	var b strings.Builder
	all, err := Parse(text, m)
	for _, s := range all {
		fmt.Fprintf(&b, "%v: %s\n", s.Kind, text[s.Start:s.End])
		writeEffects(&b, &s.Effects)
	}
	if err != nil {
		fmt.Fprintf(&b, "error: %v\n", err)
	}
	return b.String()
}

var txNames = []string{
	"begin", "commit", "rollback", "chain", "release", "implicit commit", "savepoint", "xa",
	"characteristics", "lock tables", "unlock tables", "lock all",
}

var scopeNames = []string{"session", "global", "persist", "persist only", "statement", "next transaction"}

func writeEffects(b *strings.Builder, e *Effects) {
	for i, name := range txNames {
		if e.Tx.Has(1 << i) {
			fmt.Fprintf(b, "  transaction: %s\n", name)
		}
	}
	for _, a := range e.Assignments {
		fmt.Fprintf(b, "  %s %s = %q", scopeNames[a.Scope], a.Name, a.Value)
		if !a.Known {
			b.WriteString(" (not known)")
		}
		b.WriteByte('\n')
	}
	if e.Charset != (CharsetChange{}) {
		fmt.Fprintf(b, "  charset %q collation %q names %t\n", e.Charset.Charset, e.Charset.Collation, e.Charset.Names)
	}
	for _, f := range []struct {
		name string
		of   any
		set  bool
	}{
		{"schema", e.Schema, e.Schema != ""},
		{"prepared", e.Prepared, e.Prepared != ""},
		{"savepoint", e.Savepoint, e.Savepoint != ""},
		{"user variables", e.UserVariables, e.UserVariables != nil},
		{"temporary tables made", e.TemporaryCreated, e.TemporaryCreated != nil},
		{"temporary tables dropped", e.TemporaryDropped, e.TemporaryDropped != nil},
		{"tables dropped", e.MaybeDropped, e.MaybeDropped != nil},
	} {
		if f.set {
			fmt.Fprintf(b, "  %s: %q\n", f.name, f.of)
		}
	}
	if e.Stale {
		b.WriteString("  stale\n")
	}
}

// goldenTree prints what the parser library is given and whether it made a
// tree of it.
func goldenTree(text []byte, m Modes) string {
	var b strings.Builder
	for line := range strings.SplitSeq(string(text), "\n") {
		all, err := Parse([]byte(line), m)
		if err != nil || len(all) != 1 {
			fmt.Fprintf(&b, "%d statements, %v\n", len(all), err)
			continue
		}
		spelled, err := respell([]byte(line), all[0].Kind, m)
		if err != nil {
			fmt.Fprintf(&b, "%v\n", err)
			continue
		}
		b.WriteString(spelled.text)
		if spelled.returning != "" {
			b.WriteString(" | " + spelled.returning)
		}
		if _, err := all[0].Tree(); err != nil {
			fmt.Fprintf(&b, "   [%v]", err)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
