package page

import (
	"slices"
	"strings"
	"testing"

	"tunic/internal/bench/document"
	"tunic/internal/bench/documenttest"
)

// megabytes are 60 samples of 50 MiB, but where they are said to be others.
func megabytes(at map[int]float64) []float64 {
	samples := slices.Repeat([]float64{50}, 60)
	for i, v := range at {
		samples[i] = v
	}
	return samples
}

func TestDriftNotes(t *testing.T) {
	d := documenttest.Some()
	d.Summarise()
	if notes := driftNotes(d); len(notes) != 0 {
		t.Errorf("runs of a few seconds say %q of memory", notes)
	}
	runs := d.Cell(documenttest.PointSelect, document.TargetTunic).Runs
	runs[0].HopRSS = megabytes(map[int]float64{40: 51})
	runs[2].HopRSS = megabytes(map[int]float64{40: 60})
	d.Summarise()
	want := "memory of tunic after the first 10 s of a run: moved by 20.0% at most (oltp_point_select, ps-mode auto, 8 threads)"
	if got := strings.Join(driftNotes(d), "\n"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if !strings.Contains(Table(d), want) {
		t.Error("the table does not say so")
	}
}
