package page

import (
	"slices"
	"strings"
	"testing"

	"tunic/internal/bench/document"
	"tunic/internal/bench/documenttest"
)

// wants fails where a comparison does not say all of these.
func wants(t *testing.T, got string, all ...string) {
	t.Helper()
	for _, want := range all {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
	}
}

// What else a machine does is the same in all rounds of a measurement, so that their spread
// does not tell of it: what depends on it is no finding.
func TestCompareBesideOtherWork(t *testing.T) {
	dearer := func(d *document.Document) {
		for i := range d.Cell(documenttest.PointSelect, document.TargetTunic).Runs {
			d.Cell(documenttest.PointSelect, document.TargetTunic).Runs[i].HopCPU *= 1.47
		}
	}
	got := comparisonOf(t, dearer)
	wants(t, got, "worse   oltp_point_select, ps-mode auto, 8 threads, tunic: CPU µs/query 14.2 -> 20.9 (+47%)")
	for _, busy := range []float64{1.5, 7} {
		got = comparisonOf(t, func(d *document.Document) {
			dearer(d)
			d.Machine.BusyAtStart = &busy
		})
		wants(t, got,
			"the machine had other work when one began, 0.25 of 2 CPUs, now ",
			"apart   oltp_point_select, ps-mode auto, 8 threads, tunic: CPU µs/query 14.2 -> 20.9 (+47%)",
			"\n1 more are apart", "worse   oltp_point_select, ps-mode auto, 8 threads, tunic: CPU × haproxy", "\n1 of ")
	}
}

// Who reads that some numbers differ is told how many would if nothing had changed.
func TestCompareTellsOfChance(t *testing.T) {
	c := Comparison{compared: 250, tested: 240}
	var b strings.Builder
	one := []float64{1}
	c.add(Metrics[0], &document.Cell{}, one, one, false) // one round tells of nothing, chance or not
	_, _ = c.WriteTo(&b)
	wants(t, b.String(), "0 of 251 numbers differ", "240 were put to the test: at that level chance alone finds up to 2.4 of them")
}

// What is not there any more is no less a change than what has become slower.
func TestCompareSaysWhatIsGone(t *testing.T) {
	insert := document.Case{Workload: "oltp_insert", PSMode: "auto", Threads: 8}
	got := comparisonOf(t, func(d *document.Document) {
		d.Complete = false
		d.Settings.Targets = slices.DeleteFunc(slices.Clone(d.Settings.Targets), func(s string) bool { return s == document.TargetHAProxy })
		d.Skipped = []string{"haproxy: it is not installed"}
		d.Cells = slices.DeleteFunc(slices.Clone(d.Cells), func(c document.Cell) bool {
			return c.Target == document.TargetHAProxy || c.Case == insert && c.Target == document.TargetProtected
		})
	})
	wants(t, got, "the new one was interrupted", "left out now: haproxy: it is not installed", "only in the old one: oltp_insert, ps-mode auto, 8 threads, protected")
	if strings.Count(got, "haproxy") != 1 {
		t.Errorf("a target that is left out is told of once:\n%s", got)
	}
	got = comparisonOf(t, func(*document.Document) {})
	for _, unwanted := range []string{"interrupted", "left out", "only in"} {
		if strings.Contains(got, unwanted) {
			t.Errorf("%q, and nothing is gone:\n%s", unwanted, got)
		}
	}
}

// Each setting that no case has in its name.
func TestCompareNamesSettings(t *testing.T) {
	got := comparisonOf(t, func(d *document.Document) {
		d.Name = "tpcc"
		d.Settings.Warehouses, d.Settings.Share, d.Settings.AskedMs, d.Settings.WarmUpSeconds = 17, 0.125, 300, 9
	})
	wants(t, got, "another benchmark: relay, now tpcc", "warehouses ", "now 17", "share ", "now 0.125", "asked ms 0, now 300", "warm-up seconds ", "now 9")
}

// Room, the server's processor time and what throughput is kept are compared as well.
func TestCompareAllThatIsMeasured(t *testing.T) {
	older, newer := documenttest.Some(), documenttest.Some()
	for i, d := range []*document.Document{older, newer} {
		runs := d.Cell(documenttest.PointSelect, document.TargetTunic).Runs
		for j := range runs {
			runs[j].ServerCPU = []float64{20, 30}[i]
			for second := range document.KeptLeast {
				tps := 1000.0
				if second >= document.KeptLeast/2 {
					tps *= []float64{1, 0.5}[i]
				}
				runs[j].Timeline = append(runs[j].Timeline, document.Second{TPS: tps})
			}
		}
		d.Summarise()
	}
	newer.Storage[1].BytesPerRow = 640
	var b strings.Builder
	_, _ = Compare(older, newer).WriteTo(&b)
	wants(t, b.String(),
		"worse   stored, protected: bytes a row 512 -> 640 (+25%)",
		"worse   oltp_point_select, ps-mode auto, 8 threads, tunic: server CPU × direct 1.00 -> 1.50 (+50%)",
		"worse   oltp_point_select, ps-mode auto, 8 threads, tunic: server CPU µs/query 20.0 -> 30.0 (+50%)",
		"worse   oltp_point_select, ps-mode auto, 8 threads, tunic: kept 1.00 -> 0.50 (-50%)",
		"\n4 of ")
}
