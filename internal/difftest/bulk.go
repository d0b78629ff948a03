package difftest

import (
	"encoding/binary"

	"tunic/internal/wire"
)

// Bulk execution is MariaDB's: one COM_STMT_BULK_EXECUTE for many sets of
// parameters, every value with an indicator before it.
const (
	bulkSendTypes     = 128
	indicatorNone     = 0
	indicatorNull     = 1
	bulkExecutionsMin = 2
)

// bulk executes all sets of parameters at once where the connection has agreed on
// that and the sets have the same types.
func (x *session) bulk(s *Statement, executions []Execution) ([]Reply, bool) {
	if !x.client.caps.Has(wire.MariaDBBulkOperations) || len(executions) < bulkExecutionsMin || len(s.Columns) > 0 {
		return nil, false
	}
	for _, e := range executions[1:] {
		if !e.SameTypes {
			return nil, false
		}
	}
	rest := binary.LittleEndian.AppendUint16(nil, bulkSendTypes)
	rest = appendTypes(rest, executions[0].Params, nil, false)
	for _, e := range executions {
		for _, p := range e.Params {
			if p.Null {
				rest = append(rest, indicatorNull)
				continue
			}
			rest = append(append(rest, indicatorNone), p.Value...)
		}
	}
	head := wire.Execute{Command: wire.ComStmtBulkExecute, Statement: s.ID, Rest: rest}
	reply := x.client.roundTrip("bulk", head.AppendTo(nil), func(a *answer) error { return a.results(true) })
	return x.diagnosed(reply), true
}
