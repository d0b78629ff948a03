package page

import (
	"strings"
	"testing"

	"tunic/internal/bench/document"
	"tunic/internal/bench/documenttest"
)

// comparisonOf prints the comparison of someDocument with what change makes of it.
func comparisonOf(t *testing.T, change func(*document.Document)) string {
	t.Helper()
	older, newer := documenttest.Some(), documenttest.Some()
	change(newer)
	older.Summarise()
	newer.Summarise()
	var b strings.Builder
	if _, err := Compare(older, newer).WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func slowDown(d *document.Document, c document.Case, target string, factor float64) {
	cell := d.Cell(c, target)
	for i := range cell.Runs {
		cell.Runs[i].TPS *= factor
		cell.Runs[i].P95Ms /= factor
	}
}

func TestCompareWithItself(t *testing.T) {
	got := comparisonOf(t, func(*document.Document) {})
	if !strings.Contains(got, "\n0 of ") || strings.Contains(got, "->") {
		t.Errorf("a document differs from itself:\n%s", got)
	}
}

func TestCompareNamesWhatChanged(t *testing.T) {
	got := comparisonOf(t, func(d *document.Document) {
		slowDown(d, documenttest.PointSelect, document.TargetTunic, 0.8)
		for i := range d.Cell(documenttest.PointSelect, document.TargetTunic).Runs {
			d.Cell(documenttest.PointSelect, document.TargetTunic).Runs[i].HopCPU -= 5
		}
	})
	for _, want := range []string{
		"worse   oltp_point_select, ps-mode auto, 8 threads, tunic: TPS × direct 0.62 -> 0.50 (-20%)",
		"worse   oltp_point_select, ps-mode auto, 8 threads, tunic: TPS × haproxy",
		"worse   oltp_point_select, ps-mode auto, 8 threads, tunic: p95 × direct 1.61 -> 2.01 (+25%)",
		"better  oltp_point_select, ps-mode auto, 8 threads, tunic: CPU × haproxy 1.06 -> 0.69 (-35%)",
		"better  oltp_point_select, ps-mode auto, 8 threads, tunic: CPU µs/query 14.2 -> 9.2 (-35%)",
		"better  oltp_point_select, ps-mode auto, 8 threads, protected: TPS × tunic 0.88 -> 1.10 (+25%)",
		"\n6 of ",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
	}
}

// A slow day slows all targets: nothing of ours has changed.
func TestCompareIgnoresASlowDay(t *testing.T) {
	got := comparisonOf(t, func(d *document.Document) {
		d.Machine.Kernel = "6.2.0"
		for _, cell := range d.Cells {
			slowDown(d, cell.Case, cell.Target, 0.5)
		}
	})
	if strings.Contains(got, "->") || !strings.Contains(got, "another machine") {
		t.Errorf("got:\n%s", got)
	}
}

// One wild round is no change.
func TestCompareConsidersTheSpread(t *testing.T) {
	got := comparisonOf(t, func(d *document.Document) {
		runs := d.Cell(documenttest.PointSelect, document.TargetTunic).Runs
		runs[0].TPS *= 0.5
		runs[1].TPS *= 0.9
	})
	if strings.Contains(got, "TPS ×") {
		t.Errorf("got:\n%s", got)
	}
}

func TestCompareSaysWhatCannotBeCompared(t *testing.T) {
	got := comparisonOf(t, func(d *document.Document) {
		d.Cell(documenttest.PointSelect, document.TargetHAProxy).Runs[0] = document.Run{Round: 1, Failed: "error 2013"}
		d.Cell(document.Case{Workload: "oltp_insert", PSMode: "auto", Threads: 8}, document.TargetHAProxy).Runs[1] = documenttest.Run(2, 100, 10, 10)
		d.Add(document.Case{Workload: "oltp_insert", PSMode: "auto", Threads: 24}, document.TargetTunic, documenttest.Run(1, 100, 10, 10))
		d.Settings.Rows = 7
		d.Settings.Rounds = 2
		d.Versions["haproxy"] = "3.0.0"
		d.ServerFlags = nil
	})
	for _, want := range []string{
		"FAILED now, did not before: oltp_point_select, ps-mode auto, 8 threads, haproxy: error 2013",
		"failed before, works now: oltp_insert, ps-mode auto, 8 threads, haproxy",
		"only in the new one: oltp_insert, ps-mode auto, 24 threads, tunic",
		"other settings", "other server flags", "other haproxy: 2.6.12, now 3.0.0", "fewer than 3 rounds",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
	}
}
