package page

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tunic/internal/bench/document"
	"tunic/internal/bench/documenttest"
	"tunic/internal/bench/meter"
)

var rewrite = flag.Bool("rewrite", false, "write the golden files instead of comparing with them")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *rewrite {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got; -rewrite accepts):\n%s", name, diff)
	}
}

func TestTable(t *testing.T) {
	d := documenttest.Some()
	d.Summarise()
	golden(t, "table.txt", Table(d))
}

func TestTableOfInterrupted(t *testing.T) {
	d := documenttest.Some()
	d.Complete = false
	d.Machine.LoadAtStart = 3
	d.Settings.Targets = []string{document.TargetDirect, document.TargetTunic}
	d.Cells = []document.Cell{d.Cells[0], d.Cells[2]}
	d.Storage = nil
	d.Commit = ""
	delete(d.Versions, "haproxy")
	d.Summarise()
	golden(t, "table-interrupted.txt", Table(d))
}

func TestPlot(t *testing.T) {
	d := documenttest.Some()
	d.Summarise()
	picture := Plot(d)
	golden(t, "plot.svg", picture)
	if err := documenttest.WellFormed(picture); err != nil {
		t.Error(err)
	}
	for _, outside := range []string{"href", "url(", "@import", "<script"} {
		if strings.Contains(picture, outside) {
			t.Errorf("the plot does not stand alone: it has %q", outside)
		}
	}
}

// What a user may ask for can leave out baselines, and be stopped before anything
// was measured of a case.
func TestPlotOfLittle(t *testing.T) {
	d := documenttest.Some()
	d.Settings.Targets = []string{document.TargetTunic}
	d.Machine.CPU = `"<&>"`
	d.Cells = []document.Cell{d.Cells[2]}
	d.Summarise()
	if err := documenttest.WellFormed(Plot(d)); err != nil {
		t.Error(err)
	}
	if picture := Plot(d); strings.Contains(picture, "NaN") || strings.Contains(picture, "Inf") {
		t.Error("the plot has coordinates that are no numbers")
	}
}

// A workload that has no case in a mode takes no room in its section: what is drawn in
// one ends above the next one's heading.
func TestPlotSectionsEndWithTheirCases(t *testing.T) {
	d := documenttest.Some()
	d.Settings.Workloads = []string{"oltp_point_select", "ycsb_a"}
	p := newPlot(d)
	p.placePanels(p.share(), p.cost())
	for mode, rows := range map[string]float64{"auto": 2, "disable": 1} {
		if got, want := p.sectionHeight(mode), rows*(p.rowHeight()+groupGap); got != want {
			t.Errorf("%s: %v pixels for %v cases, want %v", mode, got, rows, want)
		}
	}
	d.Settings.Workloads = []string{"ycsb_a"}
	if text := Plot(d); strings.Contains(text, "ps-mode disable") || !strings.Contains(text, "ps-mode auto") {
		t.Error("a section without cases is drawn, or none")
	}
}

// Order entry has warehouses, and no rows that were asked for.
func TestFilled(t *testing.T) {
	s := documenttest.Settings()
	s.Rows, s.Tables, s.Warehouses, s.Share = 1000, 5, 2, 0.1
	const tables, warehouses = "5 tables of 1,000 rows, picked uniformly", "2 warehouses with × 0.1 of the specification's rows"
	for want, workloads := range map[string][]string{
		tables: {"oltp_insert"}, warehouses: {"tpcc"}, tables + "; " + warehouses: {"oltp_insert", "tpcc"},
	} {
		s.Workloads = workloads
		if got := filled(s); got != want {
			t.Errorf("%v: %s", workloads, got)
		}
	}
}

func TestShortCommit(t *testing.T) {
	const name = "0123456789abcdef0123456789abcdef01234567"
	for commit, want := range map[string]string{name: "0123456789ab", name + meter.ChangesMark: "0123456789ab+changes", "abc": "abc"} {
		if got := shortCommit(commit); got != want {
			t.Errorf("%s: got %s, want %s", commit, got, want)
		}
	}
}
