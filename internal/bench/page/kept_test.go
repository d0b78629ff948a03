package page

import (
	"strings"
	"testing"

	"tunic/internal/bench/document"
	"tunic/internal/bench/documenttest"
	"tunic/internal/bench/matrix"
)

// aRun goes from one throughput to another evenly.
func aRun(round, seconds int, from, to float64) document.Run {
	r := document.Run{Round: round, TPS: (from + to) / 2}
	for i := range seconds {
		r.Timeline = append(r.Timeline, document.Second{TPS: from + (to-from)*float64(i)/float64(seconds-1)})
	}
	return r
}

func TestKept(t *testing.T) {
	for name, c := range map[string]struct {
		run   document.Run
		want  float64
		known bool
	}{
		"steady":             {aRun(1, 60, 100, 100), 1, true},
		"half":               {aRun(1, 40, 1000, 500), 557.7 / 942.3, true}, // means of the quarters
		"20 s, the last out": {aRun(1, 19, 100, 100), 1, true},
		"short":              {aRun(1, document.KeptLeast-1, 100, 100), 0, false},
		"nothing":            {document.Run{}, 0, false},
		"nothing at the end": {document.Run{Timeline: append(aRun(1, 15, 10, 10).Timeline, make([]document.Second, 5)...)}, 0, true},
	} {
		got, known := c.run.Kept()
		if known != c.known || got < c.want-0.001 || got > c.want+0.001 {
			t.Errorf("%s: %.4f, %t; want %.4f, %t", name, got, known, c.want, c.known)
		}
	}
}

// What a target loses counts beside what the plain server loses in the same round.
func TestKeptNotes(t *testing.T) {
	d := documenttest.Some()
	d.Settings.Targets = []string{document.TargetDirect, document.TargetTunic, document.TargetProtected}
	d.Cells = nil
	for round := 1; round <= 3; round++ {
		d.Add(documenttest.PointSelect, document.TargetDirect, aRun(round, 40, 1000, 500))
		d.Add(documenttest.PointSelect, document.TargetTunic, aRun(round, 40, 900, 400))
		d.Add(documenttest.PointSelect, document.TargetProtected, aRun(round, 40, 800, 200))
	}
	d.Summarise()
	notes := strings.Join(keptNotes(d), "\n")
	for _, want := range []string{
		"direct: TPS of the last quarter of a run × 0.59 ±0% of that of the first",
		"tunic: TPS of the last quarter of a run × 0.54 ±0% of that of the first; × 0.92 ±0% of what direct keeps, to be at least 0.8: reached",
		"× 0.62 ±0% of what direct keeps, to be at least 0.8: MISSED",
	} {
		if !strings.Contains(notes, want) {
			t.Errorf("no %q in\n%s", want, notes)
		}
	}
}

// What is about throughput over time says where it cannot be told, and nothing else does.
func TestKeptNotesOfShortRuns(t *testing.T) {
	d := documenttest.Some()
	d.Cells = nil
	d.Add(documenttest.PointSelect, document.TargetDirect, aRun(1, 10, 100, 100))
	d.Add(documenttest.PointSelect, document.TargetTunic, document.Run{Round: 1, Failed: "gone"})
	d.Summarise()
	if notes := keptNotes(d); notes != nil {
		t.Errorf("of %s: %v", d.Name, notes)
	}
	d.Name = matrix.Insert.Name
	notes := keptNotes(d)
	if len(notes) != 1 || !strings.Contains(notes[0], "direct: too short to tell how it went on: 10 seconds are known of round 1, and it takes 16") {
		t.Errorf("%q", notes)
	}
}
