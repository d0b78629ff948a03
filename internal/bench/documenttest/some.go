package documenttest

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"time"

	"tunic/internal/bench/document"
	"tunic/internal/bench/matrix"
	"tunic/internal/bench/meter"
)

// Some is a benchmark with all that can happen in one: targets with and
// without a hop, a failed run, ignored errors. Its summaries are not made yet.
func Some() *document.Document {
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
		Settings:    Settings(),
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
			d.Add(c, document.TargetDirect, Run(round, 70000/slower, 0, 0))
			d.Add(c, document.TargetHAProxy, Run(round, 45000/slower-300*float64(round), 12.5, 14))
			d.Add(c, document.TargetTunic, Run(round, 43000/slower+200*float64(round), 13.25, 38))
			d.Add(c, document.TargetProtected, Run(round, 38000/slower+100*float64(round), 19.5, 44))
		}
	}
	const refusal = "mysql_drv_query() returned error 1235 (TUNIC-2104: no)"
	for i := range d.Cell(document.Case{Workload: "oltp_insert", PSMode: "disable", Threads: 8}, document.TargetProtected).Runs {
		d.Cell(document.Case{Workload: "oltp_insert", PSMode: "disable", Threads: 8}, document.TargetProtected).Runs[i] = document.FailedRun(i+1, errors.New(refusal))
	}
	broken := d.Cell(document.Case{Workload: "oltp_insert", PSMode: "auto", Threads: 8}, document.TargetHAProxy)
	broken.Runs[1] = document.Run{Round: 2, Failed: "error 2013 (Lost connection to server during query)"}
	d.Cell(document.Case{Workload: "oltp_insert", PSMode: "disable", Threads: 8}, document.TargetTunic).Runs[2].IgnoredErrors = 4
	return d
}

// Run has no hop if it costs nothing.
func Run(round int, tps, hopCPU, rss float64) document.Run {
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

// Settings can be measured.
func Settings() document.Settings {
	return document.Settings{
		Workloads: []string{"oltp_point_select", "oltp_insert"},
		Targets:   []string{document.TargetDirect, document.TargetHAProxy, document.TargetTunic},
		PSModes:   []string{"auto", "disable"},
		Threads:   []int{8, 24},
		Rounds:    3, Seconds: 5, WarmUpSeconds: 1, Tables: 5, Rows: 1000, Warehouses: 1, Share: 0.01,
	}
}

// PointSelect is the first case of Some.
var PointSelect = document.Case{Workload: "oltp_point_select", PSMode: "auto", Threads: 8}

// WellFormed says what is wrong with a text that is to be XML.
func WellFormed(text string) error {
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

// Questions has two questions over two sizes, of which one was answered in another
// way through tunic.
func Questions() *document.Document {
	d := Some()
	d.Name, d.Cells, d.Storage = "ops", nil, nil
	d.Settings = document.Settings{
		Workloads: []string{"point", "sum"}, Targets: []string{document.TargetDirect, document.TargetProtected}, PSModes: []string{matrix.QuestionMode},
		Threads: []int{1}, Rounds: 3, Sizes: []int{1000, 20000},
	}
	for i, c := range matrix.Cases(d.Settings) {
		for round := 1; round <= 3; round++ {
			plain := document.Run{Round: round, TPS: 100, AverageMs: 10 * float64(i+1), P95Ms: 12, ServerCPU: 9000}
			protected := document.Run{Round: round, TPS: 50, AverageMs: plain.AverageMs * (1 + float64(round)), P95Ms: 30, HopCPU: 4000, ServerCPU: 11000, HopRSS: []float64{31.2}}
			if i == 3 && round == 2 {
				protected = document.FailedRun(round, errors.New("the answers differ"))
			}
			d.Add(c, document.TargetDirect, plain)
			d.Add(c, document.TargetProtected, protected)
		}
	}
	d.Summarise()
	return d
}
