package bench

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"tunic/internal/bench/document"
	"tunic/internal/bench/matrix"
)

// step is one load on one target.
type step struct {
	document.Case
	Round  int // 1…; or warmUp or profiled
	Target string
	Length time.Duration
}

// withoutTarget says why the case cannot be had through the target, "" if it can.
func withoutTarget(c document.Case, target string) string {
	w, err := matrix.WorkloadsNamed([]string{c.Workload})
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

// leftOut tells of each target without which workloads it is measured, and why.
func leftOut(s document.Settings) []string {
	var all []string
	for _, target := range s.Targets {
		var reasons []string
		of := map[string][]string{}
		for _, c := range matrix.Cases(s) {
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
	for _, c := range matrix.Cases(s) {
		for round := range s.Rounds + 1 {
			for _, i := range turn(round, len(s.Targets)) {
				target := s.Targets[i]
				length := matrix.LengthOf(s, round, target)
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
		if s.Profile && document.IsTunic(target) {
			steps = append(steps, step{c, matrix.Profiled, target, time.Duration(s.Seconds) * time.Second})
		}
	}
	return steps
}
