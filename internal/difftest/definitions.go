package difftest

import (
	"fmt"

	"tunic/internal/wire"
)

// prepared reads the answer to COM_STMT_PREPARE.
func (a *answer) prepared() (*Statement, error) {
	a.begin()
	payload, err := a.packet()
	if err != nil {
		return nil, err
	}
	if len(payload) > 0 && payload[0] == headerErr {
		return nil, a.end(payload)
	}
	m, err := wire.DecodePrepareOK(payload)
	if err != nil {
		return nil, err
	}
	a.result.Warnings = m.Warnings
	a.result.set("statement", m.ID)
	a.result.set("params", m.Params)
	a.result.set("columns", m.Columns)
	a.result.set("warnings", m.Warnings)
	if err := a.definitions("param", int(m.Params)); err != nil {
		return nil, err
	}
	if err := a.definitions("column", int(m.Columns)); err != nil {
		return nil, err
	}
	s := &Statement{ID: m.ID, Params: int(m.Params)}
	if m.Columns > 0 {
		s.Columns = a.result.Columns
	}
	return s, nil
}

// definitions reads a list of definitions with the EOF that may follow it.
func (a *answer) definitions(prefix string, count int) error {
	if count == 0 {
		return nil
	}
	if err := a.columns(prefix, count); err != nil {
		return err
	}
	if a.client.caps.Has(wire.ClientDeprecateEOF) {
		return nil
	}
	payload, err := a.packet()
	if err != nil {
		return err
	}
	eof, err := wire.DecodeEOF(payload)
	if err != nil {
		return err
	}
	a.result.set(prefix+"s-end.status", showStatus(eof.Status))
	a.result.set(prefix+"s-end.warnings", eof.Warnings)
	return nil
}

// fields reads the answer to COM_FIELD_LIST.
func (a *answer) fields() error {
	a.begin()
	for i := 0; ; i++ {
		payload, err := a.packet()
		if err != nil {
			return err
		}
		if a.endsRows(payload) {
			return a.end(payload)
		}
		column, err := wire.DecodeColumn(payload, a.client.caps)
		if err != nil {
			return fmt.Errorf("column %d: %w", i, err)
		}
		a.column(fmt.Sprintf("column.%d.", i), column)
	}
}
