package document

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

// Storage is how much room the rows of a server's tables take: as they were made, before
// any load has changed one; or, where all loads fill empty tables, as the last one has
// left them. Of tables of several sizes they are the last ones.
type Storage struct {
	Target      string  `json:"target"` // through which the tables were made
	Rows        int64   `json:"rows"`
	DataBytes   int64   `json:"data_bytes"`  // of the clustered indexes, which hold the rows
	IndexBytes  int64   `json:"index_bytes"` // of all other indexes
	BytesPerRow float64 `json:"bytes_per_row"`
}
