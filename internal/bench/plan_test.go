package bench

import (
	"fmt"
	"strings"
	"testing"

	"tunic/internal/bench/document"
	"tunic/internal/bench/documenttest"
	"tunic/internal/bench/matrix"
)

// The first round has the targets as they are named; every round starts with another one,
// and has them in another order.
func TestStepsTakeTurns(t *testing.T) {
	s := documenttest.Settings()
	s.Workloads, s.PSModes, s.Threads = s.Workloads[:1], s.PSModes[:1], s.Threads[:1]
	for want, targets := range map[string][]string{
		"0d 0h 0t 1d 1h 1t 2h 2d 2t 3t 3d 3h":             {document.TargetDirect, document.TargetHAProxy, document.TargetTunic},
		"0d 0h 0t 0p 1d 1h 1t 1p 2h 2p 2d 2t 3p 3t 3h 3d": {document.TargetDirect, document.TargetHAProxy, document.TargetTunic, document.TargetProtected},
	} {
		s.Targets = targets
		var order []string
		for _, step := range stepsOf(s) {
			order = append(order, fmt.Sprintf("%d%c", step.Round, step.Target[0]))
		}
		if got := strings.Join(order, " "); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// Whatever the number of targets, each has started a round, and come right behind each
// other one, as often as all others: after as many rounds, or twice as many. Four that
// take the usual three rounds never come twice behind the same one.
func TestTurnsChangeNeighbours(t *testing.T) {
	for targets := 1; targets <= 7; targets++ {
		rounds, often := targets, 1
		if targets%2 == 1 {
			rounds, often = 2*targets, 2
		}
		starts, behind := map[int]int{}, map[[2]int]int{}
		for round := 1; round <= rounds; round++ {
			order := turn(round, targets)
			starts[order[0]]++
			for i := range order[1:] {
				behind[[2]int(order[i:i+2])]++
			}
			if round == 3 && targets == 4 && len(behind) != 9 {
				t.Errorf("in three rounds of four: %v", behind)
			}
		}
		for i := range targets {
			if starts[i] != often {
				t.Errorf("%d targets: the one of number %d starts %d of %d rounds", targets, i, starts[i], rounds)
			}
			for j := range targets {
				if i != j && behind[[2]int{i, j}] != often {
					t.Errorf("%d targets: %d comes behind %d in %d of %d rounds", targets, j, i, behind[[2]int{i, j}], rounds)
				}
			}
		}
	}
}

func TestStepsCoverTheMatrix(t *testing.T) {
	s := documenttest.Settings()
	taken := map[string]int{}
	for _, step := range stepsOf(s) {
		taken[step.String()]++
	}
	for _, c := range matrix.Cases(s) {
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
	s := documenttest.Settings()
	s.Workloads, s.Threads = []string{"bulk_insert", "oltp_insert"}, []int{24, 200}
	var got []string
	for _, c := range matrix.Cases(s) {
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
	s := documenttest.Settings()
	s.WarmUpSeconds = 0
	for _, step := range stepsOf(s) {
		if step.Round == matrix.WarmUp {
			t.Fatalf("%s is taken", step)
		}
	}
}
