package bench

import (
	"fmt"
	"strings"
	"testing"
)

func TestStepsTakeTurns(t *testing.T) {
	s := someSettings()
	s.Workloads, s.PSModes, s.Threads = s.Workloads[:1], s.PSModes[:1], s.Threads[:1]
	var order []string
	for _, step := range s.steps() {
		order = append(order, fmt.Sprintf("%d%c", step.Round, step.Target[0]))
	}
	want := "0d 0h 0t 1d 1h 1t 2h 2t 2d 3t 3d 3h"
	if got := strings.Join(order, " "); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestStepsCoverTheMatrix(t *testing.T) {
	s := someSettings()
	taken := map[string]int{}
	for _, step := range s.steps() {
		taken[step.String()]++
	}
	for _, c := range s.cases() {
		for _, target := range s.Targets {
			for round := range s.Rounds + 1 {
				name := step{Case: c, Round: round, Target: target}.String()
				if taken[name] != 1 {
					t.Errorf("%s is taken %d times", name, taken[name])
				}
			}
		}
	}
	if want := 2 * 2 * 2 * 3 * 4; len(taken) != want {
		t.Errorf("%d steps, want %d", len(taken), want)
	}
}

// A bulk load of many threads would take minutes, so there is none.
func TestCasesOfBulk(t *testing.T) {
	s := someSettings()
	s.Workloads, s.Threads = []string{"bulk_insert", "oltp_insert"}, []int{24, 200}
	var got []string
	for _, c := range s.cases() {
		got = append(got, c.String())
	}
	want := "bulk_insert, ps-mode auto, 24 threads; bulk_insert, ps-mode disable, 24 threads; " +
		"oltp_insert, ps-mode auto, 24 threads; oltp_insert, ps-mode auto, 200 threads; " +
		"oltp_insert, ps-mode disable, 24 threads; oltp_insert, ps-mode disable, 200 threads"
	if strings.Join(got, "; ") != want {
		t.Errorf("got %s", strings.Join(got, "; "))
	}
}

func TestStepsWithoutWarmUp(t *testing.T) {
	s := someSettings()
	s.WarmUpSeconds = 0
	for _, step := range s.steps() {
		if step.Round == warmUp {
			t.Fatalf("%s is taken", step)
		}
	}
}
