package difftest

import (
	"fmt"
	"slices"

	"tunic/internal/wire"
)

// First bytes of the packets that are not rows.
const (
	headerOK   = 0x00
	headerFile = 0xfb
	headerEOF  = 0xfe
	headerErr  = 0xff
)

// answer reads the packets of one reply and takes notes of all of them.
type answer struct {
	client *Client
	reply  *Reply
	result *Result // the one being read

	known []wire.ColumnDefinition // of the prepared statement, where the server may leave them out
	file  *[]byte                 // what to send if the server asks for a file

	cursor bool // the client has asked for one
}

func (a *answer) begin() { a.reply.Results = append(a.reply.Results, Result{}); a.result = a.last() }

func (a *answer) last() *Result { return &a.reply.Results[len(a.reply.Results)-1] }

// packet reads a packet that belongs to the result but is not a row.
func (a *answer) packet() ([]byte, error) {
	payload, err := a.client.read()
	if err == nil {
		a.result.Raw = append(a.result.Raw, payload)
	}
	return payload, err
}

// one reads an answer of a single packet: OK, EOF, error.
func (a *answer) one() error {
	a.begin()
	payload, err := a.packet()
	if err != nil {
		return err
	}
	return a.end(payload)
}

// text reads an answer that is one packet of text, or an error.
func (a *answer) text() error {
	a.begin()
	payload, err := a.packet()
	if err != nil {
		return err
	}
	if len(payload) > 0 && payload[0] == headerErr {
		return a.end(payload)
	}
	a.result.setText("text", payload)
	return nil
}

// results reads results until the server announces no more.
func (a *answer) results(binary bool) error {
	for {
		a.begin()
		if err := a.oneResult(binary); err != nil {
			return err
		}
		if a.result.ErrNumber != 0 || a.result.Status&wire.StatusMoreResults == 0 {
			return nil
		}
	}
}

func (a *answer) oneResult(binary bool) error {
	payload, err := a.packet()
	if err != nil {
		return err
	}
	if len(payload) == 0 {
		return fmt.Errorf("empty packet as the start of a result")
	}
	switch payload[0] {
	case headerOK, headerErr:
		return a.end(payload)
	case headerFile:
		return a.sendFile(payload, binary)
	}
	header, err := wire.DecodeResultHeader(payload, a.client.caps)
	if err != nil {
		return err
	}
	a.result.set("columns", header.Columns)
	a.result.set("metadata", header.MetadataFollows)
	if header.MetadataFollows {
		err = a.columns("column", header.Columns)
		a.known = a.result.Columns
	} else {
		a.result.Columns = a.known
	}
	if err != nil {
		return err
	}
	if !a.client.caps.Has(wire.ClientDeprecateEOF) {
		if err := a.eofAfterColumns(); err != nil || a.result.ErrNumber != 0 || a.cursor && openCursor(a.result) {
			return err
		}
	}
	return a.rows(binary)
}

// eofAfterColumns reads the EOF between column definitions and rows.
func (a *answer) eofAfterColumns() error {
	payload, err := a.packet()
	if err != nil {
		return err
	}
	if len(payload) > 0 && payload[0] == headerErr { // a cursor that could not be opened
		return a.end(payload)
	}
	eof, err := wire.DecodeEOF(payload)
	if err != nil {
		return err
	}
	a.result.set("columns-end.status", showStatus(eof.Status))
	a.result.set("columns-end.warnings", eof.Warnings)
	a.result.Status, a.result.Warnings = eof.Status, eof.Warnings
	return nil
}

// columns reads count definitions and notes them as "prefix.N.field".
func (a *answer) columns(prefix string, count int) error {
	a.result.Columns = nil
	for i := range count {
		payload, err := a.packet()
		if err != nil {
			return err
		}
		column, err := wire.DecodeColumn(payload, a.client.caps)
		if err != nil {
			return fmt.Errorf("%s %d: %w", prefix, i, err)
		}
		a.column(fmt.Sprintf("%s.%d.", prefix, i), column)
	}
	return nil
}

