package document

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"time"

	"tunic/internal/bench/figure"
	"tunic/internal/bench/meter"
)

// Format names the layout of a Document. It changes when a reader of the
// old layout would misread the new one.
const Format = "tunic-bench/1"

// Document is the outcome of a benchmark: everything the table, the plot and a
// comparison are made from.
type Document struct {
	Format   string    `json:"format"`
	Name     string    `json:"name"`              // the benchmark: "relay"
	Command  string    `json:"command,omitempty"` // that measures the same again
	Started  time.Time `json:"started"`
	Seconds  float64   `json:"seconds"`  // how long it all took
	Complete bool      `json:"complete"` // false if it was interrupted

	Machine     meter.Machine     `json:"machine"`
	Versions    map[string]string `json:"versions"` // program -> what it says of itself
	Commit      string            `json:"commit"`   // that the measured tunic was built from
	ServerFlags []string          `json:"server_flags"`
	Settings    Settings          `json:"settings"`
	Skipped     []string          `json:"skipped,omitempty"` // targets that could not be had, or not with a workload, and why

	Storage []Storage `json:"storage,omitempty"` // one for each server
	Cells   []Cell    `json:"cells"`

	References []Reference `json:"references,omitempty"`
}

// Reference is what others have measured elsewhere: for orientation, never in a ratio.
type Reference struct {
	System  string `json:"system"`
	Where   string `json:"where"`   // machine, server, load
	Figures string `json:"figures"` // as they were published
}

// Cell is one target under one case.
type Cell struct {
	Case
	Target  string  `json:"target"`
	Runs    []Run   `json:"runs"`
	Summary Summary `json:"summary"`

	Profile *meter.CPUProfile `json:"profile,omitempty"` // of tunic, if it was asked for
}

// Run is one measurement. A run that failed has the reason, and no numbers but those that
// tell of the failure.
type Run struct {
	Round  int    `json:"round"`
	Failed string `json:"failed,omitempty"`

	// Refused is the code of tunic's error if that is why: the run is no
	// measurement, and no mistake, but where tunic is to answer all (Document.answersAll).
	Refused string `json:"refused,omitempty"`

	TPS           float64 `json:"tps"`
	QPS           float64 `json:"qps"`
	Queries       int64   `json:"queries"`
	AverageMs     float64 `json:"average_ms"`
	P95Ms         float64 `json:"p95_ms"`
	MaximumMs     float64 `json:"maximum_ms"`
	IgnoredErrors int64   `json:"ignored_errors"` // deadlocks and lock timeouts, tried again
	Reconnects    int64   `json:"reconnects"`

	HopCPU    float64   `json:"hop_cpu_us_per_query"` // user and system, microseconds; 0 where there is no hop
	ServerCPU float64   `json:"server_cpu_us_per_query"`
	HopRSS    []float64 `json:"hop_rss_mb,omitempty"`    // MiB, one sample a second and one at the end
	ServerRSS []float64 `json:"server_rss_mb,omitempty"` // likewise

	Timeline []Second `json:"timeline,omitempty"` // nil unless the benchmark asks for it

	Value  *ValueRun `json:"value,omitempty"`  // of an operation on single values
	Beside *Beside   `json:"beside,omitempty"` // of clients beside whom something is done

	OrderEntry *OrderEntry `json:"order_entry,omitempty"` // of terminals of TPC-C
}

// Second is what sysbench reports of one second of a run.
type Second struct {
	TPS   float64 `json:"tps"`
	P95Ms float64 `json:"p95_ms"`
}

// OverSeconds reads one number of each second.
func (r Run) OverSeconds(of func(Second) float64) []float64 {
	var values []float64
	for _, s := range r.Timeline {
		values = append(values, of(s))
	}
	return values
}

// Cases are those that anything was measured of, in the order of the measurement.
func (d *Document) Cases() []Case {
	var all []Case
	for _, cell := range d.Cells {
		if !slices.Contains(all, cell.Case) {
			all = append(all, cell.Case)
		}
	}
	return all
}

// Summary is what the runs of a cell come to. It has no numbers if any run failed:
// the rounds that did not are not the same measurement.
type Summary struct {
	FailedRuns int    `json:"failed_runs,omitempty"`
	Failure    string `json:"failure,omitempty"` // the first reason

	TPS    *figure.Stat `json:"tps,omitempty"`
	QPS    *figure.Stat `json:"qps,omitempty"`
	P95Ms  *figure.Stat `json:"p95_ms,omitempty"`
	HopCPU *figure.Stat `json:"hop_cpu_us_per_query,omitempty"` // nil where there is no hop

	// Ratio of this target's TPS to another's, by that target's name: formed
	// within each round, then summarised. HopCPURatio likewise, of the CPU a query.
	Ratio       map[string]*figure.Stat `json:"ratio,omitempty"`
	HopCPURatio map[string]*figure.Stat `json:"hop_cpu_ratio,omitempty"`

	// Kept is the throughput of a run's last quarter over that of its first; nil
	// for short runs and those whose seconds were not kept.
	Kept *figure.Stat `json:"kept,omitempty"`

	HopRSSPeak  *figure.Stat `json:"hop_rss_peak_mb,omitempty"` // MiB
	HopRSSDrift *figure.Stat `json:"hop_rss_drift,omitempty"`   // see drift; nil for short runs

	IgnoredErrors int64 `json:"ignored_errors"` // of all rounds
	Reconnects    int64 `json:"reconnects"`     // of all rounds
}

// Cell returns the cell, or nil if it was not measured.
func (d *Document) Cell(c Case, target string) *Cell {
	for i := range d.Cells {
		if d.Cells[i].Case == c && d.Cells[i].Target == target {
			return &d.Cells[i]
		}
	}
	return nil
}

// Round is the run of a round, nil if there is none.
func (c *Cell) Round(n int) *Run {
	if c == nil {
		return nil
	}
	for i := range c.Runs {
		if c.Runs[i].Round == n {
			return &c.Runs[i]
		}
	}
	return nil
}

// Add files a run under its cell.
func (d *Document) Add(c Case, target string, r Run) {
	cell := d.Cell(c, target)
	if cell == nil {
		d.Cells = append(d.Cells, Cell{Case: c, Target: target})
		cell = &d.Cells[len(d.Cells)-1]
	}
	cell.Runs = append(cell.Runs, r)
}

// Read reads the JSON file of an earlier benchmark.
func Read(path string) (*Document, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read benchmark: %w", err)
	}
	d := new(Document)
	if err := json.Unmarshal(text, d); err != nil {
		return nil, fmt.Errorf("read benchmark %s: %w", path, err)
	}
	if d.Format != Format {
		return nil, fmt.Errorf("read benchmark %s: its format is %q; this program reads %q", path, d.Format, Format)
	}
	return d, nil
}
