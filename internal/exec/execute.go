package exec

import (
	"encoding/binary"
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/plan"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/wire"
)

// param is a parameter of an execution, as it stands in the command.
type param struct {
	paramType
	null  bool
	bytes []byte // without the length before it
}

// paramType is the type of a parameter.
type paramType struct {
	kind     wire.Type
	unsigned bool
}

// attribute is a query attribute, which comes behind the parameters.
type attribute struct {
	param
	name []byte
}

// Flags of COM_STMT_EXECUTE (MySQL source documentation, "COM_STMT_EXECUTE").
const (
	flagCount    = 0x08 // the number of parameters is in the command
	unsignedFlag = 0x80 // of the second byte of a type
	executeHead  = 5    // bytes of flags and iterations
)

// wrongArguments is what servers say to parameters that cannot be read, or that
// have no types.
func wrongArguments() error {
	return &sqlerr.Error{Number: 1210, State: "HY000", Message: "Incorrect arguments to mysqld_stmt_execute"}
}

// Redefined is what servers say of a text whose table has changed too often meanwhile; of a prepared
// statement they say plan.NeedsPreparing.
func Redefined() *sqlerr.Error {
	return &sqlerr.Error{Number: 1412, State: "HY000", Message: "Table definition has changed, please retry transaction"}
}

// outdated reports whether a table of a statement has got another definition.
func (s *Session) outdated(st *Statement) bool {
	if s.link.Catalog == nil {
		return false
	}
	now := s.link.Catalog()
	return slices.ContainsFunc(st.run.Tables, func(t *catalog.Table) bool {
		return !t.Plain() && !now.Knows(t)
	})
}

// Execute carries out an execution of a prepared statement: m is a COM_STMT_EXECUTE
// that is not cut short.
//
// After an error of which MayBeStale is true, the parts of parameters that were sent ahead
// are still there: it may be executed again.
func (s *Session) Execute(p *Prepared, m wire.Execute) (err error) {
	defer s.end()
	defer func() {
		if !MayBeStale(err) {
			p.forgetLong()
		}
	}()
	if s.outdated(p.st) {
		return plan.NeedsPreparing()
	}
	if err := p.decode(m.Rest, s.link.Caps, s.link.Modes); err != nil {
		return err
	}
	s.last = p.st
	p.st.page.Used()
	b := s.binder
	b.prepared = p
	if err := s.resume(); err != nil {
		return err
	}
	if p.readOtherwise(s.env.Reading) {
		return plan.NeedsPreparing()
	}
	switch st, err := s.readVariables(p.st); {
	case err != nil:
		return err
	case st != p.st:
		return sqlerr.VariableSecret() // when it was prepared, it had no such value
	}
	description, err := s.describe(p.st)
	if err != nil {
		return err
	}
	m.Statement = p.number(m.Statement)
	a := asked{prepared: p, execute: m}
	err = s.carry(p.st, description, &a)
	if err == errComparison && p.fallback != nil { //nolint:errorlint // it is never wrapped
		return s.fallBack(p, description, m)
	}
	return err
}

// Fetch carries out a COM_STMT_FETCH: payload is the command.
func (s *Session) Fetch(p *Prepared, payload []byte) error {
	defer s.end()
	if err := s.resume(); err != nil {
		return err
	}
	if err := s.rows.begin(p.st, &s.env); err != nil {
		return err
	}
	s.binder.sought.of = nil // its values may be those of another cursor of the statement
	if err := s.request(p.Command(payload)); err != nil {
		return err
	}
	s.rows.types = append(s.rows.types[:0], p.types...)
	return s.answer(p.st, nil, true)
}

// LongData keeps a part of a parameter that is sent ahead: m is a
// COM_STMT_SEND_LONG_DATA that is not cut short. The server does not get it: it
// gets the sealed form of the whole, or the whole, when the statement is executed.
// Parts beyond max bytes are dropped, and the execution fails.
func (p *Prepared) LongData(m wire.Execute, most int) {
	n := int(binary.LittleEndian.Uint16(m.Rest))
	part := m.Rest[2:]
	if n >= p.st.params {
		return
	}
	if p.long == nil {
		p.long = make([][]byte, p.st.params)
	}
	p.longBytes += len(part)
	if p.longBytes > most {
		return
	}
	if p.long[n] == nil {
		p.long[n] = []byte{}
	}
	p.long[n] = append(p.long[n], part...)
	p.longMost = most
}

// Reset forgets what was sent ahead, as COM_STMT_RESET does.
func (p *Prepared) Reset() { p.forgetLong() }

