package bench

import (
	"testing"

	"tunic/internal/bench/document"
	"tunic/internal/bench/documenttest"
	"tunic/internal/bench/figure"
	"tunic/internal/bench/page"
)

// The machine halves its speed in round 2. The ratio must not notice.
func TestRatiosAreFormedWithinARound(t *testing.T) {
	direct := []document.Run{{Round: 1, TPS: 1000}, {Round: 2, TPS: 500}, {Round: 3, TPS: 1000}}
	hop := []document.Run{{Round: 1, TPS: 700}, {Round: 2, TPS: 350}, {Round: 3, TPS: 700}}
	if got := *figure.NewStat(document.Pairwise(hop, direct, document.TPSOf)); got != (figure.Stat{Median: 0.7, Min: 0.7, Max: 0.7}) {
		t.Errorf("got %+v", got)
	}
	if got := document.Pairwise(hop[:1], direct[1:], document.TPSOf); got != nil {
		t.Errorf("rounds that only one of them has give %v", got)
	}
}

func TestSummarise(t *testing.T) {
	d := documenttest.Some()
	d.Summarise()
	c := document.Case{Workload: "oltp_point_select", PSMode: "auto", Threads: 8}
	direct, tunic := d.Cell(c, document.TargetDirect), d.Cell(c, document.TargetTunic)
	if got := tunic.Summary.HopCPURatio[document.TargetHAProxy]; got == nil || got.Median < 1.05 || got.Median > 1.06 {
		t.Errorf("tunic's CPU to HAProxy's is %+v, want 14.25/13.5", got)
	}
	if direct.Summary.HopCPURatio != nil || direct.Summary.HopCPU != nil || direct.Summary.HopRSSPeak != nil {
		t.Errorf("direct has the cost of a hop: %+v", direct.Summary)
	}
	if got := direct.Summary.Ratio[document.TargetDirect]; *got != (figure.Stat{Median: 1, Min: 1, Max: 1}) {
		t.Errorf("direct to direct is %+v", got)
	}
	if got := tunic.Summary.HopRSSPeak; *got != (figure.Stat{Median: 40, Min: 39, Max: 41}) {
		t.Errorf("the peaks of the memory are %+v", got)
	}
	if tunic.Summary.Ratio[document.TargetHAProxy] == nil || tunic.Summary.HopCPU == nil {
		t.Errorf("tunic lacks numbers: %+v", tunic.Summary)
	}
}

func TestSummaryOfFailedRuns(t *testing.T) {
	d := documenttest.Some()
	d.Summarise()
	c := document.Case{Workload: "oltp_insert", PSMode: "auto", Threads: 8}
	failed := d.Cell(c, document.TargetHAProxy).Summary
	if failed.FailedRuns != 1 || failed.Failure == "" || failed.TPS != nil || failed.Ratio != nil {
		t.Errorf("one failed run: %+v", failed)
	}
	tunic := d.Cell(c, document.TargetTunic).Summary
	if tunic.Ratio[document.TargetHAProxy] != nil || tunic.Ratio[document.TargetDirect] == nil {
		t.Errorf("ratios beside a failed baseline: %+v", tunic.Ratio)
	}
	if page.FailedCells(d) != 1 {
		t.Errorf("%d cells failed, want 1", page.FailedCells(d))
	}
}
