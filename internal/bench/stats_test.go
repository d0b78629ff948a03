package bench

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestStat(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   Stat
		spread float64
	}{
		{[]float64{7}, Stat{7, 7, 7}, 0},
		{[]float64{3, 1, 2}, Stat{2, 1, 3}, 0.5},
		{[]float64{4, 1, 2, 3}, Stat{2.5, 1, 4}, 0.6},
		{[]float64{0, 0}, Stat{0, 0, 0}, 0},
	} {
		got := newStat(c.values)
		if diff := cmp.Diff(c.want, *got); diff != "" || math.Abs(got.Spread()-c.spread) > 1e-12 {
			t.Errorf("%v: %+v with spread %v, want %+v with %v", c.values, *got, got.Spread(), c.want, c.spread)
		}
	}
	if newStat(nil) != nil {
		t.Error("no values have a summary")
	}
}

func TestMedianLeavesItsInputAlone(t *testing.T) {
	values := []float64{3, 1, 2}
	median(values)
	if diff := cmp.Diff([]float64{3, 1, 2}, values); diff != "" {
		t.Error(diff)
	}
}

// Half of the values are on either side of the median.
func TestMedianIsInTheMiddle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), 1, 9).Draw(t, "values")
		m, below, above := median(values), 0, 0
		for _, v := range values {
			if v < m {
				below++
			}
			if v > m {
				above++
			}
		}
		if 2*below > len(values) || 2*above > len(values) {
			t.Fatalf("median %v of %v", m, values)
		}
	})
}

// The machine halves its speed in round 2. The ratio must not notice.
func TestRatiosAreFormedWithinARound(t *testing.T) {
	direct := []Run{{Round: 1, TPS: 1000}, {Round: 2, TPS: 500}, {Round: 3, TPS: 1000}}
	hop := []Run{{Round: 1, TPS: 700}, {Round: 2, TPS: 350}, {Round: 3, TPS: 700}}
	if got := *newStat(pairwise(hop, direct, tpsOf)); got != (Stat{0.7, 0.7, 0.7}) {
		t.Errorf("got %+v", got)
	}
	if got := pairwise(hop[:1], direct[1:], tpsOf); got != nil {
		t.Errorf("rounds that only one of them has give %v", got)
	}
}

func TestSummarise(t *testing.T) {
	d := someDocument()
	d.summarise()
	c := Case{Workload: "oltp_point_select", PSMode: "auto", Threads: 8}
	direct, tunic := d.cell(c, targetDirect), d.cell(c, targetTunic)
	if got := tunic.Summary.HopCPURatio[targetHAProxy]; got == nil || got.Median < 1.05 || got.Median > 1.06 {
		t.Errorf("tunic's CPU to HAProxy's is %+v, want 14.25/13.5", got)
	}
	if direct.Summary.HopCPURatio != nil || direct.Summary.HopCPU != nil || direct.Summary.HopRSSPeak != nil {
		t.Errorf("direct has the cost of a hop: %+v", direct.Summary)
	}
	if got := direct.Summary.Ratio[targetDirect]; *got != (Stat{1, 1, 1}) {
		t.Errorf("direct to direct is %+v", got)
	}
	if got := tunic.Summary.HopRSSPeak; *got != (Stat{40, 39, 41}) {
		t.Errorf("the peaks of the memory are %+v", got)
	}
	if tunic.Summary.Ratio[targetHAProxy] == nil || tunic.Summary.HopCPU == nil {
		t.Errorf("tunic lacks numbers: %+v", tunic.Summary)
	}
}

func TestSummaryOfFailedRuns(t *testing.T) {
	d := someDocument()
	d.summarise()
	c := Case{Workload: "oltp_insert", PSMode: "auto", Threads: 8}
	failed := d.cell(c, targetHAProxy).Summary
	if failed.FailedRuns != 1 || failed.Failure == "" || failed.TPS != nil || failed.Ratio != nil {
		t.Errorf("one failed run: %+v", failed)
	}
	tunic := d.cell(c, targetTunic).Summary
	if tunic.Ratio[targetHAProxy] != nil || tunic.Ratio[targetDirect] == nil {
		t.Errorf("ratios beside a failed baseline: %+v", tunic.Ratio)
	}
	if d.failedCells() != 1 {
		t.Errorf("%d cells failed, want 1", d.failedCells())
	}
}
