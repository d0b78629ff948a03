package exec

import (
	"tunic/internal/arena"
	"tunic/internal/binding"
	"tunic/internal/environment"
	"tunic/internal/local"
	"tunic/internal/value"
	"tunic/internal/value/charset"
	"tunic/internal/wire"
)

// opener opens the rows of a result. It belongs to one session; its buffers stay.
type opener struct {
	env    *environment.Environment
	binary bool
	cursor bool        // the client has asked for one
	types  []wire.Type // of the columns of the stored result
	all    []actual    // what is known of them besides
	flags  uint16      // that any of them has
	cells  []wire.Cell
	// from are the character sets that values of opened columns are converted from,
	// nil where they are sent as they are.
	from              []*charset.Charset
	asIs              []bool // they are sent as the bytes that are opened
	keys              []bool // dates that rows were put together by, where part of one is not allowed
	opened, converted []byte
	sought            *binding.Sought
	passed            uint64 // rows of the result
}

// actual is what a server says of a column of a result: its flags, and whether it has
// an original name.
type actual struct {
	flags    uint16
	original bool
}

// begin prepares for the result of a statement. It fails if a value of a column
// could not be shown as the server would.
func (p *opener) begin(st *binding.Statement, env *environment.Environment) error {
	p.env, p.cursor, p.flags, p.passed = env, false, 0, 0
	p.from, p.asIs, p.keys = p.from[:0], p.asIs[:0], p.keys[:0]
	for _, f := range st.Run.Fetch {
		var from *charset.Charset
		asIs := false
		if f.Opened {
			t := &st.Columns[f.Column].Type
			if err := env.Serves(t); err != nil {
				return err
			}
			var err error
			if from, err = env.ConvertsFrom(t); err != nil {
				return err
			}
			asIs = from == nil && t.Verbatim(&env.Value)
		}
		p.from, p.asIs = append(p.from, from), append(p.asIs, asIs)
		p.keys = append(p.keys, f.Key && env.Value.Mode&value.NoZeroInDate != 0)
	}
	return nil
}

// appendTextRow appends a row of the text protocol. If it fails, at is the number
// of the column.
func (p *opener) appendTextRow(out []byte, st *binding.Statement, payload []byte) (_ []byte, at int, err error) {
	if p.cells, err = wire.DecodeTextRow(p.cells, payload, len(st.Run.Fetch)); err != nil {
		return out, 0, err
	}
	for i := range p.cells {
		switch c := &p.cells[i]; {
		case c.Null:
			if err := p.checkNull(st, i); err != nil {
				return out, i, err
			}
			out = append(out, 0xfb)
		case !st.Run.Fetch[i].Opened:
			out = wire.AppendLenencBytes(out, c.Bytes)
		default:
			if out, err = p.appendOpened(out, st, i, c.Bytes, false); err != nil {
				return out, i, err
			}
		}
	}
	return out, 0, nil
}

// appendBinaryRow appends a row of the binary protocol.
func (p *opener) appendBinaryRow(out []byte, st *binding.Statement, payload []byte) (_ []byte, at int, err error) {
	if len(p.types) != len(st.Run.Fetch) {
		return out, 0, wire.ErrMalformed
	}
	if p.cells, err = wire.DecodeBinaryRow(p.cells, payload, p.types); err != nil {
		return out, 0, err
	}
	// The header and the bits of NULLs are those of the stored row: it has the same
	// columns.
	out = append(out, payload[:1+(len(p.types)+9)/8]...)
	for i := range p.cells {
		switch c := &p.cells[i]; {
		case c.Null:
			if err := p.checkNull(st, i); err != nil {
				return out, i, err
			}
		case !st.Run.Fetch[i].Opened:
			out = wire.AppendBinaryValue(out, p.types[i], c.Bytes)
		default:
			if out, err = p.appendOpened(out, st, i, c.Bytes, true); err != nil {
				return out, i, err
			}
		}
	}
	return out, 0, nil
}

// appendOpened opens a value and appends it as the server would send it.
func (p *opener) appendOpened(out []byte, st *binding.Statement, at int, sealed []byte, binary bool) ([]byte, error) {
	c := st.Columns[st.Run.Fetch[at].Column]
	if p.asIs[at] {
		begin := len(out)
		out, err := c.Forms.AppendOpened(append(out, 0), sealed)
		if err != nil {
			return out, err
		}
		if err := p.sought.Check(st, at, out[begin+1:], false); err != nil {
			return out, err
		}
		return closeText(out, begin), nil
	}
	var err error
	if p.opened, err = c.Forms.AppendOpened(p.opened[:0], sealed); err != nil {
		return out, err
	}
	if err := p.sought.Check(st, at, p.opened, false); err != nil {
		return out, err
	}
	if p.keys[at] && local.IsPartDate(p.opened) {
		return out, local.ErrPartDate
	}
	if p.from[at] != nil {
		return p.appendConverted(out, c, p.from[at]), nil
	}
	if binary {
		return value.AppendBinary(out, &c.Type, p.opened, &p.env.Value), nil
	}
	begin := len(out)
	out = value.AppendText(append(out, 0), &c.Type, p.opened, &p.env.Value)
	return closeText(out, begin), nil
}

// checkNull looks whether a value may be NULL. Where rows are put together, one that is there for none
// has it.
func (p *opener) checkNull(st *binding.Statement, at int) error {
	if st.Run.Fetch[at].Group {
		return nil
	}
	return p.sought.Check(st, at, nil, true)
}

// appendConverted appends text in the character set of results; it has one form in
// both protocols.
func (p *opener) appendConverted(out []byte, c *binding.Column, from *charset.Charset) []byte {
	// The text is written behind the value that it is of: one buffer serves both.
	n := len(p.opened)
	p.opened = value.AppendText(p.opened, &c.Type, p.opened, &p.env.Value)
	p.converted, _ = charset.Convert(p.converted[:0], p.env.Results, from, p.opened[n:])
	return wire.AppendLenencBytes(out, p.converted)
}

// closeText puts the length of a text before it, where one byte has been left.
func closeText(out []byte, begin int) []byte {
	n := len(out) - begin - 1
	if n < 0xfb {
		out[begin] = byte(n)
		return out
	}
	var room [9]byte
	head := wire.AppendLenenc(room[:0], uint64(n))
	out = append(out, head[1:]...)
	copy(out[begin+len(head):], out[begin+1:begin+1+n])
	copy(out[begin:], head)
	return out
}

// end lets go of buffers that one large value has left.
func (p *opener) end() {
	for _, buffer := range [...]*[]byte{&p.opened, &p.converted} {
		if cap(*buffer) > arena.KeepMax {
			*buffer = nil
		}
	}
}
