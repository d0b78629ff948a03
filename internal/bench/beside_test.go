package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tunic/internal/bench/document"
	"tunic/internal/bench/documenttest"
	"tunic/internal/bench/figure"
	"tunic/internal/bench/matrix"
	"tunic/internal/bench/page"
)

// layersDocument has three rounds, in which transactions beside changes have such a share of
// the throughput.
func layersDocument(share float64) *document.Document {
	d := documenttest.Some()
	o := &LayersOptions{Tables: 5, Rows: 1000, Threads: 24, Rounds: 3, Seconds: 30}
	d.Name, d.Cells, d.Storage = matrix.LayersKind.Name, nil, nil
	d.Settings = o.settings()
	for round := 1; round <= 3; round++ {
		quiet := document.Run{
			Round: round, TPS: 240, QPS: 4800, Queries: 144000, P95Ms: 90, HopCPU: 150, ServerCPU: 200, HopRSS: []float64{40, 41},
			Beside: &document.Beside{Seconds: 30, StallMs: 19, OneStallMs: 41, Checked: 100000},
		}
		changing := quiet
		changing.TPS, changing.QPS = (240+float64(round))*share, (4800+20*float64(round))*share
		changing.Beside = &document.Beside{
			Seconds: 30, StallMs: 44, OneStallMs: 207, Checked: 60000, Deadlocks: round,
			Layers: &document.LayerChanges{Came: 2, Went: 1, LongestCame: 11.5, LongestWent: 2.5, Unfinished: 1},
		}
		d.Add(o.layersCase(), document.TargetQuiet, quiet)
		d.Add(o.layersCase(), matrix.TargetChanging, changing)
	}
	d.Summarise()
	return d
}

// encryptDocument is of two rates, one of which has no clients. Its runs are judged.
func encryptDocument(harm func(way string, r *document.Run)) *document.Document {
	d := documenttest.Some()
	o := &EncryptOptions{Rows: 5000, Rates: []int{0, 1000}, Threads: 8, Rounds: 1, Seconds: 10}
	d.Name, d.Cells, d.Storage = matrix.EncryptKind.Name, nil, nil
	d.Settings = o.settings()
	for _, w := range encryptWays {
		d.Settings.Targets = append(d.Settings.Targets, w.name)
		for _, rate := range o.Rates {
			if rate == 0 && w.quiet {
				continue
			}
			same := true
			r := document.Run{Round: 1, TPS: float64(rate), QPS: float64(rate), P95Ms: 4.5, MaximumMs: 292, Beside: &document.Beside{Seconds: 47.4, StallMs: 171, Load: 2, Report: json.RawMessage(`{"rows":5000}`)}}
			if !w.quiet && !strings.HasPrefix(w.name, "native") {
				r.Beside.CPUSeconds = 12.5
			}
			r.HopCPU, r.HopRSS = 77, []float64{40}
			switch {
			case w.protects:
				r.Beside.Files = []document.FileSearch{{When: "when it was done", Files: 225, Logs: map[string]int{"ib_logfile0": 1}}}
			case w.name == document.TargetDecrypt:
				r.Beside.Same, r.Beside.Checksum = &same, 5813
			case w.program != "":
				r.Beside.Errors = map[string]int{"1213": 1}
			}
			if rate > 0 {
				harm(w.name, &r)
			}
			judgeRun(&r, ofTunic(w.name))
			d.Add(matrix.RateCase(d.Settings, rate), w.name, r)
		}
	}
	d.Summarise()
	return d
}

func unharmed(string, *document.Run) {}

