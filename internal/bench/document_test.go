package bench

import (
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tunic/internal/bench/document"
	"tunic/internal/bench/figure"
	"tunic/internal/bench/matrix"
	"tunic/internal/bench/meter"
)

var rewrite = flag.Bool("rewrite", false, "write the golden files instead of comparing with them")

// someDocument is a benchmark with all that can happen in one: targets with and
// without a hop, a failed run, ignored errors. Its summaries are not made yet.
func someDocument() *document.Document {
	d := &document.Document{
		Format: document.Format, Name: "relay", Complete: true, Seconds: 93,
		Started: time.Date(2026, 5, 4, 13, 30, 0, 0, time.UTC),
		Machine: meter.Machine{
			OS: "Debian GNU/Linux 12 (bookworm)", Kernel: "6.1.0", CPU: "Example CPU @ 2.50GHz",
			CPUs: 2, MemoryMB: 7936, LoadAtStart: 0.25,
		},
		Versions: map[string]string{
			"server": "MariaDB 10.11.6-MariaDB", "sysbench": "1.0.20", "haproxy": "2.6.12", "tunic": "0.1.0", "go": "go1.26.8",
		},
		Commit:      "0123456789abcdef0123456789abcdef01234567",
		ServerFlags: []string{"--innodb-flush-log-at-trx-commit=2", "--innodb-buffer-pool-size=512M"},
		Settings:    someSettings(),
		Storage: []document.Storage{
			{Target: document.TargetDirect, Rows: 5000, DataBytes: 1200000, IndexBytes: 80000, BytesPerRow: 256},
			{Target: document.TargetProtected, Rows: 5000, DataBytes: 2500000, IndexBytes: 60000, BytesPerRow: 512},
		},
	}
	d.Settings.Targets = append(d.Settings.Targets, document.TargetProtected)
	d.Settings.Threads = []int{8}
	for i, c := range matrix.Cases(d.Settings) {
		for round := 1; round <= 3; round++ {
			slower := 1 + float64(i) + 0.1*float64(round) // the machine's mood
			d.Add(c, document.TargetDirect, someRun(round, 70000/slower, 0, 0))
			d.Add(c, document.TargetHAProxy, someRun(round, 45000/slower-300*float64(round), 12.5, 14))
			d.Add(c, document.TargetTunic, someRun(round, 43000/slower+200*float64(round), 13.25, 38))
			d.Add(c, document.TargetProtected, someRun(round, 38000/slower+100*float64(round), 19.5, 44))
		}
	}
	const refusal = "mysql_drv_query() returned error 1235 (TUNIC-2104: no)"
	for i := range d.Cell(document.Case{Workload: "oltp_insert", PSMode: "disable", Threads: 8}, document.TargetProtected).Runs {
		d.Cell(document.Case{Workload: "oltp_insert", PSMode: "disable", Threads: 8}, document.TargetProtected).Runs[i] = failedRun(i+1, errors.New(refusal))
	}
	broken := d.Cell(document.Case{Workload: "oltp_insert", PSMode: "auto", Threads: 8}, document.TargetHAProxy)
	broken.Runs[1] = document.Run{Round: 2, Failed: "error 2013 (Lost connection to server during query)"}
	d.Cell(document.Case{Workload: "oltp_insert", PSMode: "disable", Threads: 8}, document.TargetTunic).Runs[2].IgnoredErrors = 4
	return d
}

// someRun has no hop if it costs nothing.
func someRun(round int, tps, hopCPU, rss float64) document.Run {
	r := document.Run{
		Round: round, TPS: tps, QPS: tps, Queries: int64(tps * 5), AverageMs: 8000 / tps, P95Ms: 12000 / tps,
		MaximumMs: 100000 / tps, ServerCPU: 20,
	}
	if hopCPU > 0 {
		r.HopCPU = hopCPU + 0.5*float64(round)
		r.HopRSS = []float64{rss, rss + float64(round), rss + 1}
	}
	return r
}

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
	d := someDocument()
	d.Summarise()
	golden(t, "table.txt", tableOf(d))
}

func TestTableOfInterrupted(t *testing.T) {
	d := someDocument()
	d.Complete = false
	d.Machine.LoadAtStart = 3
	d.Settings.Targets = []string{document.TargetDirect, document.TargetTunic}
	d.Cells = []document.Cell{d.Cells[0], d.Cells[2]}
	d.Storage = nil
	d.Commit = ""
	delete(d.Versions, "haproxy")
	d.Summarise()
	golden(t, "table-interrupted.txt", tableOf(d))
}

func TestPlot(t *testing.T) {
	d := someDocument()
	d.Summarise()
	picture := plotOf(d)
	golden(t, "plot.svg", picture)
	if err := wellFormed(picture); err != nil {
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
	d := someDocument()
	d.Settings.Targets = []string{document.TargetTunic}
	d.Machine.CPU = `"<&>"`
	d.Cells = []document.Cell{d.Cells[2]}
	d.Summarise()
	if err := wellFormed(plotOf(d)); err != nil {
		t.Error(err)
	}
	if picture := plotOf(d); strings.Contains(picture, "NaN") || strings.Contains(picture, "Inf") {
		t.Error("the plot has coordinates that are no numbers")
	}
}

// A workload that has no case in a mode takes no room in its section: what is drawn in
// one ends above the next one's heading.
func TestPlotSectionsEndWithTheirCases(t *testing.T) {
	d := someDocument()
	d.Settings.Workloads = []string{"oltp_point_select", "ycsb_a"}
	p := newPlot(d)
	p.placePanels(p.share(), p.cost())
	for mode, rows := range map[string]float64{"auto": 2, "disable": 1} {
		if got, want := p.sectionHeight(mode), rows*(p.rowHeight()+groupGap); got != want {
			t.Errorf("%s: %v pixels for %v cases, want %v", mode, got, rows, want)
		}
	}
	d.Settings.Workloads = []string{"ycsb_a"}
	if text := plotOf(d); strings.Contains(text, "ps-mode disable") || !strings.Contains(text, "ps-mode auto") {
		t.Error("a section without cases is drawn, or none")
	}
}

func wellFormed(text string) error {
	decoder := xml.NewDecoder(strings.NewReader(text))
	for {
		_, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// Order entry has warehouses, and no rows that were asked for.
func TestFilled(t *testing.T) {
	s := someSettings()
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

func TestDocumentComesBackFromItsFile(t *testing.T) {
	d := someDocument()
	d.Summarise()
	base, err := writeResult(t.TempDir(), "relay", d.Started, d)
	if err != nil {
		t.Fatal(err)
	}
	got, err := document.Read(base + ".json")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(d, got); diff != "" {
		t.Errorf("-written +read:\n%s", diff)
	}
}

func TestReadDocumentRefusesOthers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "other.json")
	for text, want := range map[string]string{
		`{"format":"tunic-bench/0"}`: `its format is "tunic-bench/0"`,
		`{}`:                         `its format is ""`,
		`no JSON`:                    "invalid character",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := document.Read(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want an error with %q", text, err, want)
		}
	}
	if _, err := document.Read(path + ".missing"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}

func TestGrouped(t *testing.T) {
	for value, want := range map[float64]string{
		0: "0", 3.42: "3.4", 42: "42", 999.6: "1,000", 1234: "1,234", 77012.4: "77,012", 1234567: "1,234,567",
	} {
		if got := figure.Grouped(value); got != want {
			t.Errorf("%v: got %s, want %s", value, got, want)
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
