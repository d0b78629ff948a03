package matrix

import (
	"slices"
	"strings"

	"tunic/internal/bench/document"
)

// Kind is one of the benchmarks that are a matrix of workloads and targets: a name, what
// it is for, and the settings it has unless it is told others.
type Kind struct {
	Name, Title string
	About       string // a sentence or two, for people
	Defaults    document.Settings

	// Timeline says that every second of a measurement is kept: whether throughput and
	// memory stay as they were is the question.
	Timeline bool

	References []document.Reference

	// Prefix begins the names of its workloads, and need not be said.
	Prefix string
}

// Named are the workloads that are meant by names whose prefix may be left out.
func (k Kind) Named(names []string) []string {
	var all []string
	for _, name := range names {
		if !strings.HasPrefix(name, k.Prefix) {
			name = k.Prefix + name
		}
		all = append(all, name)
	}
	return all
}

// The benchmarks.
var (
	Relay = Kind{
		Name: "relay", Title: "What a hop costs",
		About: "Each way from client to server, under sysbench's workloads, in turns.",
		Defaults: document.Settings{
			Workloads: []string{
				"oltp_point_select", "oltp_read_only", "oltp_read_write", "oltp_write_only", "oltp_update_index",
				"oltp_update_non_index", "oltp_insert", "oltp_delete", "bulk_insert",
			},
			Targets: hops(),
			PSModes: PSModes, Threads: []int{8, 24, 200},
			Rounds: 3, Seconds: 5, WarmUpSeconds: 1, Tables: 5, Rows: 50000, Warehouses: 1, Share: 0.1,
		},
	}

	// Quick is what tells within minutes whether a change has cost something.
	Quick = Kind{
		Name: "quick", Title: "What a hop costs, in short",
		About: "The smallest query, the largest mix and inserts, at one number of threads, to be compared with the same of another commit.",
		Defaults: document.Settings{
			Workloads: []string{"oltp_point_select", "oltp_read_write", "oltp_insert"},
			Targets:   hops(),
			PSModes:   []string{"auto"}, Threads: []int{24},
			Rounds: 3, Seconds: 4, WarmUpSeconds: 1, Tables: 5, Rows: 20000, Warehouses: 1, Share: 0.1,
		},
	}

	// Insert and Mixed go on for long enough to show what grows.
	Insert = Kind{
		Name: "insert", Title: "Inserts, minute after minute",
		About: "oltp_insert into tables that are empty at first, with every second kept: " +
			"throughput at the end beside the start, memory over the whole run, and the bytes that a row takes.",
		Timeline: true, References: cryptDBInserts,
		Defaults: overTime("oltp_insert"),
	}
	Mixed = Kind{
		Name: "mixed", Title: "Reads and writes, minute after minute",
		About: "oltp_read_write over tables that have their rows, with every second kept: " +
			"throughput at the end beside the start, and memory over the whole run.",
		Timeline: true, References: cryptDBMixed,
		Defaults: overTime("oltp_read_write"),
	}

	// TPCC has its conditions checked after each measurement.
	TPCC = Kind{
		Name: "tpcc", Title: "Order entry",
		About: "The five transactions of TPC-C in their mix, without think times, over tables that are put back before each measurement; the conditions of the specification are checked after it.",
		Defaults: document.Settings{
			Workloads: []string{"tpcc"},
			Targets:   hops(),
			PSModes:   []string{"auto"}, Threads: []int{8},
			Rounds: 3, Seconds: 10, WarmUpSeconds: 2, Tables: 1, Rows: 1, Warehouses: 1, Share: 0.1,
		},
	}

	// YCSB is what key-value stores are compared by.
	YCSB = Kind{
		Name: "ycsb", Title: "Records by their keys",
		About: "YCSB's core workloads A to F by go-ycsb. The table's records, their keys included, are protected; " +
			"the key has an equality layer, and under E, which scans, an order layer as well.",
		Prefix: "ycsb_",
		Defaults: document.Settings{
			Workloads: []string{"ycsb_a", "ycsb_b", "ycsb_c", "ycsb_d", "ycsb_e", "ycsb_f"},
			Targets:   hops(),
			PSModes:   []string{PSModes[0]}, Threads: []int{24},
			Rounds: 3, Seconds: 5, WarmUpSeconds: 1, Tables: 1, Rows: 10000, Warehouses: 1, Share: 0.1,
		},
	}

	// TDE compares with a server that encrypts its files.
	TDE = Kind{
		Name: "tde", Title: "Encryption of files, and protection",
		About: "A plain server, one that encrypts its files (whose clients, administrators and memory have all values in plain), " +
			"and protected tables, from one client to many.",
		Defaults: document.Settings{
			Workloads: []string{"oltp_read_only", "oltp_read_write", "oltp_write_only", "oltp_update_index", "oltp_point_select"},
			Targets:   []string{document.TargetDirect, document.TargetTDE, document.TargetProtected},
			PSModes:   []string{"auto"}, Threads: []int{1, 8, 16, 32, 64, 128, 256},
			Rounds: 3, Seconds: 3, WarmUpSeconds: 1, Tables: 5, Rows: 50000, Warehouses: 1, Share: 0.1,
		},
	}
)

// hops are the ways from client to server that most are about.
func hops() []string {
	return []string{document.TargetDirect, document.TargetHAProxy, document.TargetTunic, document.TargetProtected}
}

// overTime is one workload for a minute at a time, on all targets.
func overTime(workload string) document.Settings {
	return document.Settings{
		Workloads: []string{workload},
		Targets:   hops(),
		PSModes:   []string{"auto"}, Threads: []int{24},
		Rounds: 3, Seconds: 60, WarmUpSeconds: 2, Tables: 5, Rows: 100000, Warehouses: 1, Share: 0.1,
	}
}

// Kinds are all of them.
var Kinds = []Kind{Relay, Quick, Insert, Mixed, TPCC, YCSB, TDE}

// KindOf returns the kind of a document; of one that is unknown here, the name alone.
func KindOf(d *document.Document) Kind {
	for _, k := range slices.Concat(Kinds, QuestionKinds, BesideKinds, []Kind{Values}) {
		if k.Name == d.Name {
			return k
		}
	}
	return Kind{Name: d.Name, Title: "Benchmark " + d.Name}
}
