package bench

import (
	"fmt"
	"time"
)

// Case is what the targets are compared under.
type Case struct {
	Workload string `json:"workload"`
	PSMode   string `json:"ps_mode"`
	Threads  int    `json:"threads"`
	Rows     int    `json:"rows,omitempty"` // of questions, which are asked over several sizes
}

func (c Case) String() string {
	if c.Rows > 0 {
		return fmt.Sprintf("%s, %s rows", c.Workload, grouped(float64(c.Rows)))
	}
	return fmt.Sprintf("%s, ps-mode %s, %d threads", c.Workload, c.PSMode, c.Threads)
}

// warmUp is the round whose results are thrown away.
const warmUp = 0

// step is one load on one target.
type step struct {
	Case
	Round  int // 1…; or warmUp
	Target string
	Length time.Duration
}

// cases lists the matrix in the order it is measured and shown in.
func (s Settings) cases() []Case {
	var cases []Case
	for _, size := range s.Sizes {
		for _, question := range s.Workloads {
			cases = append(cases, Case{Workload: question, PSMode: questionMode, Threads: 1, Rows: size})
		}
	}
	if len(s.Sizes) > 0 {
		return cases
	}
	for _, workload := range s.Workloads {
		for _, mode := range s.PSModes {
			for _, threads := range s.Threads {
				if c := (Case{Workload: workload, PSMode: mode, Threads: threads}); c.exists() {
					cases = append(cases, c)
				}
			}
		}
	}
	return cases
}

// exists tells whether the workload can be had with so many threads.
func (c Case) exists() bool {
	w, err := workloadsNamed([]string{c.Workload})
	return err != nil || w[0].has(c.Threads)
}

// steps lists every load in order: case by case, within a case round by round,
// within a round target by target. Round r starts with target r, so that over the
// rounds no target always follows the same neighbour's dirty pages:
// A B C, B C A, C A B.
func (s Settings) steps() []step {
	var steps []step
	for _, c := range s.cases() {
		for round := range s.Rounds + 1 {
			length := s.Seconds
			if round == warmUp {
				length = s.WarmUpSeconds
			}
			if length == 0 {
				continue
			}
			for i := range s.Targets {
				target := s.Targets[(i+max(round-1, 0))%len(s.Targets)]
				steps = append(steps, step{c, round, target, time.Duration(length) * time.Second})
			}
		}
	}
	return steps
}
