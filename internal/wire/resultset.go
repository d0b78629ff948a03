package wire

// ResultWriter writes a result set of tunic's own, packet by packet, into the
// write buffer of a Conn. It is made by BeginResult; its zero value is of no use.
type ResultWriter struct {
	conn   *Conn
	caps   Capability
	binary bool
	types  []Type
}

// resultFlushBytes is how much of a result is gathered before it is written: what
// servers gather, so that a long result takes few writes and little memory.
const resultFlushBytes = BufferBytes

// BeginResult writes the head of a result set for a client with these
// capabilities: the number of columns, their definitions, and the EOF behind them
// where the client expects one. binary is the form of the rows: that of
// COM_STMT_EXECUTE, or that of COM_QUERY.
//
//	packet            when
//	ResultHeader
//	ColumnDefinition  for each column
//	EOF               without DEPRECATE_EOF
//	row               for each row, see AppendTextRow and AppendBinaryRow
//	OK                with DEPRECATE_EOF, its header that of an EOF
//	EOF               without it
func (c *Conn) BeginResult(caps Capability, columns []ColumnDefinition, status Status, binary bool) *ResultWriter {
	w := &ResultWriter{conn: c, caps: caps, binary: binary, types: make([]Type, 0, len(columns))}
	at := c.beginPacket()
	c.out = ResultHeader{Columns: len(columns), MetadataFollows: true}.AppendHeader(c.out, caps)
	c.endPacket(at)
	for i := range columns {
		w.types = append(w.types, columns[i].Type)
		at := c.beginPacket()
		c.out = columns[i].AppendColumn(c.out, caps)
		c.endPacket(at)
	}
	if !caps.Has(ClientDeprecateEOF) {
		w.eof(status, 0)
	}
	return w
}

// Row writes a row, one cell for each column in its form. The cells are not kept.
// It fails with ErrMalformed, and writes nothing of the row, if they do not fit the
// columns.
func (w *ResultWriter) Row(cells []Cell) error {
	if len(cells) != len(w.types) {
		return malformed("row", "number of cells")
	}
	at := w.conn.beginPacket()
	if w.binary {
		var ok bool
		if w.conn.out, ok = AppendBinaryRow(w.conn.out, cells, w.types); !ok {
			w.conn.out = w.conn.out[:at]
			return malformed("binary row", "size of a value")
		}
	} else {
		w.conn.out = AppendTextRow(w.conn.out, cells)
	}
	w.conn.endPacket(at)
	if len(w.conn.out) >= resultFlushBytes {
		return w.conn.Flush()
	}
	return nil
}

// End writes what ends the rows, and everything that has not been written. status
// says whether another result follows.
func (w *ResultWriter) End(status Status, warnings uint16) error {
	if !w.caps.Has(ClientDeprecateEOF) {
		w.eof(status, warnings)
		return w.conn.Flush()
	}
	at := w.conn.beginPacket()
	w.conn.out = OK{EndOfRows: true, Status: status, Warnings: warnings}.AppendOK(w.conn.out, w.caps)
	w.conn.endPacket(at)
	return w.conn.Flush()
}

func (w *ResultWriter) eof(status Status, warnings uint16) {
	at := w.conn.beginPacket()
	w.conn.out = EOF{Warnings: warnings, Status: status}.AppendTo(w.conn.out)
	w.conn.endPacket(at)
}
