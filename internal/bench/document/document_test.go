package document

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// two is a document of two targets and two cases; the second case has failed at the hop.
func two() *Document {
	d := &Document{Format: Format, Name: "relay"}
	inserts, selects := Case{Workload: "insert", PSMode: "auto", Threads: 8}, Case{Workload: "select", PSMode: "auto", Threads: 8}
	for round := 1; round <= 3; round++ {
		d.Add(selects, TargetDirect, Run{Round: round, TPS: 1000 * float64(round)})
		d.Add(selects, TargetTunic, Run{Round: round, TPS: 900 * float64(round), HopCPU: 10, HopRSS: []float64{40, 41}})
		d.Add(inserts, TargetDirect, Run{Round: round, TPS: 100})
		d.Add(inserts, TargetTunic, Run{Round: round, Failed: "gone", Refused: "TUNIC-1"})
	}
	return d
}

// TestSummary: runs are filed under their cells, and a cell has the ratios to those that it is compared with.
func TestSummary(t *testing.T) {
	d := two()
	d.Summarise()
	cases := d.Cases()
	if len(d.Cells) != 4 || len(cases) != 2 || cases[0].Workload != "select" {
		t.Fatalf("%d cells of %v", len(d.Cells), cases)
	}
	tunic := d.Cell(cases[0], TargetTunic)
	if r := tunic.Summary.Ratio[TargetDirect]; r == nil || r.Median != 0.9 || r.Min != r.Max {
		t.Errorf("to direct: %+v", r)
	}
	if tunic.Summary.HopCPU.Median != 10 || tunic.Summary.HopRSSPeak.Max != 41 || tunic.Failed() || tunic.Refused() {
		t.Errorf("%+v", tunic.Summary)
	}
	failed := d.Cell(cases[1], TargetTunic)
	if !failed.Failed() || !failed.Refused() || failed.Summary.FailedRuns != 3 || failed.Summary.Failure != "gone" || failed.Summary.TPS != nil {
		t.Errorf("%+v", failed.Summary)
	}
	if d.Cell(cases[0], TargetHAProxy) != nil {
		t.Error("a cell that was not measured")
	}
}

// TestMeasuredBy: who is compared with whom.
func TestMeasuredBy(t *testing.T) {
	for target, want := range map[string][]string{
		TargetProtected:      {TargetDirect, TargetHAProxy, TargetTunic, TargetQuiet, TargetQuietPlain},
		TargetHAProxy:        {TargetDirect, TargetHAProxy, TargetQuiet, TargetQuietPlain},
		TargetDecrypt:        {TargetDirect, TargetHAProxy, TargetQuiet, TargetQuietProtected},
		TargetQuietProtected: {TargetDirect, TargetHAProxy, TargetQuiet, TargetQuietProtected},
	} {
		var got []string
		for _, baseline := range Baselines {
			if MeasuredBy(target, baseline) {
				got = append(got, baseline)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v", target, got)
		}
	}
}

// TestRead: a document comes back as it was written, and one of another layout is refused.
func TestRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "d.json")
	d := two()
	d.Summarise()
	for _, format := range []string{Format, "tunic-bench/0"} {
		d.Format = format
		text, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		back, err := Read(path)
		if (err == nil) != (format == Format) {
			t.Fatalf("%s: %v", format, err)
		}
		if err == nil && !cmp.Equal(d, back) {
			t.Error(cmp.Diff(d, back))
		}
	}
}
