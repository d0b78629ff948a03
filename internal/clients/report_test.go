package clients

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tunic/internal/sandbox"
)

// An outcome is how one check ended.
type outcome string

const (
	passed  outcome = "ok"
	failed  outcome = "not ok"
	skipped outcome = "skip"
)

// A result is one line of a scenario's report.
type result struct {
	outcome outcome
	reason  string // why it failed or was skipped
}

// A report is what one run of a scenario said, by the name of the check.
type report map[string]result

// parseReport reads the lines of a report and passes over all others.
func parseReport(r io.Reader) (report, error) {
	all := report{}
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		name, one, ok := parseLine(lines.Text())
		if !ok {
			continue
		}
		if _, twice := all[name]; twice {
			return nil, fmt.Errorf("check %s is reported twice", name)
		}
		all[name] = one
	}
	return all, lines.Err()
}

func parseLine(line string) (name string, one result, ok bool) {
	for _, o := range []outcome{passed, failed, skipped} {
		rest, found := strings.CutPrefix(line, string(o)+" ")
		if !found {
			continue
		}
		name, reason, _ := strings.Cut(rest, ": ")
		return name, result{o, reason}, !strings.Contains(name, " ")
	}
	return "", result{}, false
}

// String counts the outcomes and says what was skipped.
func (r report) String() string {
	var reasons []string
	for name, one := range r {
		if one.outcome == skipped {
			reasons = append(reasons, name+": "+one.reason)
		}
	}
	slices.Sort(reasons)
	return fmt.Sprintf("%d checks, %d of them skipped\n%s", len(r), len(reasons), strings.Join(reasons, "\n"))
}

// complaints says what is wrong with a run against the server itself: checks
// that it left out, that nobody knows, or that failed.
func (r report) complaints(names []string) (all []string) {
	for _, name := range names {
		switch one, reported := r[name]; {
		case !reported:
			all = append(all, name+": not reported")
		case one.outcome == failed:
			all = append(all, name+": "+one.reason)
		}
	}
	for name := range r {
		if !slices.Contains(names, name) {
			all = append(all, name+": not in checks.txt")
		}
	}
	slices.Sort(all)
	return all
}

// differences says where a run through tunic ended otherwise than the direct one.
func (r report) differences(direct report) (all []string) {
	for name, want := range direct {
		got, reported := r[name]
		if !reported {
			got.outcome = "not reported"
		}
		if got.outcome != want.outcome {
			all = append(all, fmt.Sprintf("%s: %s directly, %s through tunic: %s", name, want.outcome, got.outcome, cmp.Or(got.reason, want.reason)))
		}
	}
	slices.Sort(all)
	return all
}

// checkNames reads the names of checks.txt.
func checkNames(t *testing.T) (names []string) {
	t.Helper()
	text, err := os.ReadFile(scenarioPath("checks.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] != "#" {
			names = append(names, fields[0])
		}
	}
	return names
}

// scenarioPath returns a path below test/clients.
func scenarioPath(elements ...string) string {
	return filepath.Join(append([]string{sandbox.Root(), "test", "clients"}, elements...)...)
}

func TestReportComplaints(t *testing.T) {
	r, err := parseReport(strings.NewReader("noise\nok a\nnot ok b: why: so\nskip c: cannot\nok stray\n"))
	if err != nil {
		t.Fatal(err)
	}
	got := r.complaints([]string{"a", "b", "c", "d"})
	want := []string{"b: why: so", "d: not reported", "stray: not in checks.txt"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if _, err := parseReport(strings.NewReader("ok a\nok a\n")); err == nil {
		t.Error("a check reported twice was accepted")
	}
}

func TestReportDifferences(t *testing.T) {
	direct := report{"a": {outcome: passed}, "b": {outcome: passed}, "c": {skipped, "cannot"}, "d": {outcome: passed}}
	through := report{"a": {outcome: passed}, "b": {failed, "why"}, "c": {outcome: passed}}
	got := through.differences(direct)
	want := []string{
		"b: ok directly, not ok through tunic: why",
		"c: skip directly, ok through tunic: cannot",
		"d: ok directly, not reported through tunic: ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
