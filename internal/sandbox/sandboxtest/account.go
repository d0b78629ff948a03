package sandboxtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tunic/internal/sandbox"
)

// Narrow makes a service account that may do what docs/operating.md has an operator grant to it for one schema, and
// no more; account is its name and its password.
func Narrow(tb testing.TB, exec func(statement string), account, schema string) {
	tb.Helper()
	exec("DROP USER IF EXISTS '" + account + "'@'%'")
	exec("CREATE USER '" + account + "'@'%' IDENTIFIED BY '" + account + "'")
	granted(tb, exec, account, schema, 2, func(grant string) bool {
		return strings.Contains(grant, " ON shop.*") || strings.Contains(grant, " ON `_tunic`.*")
	})
}

// Seeing grants an account what it takes to see all programs and views of a server, as docs/operating.md has it.
func Seeing(tb testing.TB, exec func(statement string), onMySQL bool, account string) {
	tb.Helper()
	grants := 2
	if onMySQL {
		grants = 1
	}
	granted(tb, exec, account, "", grants, func(grant string) bool {
		if strings.Contains(grant, "SHOW VIEW, TRIGGER, EVENT") && strings.Contains(grant, " ON *.*") {
			return strings.Contains(grant, "SHOW_ROUTINE") == onMySQL
		}
		return strings.Contains(grant, " ON mysql.proc ") && !onMySQL
	})
}

// granted runs grants of docs/operating.md for an account, of which there are so many.
func granted(tb testing.TB, exec func(statement string), account, schema string, want int, is func(grant string) bool) {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join(sandbox.Root(), "docs", "operating.md"))
	if err != nil {
		tb.Fatal(err)
	}
	grants := 0
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "GRANT ") && is(line) {
			line = strings.TrimSuffix(strings.TrimSpace(line), ";")
			exec(strings.NewReplacer("'tunic_service'@'tunic-host'", "'"+account+"'@'%'", " ON shop.*", " ON `"+schema+"`.*").Replace(line))
			grants++
		}
	}
	if grants != want {
		tb.Fatalf("%d grants are told of, not %d", grants, want)
	}
}
