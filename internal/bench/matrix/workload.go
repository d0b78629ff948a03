package matrix

import (
	"fmt"
	"strings"
)

// Workload is one kind of load.
type Workload struct {
	Name  string // also the name of the sysbench script
	About string // one line for people

	// Leaves says in what state the load leaves its tables.
	Leaves Leaves

	// Bulk says that every thread fills a table of its own, with statements of
	// thousands of rows. What is counted are the rows, and all of them start again
	// from the first: the tables have to be empty.
	Bulk bool

	// TPCC says that package tpcc drives it, not sysbench.
	TPCC bool

	// YCSB are the properties that tell this workload of YCSB's from its others; go-ycsb
	// drives it, not sysbench.
	YCSB []string

	// Scans says that keys of YCSB's table are gone through in their order.
	Scans bool
}

// Leaves is the state of tables after a load. Where it is another than before, they
// are put back before every measurement, or each target would meet other tables than
// the target before it.
type Leaves int

// The states.
const (
	LeavesAsFound Leaves = iota
	LeavesMore           // rows: it starts with none
	LeavesOthers         // fewer rows, or more: it finds those again that were made
)

// BulkThreadsMax is how many threads a bulk load has at most: each of them sends at
// least one statement of half a megabyte, however short the run is to be.
const BulkThreadsMax = 24

// Has tells whether the load can be had with so many threads.
func (w Workload) Has(threads int) bool { return !w.Bulk || threads <= BulkThreadsMax }

// sends tells whether the load can be had in the mode: go-ycsb prepares all statements.
func (w Workload) sends(mode string) bool { return w.YCSB == nil || mode == PSModes[0] }

// BySysbench tells whether it is one of sysbench's scripts.
func (w Workload) BySysbench() bool { return !w.TPCC && w.YCSB == nil }

// Workloads are sysbench's own scripts, one of ours and YCSB's; reading ones first, so that
// purging old row versions behind the writing ones disturbs no reader.
var Workloads = []Workload{
	{Name: "oltp_point_select", About: "one row by primary key; the smallest query there is, so the hop's cost is at its most visible"},
	{Name: "oltp_read_only", About: "transactions of 10 point selects and 4 ranges of 100 rows"},
	{Name: "oltp_read_write", About: "transactions of 14 reads, 2 updates, a delete and an insert"},
	{Name: "oltp_write_only", About: "transactions of 2 updates, a delete and an insert"},
	{Name: "oltp_update_index", About: "one update of an indexed column, autocommit"},
	{Name: "oltp_update_non_index", About: "one update of a column without an index, autocommit"},
	{Name: "oltp_insert", About: "one single-row insert, autocommit; sysbench sends it as text in either mode", Leaves: LeavesMore},
	{Name: "oltp_delete", About: "one delete by primary key, autocommit", Leaves: LeavesOthers},
	{Name: "bulk_insert", About: "inserts of some 20,000 rows each, as text; rows are counted, and threads are 24 at most", Leaves: LeavesMore, Bulk: true},
	{Name: "tpcc", About: "the five transactions of TPC-C in their mix, without think times", Leaves: LeavesOthers, TPCC: true},
	{Name: "ycsb_a", About: "YCSB's A: half reads, half updates of one field", YCSB: mix("readproportion=0.5", "updateproportion=0.5")},
	{Name: "ycsb_b", About: "YCSB's B: 95 % reads, 5 % updates of one field", YCSB: mix("readproportion=0.95", "updateproportion=0.05")},
	{Name: "ycsb_c", About: "YCSB's C: reads only", YCSB: mix("readproportion=1")},
	{
		Name: "ycsb_d", About: "YCSB's D: 95 % reads, of the latest records above all, 5 % inserts", Leaves: LeavesOthers,
		YCSB: mix("readproportion=0.95", "insertproportion=0.05", "requestdistribution=latest"),
	},
	{
		Name: "ycsb_e", About: "YCSB's E: 95 % scans of up to 100 records, 5 % inserts", Leaves: LeavesOthers, Scans: true,
		YCSB: mix("scanproportion=0.95", "insertproportion=0.05", "maxscanlength=100", "scanlengthdistribution=uniform"),
	},
	{Name: "ycsb_f", About: "YCSB's F: half reads, half reads of a record whose field is then updated", YCSB: mix("readproportion=0.5", "readmodifywriteproportion=0.5")},
}

// mix is what the workload has, and nothing of what go-ycsb takes for granted. The records
// that are asked for follow Zipf's law unless it says otherwise.
func mix(properties ...string) []string {
	return append([]string{
		"readproportion=0", "updateproportion=0", "insertproportion=0", "scanproportion=0", "readmodifywriteproportion=0",
		"requestdistribution=zipfian",
	}, properties...)
}

// WorkloadsNamed returns the workloads in the order of the names.
func WorkloadsNamed(names []string) ([]Workload, error) {
	return Pick("workload", names, Workloads, func(w Workload) string { return w.Name })
}

// Pick returns the entries of a table that have the given names, in the order of
// the names. An unknown or repeated name is an error that lists what is known.
func Pick[T any](what string, names []string, table []T, nameOf func(T) string) ([]T, error) {
	byName, known := map[string]T{}, []string(nil)
	for _, entry := range table {
		byName[nameOf(entry)] = entry
		known = append(known, nameOf(entry))
	}
	var picked []T
	seen := map[string]bool{}
	for _, name := range names {
		entry, ok := byName[name]
		switch {
		case !ok:
			return nil, fmt.Errorf("no %s is called %q; known: %s", what, name, strings.Join(known, ", "))
		case seen[name]:
			return nil, fmt.Errorf("%s %q is named twice", what, name)
		}
		seen[name] = true
		picked = append(picked, entry)
	}
	if len(picked) == 0 {
		return nil, fmt.Errorf("no %s given; known: %s", what, strings.Join(known, ", "))
	}
	return picked, nil
}
