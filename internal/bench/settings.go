package bench

import (
	"fmt"
	"slices"
)

// Settings say what is measured and for how long.
type Settings struct {
	Workloads     []string `json:"workloads"`
	Targets       []string `json:"targets"`
	PSModes       []string `json:"ps_modes"` // sysbench's --db-ps-mode
	Threads       []int    `json:"threads"`
	Rounds        int      `json:"rounds"`
	Seconds       int      `json:"seconds"`                // of one measurement
	Transactions  int      `json:"transactions,omitempty"` // a measurement ends with them, however long that takes; 0: with its seconds
	WarmUpSeconds int      `json:"warm_up_seconds"`        // of each target, before the rounds of a case
	Tables        int      `json:"tables"`
	Rows          int      `json:"rows"`                 // a table
	Sizes         []int    `json:"sizes,omitempty"`      // of questions: rows of the largest table, one after the other
	AskedMs       int      `json:"asked_ms,omitempty"`   // how long a question is asked again in one measurement
	Rates         []int    `json:"rates,omitempty"`      // of writes a second, one after the other; Unlimited for as many as there can be
	Profile       bool     `json:"profile,omitempty"`    // a turn more of each tunic in each case, for a CPU profile
	Warehouses    int      `json:"warehouses,omitempty"` // of tpcc
	Share         float64  `json:"share,omitempty"`      // of the specification's customers, orders and items in a warehouse
}

// PSModes are sysbench's modes: auto prepares statements and executes them in the
// binary protocol, disable sends text.
var PSModes = []string{"auto", "disable"}

// threadsMax leaves room below the server's max_connections for the connections
// that prepare and reset the tables.
const threadsMax = maxConnections - 24

// check returns an error that names the first setting that cannot be used.
func (s Settings) check() error {
	if _, err := workloadsNamed(s.Workloads); err != nil {
		return err
	}
	if _, err := targetsNamed(s.Targets); err != nil {
		return err
	}
	if _, err := pick("ps mode", s.PSModes, PSModes, func(m string) string { return m }); err != nil {
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
	if err := s.checkTransactions(); err != nil {
		return err
	}
	if s.Share <= 0 || s.Share > 1 {
		return fmt.Errorf("share is %g; it must be above 0, and 1 at most", s.Share)
	}
	if len(s.cases()) == 0 {
		return fmt.Errorf("no case is left: workloads %v with ps modes %v and threads %v", s.Workloads, s.PSModes, s.Threads)
	}
	return nil
}

// checkTransactions refuses a number of them for what only ends with its seconds.
func (s Settings) checkTransactions() error {
	workloads, err := workloadsNamed(s.Workloads)
	if err != nil {
		return err
	}
	for _, w := range workloads {
		if s.Transactions > 0 && !w.sysbench() {
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