func TestLayersTable(t *testing.T) {
	d := layersDocument(0.67)
	for what, text := range map[string]string{"table": page.Table(d), "page": documenttest.Page(t, d, page.Render)} {
		for _, want := range []string{
			"5 tables of 1,000 rows, 24 threads through two tunics; equality layers of k and c go up and down",
			"round 1   quiet     240.0 transactions/s, 7.0 ms of CPU each, 0 deadlocks", "3 changes to their end (2 layers came, in 11.5 s at most; 1 went, in 2.5 s; 1 under way at the end)",
			"layers come or gone to their end: 0 quiet, 9 changing",
			"transactions while layers go up and down: 0.68 of the quiet ones (0.67 to 0.68), by CPU 1.00",
			"180,000", "207",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("the %s has no %q:\n%s", what, want, text)
			}
		}
	}
	if err := documenttest.WellFormed(page.Plot(d)); err != nil {
		t.Error(err)
	}
	if err := page.Failures(d); err != nil {
		t.Error(err)
	}
}

// An answer that is wrong fails the benchmark, and what the run has shown is told all the same.
func TestLayersWrong(t *testing.T) {
	d := layersDocument(0.67)
	cell := d.Cell(d.Cases()[0], matrix.TargetChanging)
	cell.Runs[1].Beside.Wrong, cell.Runs[1].Beside.First = 1, "a row"
	judgeRun(&cell.Runs[1], true)
	d.Summarise()
	if err := page.Failures(d); err == nil {
		t.Error("it passes")
	}
	for _, want := range []string{"WRONG ANSWERS 1: a row", "FAILED: oltp_read_write, compared, ps-mode auto, 24 threads, changing: 1 wrong answers", "207"} {
		if !strings.Contains(page.Table(d), want) {
			t.Errorf("no %q:\n%s", want, page.Table(d))
		}
	}
}

func TestEncryptTable(t *testing.T) {
	d := encryptDocument(unharmed)
	for what, text := range map[string]string{"table": page.Table(d), "page": documenttest.Page(t, d, page.Render)} {
		for _, want := range []string{
			"a table of 5,000 rows, 8 clients through tunic", "tunic encrypt", "47.4", "171", "292",
			"1,000 writes/s: made plain again, it is what was written, by CHECKSUM and SHOW CREATE TABLE: true",
			"0 writes/s: values in the clear in 225 files, when it was done: logs map[ib_logfile0:1], others map[]",
			"1,000 writes/s, pt-online-schema-change, ADD COLUMN: clients were told map[1213:1]",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("the %s has no %q:\n%s", what, want, text)
			}
		}
	}
	if err := documenttest.WellFormed(page.Plot(d)); err != nil {
		t.Error(err)
	}
	if ratio := d.Cell(matrix.RateCase(d.Settings, 1000), document.TargetDecrypt).Summary.Ratio; ratio[document.TargetQuietPlain] != nil || ratio[document.TargetQuietProtected] == nil {
		t.Errorf("a protected table is made plain beside %v", ratio)
	}
}

// TestEncryptFailed: what tunic does to clients fails the benchmark, and what other tools do to
// them is told.
func TestEncryptFailed(t *testing.T) {
	if err := page.Failures(encryptDocument(unharmed)); err != nil {
		t.Error(err)
	}
	for name, harm := range map[string]func(string, *document.Run){
		"another table": func(way string, r *document.Run) {
			if way == document.TargetDecrypt {
				*r.Beside.Same = false
			}
		},
		"an error": func(way string, r *document.Run) {
			if ofTunic(way) {
				r.Beside.Errors = map[string]int{"1615": 1}
			}
		},
		"a wrong answer": func(_ string, r *document.Run) { r.Beside.Wrong = 1 },
		"a value in the clear": func(way string, r *document.Run) {
			if way == "tunic encrypt" {
				r.Beside.Files[0].Other = map[string]int{"a.ibd": 1}
			}
		},
	} {
		if err := page.Failures(encryptDocument(harm)); err == nil {
			t.Errorf("%s passes", name)
		}
	}
}

