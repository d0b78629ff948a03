package document

// ValueRun is what an operation on single values has cost in one round.
type ValueRun struct {
	Operations     int     `json:"operations"`
	Ns             float64 `json:"ns"`    // an operation: the median of the pieces that a round is done in
	Bytes          float64 `json:"bytes"` // that come out: of the sealed form, of the value, of the token
	Allocations    float64 `json:"allocations"`
	AllocatedBytes float64 `json:"allocated_bytes"`
}

// OrderEntry is what the terminals of TPC-C have done in a run.
type OrderEntry struct {
	Transactions []OrderEntryKind `json:"transactions"`
	RolledBack   int              `json:"rolled_back"` // New-Orders, by their clients, as they are to
	Conditions   int              `json:"conditions"`  // of the specification, looked at when all had ended; all held
}

// OrderEntryKind is one of the five kinds of transactions.
type OrderEntryKind struct {
	Name  string  `json:"name"`
	Count int     `json:"count"`
	P95Ms float64 `json:"p95_ms"` // 0 for none
}
