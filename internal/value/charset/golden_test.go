package charset

import (
	"os"
	"strings"
	"testing"
)

// linesOf returns the lines of a table that begin with the field.
func linesOf(table, field string) []string {
	var found []string
	for line := range strings.Lines(table) {
		if line = strings.TrimSuffix(line, "\n"); strings.HasPrefix(line, field) {
			found = append(found, line)
		}
	}
	return found
}

// rewriteLines puts lines in the place of those of the flavor.
func rewriteLines(t *testing.T, file string, f Flavor, lines []string) {
	t.Helper()
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	after := linesOf(string(before), "#")
	for _, flavor := range []Flavor{MariaDB, MySQL, TiDB} {
		if flavor == f {
			after = append(after, lines...)
		} else {
			after = append(after, linesOf(string(before), flavor.String()+"\t")...)
		}
	}
	if err := os.WriteFile(file, []byte(strings.Join(after, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// compareLines reports the lines of the table that are not as found. A server of
// another version may have more collations, and fewer.
func compareLines(t *testing.T, table string, f Flavor, found []string) {
	t.Helper()
	byKey := map[string]string{}
	for _, line := range linesOf(table, f.String()+"\t") {
		byKey[key(line)] = line
	}
	for _, line := range found {
		switch known, ok := byKey[key(line)]; {
		case !ok:
			t.Errorf("the server has one more; run with -rewrite:\n%s", line)
		case known != line:
			t.Errorf("the table says\n%s\nthe server says\n%s", known, line)
		}
	}
}

// key is what a line is about: its first three fields.
func key(line string) string {
	fields := strings.SplitN(line, "\t", 4)
	return strings.Join(fields[:min(3, len(fields))], "\t")
}
