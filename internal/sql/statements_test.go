package sql

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tunic/internal/sql/sqltest"
)

// rewriteStatements writes what comes out into the .golden files.
var rewriteStatements = flag.Bool("rewrite-statements", false, "write testdata/statements/*.golden")

// statementsOf reads a file of one statement a line.
func statementsOf(t testing.TB, path string) []string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for line := range strings.SplitSeq(string(content), "\n") {
		if line != "" && line[0] != '#' {
			all = append(all, line)
		}
	}
	return all
}

func statementFiles(t testing.TB) []string {
	t.Helper()
	paths, err := filepath.Glob("testdata/statements/*.sql")
	if err != nil || len(paths) < 4 {
		t.Fatalf("%d files, %v", len(paths), err)
	}
	return paths
}

// TestStatements: what programs and people send, and how far it is understood:
//
//	stored   parsed with places, and printed
//	printed  parsed, and printed
//	tree     parsed
//	none     no tree
func TestStatements(t *testing.T) {
	for _, path := range statementFiles(t) {
		var b strings.Builder
		for _, line := range statementsOf(t, path) {
			fmt.Fprintf(&b, "%s\n", understood(line, sqltest.ModelModes))
		}
		golden := strings.TrimSuffix(path, ".sql") + ".golden"
		if *rewriteStatements {
			if err := os.WriteFile(golden, []byte(b.String()), 0o600); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(want, []byte(b.String())) {
			t.Errorf("%s is not what comes out; go test -run TestStatements -rewrite-statements writes it", golden)
		}
	}
}

// understood says how far a statement is, and why not farther.
func understood(text string, m Modes) string {
	all, err := Parse([]byte(text), m)
	if err != nil || len(all) != 1 {
		return fmt.Sprintf("none     %s\n         %d statements, %v", text, len(all), err)
	}
	tree, err := all[0].Tree()
	if err != nil {
		return fmt.Sprintf("none     %s\n         %v: %v", text, all[0].Kind, err)
	}
	printed, err := tree.Print(m)
	if err != nil {
		return fmt.Sprintf("tree     %s\n         %v", text, err)
	}
	_, _, err = parseWithPlaces([]byte(text), m)
	if err != nil {
		return fmt.Sprintf("printed  %s\n         %s", text, printed)
	}
	stored, _, err := storedStatement(text, m)
	if err != nil {
		return fmt.Sprintf("printed  %s\n         %s\n         %v", text, printed, err)
	}
	return fmt.Sprintf("stored   %s\n         %s", text, stored)
}

// storedStatement prints the tree with places.
func storedStatement(text string, m Modes) (*Printed, *Literals, error) {
	tree, l, err := parseWithPlaces([]byte(text), m)
	if err != nil {
		return nil, nil, err
	}
	printed, err := tree.Print(m)
	return printed, l, err
}
