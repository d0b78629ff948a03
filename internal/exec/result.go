package exec

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strconv"

	"tunic/internal/arena"
	"tunic/internal/description"
	"tunic/internal/eval"
	"tunic/internal/local"
	"tunic/internal/opening"
	"tunic/internal/sqlerr"
	"tunic/internal/translation"
	"tunic/internal/value"
	"tunic/internal/value/charset"
	"tunic/internal/wire"
)

// result writes the answer to a query whose rows are finished locally. Its columns
// are described by the server; what is computed has to be as they say. The memory of one that
// is closed is used again.
type result struct {
	session     *Session
	description *description.Description
	binary      bool
	buffered    bool // see buffers
	begun       bool
	grouped     bool
	rows        uint64
	tally       *local.Tally
	set         local.SetAnswer
	columns     []wire.ColumnDefinition
	items       []local.Item
	runs        []*local.Running
	from        []*charset.Charset // that an item is converted from, nil if it is not
	canonical   []byte
	converted   []byte
}

// spareResult is the answer to a command; d describes it.
func (s *Session) spareResult(d *description.Description, a *asked) *result {
	o := s.answered
	s.answered = nil
	if o == nil {
		o = new(result)
	}
	o.session, o.description, o.binary = s, d, a.prepared != nil
	return o
}

// close is called once.
func (o *result) close() {
	s := o.session
	clear(o.from)
	*o = result{from: o.from[:0], canonical: o.canonical, converted: o.converted}
	if cap(o.canonical)+cap(o.converted) > arena.KeepMax {
		o.canonical, o.converted = nil, nil
	}
	s.answered = o
}

// start makes it the last sink of a program.
func (o *result) start(c *choice, p *local.Program) (local.Sink, error) {
	s := o.session
	o.columns, o.items, o.from, o.grouped = o.description.Columns, p.Items, o.from[:0], p.Grouped
	o.set, o.rows, o.tally = p.Set(), 0, &c.tally
	if len(o.columns) != len(o.items) {
		return nil, sqlerr.NotDescribed()
	}
	for i := range o.items {
		t := o.items[i].Typ
		if !o.suits(i) {
			return nil, sqlerr.ExpressionRefused("a result", t.Kind.String())
		}
		from, err := s.env.ConvertsFrom(t)
		if err != nil {
			return nil, err
		}
		if err := s.env.Serves(t); err != nil {
			return nil, err
		}
		o.from = append(o.from, from)
	}
	var err error
	o.runs, err = local.StartItems(&c.Execution, o.items)
	return o, err
}

// suits reports whether an item is of the type that the server says its column has.
func (o *result) suits(i int) bool {
	t, d := o.items[i].Typ, &o.columns[i]
	if n := o.items[i].Variable - 1; n >= 0 && (o.session.binder.Variables[n].Null || t.Kind == value.Decimal && d.Type == wire.TypeNewDecimal) {
		return true // NULL of some type; a decimal is sent with the digits that it has
	}
	if o.items[i].MayFill && !o.binary {
		return false
	}
	if o.items[i].Guessed && !o.buffered && d.Type == wire.TypeNewDecimal {
		return true
	}
	unsigned := d.Flags&value.FlagUnsigned != 0
	switch d.Type {
	case wire.TypeTiny, wire.TypeShort, wire.TypeInt24, wire.TypeLong, wire.TypeLongLong:
		return t.Kind.IsInteger() && t.Unsigned == unsigned
	case wire.TypeNewDecimal:
		return t.Kind == value.Decimal && t.Decimals == int(d.Decimals)
	case wire.TypeFloat:
		return t.Kind == value.Float && suitsPoint(t, d)
	case wire.TypeDouble:
		return t.Kind == value.Double && suitsPoint(t, d)
	case wire.TypeYear:
		return t.Kind == value.Year
	case wire.TypeBit:
		return t.Kind == value.Bit
	case wire.TypeDate:
		return t.Kind == value.Date
	case wire.TypeTime:
		return t.Kind == value.Time && t.Decimals == int(d.Decimals)
	case wire.TypeDatetime:
		return t.Kind == value.DateTime && t.Decimals == int(d.Decimals)
	case wire.TypeTimestamp:
		return t.Kind == value.Timestamp && t.Decimals == int(d.Decimals)
	case wire.TypeNull: // of a parameter, which servers describe before they know it
		return isNullType(t)
	default:
		return o.suitsString(t, d)
	}
}

