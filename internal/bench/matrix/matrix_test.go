package matrix

import (
	"slices"
	"testing"

	"tunic/internal/bench/document"
)

// TestKindsCanBeMeasured: the workloads of every matrix are in the table, its cases are told apart, and each is sent
// in one of its modes.
func TestKindsCanBeMeasured(t *testing.T) {
	for _, k := range Kinds {
		if _, err := WorkloadsNamed(k.Named(k.Defaults.Workloads)); err != nil {
			t.Errorf("%s: %v", k.Name, err)
		}
		all := Cases(k.Defaults)
		var again []document.Case
		for _, mode := range k.Defaults.PSModes {
			again = append(again, CasesIn(k.Defaults, mode)...)
		}
		if len(all) == 0 || len(again) != len(all) {
			t.Errorf("%s: %d cases, %d in its modes", k.Name, len(all), len(again))
		}
		for i, c := range all {
			if slices.Contains(all[:i], c) {
				t.Errorf("%s: %s is there twice", k.Name, c)
			}
		}
		if got := KindOf(&document.Document{Name: k.Name}); got.Title != k.Title {
			t.Errorf("%s: its documents are of %q", k.Name, got.Title)
		}
	}
	if got := KindOf(&document.Document{Name: "other"}); got.Title != "Benchmark other" {
		t.Errorf("%+v", got)
	}
}

// TestCasesOfOtherBenchmarks: questions are asked over sizes, and rates are kept to by clients that write.
func TestCasesOfOtherBenchmarks(t *testing.T) {
	questions := Cases(document.Settings{Workloads: []string{"a", "b"}, Threads: []int{1}, Sizes: []int{10, 20}})
	if len(questions) != 4 || questions[2] != (document.Case{Workload: "a", PSMode: QuestionMode, Threads: 1, Rows: 20}) {
		t.Errorf("%v", questions)
	}
	rates := Cases(document.Settings{Workloads: []string{"updates"}, PSModes: PSModes[:1], Threads: []int{4}, Rates: []int{0, 1000, Unlimited}})
	if len(rates) != 3 || rates[0].Threads != 0 || rates[1].Rate != "1,000" || rates[2].Rate != "unlimited" {
		t.Errorf("%v", rates)
	}
	for _, rate := range []int{0, 1000, Unlimited} {
		if back, err := ParseRates([]string{RateFlag(rate)}); err != nil || back[0] != rate {
			t.Errorf("%d: %v, %v", rate, back, err)
		}
	}
	if _, err := ParseRates([]string{"-5"}); err == nil {
		t.Error("a rate below nothing")
	}
}

// TestLengthOf: a warm-up is as long as its target needs, and can be left out.
func TestLengthOf(t *testing.T) {
	s := document.Settings{Seconds: 5, WarmUpSeconds: 2}
	for _, c := range []struct {
		round  int
		target string
		want   int
	}{
		{1, document.TargetDirect, 5}, {WarmUp, document.TargetDirect, 2}, {WarmUp, document.TargetShardingSphere, JVMSeconds},
	} {
		if got := LengthOf(s, c.round, c.target); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
	s.WarmUpSeconds = 0
	if got := LengthOf(s, WarmUp, document.TargetShardingSphere); got != 0 {
		t.Errorf("without a warm-up: %d", got)
	}
}
