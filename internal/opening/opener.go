package opening

import (
	"tunic/internal/arena"
	"tunic/internal/binding"
	"tunic/internal/environment"
	"tunic/internal/local"
	"tunic/internal/value"
	"tunic/internal/value/charset"
	"tunic/internal/wire"
)

// Opener opens the rows of a result. It belongs to one session; its buffers stay.
type Opener struct {
	env    *environment.Environment
	Binary bool
	Cursor bool        // the client has asked for one
	Types  []wire.Type // of the columns of the stored result
	Known  []Actual    // what is known of them besides
	Flags  uint16      // that any of them has
	Cells  []wire.Cell
	// from are the character sets that values of opened columns are converted from,
	// nil where they are sent as they are.
	from              []*charset.Charset
	asIs              []bool // they are sent as the bytes that are opened
	keys              []bool // dates that rows were put together by, where part of one is not allowed
	opened, converted []byte
	records           records
	Sought            *binding.Sought
	Passed            uint64 // rows of the result
}

// Actual is what a server says of a column of a result: its flags, and whether it has
// an original name.
type Actual struct {
	Flags    uint16
	Original bool
}

// Begin prepares for the result of a statement. It fails if a value of a column
// could not be shown as the server would.
func (p *Opener) Begin(st *binding.Statement, env *environment.Environment) error {
	p.env, p.Cursor, p.Flags, p.Passed = env, false, 0, 0
	p.records.begin()
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

// AppendTextRow appends a row of the text protocol. If it fails, at is the number
// of the column.
func (p *Opener) AppendTextRow(out []byte, st *binding.Statement, payload []byte) (_ []byte, at int, err error) {
	if p.Cells, err = wire.DecodeTextRow(p.Cells, payload, len(st.Run.Cells)); err != nil {
		return out, 0, err
	}
	p.records.next()
	for i := range st.Run.Fetch {
		f := &st.Run.Fetch[i]
		switch c := &p.Cells[f.Cell]; {
		case st.Run.Cells[f.Cell].Record:
			var null bool
			if out, null, err = p.appendMember(out, st, i, false); err != nil {
				return out, i, err
			}
			if null {
				out = append(out, 0xfb)
			}
		case c.Null:
			if err := p.checkNull(st, i); err != nil {
				return out, i, err
			}
			out = append(out, 0xfb)
		case !f.Opened:
			out = wire.AppendLenencBytes(out, c.Bytes)
		default:
			if out, err = p.appendOpened(out, st, i, c.Bytes, false); err != nil {
				return out, i, err
			}
		}
	}
	return out, 0, nil
}

// AppendBinaryRow appends a row of the binary protocol.
func (p *Opener) AppendBinaryRow(out []byte, st *binding.Statement, payload []byte) (_ []byte, at int, err error) {
	if len(p.Types) != len(st.Run.Cells) {
		return out, 0, wire.ErrMalformed
	}
	if p.Cells, err = wire.DecodeBinaryRow(p.Cells, payload, p.Types); err != nil {
		return out, 0, err
	}
	var nulls int
	out, nulls = wire.AppendBinaryHead(out, len(st.Run.Fetch))
	p.records.next()
	for i := range st.Run.Fetch {
		f := &st.Run.Fetch[i]
		switch c := &p.Cells[f.Cell]; {
		case st.Run.Cells[f.Cell].Record:
			var null bool
			if out, null, err = p.appendMember(out, st, i, true); err != nil {
				return out, i, err
			}
			if null {
				wire.SetBinaryNull(out[nulls:], i)
			}
		case c.Null:
			if err := p.checkNull(st, i); err != nil {
				return out, i, err
			}
			wire.SetBinaryNull(out[nulls:], i)
		case !f.Opened:
			out = wire.AppendBinaryValue(out, p.Types[f.Cell], c.Bytes)
		default:
			if out, err = p.appendOpened(out, st, i, c.Bytes, true); err != nil {
				return out, i, err
			}
		}
	}
	return out, 0, nil
}

// appendOpened opens a value and appends it as the server would send it.
func (p *Opener) appendOpened(out []byte, st *binding.Statement, at int, sealed []byte, binary bool) ([]byte, error) {
	c := st.Columns[st.Run.Fetch[at].Column]
	if p.asIs[at] {
		begin := len(out)
		out, err := c.Forms.AppendOpened(append(out, 0), sealed)
		if err != nil {
			return out, err
		}
		if err := p.Sought.Check(st, at, out[begin+1:], false); err != nil {
			return out, err
		}
		return CloseText(out, begin), nil
	}
	var err error
	if p.opened, err = c.Forms.AppendOpened(p.opened[:0], sealed); err != nil {
		return out, err
	}
	if err := p.Sought.Check(st, at, p.opened, false); err != nil {
		return out, err
	}
	return p.appendValue(out, st, at, binary)
}

// appendMember appends a value of a family's form; null says that it is NULL, which is the caller's to say.
func (p *Opener) appendMember(out []byte, st *binding.Statement, at int, binary bool) (_ []byte, null bool, err error) {
	v, err := p.records.value(st, &st.Run.Fetch[at], p.Cells, p.Sought)
	switch {
	case err != nil:
		return out, false, err
	case v == nil:
		return out, true, nil
	case p.asIs[at]:
		return wire.AppendLenencBytes(out, v), false, nil
	}
	p.opened = append(p.opened[:0], v...)
	out, err = p.appendValue(out, st, at, binary)
	return out, false, err
}

// appendValue appends the value that was opened last.
func (p *Opener) appendValue(out []byte, st *binding.Statement, at int, binary bool) ([]byte, error) {
	c := st.Columns[st.Run.Fetch[at].Column]
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
	return CloseText(out, begin), nil
}

// checkNull looks whether a value may be NULL. Where rows are put together, one that is there for none
// has it.
func (p *Opener) checkNull(st *binding.Statement, at int) error {
	if st.Run.Fetch[at].Group {
		return nil
	}
	return p.Sought.Check(st, at, nil, true)
}

// appendConverted appends text in the character set of results; it has one form in
// both protocols.
func (p *Opener) appendConverted(out []byte, c *binding.Column, from *charset.Charset) []byte {
	// The text is written behind the value that it is of: one buffer serves both.
	n := len(p.opened)
	p.opened = value.AppendText(p.opened, &c.Type, p.opened, &p.env.Value)
	p.converted, _ = charset.Convert(p.converted[:0], p.env.Results, from, p.opened[n:])
	return wire.AppendLenencBytes(out, p.converted)
}

// CloseText puts the length of a text before it, where one byte has been left.
func CloseText(out []byte, begin int) []byte {
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

// End lets go of buffers that one large value has left.
func (p *Opener) End() {
	p.records.end()
	for _, buffer := range [...]*[]byte{&p.opened, &p.converted} {
		if cap(*buffer) > arena.KeepMax {
			*buffer = nil
		}
	}
}
