package wiretest

import (
	"bytes"
	"fmt"

	"tunic/internal/wire"
)

// Set is one result of an answer: definitions and rows, or an OK, or a text.
type Set struct {
	Definitions [][]byte // of parameters and columns, as sent
	Rows        [][]byte // as sent; the text of COM_STATISTICS is a row
	Columns     int
	Params      int    // of a prepared statement
	Statement   uint32 // number of a prepared statement
	Status      wire.Status
	OK          wire.OK // if there are no rows
}

// Text decodes the rows of the text protocol; NULL is "NULL".
func (s Set) Text() ([][]string, error) {
	var rows [][]string
	for _, row := range s.Rows {
		cells, err := wire.DecodeTextRow(nil, row, s.Columns)
		if err != nil {
			return nil, err
		}
		var values []string
		for _, c := range cells {
			if c.Null {
				c.Bytes = []byte("NULL")
			}
			values = append(values, string(c.Bytes))
		}
		rows = append(rows, values)
	}
	return rows, nil
}

// Query runs statements that are answered with text.
func (p *Peer) Query(text string) ([]Set, error) {
	return p.QueryFile(text, nil)
}

// QueryFile is Query with the content of the file that LOAD DATA LOCAL asks for.
func (p *Peer) QueryFile(text string, file []byte) ([]Set, error) {
	if err := p.Command(wire.Query{Text: []byte(text)}.AppendQuery(nil, p.Caps)); err != nil {
		return nil, err
	}
	return p.ReadAnswer(wire.ComQuery, file)
}

// ReadAnswer reads the answer to a command, packet by packet. If the server
// ended it with an error, the error is a *ServerError and comes with the results
// before it. file is what the server gets if it asks for a local file.
func (p *Peer) ReadAnswer(command wire.Command, file []byte) ([]Set, error) {
	var sets []Set
	for {
		s, err := p.readSet(command, file)
		if err != nil {
			return sets, fmt.Errorf("answer to %s: %w", command, err)
		}
		sets = append(sets, s)
		if s.Status&wire.StatusMoreResults == 0 {
			return sets, nil
		}
	}
}

// readSet reads one result.
func (p *Peer) readSet(command wire.Command, file []byte) (Set, error) {
	switch command {
	case wire.ComStmtFetch:
		var s Set
		return s, p.readRows(&s)
	case wire.ComFieldList:
		var s Set
		return s, p.readFields(&s)
	}
	if err := p.next(); err != nil {
		return Set{}, err
	}
	switch {
	case command == wire.ComStatistics:
		return Set{Rows: [][]byte{bytes.Clone(p.Last)}}, nil
	case command == wire.ComStmtPrepare:
		return p.readPrepared()
	case p.Last[0] == 0xfb:
		if err := p.sendFile(file); err != nil {
			return Set{}, err
		}
		return p.readSet(command, nil)
	case p.Last[0] == 0x00, p.Last[0] == 0xfe:
		return p.ok()
	}
	return p.readResult()
}

// next reads the next packet that is not a progress report, and returns the
// error if it is one.
func (p *Peer) next() error {
	for {
		if err := p.Read(); err != nil {
			return err
		}
		switch {
		case len(p.Last) == 0:
			return fmt.Errorf("an empty packet")
		case p.Last[0] != 0xff:
			return nil
		case !p.Caps.Has(wire.MariaDBProgress) || !bytes.HasPrefix(p.Last, []byte{0xff, 0xff, 0xff}):
			return serverError(p.Last)
		}
	}
}

// ok decodes an OK, or an EOF in its place, in Last.
func (p *Peer) ok() (Set, error) {
	if p.Last[0] == 0xfe && len(p.Last) == 5 {
		m, err := wire.DecodeEOF(p.Last)
		return Set{Status: m.Status, OK: wire.OK{Status: m.Status, Warnings: m.Warnings}}, err
	}
	m, err := wire.DecodeOK(bytes.Clone(p.Last), p.Caps)
	return Set{Status: m.Status, OK: m}, err
}

