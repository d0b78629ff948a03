package bench

import (
	"fmt"
	"strings"
)

// Kind is one of the benchmarks that are a matrix of workloads and targets: a name, what
// it is for, and the settings it has unless it is told others.
type Kind struct {
	Name, Title string
	About       string // a sentence or two, for people
	Defaults    Settings

	// Timeline says that every second of a measurement is kept: whether throughput and
	// memory stay as they were is the question.
	Timeline bool

	References []Reference
}

// The benchmarks.
var (
	Relay = Kind{
		Name: "relay", Title: "What a hop costs",
		About: "Each way from client to server, under sysbench's workloads, in turns.",
		Defaults: Settings{
			Workloads: []string{
				"oltp_point_select", "oltp_read_only", "oltp_read_write", "oltp_write_only", "oltp_update_index",
				"oltp_update_non_index", "oltp_insert", "oltp_delete", "bulk_insert",
			},
			Targets: []string{targetDirect, targetHAProxy, targetTunic, targetProtected},
			PSModes: PSModes, Threads: []int{8, 24, 200},
			Rounds: 3, Seconds: 5, WarmUpSeconds: 1, Tables: 5, Rows: 50000, Warehouses: 1, Share: 0.1,
		},
	}
)

// Kinds are all of them.
var Kinds = []Kind{Relay}

// kindOf returns the kind of a document; of one that is unknown here, the name alone.
func kindOf(d *Document) Kind {
	for _, k := range Kinds {
		if k.Name == d.Name {
			return k
		}
	}
	return Kind{Name: d.Name, Title: "Benchmark " + d.Name}
}

// Command is the command line that measures with the same settings.
func (s Settings) Command(name string) string {
	line := fmt.Sprintf("bin/tunic bench %s --workloads=%s --targets=%s --psmodes=%s --threads=%s --rounds=%d --seconds=%d --warmup=%d --tables=%d --rows=%d",
		name, strings.Join(s.Workloads, ","), strings.Join(s.Targets, ","), strings.Join(s.PSModes, ","),
		strings.Trim(strings.ReplaceAll(fmt.Sprint(s.Threads), " ", ","), "[]"),
		s.Rounds, s.Seconds, s.WarmUpSeconds, s.Tables, s.Rows)
	for _, name := range s.Workloads {
		if w, err := workloadsNamed([]string{name}); err == nil && w[0].TPCC {
			line += fmt.Sprintf(" --warehouses=%d --share=%g", s.Warehouses, s.Share)
		}
	}
	return line
}