// Release forgets the values of the last execution, which are parts of its packet.
func (p *Prepared) Release() {
	clear(p.params)
	clear(p.attributes)
}

func (p *Prepared) forgetLong() { p.long, p.longBytes = nil, 0 }

// decode reads the parameters of an execution (MySQL source documentation,
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
func (p *Prepared) decode(rest []byte, caps wire.Capability, modes sql.Modes) error {
	flags, body := rest[0], rest[executeHead:]
	p.params, p.attributes = p.params[:0], p.attributes[:0]
	named := caps.Has(wire.ClientQueryAttributes)
	if p.st.params == 0 && (!named || flags&flagCount == 0) {
		return nil
	}
	if p.longBytes > p.longMost {
		return &sqlerr.Error{Number: 1105, State: "HY000", Message: "Parameter of prepared statement which is set through mysql_send_long_data() is longer than 'max_allowed_packet' bytes"}
	}
	count := p.st.params
	if named {
		n, after, ok := wire.TakeLenenc(body)
		if !ok || n < uint64(count) || n > 1<<16-1 {
			return wrongArguments()
		}
		count, body = int(n), after
	}
	d := paramDecoder{p: p, count: count, named: named, rest: body}
	if count > 0 && !d.decode() {
		if d.ahead && modes&sql.MariaDB == 0 {
			return &sqlerr.Error{Number: 1835, State: "HY000", Message: "Malformed communication packet."}
		}
		return wrongArguments()
	}
	return nil
}

// paramDecoder reads what follows the number of parameters.
type paramDecoder struct {
	p     *Prepared
	count int
	named bool
	rest  []byte
	ahead bool // one that was sent ahead is no string
}

func (d *paramDecoder) decode() bool {
	p, bitmap := d.p, (d.count+7)/8
	if len(d.rest) < bitmap+1 {
		return false
	}
	nulls, fresh := d.rest[:bitmap], d.rest[bitmap] == 1
	d.rest = d.rest[bitmap+1:]
	for i := range d.count {
		if i >= p.st.params {
			p.attributes = append(p.attributes, attribute{})
		} else {
			p.params = append(p.params, param{})
		}
		d.at(i).null = nulls[i/8]>>(i%8)&1 == 1
	}
	if fresh && !d.types() || len(p.bound) < p.st.params || !fresh && len(p.attributes) > 0 {
		return false
	}
	for i := range p.params {
		p.params[i].paramType = p.bound[i]
	}
	p.notePriorTypes(func(i int) bool { return p.params[i].null })
	return d.values()
}

func (d *paramDecoder) at(i int) *param {
	if n := d.p.st.params; i >= n {
		return &d.p.attributes[i-n].param
	}
	return &d.p.params[i]
}

