package difftest

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Weight says how bad what a fuzzed session has found is.
type Weight uint8

// Weights, from those that only a reader of a long run wants to see.
const (
	Slight Weight = iota // metadata, warnings, another error, an answer for an error
	Wrong                // another answer than the plain server's, or an error for one
	Severe               // a session that ends, hangs, or has a malformed packet
)

func (w Weight) String() string { return [...]string{"slight", "wrong", "severe"}[w] }

// Finding is what a fuzzed session has found.
type Finding struct {
	Weight  Weight
	Kind    string // what findings that are alike have in common
	Failure Failure
}

// closed is how [brokenBy] calls the end of a connection.
const closed = "connection closed"

// fuzzed runs the steps of a script from an empty database until they find what leaves the two
// sides in different states, and returns all that was found.
func (r *Runner) fuzzed(ctx context.Context, script *Script, config *Config) (found []Finding, err error) {
	r.report = &Report{}
	before := len(r.Protected.Refused)
	limited, cancel := context.WithTimeout(ctx, replyLimit)
	defer cancel()
	if err := r.begin(limited); err != nil {
		return nil, err
	}
	caps := config.agreed(r.offered[0] & r.offered[1])
	pair := [2]*side{newSide(r.Direct.Target, config, caps), newSide(r.Proxied.Target, config, caps)}
	defer pair[0].close()
	defer pair[1].close()
	for i := range script.Steps {
		step := &script.Steps[i]
		if len(r.Protected.Refused) > before && looksBack.MatchString(step.SQL) {
			continue
		}
		if step.runsOn(r.Flavor) && step.Kind != StepAwait {
			more, ended := r.fuzzedStep(ctx, script, config, step, pair)
			if found = append(found, more...); ended {
				break
			}
		}
	}
	return found, nil
}

// looksBack finds statements that ask how others went: where one was refused, the plain server
// was not sent it, and has nothing to tell of it.
var looksBack = regexp.MustCompile(`(?i)SHOW\s+(WARNINGS|ERRORS|COUNT)|DIAGNOSTICS|ROW_COUNT|FOUND_ROWS|LAST_INSERT_ID|LASTVAL|PREVIOUS|@@(warning|error)_count`)

// fuzzedStep runs a step, or, where tunic refuses that, the one it was made from.
func (r *Runner) fuzzedStep(ctx context.Context, script *Script, config *Config, step *Step, pair [2]*side) (found []Finding, ended bool) {
	replies, answered := r.throughFirst(ctx, step, config, pair)
	r.report.Statements++
	switch {
	case !answered && step.Instead != nil:
		return r.fuzzedStep(ctx, script, config, step.Instead, pair)
	case !answered: // of several statements in one text some may have been done
		return nil, slices.ContainsFunc(replies[1], func(r Reply) bool { return len(r.Results) > 1 })
	}
	replies[0], replies[1] = r.mask(step, replies[0]), r.mask(step, replies[1])
	r.tolerateLeftOut(replies[0], replies[1])
	findings, ended := judge(replies[0], replies[1])
	for _, f := range findings {
		if !r.pinned(script, config, step, f.Failure.Differences) {
			f.Failure.Step, f.Failure.Config = step, config.Name
			found = append(found, f)
		}
	}
	return found, ended
}

func (r *Runner) pinned(script *Script, config *Config, step *Step, differences []Difference) bool {
	return !slices.ContainsFunc(differences, func(d Difference) bool {
		return r.Pins.Match(r.Flavor, config.Name, script.Name+"/"+step.Name, d.Field) == nil
	})
}

// judge weighs what the two sides answered. ended says that it is of no use to go on.
func judge(direct, proxied []Reply) (found []Finding, ended bool) {
	direct, proxied = answers(direct), answers(proxied)
	for i := range min(len(direct), len(proxied)) {
		f, over := judgeReply(&direct[i], &proxied[i])
		if f != nil {
			found = append(found, *f)
		}
		if over {
			return found, true
		}
	}
	if len(direct) != len(proxied) {
		d := Difference{Field: "replies", Direct: describeReplies(direct), Proxied: describeReplies(proxied)}
		found = append(found, Finding{Slight, "replies", Failure{Differences: []Difference{d}}})
	}
	return found, len(direct) != len(proxied)
}