// isNullType reports whether a type is that of NULL.
func isNullType(t *value.Type) bool { return t.Kind == value.VarBinary && t.Length == 0 && !t.NotNull }

// suitsPoint compares the digits after the point of FLOAT and DOUBLE.
func suitsPoint(t *value.Type, d *wire.ColumnDefinition) bool {
	const free = 31
	if t.Length == 0 {
		return d.Decimals >= free
	}
	return t.Decimals == int(d.Decimals)
}

// suitsString is suits for strings, and for what is sent as one.
func (o *result) suitsString(t *value.Type, d *wire.ColumnDefinition) bool {
	switch {
	case t.Kind.IsNumber(), t.Kind.IsTemporal():
		return false
	case !t.Kind.IsText() && !t.Kind.IsBytes():
		return true
	}
	results := o.session.env.Results
	return results != nil && results.Name == "binary" || t.Kind.IsText() == (d.Charset != description.BinaryCollation)
}

// begin writes the head of the result.
func (o *result) begin() {
	s := o.session
	o.begun = true
	head := wire.ResultHeader{Columns: len(o.columns), MetadataFollows: !s.hasColumns(o.description)}
	client := s.link.Client
	client.ClosePacket(head.AppendHeader(client.OpenPacket(), s.link.Caps))
	if head.MetadataFollows {
		s.appendDefinitions(description.Set(o.set, s.columns(o.description), s.env.Value.Flavor), allFlags)
	}
	if !s.link.Caps.Has(wire.ClientDeprecateEOF) { // servers send it without definitions too
		client.WriteEOF(wire.EOF{Status: s.dialogue.Response.Status})
	}
}

// Row writes a row.
func (o *result) Row(r eval.Row) error {
	if !o.begun {
		o.begin()
	}
	client := o.session.link.Client
	out := client.OpenPacket()
	nulls := len(out) + 1
	if o.binary {
		for range 1 + (len(o.items)+9)/8 {
			out = append(out, 0)
		}
	}
	for i := range o.items {
		var null bool
		var err error
		if out, null, err = o.appendItem(out, i, r); err != nil {
			client.DropPacket(out)
			return err
		}
		switch {
		case !null:
		case o.binary:
			out[nulls+(i+2)/8] |= 1 << ((i + 2) % 8)
		default:
			out = append(out, 0xfb)
		}
	}
	client.ClosePacket(out)
	o.rows++
	if client.Pending() >= wire.BufferBytes {
		return o.session.link.Waiter.Write()
	}
	return nil
}

func (o *result) End() error { return nil }

// appendItem appends an item of a row, but nothing for NULL.
func (o *result) appendItem(out []byte, i int, r eval.Row) (_ []byte, null bool, err error) {
	it := &o.items[i]
	run := o.runs[i]
	if run == nil {
		if v := r[it.Column]; v != nil {
			if it.Uneven && o.tally.Uneven {
				return out, false, sqlerr.ValueRefused("a DECIMAL of a derived table")
			}
			return o.appendValue(out, i, v), false, nil
		}
		return out, true, nil
	}
	computed, err := run.Eval(r)
	if err == nil {
		err = o.note(run.Drain())
	}
	switch {
	case err != nil:
		return out, false, err
	case computed.Null():
		return out, true, nil
	}
	if o.canonical, err = computed.Append(o.canonical[:0]); err != nil {
		return out, false, err
	}
	if it.Typ.Kind != value.Decimal {
		return o.appendValue(out, i, o.canonical), false, nil
	}
	return o.appendDecimal(out, i, &computed)
}

// appendDecimal appends a decimal. In MySQL one can have fewer digits than its type,
// unless the server has put it into a table meanwhile.
func (o *result) appendDecimal(out []byte, i int, computed *eval.Result) (_ []byte, null bool, err error) {
	s := o.session
	begin := len(out)
	if out, err = computed.AppendText(append(out, 0)); err != nil {
		return out, false, err
	}
	if o.items[i].Guessed {
		if out, err = withDigits(out, begin+1, int(o.columns[i].Decimals)); err != nil {
			return out, false, err
		}
	}
	if o.grouped {
		o.converted = value.AppendText(o.converted[:0], o.items[i].Typ, o.canonical, &s.env.Value)
		if string(o.converted) != string(out[begin+1:]) {
			return out, false, sqlerr.ValueRefused("a DECIMAL of a group")
		}
	}
	return opening.CloseText(out, begin), false, nil
}

