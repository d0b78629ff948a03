package binding

import (
	"encoding/binary"
	"slices"
	"strconv"

	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// Param is a parameter of an execution, as it stands in the command.
type Param struct {
	ParamType
	Null  bool
	Bytes []byte // without the length before it
}

// ParamType is the type of a parameter.
type ParamType struct {
	Kind     wire.Type
	Unsigned bool
}

// attribute is a query attribute, which comes behind the parameters.
type attribute struct {
	Param
	name []byte
}

// Flags of COM_STMT_EXECUTE (MySQL source documentation, "COM_STMT_EXECUTE").
const (
	FlagCount    = 0x08 // the number of parameters is in the command
	UnsignedFlag = 0x80 // of the second byte of a type
	ExecuteHead  = 5    // bytes of flags and iterations
)

// WrongArguments is what servers say to parameters that cannot be read, or that
// have no types.
func WrongArguments() error {
	return &sqlerr.Error{Number: 1210, State: "HY000", Message: "Incorrect arguments to mysqld_stmt_execute"}
}

// LongData keeps a part of a parameter that is sent ahead: m is a
// COM_STMT_SEND_LONG_DATA that is not cut short. The server does not get it: it
// gets the sealed form of the whole, or the whole, when the statement is executed.
// Parts beyond max bytes are dropped, and the execution fails.
func (p *Execution) LongData(m wire.Execute, most int) {
	n := int(binary.LittleEndian.Uint16(m.Rest))
	part := m.Rest[2:]
	if n >= p.Count {
		return
	}
	if p.Long == nil {
		p.Long = make([][]byte, p.Count)
	}
	p.longBytes += len(part)
	if p.longBytes > most {
		return
	}
	if p.Long[n] == nil {
		p.Long[n] = []byte{}
	}
	p.Long[n] = append(p.Long[n], part...)
	p.longMost = most
}

// Reset forgets what was sent ahead, as COM_STMT_RESET does.
func (p *Execution) Reset() { p.ForgetLong() }

// Release forgets the values of the last execution, which are parts of its packet.
func (p *Execution) Release() {
	clear(p.params)
	clear(p.attributes)
}

// ForgetLong forgets what the client has sent of parameters piece by piece.
func (p *Execution) ForgetLong() { p.Long, p.longBytes, p.kept = nil, 0, false }

// ForgetExecuted is ForgetLong behind an execution. MySQL keeps the parts where it does not come to the statement at all, as a
// part is of a parameter that is no string: then they are of the next execution.
func (p *Execution) ForgetExecuted() {
	if !p.kept {
		p.ForgetLong()
	}
}

// Kept reports whether parts that were sent ahead are of the next execution.
func (p *Execution) Kept() bool { return p.kept }

// Decode reads the parameters of an execution (MySQL source documentation,
// "COM_STMT_EXECUTE").
//
//	field        type
//	flags        1
//	iterations   4
//	count        length-encoded, with QUERY_ATTRIBUTES
//	nulls        (count + 7) / 8
//	new types    1
//	types        2 each, and with QUERY_ATTRIBUTES a length-encoded name
//	values       see wire.TakeBinaryValue
//
// What follows the iterations is there if there are parameters or attributes.
func (p *Execution) Decode(rest []byte, caps wire.Capability, modes sql.Modes) error {
	flags, body := rest[0], rest[ExecuteHead:]
	p.params, p.attributes = p.params[:0], p.attributes[:0]
	named := caps.Has(wire.ClientQueryAttributes)
	if p.Count == 0 && (!named || flags&FlagCount == 0) {
		return nil
	}
	p.kept = false
	if p.longBytes > p.longMost {
		return &sqlerr.Error{Number: 1105, State: "HY000", Message: "Parameter of prepared statement which is set through mysql_send_long_data() is longer than 'max_allowed_packet' bytes"}
	}
	count := p.Count
	if named {
		n, after, ok := wire.TakeLenenc(body)
		if !ok || n < uint64(count) || n > 1<<16-1 {
			return WrongArguments()
		}
		count, body = int(n), after
	}
	d := paramDecoder{p: p, count: count, named: named, rest: body, mySQL: modes&sql.MariaDB == 0}
	if count > 0 && !d.decode() {
		if p.kept = d.ahead && d.mySQL; p.kept {
			return &sqlerr.Error{Number: 1835, State: "HY000", Message: "Malformed communication packet."}
		}
		return WrongArguments()
	}
	return nil
}

// paramDecoder reads what follows the number of parameters.
type paramDecoder struct {
	p     *Execution
	count int
	named bool
	rest  []byte
	ahead bool // one that was sent ahead is no string
	mySQL bool
}

func (d *paramDecoder) decode() bool {
	p, bitmap := d.p, (d.count+7)/8
	if len(d.rest) < bitmap+1 {
		return false
	}
	nulls, fresh := d.rest[:bitmap], d.rest[bitmap] == 1
	d.rest = d.rest[bitmap+1:]
	for i := range d.count {
		if i >= p.Count {
			p.attributes = append(p.attributes, attribute{})
		} else {
			p.params = append(p.params, Param{})
		}
		d.at(i).Null = nulls[i/8]>>(i%8)&1 == 1
	}
	if fresh && !d.types() || len(p.Types) < p.Count || !fresh && len(p.attributes) > 0 {
		return false
	}
	for i := range p.params {
		p.params[i].ParamType = p.Types[i]
	}
	p.notePriorTypes(func(i int) bool { return p.params[i].Null })
	return d.values()
}

func (d *paramDecoder) at(i int) *Param {
	if n := d.p.Count; i >= n {
		return &d.p.attributes[i-n].Param
	}
	return &d.p.params[i]
}

// types reads the types, which are remembered for executions that say none.
func (d *paramDecoder) types() bool {
	if !wholeTypes(d.rest, d.count, d.named) {
		return false
	}
	p := d.p
	p.Types = p.Types[:0]
	for i := range d.count {
		var t ParamType
		var name []byte
		t, name, d.rest, _ = takeType(d.rest, d.named)
		if n := p.Count; i >= n {
			p.attributes[i-n].ParamType, p.attributes[i-n].name = t, name
		} else {
			p.Types = append(p.Types, t)
		}
	}
	return true
}

// wholeTypes reports whether a packet has the types of so many parameters, and is not cut short: what
// was told before is kept then.
func wholeTypes(body []byte, count int, named bool) bool {
	for range count {
		var ok bool
		if _, _, body, ok = takeType(body, named); !ok {
			return false
		}
	}
	return true
}

// takeType takes the type of a parameter, and its name where there is one.
func takeType(body []byte, named bool) (t ParamType, name, rest []byte, ok bool) {
	if len(body) < 2 {
		return t, nil, nil, false
	}
	t = ParamType{wire.Type(body[0]), body[1]&UnsignedFlag != 0}
	if rest, ok = body[2:], true; named {
		name, rest, ok = wire.TakeLenencBytes(rest)
	}
	return t, name, rest, ok
}

// unalike are types that no library sends with a value, and that servers do not read alike: MySQL takes no YEAR, and MariaDB
// takes the bytes of a YEAR, a BIT or a shape for those of the next parameter. A value that the server is to get as it came
// would move those that tunic has put behind it.
var unalike = []wire.Type{wire.TypeNull, wire.TypeInt24, wire.TypeYear, wire.TypeBit, wire.TypeGeometry}

// values reads the values. One that was sent ahead is not here, and has to be a string, for
// servers as well.
func (d *paramDecoder) values() bool {
	null := false // MySQL says so of a NULL that was sent ahead when it has read all others
	for i := range d.count {
		v := d.at(i)
		if i < len(d.p.Long) && d.p.Long[i] != nil {
			if d.mySQL && v.Null {
				null = true
				continue
			}
			if d.ahead = v.Kind < wire.TypeTinyBlob || v.Kind > wire.TypeString; d.ahead {
				return false
			}
			v.Bytes, v.Null = d.p.Long[i], false
			continue
		}
		if v.Null {
			continue
		}
		if slices.Contains(unalike, v.Kind) {
			return false
		}
		var ok bool
		if v.Bytes, d.rest, ok = wire.TakeBinaryValue(d.rest, v.Kind); !ok {
			return false
		}
	}
	return !null
}

// Append appends the type as COM_STMT_EXECUTE has it: the kind, then whether it is unsigned.
func (t ParamType) Append(out []byte) []byte {
	if t.Unsigned {
		return append(out, byte(t.Kind), UnsignedFlag)
	}
	return append(out, byte(t.Kind), 0)
}

// Parameters are those of a statement that tunic has prepared for itself alone: what the
// server has prepared has as many, and gets none of them.
type Parameters struct{ Prepared *Execution }

// NewParameters makes those of a statement that has so many.
func NewParameters(n int) *Parameters {
	return &Parameters{&Execution{Count: n}}
}

// LongData keeps a part of a parameter that is sent ahead, as [Prepared.LongData] does.
func (p *Parameters) LongData(m wire.Execute, most int) { p.Prepared.LongData(m, most) }

// Reset forgets what was sent ahead, as [Prepared.Reset] does.
func (p *Parameters) Reset() { p.Prepared.Reset() }

// Kept reports whether that is of the next execution.
func (p *Parameters) Kept() bool { return p.Prepared.Kept() }

// Number is the first value of an execution, m, if it is a number above 0 or the text of one.
func (p *Parameters) Number(m wire.Execute, caps wire.Capability, modes sql.Modes) (uint64, bool) {
	defer p.Prepared.Release()
	if len(m.Rest) < ExecuteHead || p.Prepared.Decode(m.Rest, caps, modes) != nil || len(p.Prepared.params) == 0 {
		return 0, false
	}
	first := &p.Prepared.params[0]
	switch first.Kind {
	case wire.TypeTiny, wire.TypeShort, wire.TypeLong, wire.TypeInt24, wire.TypeLongLong:
		n := first.Integer()
		return n.Number, !first.Null && (first.Unsigned || int64(n.Number) > 0)
	case wire.TypeVarchar, wire.TypeVarString, wire.TypeString, wire.TypeBlob, wire.TypeNewDecimal:
		n, err := strconv.ParseUint(string(first.Bytes), 10, 64)
		return n, !first.Null && err == nil
	}
	return 0, false
}

// Values are the values of an execution as those of user variables: a date or time is a string.
func (b *Binder) Values(p *Parameters) ([]Variable, error) {
	b.Prepared = p.Prepared
	defer func() { b.Prepared = nil }()
	all := make([]Variable, p.Prepared.Count)
	for i := range all {
		if err := b.paramSource(i, inExpression); err != nil {
			return nil, err
		}
		var err error
		if all[i], err = VariableOf(&b.Source, b.Env.Clock(), &b.Env.Value); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// TakeTypes remembers what an execution, m, says of the types of parameters. Later ones need
// not say it again.
func (p *Parameters) TakeTypes(m wire.Execute, caps wire.Capability) {
	params := p.Prepared.Count
	if params == 0 || len(m.Rest) < ExecuteHead {
		return
	}
	body, count, named := m.Rest[ExecuteHead:], params, caps.Has(wire.ClientQueryAttributes)
	if named {
		n, after, ok := wire.TakeLenenc(body)
		if !ok || n < uint64(params) || n > 1<<16-1 {
			return
		}
		count, body = int(n), after
	}
	bitmap := (count + 7) / 8
	if len(body) <= bitmap {
		return
	}
	nulls := body[:bitmap]
	if body[bitmap] == 1 { // types are told anew
		body = body[bitmap+1:]
		if !wholeTypes(body, count, named) {
			return
		}
		p.Prepared.Types = p.Prepared.Types[:0]
		for range params {
			var t ParamType
			t, _, body, _ = takeType(body, named)
			p.Prepared.Types = append(p.Prepared.Types, t)
		}
	}
	p.Prepared.notePriorTypes(func(i int) bool { return nulls[i/8]>>(i%8)&1 == 1 })
}
