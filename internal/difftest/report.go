package difftest

import (
	"fmt"
	"strings"
	"time"
)

// Report is the outcome of a run.
type Report struct {
	Flavor      string
	Server      string // its version
	Configs     int
	Distinct    int // different statements in the scripts
	Statements  int // steps run, each on both sides
	Comparisons int // fields, rows, cells and packets compared
	Refusals    int // steps tunic refused with an error of its own
	Tolerated   int // differences that a pin allows
	LeftOut     int // messages that tunic gives without the value that the server gives
	NotRun      []string
	Abandoned   []string // scripts left before their end
	Failures    []Failure
	Took        time.Duration
}

// Failure is a step whose outcome is not as it should be.
type Failure struct {
	Config      string
	Step        *Step
	Problem     string // not a difference of the sides, but of server and corpus
	Differences []Difference
}

func (r *Report) fail(f Failure) { r.Failures = append(r.Failures, f) }

// Summary is one line with the counts.
func (r *Report) Summary() string {
	return fmt.Sprintf(
		"difftest: %s %s: %d configurations, %d distinct statements, %d run, %d comparisons, %d refusals, %d tolerated differences, %d values left out, %d failures, %d not run, %.1f s",
		r.Flavor, r.Server, r.Configs, r.Distinct, r.Statements, r.Comparisons, r.Refusals, r.Tolerated, r.LeftOut, len(r.Failures), len(r.NotRun), r.Took.Seconds())
}

// String tells all about a failure: the place, the statement, both sides of every
// field. The data are the corpus's, so nothing is left out but length.
func (f Failure) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s under %s\n", f.Step.Where(), f.Config)
	fmt.Fprintf(&b, "    %s\n", strings.ReplaceAll(f.Step.Text(), "\n", "\n    "))
	if f.Problem != "" {
		fmt.Fprintf(&b, "  %s\n", f.Problem)
	}
	const shown = 12
	for i, d := range f.Differences {
		if i == shown {
			fmt.Fprintf(&b, "  … and %d differences more\n", len(f.Differences)-shown)
			break
		}
		fmt.Fprintf(&b, "  %s\n    direct:  %s\n    proxied: %s\n", d.Field, indent(d.Direct), indent(d.Proxied))
	}
	return b.String()
}

func indent(s string) string { return strings.ReplaceAll(s, "\n", "\n             ") }
