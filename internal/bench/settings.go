package bench

import (
	"fmt"
	"slices"

	"tunic/internal/bench/document"
	"tunic/internal/bench/matrix"
)

// threadsMax leaves room below the server's max_connections for the connections
// that prepare and reset the tables.
const threadsMax = maxConnections - 24

// checkSettings returns an error that names the first setting that cannot be used.
func checkSettings(s document.Settings) error {
	if _, err := matrix.WorkloadsNamed(s.Workloads); err != nil {
		return err
	}
	if _, err := targetsNamed(s.Targets); err != nil {
		return err
	}
	if _, err := matrix.Pick("ps mode", s.PSModes, matrix.PSModes, func(m string) string { return m }); err != nil {
		return err
	}
	if len(s.Threads) == 0 || slices.Min(s.Threads) < 1 || slices.Max(s.Threads) > threadsMax {
		return fmt.Errorf("threads are %v; each must be between 1 and %d", s.Threads, threadsMax)
	}
	if duplicate := firstRepeated(s.Threads); duplicate != 0 {
		return fmt.Errorf("%d threads are named twice", duplicate)
	}
	for _, n := range []struct {
		name    string
		value   int
		minimum int
	}{
		{"rounds", s.Rounds, 1},
		{"seconds", s.Seconds, 1},
		{"transactions", s.Transactions, 0},
		{"warm-up seconds", s.WarmUpSeconds, 0},
		{"tables", s.Tables, 1},
		{"rows", s.Rows, 1},
		{"warehouses", s.Warehouses, 1},
	} {
		if n.value < n.minimum {
			return fmt.Errorf("%s is %d; it must be at least %d", n.name, n.value, n.minimum)
		}
	}
	if err := checkTransactions(s); err != nil {
		return err
	}
	if s.Share <= 0 || s.Share > 1 {
		return fmt.Errorf("share is %g; it must be above 0, and 1 at most", s.Share)
	}
	if len(matrix.Cases(s)) == 0 {
		return fmt.Errorf("no case is left: workloads %v with ps modes %v and threads %v", s.Workloads, s.PSModes, s.Threads)
	}
	return nil
}

// checkTransactions refuses a number of them for what only ends with its seconds.
func checkTransactions(s document.Settings) error {
	workloads, err := matrix.WorkloadsNamed(s.Workloads)
	if err != nil {
		return err
	}
	for _, w := range workloads {
		if s.Transactions > 0 && !w.BySysbench() {
			return fmt.Errorf("%s ends with its seconds; a number of transactions is for sysbench's workloads", w.Name)
		}
	}
	return nil
}

func firstRepeated(numbers []int) int {
	for i, n := range numbers {
		if slices.Contains(numbers[:i], n) {
			return n
		}
	}
	return 0
}