// answers are the replies to what is answered, but for the harness's own questions.
func answers(replies []Reply) []Reply {
	return slices.DeleteFunc(slices.Clone(replies), func(r Reply) bool {
		return r.Broken == "" && slices.Contains([]string{warningsLabel, "long-data", "close"}, r.Label)
	})
}

func judgeReply(direct, proxied *Reply) (found *Finding, ended bool) {
	if direct.Label != proxied.Label {
		return finding(Slight, "replies", describeReplies([]Reply{*direct}), describeReplies([]Reply{*proxied})), true
	}
	if direct.Broken != "" || proxied.Broken != "" {
		return judgeEnd(direct, proxied), true
	}
	ours, theirs := proxied.failed(), direct.failed()
	said := [2]string{describeReplies([]Reply{*direct}), describeReplies([]Reply{*proxied})}
	switch {
	case ours != 0 && theirs == 0:
		return finding(Wrong, fmt.Sprintf("error %d only through tunic", ours), said[0], said[1]), true
	case ours == 0 && theirs != 0:
		return finding(Slight, fmt.Sprintf("error %d only at the plain server", theirs), said[0], said[1]), true
	case ours != theirs:
		return finding(Slight, fmt.Sprintf("error %d for %d", ours, theirs), said[0], said[1]), true
	case ours != 0:
		return nil, false
	}
	return judgeResults(direct, proxied)
}

func finding(weight Weight, kind, direct, proxied string) *Finding {
	return &Finding{weight, kind, Failure{Differences: []Difference{{Field: kind, Direct: direct, Proxied: proxied}}}}
}

func judgeEnd(direct, proxied *Reply) *Finding {
	switch {
	case proxied.Broken == direct.Broken:
		return nil
	case proxied.Broken == "":
		return finding(Slight, "connection only ended at the plain server", direct.Broken, proxied.Broken)
	case proxied.Broken == closed && direct.Broken == "":
		return finding(Severe, "session lost", describeReplies([]Reply{*direct}), proxied.Broken)
	default:
		return finding(Severe, proxied.Broken, describeReplies([]Reply{*direct}), proxied.Broken)
	}
}

// seen are the fields that are the answer; others are about it.
var seen = regexp.MustCompile(`\.(rows|rows-only-here|affected|insert-id|columns|results)$|\.row\.`)

func judgeResults(direct, proxied *Reply) (*Finding, bool) {
	differences, _ := Compare([]Reply{*direct}, []Reply{*proxied}, false)
	if len(differences) == 0 {
		return nil, false
	}
	at := slices.IndexFunc(differences, func(d Difference) bool { return seen.MatchString(d.Field) })
	weight := Wrong
	if at < 0 {
		at, weight = 0, Slight
	}
	field := digits.ReplaceAllString(differences[at].Field, "N")
	return &Finding{weight, field, Failure{Differences: differences}}, weight == Wrong
}

// smallest are the fewest steps found that still find the same, looked for so long.
func (r *Runner) smallest(ctx context.Context, script *Script, config *Config, f Finding, limit time.Duration) []Step {
	until := time.Now().Add(limit)
	finds := func(steps []Step) bool {
		if time.Now().After(until) {
			return false
		}
		again, err := r.fuzzed(ctx, &Script{Name: script.Name, Steps: steps}, config)
		return err == nil && slices.ContainsFunc(again, func(g Finding) bool {
			return g.Kind == f.Kind && g.Failure.Step.SQL == f.Failure.Step.SQL
		})
	}
	return Shrink(script.Steps, finds)
}

// scriptText shows steps as a corpus file has them.
func scriptText(steps []Step) string {
	var b strings.Builder
	for i := range steps {
		s := &steps[i]
		for _, l := range s.LongData {
			fmt.Fprintf(&b, "-- long-data %d %q\n", l.Param, l.Bytes)
		}
		for _, e := range s.Executions {
			b.WriteString("-- params " + e.Text + "\n")
		}
		if s.Kind == StepSQL {
			fmt.Fprintf(&b, "-- send %q\n", s.SQL)
		} else {
			b.WriteString("-- " + s.Text() + "\n")
		}
		if s.Instead != nil {
			fmt.Fprintf(&b, "# if that is refused: %q\n", s.Instead.SQL)
		}
	}
	return b.String()
}