// withDigits fills the decimal that begins at a place of out up to so many digits after the
// point, as servers do with what is computed from a decimal in a user variable.
func withDigits(out []byte, begin, digits int) ([]byte, error) {
	point := bytes.IndexByte(out[begin:], '.')
	if point < 0 {
		point, out = len(out)-begin, append(out, '.')
	}
	has := len(out) - begin - point - 1
	if has > digits {
		return out, sqlerr.ValueRefused("a decimal in a user variable")
	}
	return append(out, bytes.Repeat([]byte{'0'}, digits-has)...), nil
}

// note adds what the computation of an item warns of. Servers compute it once a row,
// but who knows how often where rows are grouped.
func (o *result) note(conditions []value.Condition) error {
	if len(conditions) > 0 && o.grouped {
		return local.Quiet(conditions)
	}
	const divisionByZero = 1365
	for _, c := range conditions {
		if c.Code != divisionByZero {
			return local.Quiet(conditions)
		}
		o.session.binder.Notices.Add(c.Level, uint16(c.Code), []byte("Division by 0"))
	}
	return nil
}

// appendValue appends a value as the server would send it.
func (o *result) appendValue(out []byte, i int, canonical []byte) []byte {
	t, env := o.items[i].Typ, &o.session.env
	if o.from[i] != nil {
		o.converted = value.AppendText(o.converted[:0], t, canonical, &env.Value)
		n := len(o.converted)
		o.converted, _ = charset.Convert(o.converted, env.Results, o.from[i], o.converted[:n:n])
		return wire.AppendLenencBytes(out, o.converted[n:])
	}
	if o.binary {
		if t.Kind.IsInteger() {
			return appendInteger(out, o.columns[i].Type, canonical)
		}
		return value.AppendBinary(out, t, canonical, &env.Value)
	}
	begin := len(out)
	if o.items[i].Number {
		out = strconv.AppendUint(append(out, 0), binary.BigEndian.Uint64(canonical), 10)
	} else {
		out = value.AppendText(append(out, 0), t, canonical, &env.Value)
	}
	return opening.CloseText(out, begin)
}

// appendInteger appends an integer in as many bytes as its column has.
func appendInteger(out []byte, as wire.Type, canonical []byte) []byte {
	n := binary.BigEndian.Uint64(canonical)
	switch as {
	case wire.TypeTiny:
		return append(out, byte(n))
	case wire.TypeShort:
		return binary.LittleEndian.AppendUint16(out, uint16(n))
	case wire.TypeInt24, wire.TypeLong:
		return binary.LittleEndian.AppendUint32(out, uint32(n))
	default:
		return binary.LittleEndian.AppendUint64(out, n)
	}
}

// finish ends the answer: with what ends the rows, or with an error in place of the
// next row. An error of tunic's own before the first one is returned.
func (o *result) finish(err error) error {
	s := o.session
	e, refused := errors.AsType[*sqlerr.Error](err)
	if _, sure := errors.AsType[*local.SureError](err); sure && !o.begun {
		o.begin()
	}
	switch {
	case err == nil:
		if !o.begun {
			o.begin()
		}
		o.writeEnd()
		s.found = o.found()
	case !refused || !o.begun && (!s.dialogue.Response.Failed || s.words.Last != nil && translation.Retriable(s.words.Last, e)):
		return err
	default:
		s.link.Client.WriteMessage(wire.Err{Number: e.Number, State: e.State, Message: []byte(e.Message)})
		if !s.dialogue.Response.Failed {
			s.binder.Notices.Add(value.Error, e.Number, []byte(e.Message))
		}
	}
	return s.link.Waiter.Write()
}

// found is what FOUND_ROWS() is of the answer.
func (o *result) found() foundRows {
	if o.tally.Counts {
		return foundRows{o.tally.N, true}
	}
	return foundRows{o.tally.Skipped + o.rows, true}
}

// writeEnd writes what ends the rows.
func (o *result) writeEnd() {
	s := o.session
	client, r := s.link.Client, s.dialogue.Response
	warnings := s.binder.Notices.With(r.Warnings)
	if !s.link.Caps.Has(wire.ClientDeprecateEOF) {
		client.WriteEOF(wire.EOF{Warnings: warnings, Status: r.Status})
		return
	}
	out := client.OpenPacket()
	client.ClosePacket(wire.OK{EndOfRows: true, Status: r.Status, Warnings: warnings}.AppendOK(out, s.link.Caps))
}