// Two of such documents are compared by throughput beside the quiet clients, by stalls and by
// the time that it took.
func TestCompareBeside(t *testing.T) {
	var text bytes.Buffer
	_, _ = page.Compare(layersDocument(0.67), layersDocument(0.5)).WriteTo(&text)
	if want := "worse   oltp_read_write, compared, ps-mode auto, 24 threads, changing: TPS × quiet 0.68 -> 0.50"; !strings.Contains(text.String(), want) {
		t.Errorf("no %q:\n%s", want, text.String())
	}
	slower := layersDocument(0.67)
	for i := range slower.Cells {
		for j := range slower.Cells[i].Runs {
			slower.Cells[i].Runs[j].Beside.StallMs *= 3
			slower.Cells[i].Runs[j].Beside.Seconds *= 2
		}
	}
	text.Reset()
	_, _ = page.Compare(layersDocument(0.67), slower).WriteTo(&text)
	if !strings.Contains(text.String(), "changing: longest stall ms 44 -> 132") || !strings.Contains(text.String(), "changing: time s 30.0 -> 60.0") || strings.Contains(text.String(), "quiet: ") {
		t.Errorf("got\n%s", text.String())
	}
}

// A way that has failed has no figures, and those of its other rounds are not joined with zeros.
func TestEncryptFailedWay(t *testing.T) {
	for rounds, want := range map[int][]string{1: {"FAILED 1/1"}, 3: {"FAILED 1/3", " 171 "}} {
		d := encryptDocument(unharmed)
		cell := d.Cell(matrix.RateCase(d.Settings, 1000), "tunic encrypt")
		good := cell.Runs[0]
		cell.Runs[0] = document.FailedRun(1, errors.New("lost"))
		for round := 2; round <= rounds; round++ {
			good.Round = round
			cell.Runs = append(cell.Runs, good)
		}
		d.Summarise()
		s := page.BesideSection(d, []document.Cell{*cell})
		line := strings.Join(s.Rows()[2], " | ")
		for _, w := range want {
			if !strings.Contains(line, w) {
				t.Errorf("%d rounds: no %q: %s", rounds, w, line)
			}
		}
		if strings.Contains(line, "| 0") {
			t.Errorf("%d rounds: %s", rounds, line)
		}
		if run := s.EveryRun().Rows[0].Fields; !slices.Contains(run, page.Field{Text: figure.Absent}) {
			t.Errorf("the run is told as %v", run)
		}
	}
}

// What a way costs is the processor time of its own process, not that of the tunic that serves.
func TestEncryptOwnCPU(t *testing.T) {
	d := encryptDocument(unharmed)
	if plot := page.Plot(d); !strings.Contains(plot, "CPU of the way&#39;s own process, s") || strings.Contains(plot, "CPU of the hop") {
		t.Errorf("the plot is\n%s", plot)
	}
	s := page.BesideSection(d, []document.Cell{*d.Cell(matrix.RateCase(d.Settings, 1000), "tunic encrypt")})
	if row := strings.Join(s.Rows()[2], " "); !strings.Contains(row, "12.5") {
		t.Error(row)
	}
	if of := page.OwnCPU(d.Cell(matrix.RateCase(d.Settings, 1000), document.TargetQuietPlain)); of != nil {
		t.Errorf("quiet clients have a process beside them: %+v", of)
	}
	var text bytes.Buffer
	dearer := encryptDocument(func(_ string, r *document.Run) { r.Beside.CPUSeconds *= 2 })
	for _, m := range page.Metrics {
		cell, old := dearer.Cell(matrix.RateCase(d.Settings, 1000), "tunic encrypt"), d.Cell(matrix.RateCase(d.Settings, 1000), "tunic encrypt")
		if after, before := m.Values(dearer, cell), m.Values(d, old); len(after) > 0 {
			fmt.Fprintln(&text, m.Name, before, after)
		}
	}
	if !strings.Contains(text.String(), "CPU s of its own [12.5] [25]") || strings.Contains(text.String(), "CPU µs/query") {
		t.Errorf("compared are\n%s", text.String())
	}
}

// The processor time of a command is counted, also of one that fails.
func TestCommandCPU(t *testing.T) {
	for _, status := range []string{"0", "1"} {
		e := new(encryption)
		err := e.command(t.Context(), nil, "sh", "-c", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; exit "+status)
		if (err == nil) != (status == "0") || e.used <= 0 {
			t.Errorf("exit %s: %v, %s of a CPU", status, err, e.used)
		}
	}
}
