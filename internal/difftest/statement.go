package difftest

import (
	"encoding/binary"

	"tunic/internal/wire"
)

// Statement is a prepared statement of a connection.
type Statement struct {
	ID      uint32
	Params  int
	Columns []wire.ColumnDefinition // as the server last gave them
}

// Query runs text. file is what LOAD DATA LOCAL gets.
func (c *Client) Query(label string, text []byte, attrs []Attribute, file *[]byte) Reply {
	q := wire.Query{Text: text}
	if c.caps.Has(wire.ClientQueryAttributes) && len(attrs) > 0 {
		q.Attributes = appendAttributes(wire.AppendLenenc(nil, uint64(len(attrs))), attrs)
	}
	return c.roundTrip(label, q.AppendQuery(nil, c.caps), func(a *answer) error {
		a.file = file
		return a.results(false)
	})
}

// appendAttributes appends the sets, null bitmap, types with names and values.
func appendAttributes(b []byte, attrs []Attribute) []byte {
	b = append(b, 1)
	b = append(b, make([]byte, (len(attrs)+7)/8)...)
	b = append(b, 1)
	for _, at := range attrs {
		b = wire.AppendLenencBytes(append(b, byte(wire.TypeString), 0), []byte(at.Name))
	}
	for _, at := range attrs {
		b = wire.AppendLenencBytes(b, []byte(at.Value))
	}
	return b
}

// Prepare prepares text. The statement is nil if that failed.
func (c *Client) Prepare(text []byte) (*Statement, Reply) {
	var s *Statement
	reply := c.roundTrip("prepare", append([]byte{byte(wire.ComStmtPrepare)}, text...), func(a *answer) (err error) {
		s, err = a.prepared()
		return err
	})
	return s, reply
}

// Flags of COM_STMT_EXECUTE.
const (
	cursorNone     = 0
	cursorReadOnly = 1
	countFollows   = 8 // with QUERY_ATTRIBUTES: the number of parameters is sent
)

// Execute runs a prepared statement.
func (c *Client) Execute(label string, s *Statement, e Execution, long []LongData, cursor byte, attrs []Attribute, file *[]byte) Reply {
	head := wire.Execute{Command: wire.ComStmtExecute, Statement: s.ID, Rest: c.execution(e, long, cursor, attrs)}
	return c.roundTrip(label, head.AppendTo(nil), func(a *answer) error {
		a.known, a.file, a.cursor = s.Columns, file, cursor != cursorNone
		err := a.results(true)
		if s.Columns = a.known; len(a.reply.Results) > 0 && a.reply.Results[0].Columns != nil {
			s.Columns = a.reply.Results[0].Columns
		}
		return err
	})
}

// execution is what follows the statement's number in COM_STMT_EXECUTE.
func (c *Client) execution(e Execution, long []LongData, cursor byte, attrs []Attribute) []byte {
	withCount := c.caps.Has(wire.ClientQueryAttributes)
	if !withCount {
		attrs = nil
	}
	count := len(e.Params) + len(attrs)
	if len(attrs) > 0 {
		cursor |= countFollows
	}
	b := binary.LittleEndian.AppendUint32([]byte{cursor}, 1)
	if count == 0 {
		return b
	}
	if withCount {
		b = wire.AppendLenenc(b, uint64(count))
	}
	b = append(b, nulls(e.Params, count)...)
	if e.SameTypes && len(attrs) == 0 { // attributes need their types every time
		b = append(b, 0)
	} else {
		b = appendTypes(append(b, 1), e.Params, attrs, withCount)
	}
	for i, p := range e.Params {
		if !p.Null && !sentAhead(long, i) {
			b = append(b, p.Value...)
		}
	}
	for _, at := range attrs {
		b = wire.AppendLenencBytes(b, []byte(at.Value))
	}
	return b
}

// nulls is the bitmap of parameters that are NULL.
func nulls(params []Param, count int) []byte {
	bitmap := make([]byte, (count+7)/8)
	for i, p := range params {
		if p.Null {
			bitmap[i/8] |= 1 << (i % 8)
		}
	}
	return bitmap
}

func appendTypes(b []byte, params []Param, attrs []Attribute, withNames bool) []byte {
	const unsigned = 0x80
	for _, p := range params {
		flag := byte(0)
		if p.Unsigned {
			flag = unsigned
		}
		b = append(b, byte(p.Type), flag)
		if withNames {
			b = append(b, 0)
		}
	}
	for _, at := range attrs {
		b = wire.AppendLenencBytes(append(b, byte(wire.TypeString), 0), []byte(at.Name))
	}
	return b
}

func sentAhead(long []LongData, param int) bool {
	for _, l := range long {
		if int(l.Param) == param {
			return true
		}
	}
	return false
}

// SendLongData sends a piece of a parameter. The server does not answer.
func (c *Client) SendLongData(s *Statement, l LongData) Reply {
	rest := binary.LittleEndian.AppendUint16(nil, l.Param)
	head := wire.Execute{Command: wire.ComStmtLongData, Statement: s.ID, Rest: append(rest, l.Bytes...)}
	return c.roundTrip("long-data", head.AppendTo(nil), nil)
}

// Fetch takes rows from the statement's cursor.
func (c *Client) Fetch(label string, s *Statement, rows uint32) Reply {
	head := wire.Execute{Command: wire.ComStmtFetch, Statement: s.ID, Rest: binary.LittleEndian.AppendUint32(nil, rows)}
	return c.roundTrip(label, head.AppendTo(nil), func(a *answer) error {
		a.begin()
		a.result.Columns = s.Columns
		return a.rows(true)
	})
}

// ResetStatement forgets long data and closes the cursor.
func (c *Client) ResetStatement(s *Statement) Reply {
	head := wire.Execute{Command: wire.ComStmtReset, Statement: s.ID}
	return c.roundTrip("reset", head.AppendTo(nil), (*answer).one)
}

// CloseStatement forgets the statement. The server does not answer.
func (c *Client) CloseStatement(s *Statement) Reply {
	head := wire.Execute{Command: wire.ComStmtClose, Statement: s.ID}
	return c.roundTrip("close", head.AppendTo(nil), nil)
}