// sendFile sends the content of a local file and the empty packet behind it.
func (p *Peer) sendFile(content []byte) error {
	if len(content) > 0 {
		p.Wire.WritePacket(content)
	}
	p.Wire.WritePacket(nil)
	return p.Wire.Flush()
}

// cursorOpened reports whether rows do not follow because there is a cursor. The
// status alone does not tell: see wire.Response.MayOpenCursor.
func (p *Peer) cursorOpened(status wire.Status) bool {
	return p.AskedCursor && status&wire.StatusCursorExists != 0 && status&wire.StatusMoreResults == 0
}

// readResult reads a result whose head is in Last.
func (p *Peer) readResult() (Set, error) {
	head, err := wire.DecodeResultHeader(p.Last, p.Caps)
	if err != nil {
		return Set{}, err
	}
	s := Set{Columns: head.Columns}
	if head.MetadataFollows {
		if err := p.readDefinitions(&s, head.Columns); err != nil {
			return s, err
		}
	}
	if !p.Caps.Has(wire.ClientDeprecateEOF) {
		if err := p.readEOF(&s); err != nil || p.cursorOpened(s.Status) {
			return s, err
		}
	}
	return s, p.readRows(&s)
}

func (p *Peer) readDefinitions(s *Set, n int) error {
	for range n {
		if err := p.next(); err != nil {
			return err
		}
		s.Definitions = append(s.Definitions, bytes.Clone(p.Last))
	}
	return nil
}

func (p *Peer) readEOF(s *Set) error {
	if err := p.next(); err != nil {
		return err
	}
	m, err := wire.DecodeEOF(p.Last)
	s.Status = m.Status
	return err
}

// endsRows tells the end of rows from a row, as libmysqlclient does.
func (p *Peer) endsRows() bool {
	if p.Caps.Has(wire.ClientDeprecateEOF) {
		return p.Last[0] == 0xfe && len(p.Last) < wire.FrameBytesMax
	}
	return p.Last[0] == 0xfe && len(p.Last) <= 8
}

func (p *Peer) readRows(s *Set) error {
	for {
		if err := p.next(); err != nil {
			return err
		}
		if p.endsRows() {
			last, err := p.ok()
			s.Status, s.OK = last.Status|s.outParams(), last.OK
			return err
		}
		s.Rows = append(s.Rows, bytes.Clone(p.Last))
	}
}

// outParams is the flags that libmysqlclient carries over from the EOF after the
// columns to the end of the rows: MySQL sends them only there.
func (s *Set) outParams() wire.Status {
	if s.Status&wire.StatusPSOutParams == 0 {
		return 0
	}
	return s.Status & (wire.StatusPSOutParams | wire.StatusMoreResults)
}

// readFields reads definitions up to their end, of which there is no count.
func (p *Peer) readFields(s *Set) error {
	for {
		if err := p.next(); err != nil {
			return err
		}
		if p.Last[0] == 0xfe {
			last, err := p.ok()
			s.Status, s.Columns = last.Status, len(s.Definitions)
			return err
		}
		s.Definitions = append(s.Definitions, bytes.Clone(p.Last))
	}
}

// readPrepared reads the description of a prepared statement.
func (p *Peer) readPrepared() (Set, error) {
	if len(p.Last) == len("\x00\x00\x00\x02\x00\x00\x00") {
		return p.ok() // nothing was prepared
	}
	m, err := wire.DecodePrepareOK(p.Last)
	if err != nil {
		return Set{}, err
	}
	s := Set{Statement: m.ID, Columns: int(m.Columns), Params: int(m.Params)}
	for _, n := range []int{s.Params, s.Columns} {
		if n == 0 {
			continue
		}
		if err := p.readDefinitions(&s, n); err != nil {
			return s, err
		}
		if p.Caps.Has(wire.ClientDeprecateEOF) {
			continue
		}
		if err := p.readEOF(&s); err != nil {
			return s, err
		}
	}
	s.Status = 0 // of definitions: it says nothing of results to come
	return s, nil
}
