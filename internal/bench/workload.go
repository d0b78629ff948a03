package bench

import (
	"fmt"
	"strings"
)

// Workload is one kind of load.
type Workload struct {
	Name  string // also the name of the sysbench script
	About string // one line for people

	// Grows says that the load only adds rows. Its tables start empty before
	// every measurement, or each target would meet larger ones than the target
	// before it.
	Grows bool
}

// Workloads are sysbench's own scripts; reading ones first, so that purging old
// row versions behind the writing ones disturbs no reader.
var Workloads = []Workload{
	{Name: "oltp_point_select", About: "one row by primary key; the smallest query there is, so the hop's cost is at its most visible"},
	{Name: "oltp_read_only", About: "transactions of 10 point selects and 4 ranges of 100 rows"},
	{Name: "oltp_read_write", About: "transactions of 14 reads, 2 updates, a delete and an insert"},
	{Name: "oltp_update_index", About: "one update of an indexed column, autocommit"},
	{Name: "oltp_insert", About: "one single-row insert, autocommit; sysbench sends it as text in either mode", Grows: true},
}

// workloadsNamed returns the workloads in the order of the names.
func workloadsNamed(names []string) ([]Workload, error) {
	return pick("workload", names, Workloads, func(w Workload) string { return w.Name })
}

// pick returns the entries of a table that have the given names, in the order of
// the names. An unknown or repeated name is an error that lists what is known.
func pick[T any](what string, names []string, table []T, nameOf func(T) string) ([]T, error) {
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