// types reads the types, which are remembered for executions that say none.
func (d *paramDecoder) types() bool {
	if !wholeTypes(d.rest, d.count, d.named) {
		return false
	}
	p := d.p
	p.bound = p.bound[:0]
	for i := range d.count {
		var t paramType
		var name []byte
		t, name, d.rest, _ = takeType(d.rest, d.named)
		if n := p.st.params; i >= n {
			p.attributes[i-n].paramType, p.attributes[i-n].name = t, name
		} else {
			p.bound = append(p.bound, t)
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
func takeType(body []byte, named bool) (t paramType, name, rest []byte, ok bool) {
	if len(body) < 2 {
		return t, nil, nil, false
	}
	t = paramType{wire.Type(body[0]), body[1]&unsignedFlag != 0}
	if rest, ok = body[2:], true; named {
		name, rest, ok = wire.TakeLenencBytes(rest)
	}
	return t, name, rest, ok
}

// values reads the values. One that was sent ahead is not here, and has to be a string, for
// servers as well. A YEAR is refused: MySQL takes none, and MariaDB takes its bytes for those of
// the next parameter.
func (d *paramDecoder) values() bool {
	for i := range d.count {
		v := d.at(i)
		if i < len(d.p.long) && d.p.long[i] != nil {
			if d.ahead = v.kind < wire.TypeTinyBlob || v.kind > wire.TypeString; d.ahead {
				return false
			}
			v.bytes, v.null = d.p.long[i], false
			continue
		}
		if v.null || v.kind == wire.TypeNull {
			v.null = true
			continue
		}
		if v.kind == wire.TypeYear {
			return false
		}
		var ok bool
		if v.bytes, d.rest, ok = wire.TakeBinaryValue(d.rest, v.kind); !ok {
			return false
		}
	}
	return true
}

// sendExecute sends the execution of the stored statement.
func (s *Session) sendExecute(p *Prepared, m wire.Execute) error {
	if err := s.told(); err != nil {
		return err
	}
	server := s.link.Server
	server.SetSequence(0)
	out := server.OpenPacket()
	out, err := s.binder.appendExecute(out, p, m, server.Capabilities)
	return s.send(out, err)
}

// appendExecute appends the command. Forms are binary parameters, which no
// character set is converted into.
func (b *binder) appendExecute(out []byte, p *Prepared, m wire.Execute, caps wire.Capability) ([]byte, error) {
	named := caps.Has(wire.ClientQueryAttributes)
	count := len(p.inputs) + len(p.attributes)
	flags := m.Rest[0] &^ flagCount
	if named && count > 0 {
		flags |= flagCount
	}
	out = binary.LittleEndian.AppendUint32(append(out, byte(wire.ComStmtExecute)), m.Statement)
	out = append(append(out, flags), m.Rest[1:executeHead]...)
	if count == 0 {
		return out, nil
	}
	if named {
		out = wire.AppendLenenc(out, uint64(count))
	}
	nulls := len(out)
	for range (count + 7) / 8 {
		out = append(out, 0)
	}
	out = b.appendTypes(append(out, 1), p, named)
	for i := range p.inputs {
		var null bool
		var err error
		if out, null, err = b.appendInput(out, p, &p.inputs[i]); err != nil {
			return out, err
		}
		if null {
			out[nulls+i/8] |= 1 << (i % 8)
		}
	}
	for i := range p.attributes {
		if a, at := &p.attributes[i], len(p.inputs)+i; a.null {
			out[nulls+at/8] |= 1 << (at % 8)
		} else {
			out = wire.AppendBinaryValue(out, a.kind, a.bytes)
		}
	}
	return out, nil
}

// appendTypes appends the types of all parameters of the stored statement.
func (b *binder) appendTypes(out []byte, p *Prepared, named bool) []byte {
	for i := range p.inputs {
		var t paramType
		switch n := p.inputs[i].param; {
		case n >= sql.FirstVariable:
			t = b.variables[n-sql.FirstVariable].paramType()
		case n >= 0:
			t = p.params[n].paramType
		default:
			t = b.slotType(&b.st.slots[p.inputs[i].slot])
		}
		if out = t.append(out); named {
			out = append(out, 0) // no name
		}
	}
	for i := range p.attributes {
		out = wire.AppendLenencBytes(p.attributes[i].append(out), p.attributes[i].name)
	}
	return out
}

// slotType is the type of the parameter that a slot is.
func (b *binder) slotType(s *slot) paramType {
	switch s.form {
	case recipe.Most:
		return paramType{kind: wire.TypeLongLong, unsigned: true}
	case recipe.Value, recipe.Bare:
		return keptParamType(b.st.operands[s.operand].column.Type.Kind)
	default:
		return paramType{kind: wire.TypeBlob}
	}
}

func (t paramType) append(out []byte) []byte {
	if t.unsigned {
		return append(out, byte(t.kind), unsignedFlag)
	}
	return append(out, byte(t.kind), 0)
}

// appendInput appends the value of a parameter of the stored statement.
func (b *binder) appendInput(out []byte, p *Prepared, in *input) (_ []byte, null bool, err error) {
	if v, ok := b.given(in.param); ok {
		return b.appendGivenBinary(out, v)
	}
	if in.param >= 0 {
		v := &p.params[in.param]
		if v.null {
			return out, true, nil
		}
		return wire.AppendBinaryValue(out, v.kind, v.bytes), false, nil
	}
	slot := &b.st.slots[in.slot]
	if slot.form == recipe.Most {
		return binary.LittleEndian.AppendUint64(out, b.rowsAsked()), false, nil
	}
	null, err = b.makeForm(slot, in.element)
	if err != nil || null {
		return out, null, err
	}
	if slot.form == recipe.Value || slot.form == recipe.Bare {
		t := &b.st.operands[slot.operand].column.Type
		if b.form, err = b.env.AppendKeptParam(b.form, t, b.bounds[slot.operand].canonical); err != nil {
			return out, false, err
		}
		if t.Kind.IsNumbered() {
			return append(out, b.form...), false, nil
		}
	}
	return wire.AppendLenencBytes(out, b.form), false, nil
}

// keptParamType is the type of the parameter of environment.Environment.AppendKeptParam.
func keptParamType(k value.Kind) paramType {
	if k.IsNumbered() {
		return paramType{kind: wire.TypeLongLong, unsigned: true}
	}
	return paramType{kind: wire.TypeBlob}
}
