package bench

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"tunic/internal/bench/document"
)

// Rounds whose results are thrown away.
const (
	warmUp   = 0
	profiled = -1 // a profile is taken meanwhile, which costs something itself
)

// step is one load on one target.
type step struct {
	document.Case
	Round  int // 1…; or warmUp or profiled
	Target string
	Length time.Duration
}

// casesOf lists the matrix in the order it is measured and shown in.
func casesOf(s document.Settings) []document.Case {
	var cases []document.Case
	for _, size := range s.Sizes {
		for _, question := range s.Workloads {
			cases = append(cases, document.Case{Workload: question, PSMode: questionMode, Threads: s.Threads[0], Rows: size})
		}
	}
	for _, rate := range s.Rates {
		cases = append(cases, rateCase(s, rate))
	}
	if len(cases) > 0 {
		return cases
	}
	for _, workload := range s.Workloads {
		for _, mode := range s.PSModes {
			for _, threads := range s.Threads {
				if c := (document.Case{Workload: workload, PSMode: mode, Threads: threads}); caseExists(c) {
					cases = append(cases, c)
				}
			}
		}
	}
	return cases
}

// casesIn are those in which statements are sent in the mode.
func casesIn(s document.Settings, mode string) []document.Case {
	return slices.DeleteFunc(casesOf(s), func(c document.Case) bool { return c.PSMode != mode })
}

// rateCase is the case of clients that write at a rate; without writes there are none.
func rateCase(s document.Settings, rate int) document.Case {
	c := document.Case{Workload: s.Workloads[0], PSMode: s.PSModes[0], Rate: rateName(rate)}
	if rate != 0 {
		c.Threads = s.Threads[0]
	}
	return c
}

// caseExists tells whether the workload can be had with so many threads, in the mode.
func caseExists(c document.Case) bool {
	w, err := workloadsNamed([]string{c.Workload})
	return err != nil || w[0].has(c.Threads) && w[0].sends(c.PSMode)
}

// withoutTarget says why the case cannot be had through the target, "" if it can.
func withoutTarget(c document.Case, target string) string {
	w, err := workloadsNamed([]string{c.Workload})
	if err != nil {
		return ""
	}
	return targetOf(target).without(w[0], c.Threads)
}

// targetOf returns the target of a name; without one, a target that has nothing of its own.
func targetOf(name string) Target {
	t, err := targetsNamed([]string{name})
	if err != nil {
		return Target{Name: name}
	}
	return t[0]
}

// lengthOf is how long a target is loaded in a round, in seconds; 0 for not at all.
func lengthOf(s document.Settings, round int, target string) int {
	switch {
	case round != warmUp:
		return s.Seconds
	case s.WarmUpSeconds == 0:
		return 0
	}
	return max(s.WarmUpSeconds, targetOf(target).WarmUpSeconds)
}

// leftOut tells of each target without which workloads it is measured, and why.
func leftOut(s document.Settings) []string {
	var all []string
	for _, target := range s.Targets {
		var reasons []string
		of := map[string][]string{}
		for _, c := range casesOf(s) {
			reason := withoutTarget(c, target)
			if reason == "" || slices.Contains(of[reason], c.Workload) {
				continue
			}
			if of[reason] == nil {
				reasons = append(reasons, reason)
			}
			of[reason] = append(of[reason], c.Workload)
		}
		for _, reason := range reasons {
			all = append(all, fmt.Sprintf("target %s is left out of %s: %s", target, strings.Join(of[reason], ", "), reason))
		}
	}
	return all
}

// stepsOf lists every load in order: case by case, within a case round by round,
// within a round target by target.
func stepsOf(s document.Settings) []step {
	var steps []step
	for _, c := range casesOf(s) {
		for round := range s.Rounds + 1 {
			for _, i := range turn(round, len(s.Targets)) {
				target := s.Targets[i]
				length := lengthOf(s, round, target)
				if length == 0 || withoutTarget(c, target) != "" {
					continue
				}
				steps = append(steps, step{c, round, target, time.Duration(length) * time.Second})
			}
		}
		steps = append(steps, profileSteps(s, c)...)
	}
	return steps
}

// turn is the order of so many targets in a round: in the first one as they are named, which
// is also how they are shown. Each round starts with another target, and a target comes behind
// another one from round to round, so that none always meets what the same neighbour leaves
// behind, dirty pages above all. Of an even number each has come once behind each other after
// as many rounds, of an odd number twice after twice as many: the rounds are a balanced Latin
// square, A B C D, B D A C, D C B A, C A D B.
func turn(round, targets int) []int {
	row, named := make([]int, targets), make([]int, targets)
	for i := range row { // the square's first row is 0, 1, n-1, 2, n-2 …
		row[i] = (i + 1) / 2
		if i%2 == 0 {
			row[i] = (targets - i/2) % targets
		}
		named[row[i]] = i
	}
	shift := max(round-1, 0)
	if shift%2 == 1 { // for an odd number, the mirrored square's; an even one has it already
		slices.Reverse(row)
	}
	first := row[0]
	for i, n := range row {
		row[i] = named[(n-first+targets+shift)%targets]
	}
	return row
}

// profileSteps are of the tunics, behind all rounds of a case.
func profileSteps(s document.Settings, c document.Case) (steps []step) {
	for _, target := range s.Targets {
		if s.Profile && (target == document.TargetTunic || target == document.TargetProtected) {
			steps = append(steps, step{c, profiled, target, time.Duration(s.Seconds) * time.Second})
		}
	}
	return steps
}
