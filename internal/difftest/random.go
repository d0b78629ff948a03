package difftest

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"tunic/internal/difftest/generate"
)

// workloadScript makes a script of a workload. How its statements end is for the two
// sides to agree on.
func workloadScript(w generate.Workload) (*Script, error) {
	name := fmt.Sprintf("seed-%d-%s", w.Seed, w.Shape.Name)
	script := &Script{Name: name}
	for i, s := range w.Statements {
		rules := []string{"index-use"}
		if queried.MatchString(s.SQL) {
			rules = append(rules, "plan-warnings")
		}
		switch {
		case w.Shape.Several():
			rules = append(rules, "origin")
		case grouping.MatchString(s.SQL):
			rules = append(rules, "grouped-flags")
		}
		step := Step{File: name, Line: i + 1, Session: SessionSpec{Name: "main"}, SQL: s.SQL, Ordered: s.Ordered, Open: true, Rules: rules}
		if s.Params != "" {
			params, err := parseParams(s.Params)
			if err != nil {
				return nil, fmt.Errorf("%s: %s: %w", step.Where(), s.SQL, err)
			}
			step.Executions = []Execution{{Params: params, Text: s.Params}}
		}
		script.Steps = append(script.Steps, step)
	}
	return script, nil
}

// queried finds statements that read rows, which a server may put into a table of its
// own on their way.
var queried = regexp.MustCompile(`\bSELECT\b`)

// shrunk are the fewest steps of a script found that still fail as they first did. What
// stands behind that step is left out first: it follows from it.
func (r *Runner) shrunk(ctx context.Context, script *Script, config *Config, first Failure) []Step {
	fails := func(steps []Step) bool {
		trial := Runner{
			Flavor: r.Flavor, Direct: r.Direct, Proxied: r.Proxied, Pins: r.Pins,
			Protected: &Protected{Policy: r.Protected.Policy, Refusals: Allowance{}},
		}
		report, err := trial.Run(ctx, []*Script{{Name: script.Name, Steps: steps}}, []*Config{config})
		return err == nil && slices.ContainsFunc(report.Failures, func(f Failure) bool { return f.like(&first) })
	}
	steps := script.Steps
	if upTo := steps[:min(first.Step.Line, len(steps))]; first.Step.Line > 0 && fails(upTo) {
		steps = upTo
	}
	return Shrink(steps, fails)
}

// like reports whether a failure is of the same statement, in the same way.
func (f *Failure) like(other *Failure) bool {
	if f.Step.SQL != other.Step.SQL || len(f.Differences) == 0 || len(other.Differences) == 0 {
		return f.Step.SQL == other.Step.SQL && f.Problem == other.Problem
	}
	return f.Differences[0].Field == other.Differences[0].Field
}

// listing shows steps as a reader can run them.
func listing(steps []Step) string {
	var b strings.Builder
	for i := range steps {
		for _, e := range steps[i].Executions {
			b.WriteString("-- params " + e.Text + "\n")
		}
		b.WriteString(steps[i].SQL + ";\n")
	}
	return b.String()
}
