package bench

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// recorded returns what sysbench 1.0.20 once printed.
func recorded(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "sysbench", name+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestParseReport(t *testing.T) {
	for name, want := range map[string]report{
		"read_write": {
			Transactions: 1890, TPS: 944.13, Queries: 37800, QPS: 18882.69,
			AverageMs: 2.11, P95Ms: 3.68, MaximumMs: 10.93, TotalSeconds: 2.0013,
		},
		"deadlocks": {
			Transactions: 732, TPS: 360.09, Queries: 28371, QPS: 13956.50, IgnoredErrors: 846,
			AverageMs: 44.20, P95Ms: 102.97, MaximumMs: 227.59, TotalSeconds: 2.0322,
		},
		"point_select_intervals": {
			Transactions: 97046, TPS: 48482.99, Queries: 97046, QPS: 48482.99,
			AverageMs: 0.04, P95Ms: 0.09, MaximumMs: 64.25, TotalSeconds: 2.0012,
		},
	} {
		got, err := parseReport(recorded(t, name))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A report with any number missing, wherever it was cut, must not parse.
func TestParseReportCutShort(t *testing.T) {
	whole := recorded(t, "read_write")
	lastNumber := strings.Index(whole, "95th percentile")
	for length := range lastNumber {
		if r, err := parseReport(whole[:length]); err == nil {
			t.Fatalf("the first %d bytes parse as %+v", length, r)
		}
	}
	if _, err := parseReport(whole); err != nil {
		t.Fatal(err)
	}
}

func TestParseReportWithoutQueries(t *testing.T) {
	idle := strings.NewReplacer("1890", "0", "37800", "0").Replace(recorded(t, "read_write"))
	if _, err := parseReport(idle); err == nil || !strings.Contains(err.Error(), "no query") {
		t.Errorf("a run without a query: %v", err)
	}
}

func TestFailure(t *testing.T) {
	for name, want := range map[string]string{
		"access_denied":   "error 1045: Access denied for user 'app'@'localhost' (using password: YES)",
		"no_table":        `MySQL error: 1146 "Table 'sbtest.sbtest3' doesn't exist"`,
		"nobody_listens":  "error 2002: Can't connect to server on '127.0.0.1' (115)",
		"connection_lost": "mysql_stmt_execute() returned error 2013 (Lost connection to server during query)",
		"read_write":      "",
	} {
		if got := failure(recorded(t, name)); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	if got := failure("FATAL: first\nFATAL: second\n"); got != "first" {
		t.Errorf("without an error number: got %q, want the first line", got)
	}
}
