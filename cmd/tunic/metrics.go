package main

import (
	"runtime"

	"tunic/internal/metrics"
	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
)

// newMetrics gives the metrics the lists that other rooms own.
func newMetrics() *metrics.Metrics {
	return metrics.New(metrics.Options{
		Version: version, Commit: commit(), Go: runtime.Version(),
		StatementKinds: statementKinds(), StatementActions: plan.ActionNames(), RefusalCodes: clientCodes(),
	})
}

func statementKinds() []string {
	var names []string
	for _, k := range sql.Kinds() {
		names = append(names, k.String())
	}
	return names
}

// clientCodes are the codes of the errors that clients can get.
func clientCodes() []uint16 {
	var codes []uint16
	for _, e := range sqlerr.Entries() {
		if e.Code.Class() != sqlerr.Startup {
			codes = append(codes, uint16(e.Code))
		}
	}
	return codes
}
