package page

import (
	"strings"
	"testing"

	"tunic/internal/bench/document"
	"tunic/internal/bench/documenttest"
	"tunic/internal/bench/matrix"
)

// TestVerdict: the sentence is of the figures, whatever was measured.
func TestVerdict(t *testing.T) {
	ratio := func(target, workload string, of ...float64) document.Cell {
		c := document.Cell{Case: document.Case{Workload: workload, PSMode: "auto", Threads: 8}, Target: target}
		for i, x := range of {
			c.Runs = append(c.Runs, document.Run{Round: i, TPS: 1000 * x, AverageMs: 1 / x})
		}
		return c
	}
	measured := document.Settings{Targets: []string{document.TargetDirect, document.TargetHAProxy, document.TargetTunic}, PSModes: []string{"auto"}}
	questions := document.Settings{Targets: []string{document.TargetDirect, document.TargetProtected}, Sizes: []int{100}}
	cut := ratio(document.TargetHAProxy, "b", 0.5)
	cut.Runs[0].Failed = "Lost connection"
	beside := func(target string, stall float64, wrong int) document.Cell {
		return document.Cell{Target: target, Runs: []document.Run{{Beside: &document.Beside{StallMs: stall, Checked: 1000, Wrong: wrong, Errors: map[string]int{"1205": wrong}}}}}
	}
	value := func(of, operation string, ns float64) document.Cell {
		return document.Cell{Case: document.Case{Value: of, Workload: operation}, Runs: []document.Run{{Value: &document.ValueRun{Ns: ns}}}}
	}
	for name, test := range map[string]struct {
		document document.Document
		want     string
	}{
		"nothing": {document.Document{Settings: measured}, "Nothing was measured."},
		"one case": {
			document.Document{Settings: measured, Cells: []document.Cell{ratio(document.TargetDirect, "a", 1, 1, 1), ratio(document.TargetTunic, "a", 0.8, 0.9, 0.7)}},
			"The throughput, as a share of direct, is 80 % with tunic.",
		},
		"two cases, one of them failed": {
			document.Document{Settings: measured, Cells: []document.Cell{
				ratio(document.TargetDirect, "a", 1), ratio(document.TargetHAProxy, "a", 0.9), ratio(document.TargetTunic, "a", 0.8),
				ratio(document.TargetDirect, "b", 1), cut, ratio(document.TargetTunic, "b", 0.6),
			}},
			"The throughput, as a share of direct, is 90 % with haproxy and 70 % with tunic (60 to 80): medians of 2 cases, with the lowest and the highest; 1 of 6 measurements failed.",
		},
		"nothing to compare with": {
			document.Document{Settings: document.Settings{Targets: []string{document.TargetTunic}}, Cells: []document.Cell{ratio(document.TargetTunic, "a", 1, 1)}},
			"2 measurements were made, and there is nothing to compare them with.",
		},
		"questions": {
			document.Document{Settings: questions, Cells: []document.Cell{
				ratio(document.TargetDirect, "q1", 1), ratio(document.TargetProtected, "q1", 0.5), ratio(document.TargetDirect, "q2", 1), ratio(document.TargetProtected, "q2", 0.25),
			}},
			"Of 2 questions over protected tables 2 are answered, in 3.0 times the time of plain tables (median), and 4.0 times at most (q2).",
		},
		"beside": {
			document.Document{Name: matrix.EncryptKind.Name, Cells: []document.Cell{beside(document.TargetQuietPlain, 900, 0), beside("encrypt", 40, 0), beside("copy", 70, 2)}},
			"Clients got 2 wrong answers of 3,000, and 2 errors; the longest time in which none of them got on was 70 ms (copy).",
		},
		"values": {
			document.Document{Name: matrix.Values.Name, Cells: []document.Cell{value("INT", "seal", 400), value("TEXT", "open", 1500), value("INT", "open", 300)}},
			"The 3 operations on single values take from 300 ns (INT, open) to 1,500 ns (TEXT, open).",
		},
	} {
		test.document.Summarise()
		if got := verdictOf(&test.document); got != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, test.want)
		}
	}
}

// TestPageBeginsWithVerdict: it stands before everything that explains it.
func TestPageBeginsWithVerdict(t *testing.T) {
	d := longDocument()
	text := documenttest.Page(t, d, Render)
	at, conditions := strings.Index(text, verdictOf(d)), strings.Index(text, "Conditions")
	if at < 0 || conditions < at || !strings.Contains(verdictOf(d), "% with tunic") {
		t.Errorf("the verdict %q is at %d, the conditions at %d", verdictOf(d), at, conditions)
	}
}