func (a *answer) column(prefix string, c wire.ColumnDefinition) {
	r := a.result
	r.Columns = append(r.Columns, c)
	r.setText(prefix+"catalog", c.Catalog)
	r.setText(prefix+"schema", c.Schema)
	r.setText(prefix+"table", c.Table)
	r.setText(prefix+"org-table", c.OrgTable)
	r.setText(prefix+"name", c.Name)
	r.setText(prefix+"org-name", c.OrgName)
	r.setText(prefix+"extended", c.Extended)
	r.set(prefix+"charset", c.Charset)
	r.set(prefix+"length", c.Length)
	r.set(prefix+"type", fmt.Sprintf("0x%02x", uint8(c.Type)))
	r.set(prefix+"flags", fmt.Sprintf("0x%04x", c.Flags))
	r.set(prefix+"decimals", c.Decimals)
	r.setText(prefix+"default", c.Default)
}

// rows reads rows up to the packet that ends them.
func (a *answer) rows(binary bool) error {
	types := make([]wire.Type, len(a.result.Columns))
	for i, c := range a.result.Columns {
		types[i] = c.Type
	}
	for {
		payload, err := a.client.read()
		if err != nil {
			return err
		}
		if a.endsRows(payload) {
			a.result.Raw = append(a.result.Raw, payload)
			a.result.set("rows", len(a.result.Rows))
			return a.end(payload)
		}
		row := Row{Raw: payload}
		if binary {
			row.Cells, err = wire.DecodeBinaryRow(nil, payload, types)
		} else {
			row.Cells, err = wire.DecodeTextRow(nil, payload, len(types))
		}
		if err != nil {
			return fmt.Errorf("row %d: %w", len(a.result.Rows), err)
		}
		a.result.Rows = append(a.result.Rows, row)
	}
}

// endsRows tells the end of rows, or an error among them, from a row that starts
// with the same byte.
func (a *answer) endsRows(payload []byte) bool {
	if len(payload) == 0 {
		return false
	}
	limit := 9
	if a.client.caps.Has(wire.ClientDeprecateEOF) {
		limit = wire.FrameBytesMax
	}
	return payload[0] == headerErr || payload[0] == headerEOF && len(payload) < limit
}

// end decodes the packet that ends a result.
func (a *answer) end(payload []byte) error {
	if len(payload) == 0 {
		return fmt.Errorf("empty packet as the end of a result")
	}
	switch {
	case payload[0] == headerErr:
		return a.err(payload)
	case payload[0] == headerEOF && len(payload) == 5:
		return a.eof(payload)
	default:
		return a.ok(payload)
	}
}

func (a *answer) err(payload []byte) error {
	m, err := wire.DecodeErr(payload)
	if err != nil {
		return err
	}
	a.result.ErrNumber = m.Number
	a.result.set("error.code", m.Number)
	a.result.set("error.state", m.State)
	a.result.setText("error.message", m.Message)
	return nil
}

func (a *answer) eof(payload []byte) error {
	m, err := wire.DecodeEOF(payload)
	if err != nil {
		return err
	}
	a.result.Status, a.result.Warnings = m.Status|outParams(a.result.Status), m.Warnings
	a.result.set("end", "EOF")
	a.result.set("status", showStatus(m.Status))
	a.result.set("warnings", m.Warnings)
	return nil
}

// outParams is what the EOF after the columns says for the whole result: MySQL
// announces there, and not behind the row of OUT parameters, that more follows.
func outParams(columnsEnd wire.Status) wire.Status {
	if columnsEnd&wire.StatusPSOutParams == 0 {
		return 0
	}
	return columnsEnd & (wire.StatusPSOutParams | wire.StatusMoreResults)
}

func (a *answer) ok(payload []byte) error {
	m, err := wire.DecodeOK(payload, a.client.caps)
	if err != nil {
		return err
	}
	a.result.Status, a.result.Warnings = m.Status, m.Warnings
	a.result.set("end", fmt.Sprintf("OK 0x%02x", payload[0]))
	a.result.set("affected", m.AffectedRows)
	a.result.set("insert-id", m.LastInsertID)
	a.result.set("status", showStatus(m.Status))
	a.result.set("warnings", m.Warnings)
	a.result.setText("info", m.Info)
	a.track(m.SessionState)
	return nil
}

// sendFile answers LOAD DATA LOCAL: the content in packets, then an empty one.
func (a *answer) sendFile(payload []byte, binary bool) error {
	a.result.setText("wants-file", payload[1:])
	const packetBytes = 16 << 10
	if a.file != nil {
		for part := range slices.Chunk(*a.file, packetBytes) {
			a.client.wire.WritePacket(part)
		}
	}
	a.client.wire.WritePacket(nil)
	if err := a.client.wire.Flush(); err != nil {
		return err
	}
	return a.oneResult(binary)
}
