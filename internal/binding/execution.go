package binding

import (
	"bytes"
	"encoding/binary"

	"tunic/internal/environment"
	"tunic/internal/local"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/value"
	"tunic/internal/wire"
)

// Execution is what executions of a prepared statement are bound to: the values of its parameters, and what is
// kept of its text. The literals of the text are sealed anew each time it is executed.
type Execution struct {
	Count int // of the client's parameters
	// Inputs are what the parameters of the stored statement are given.
	Inputs []Input
	// constants are the literals of the text that slots are filled with.
	constants map[constantAt]Constant
	// Elements are how many there are of each group of literals.
	Elements []int
	// written are literals of the text as the client has written them, which the
	// second half of the statement has in it.
	written map[constantAt][]byte
	// Describes is the statement that is described, nil if there is none.
	Describes, Shape []byte

	params     []Param             // of the execution under way, in the order of the client's
	attributes []attribute         // of the same
	Types      []ParamType         // as the client has said last
	Prior      []priorTypes        // of the parameters
	Reading    environment.Reading // when it was prepared
	Long       [][]byte            // parts that were sent ahead, by parameter
	longBytes  int
	longMost   int
	kept       bool // they are of the next execution: see ForgetExecuted
}

// NewExecution is what executions with so many parameters are bound to.
func NewExecution(params int) Execution {
	return Execution{Count: params, constants: map[constantAt]Constant{}}
}

// Inherit takes over what a client has sent for a statement that another takes the place of: the types and the
// parts of parameters.
func (p *Execution) Inherit(before *Execution) {
	p.Types, p.Prior = before.Types, before.Prior
	p.Long, p.longBytes, p.longMost = before.Long, before.longBytes, before.longMost
}

// Share takes the values of another statement's execution.
func (p *Execution) Share(of *Execution) { p.params, p.attributes = of.params, of.attributes }

// ShareAll is share for a statement that is described as the other one is.
func (p *Execution) ShareAll(of *Execution) {
	p.Share(of)
	p.Describes, p.Shape = of.Describes, of.Shape
}

// Input is what a parameter of the stored statement is given: a parameter of the
// client's as it comes, or a form.
type Input struct {
	Param   int // -1 for a form
	Slot    int
	Element int
}

// constantAt is where a literal of a text stands.
type constantAt struct {
	place   sql.Place
	element int
}

func (p *Execution) constant(at sql.Place, element int) Constant {
	if at.Group < 0 {
		element = 0
	}
	return p.constants[constantAt{at, element}]
}

// KeepPlace keeps a literal as the client has written it.
func (p *Execution) KeepPlace(b *Binder, place sql.Place, element int) {
	if place.Group == sql.QueryRows {
		return // it is not of the text
	}
	if p.written == nil {
		p.written = map[constantAt][]byte{}
	}
	at := b.Literals.At(place, element)
	p.written[constantAt{place, element}] = bytes.Clone(b.Text[at.From:at.To])
}

// KeepConstant keeps the literals that a slot is filled with, of those that are of the
// text.
func (p *Execution) KeepConstant(b *Binder, slot, element int) {
	for n := range b.Statement.Slots[slot].operands() {
		p.KeepOperand(b, n, element)
	}
}

// KeepOperand keeps the literal of an operand.
func (p *Execution) KeepOperand(b *Binder, n, element int) {
	of := &b.Statement.Operands[n].Of
	if of.Kind == recipe.FromComputed {
		for _, a := range argumentsIn(of.Computed.Expr) {
			literal := local.OperandOf(a)
			p.KeepLiteral(b, &literal, element)
		}
	}
	p.KeepLiteral(b, of, element)
}

// KeepLiteral keeps a literal of the text.
func (p *Execution) KeepLiteral(b *Binder, of *recipe.Operand, element int) {
	if of.Kind != recipe.FromPlace || of.Place.Group == sql.QueryRows {
		return
	}
	if of.Place.Group < 0 {
		element = 0
	}
	c := b.literal(of, element)
	c.Bytes, c.introducer = bytes.Clone(c.Bytes), bytes.Clone(c.introducer)
	p.constants[constantAt{of.Place, element}] = c
}

// AppendExecute appends the command. Forms are binary parameters, which no
// character set is converted into.
func (b *Binder) AppendExecute(out []byte, p *Execution, m wire.Execute, caps wire.Capability) ([]byte, error) {
	named := caps.Has(wire.ClientQueryAttributes)
	count := len(p.Inputs) + len(p.attributes)
	out, nulls := AppendExecuteHead(out, m.Statement, m.Rest[0]&^FlagCount, m.Rest[1:ExecuteHead], count, named)
	if count == 0 {
		return out, nil
	}
	out = b.appendTypes(out, p, named)
	for i := range p.Inputs {
		var null bool
		var err error
		if out, null, err = b.appendInput(out, p, &p.Inputs[i]); err != nil {
			return out, err
		}
		if null {
			out[nulls+i/8] |= 1 << (i % 8)
		}
	}
	return p.appendAttributeValues(out, nulls, len(p.Inputs)), nil
}

// AppendExecuteHead appends the command up to the types of its parameters, of which there are so many; named says that
// they have names. nulls is where their bitmap begins.
func AppendExecuteHead(out []byte, statement uint32, flags byte, iterations []byte, count int, named bool) (_ []byte, nulls int) {
	if named && count > 0 {
		flags |= FlagCount
	}
	out = binary.LittleEndian.AppendUint32(append(out, byte(wire.ComStmtExecute)), statement)
	out = append(append(out, flags), iterations...)
	if count == 0 {
		return out, len(out)
	}
	if named {
		out = wire.AppendLenenc(out, uint64(count))
	}
	nulls = len(out)
	for range (count + 7) / 8 {
		out = append(out, 0)
	}
	return append(out, 1), nulls
}

// appendAttributeValues appends the values of attributes, of which so many parameters are before the first; nulls is
// where their bitmap begins.
func (p *Execution) appendAttributeValues(out []byte, nulls, before int) []byte {
	for i := range p.attributes {
		if a, at := &p.attributes[i], before+i; a.Null {
			out[nulls+at/8] |= 1 << (at % 8)
		} else {
			out = wire.AppendBinaryValue(out, a.Kind, a.Bytes)
		}
	}
	return out
}

// AppendAttributes appends the query attributes of an execution as a COM_QUERY has them, nothing if there are none. Types that
// the servers may take otherwise there are an error.
func (p *Execution) AppendAttributes(out []byte) ([]byte, error) {
	if len(p.attributes) == 0 {
		return out, nil
	}
	from := len(out)
	out = append(wire.AppendLenenc(out, uint64(len(p.attributes))), 1) // of one set
	nulls := len(out)
	out = append(out, make([]byte, (len(p.attributes)+7)/8)...)
	out = p.appendAttributeValues(p.appendAttributeTypes(append(out, 1)), nulls, 0)
	q, err := wire.DecodeQuery(append([]byte{byte(wire.ComQuery)}, out[from:]...), wire.ClientQueryAttributes)
	if err != nil || len(q.Text) > 0 {
		return out[:from], WrongArguments()
	}
	return out, nil
}

// appendAttributeTypes appends the types and names of attributes.
func (p *Execution) appendAttributeTypes(out []byte) []byte {
	for i := range p.attributes {
		out = wire.AppendLenencBytes(p.attributes[i].Append(out), p.attributes[i].name)
	}
	return out
}

// appendTypes appends the types of all parameters of the stored statement.
func (b *Binder) appendTypes(out []byte, p *Execution, named bool) []byte {
	for i := range p.Inputs {
		var t ParamType
		switch n := p.Inputs[i].Param; {
		case n >= sql.FirstVariable:
			t = b.Variables[n-sql.FirstVariable].paramType()
		case n >= 0:
			t = p.params[n].ParamType
		default:
			t = b.slotType(&b.Statement.Slots[p.Inputs[i].Slot])
		}
		if out = t.Append(out); named {
			out = append(out, 0) // no name
		}
	}
	return p.appendAttributeTypes(out)
}

// slotType is the type of the parameter that a slot is.
func (b *Binder) slotType(s *slot) ParamType {
	switch s.form {
	case recipe.Most:
		return ParamType{Kind: wire.TypeLongLong, Unsigned: true}
	case recipe.Value, recipe.Bare:
		return keptParamType(b.Statement.Operands[s.operand].Column.Type.Kind)
	default:
		return ParamType{Kind: wire.TypeBlob}
	}
}

// appendInput appends the value of a parameter of the stored statement.
func (b *Binder) appendInput(out []byte, p *Execution, in *Input) (_ []byte, null bool, err error) {
	if v, ok := b.Given(in.Param); ok {
		return b.appendGivenBinary(out, v)
	}
	if in.Param >= 0 {
		v := &p.params[in.Param]
		if v.Null {
			return out, true, nil
		}
		return wire.AppendBinaryValue(out, v.Kind, v.Bytes), false, nil
	}
	slot := &b.Statement.Slots[in.Slot]
	if slot.form == recipe.Most {
		return binary.LittleEndian.AppendUint64(out, b.rowsAsked()), false, nil
	}
	null, err = b.makeForm(slot, in.Element)
	if err != nil || null {
		return out, null, err
	}
	if slot.form == recipe.Value || slot.form == recipe.Bare {
		t := &b.Statement.Operands[slot.operand].Column.Type
		if b.Form, err = b.Env.AppendKeptParam(b.Form, t, b.bounds[slot.operand].canonical); err != nil {
			return out, false, err
		}
		if t.Kind.IsNumbered() {
			return append(out, b.Form...), false, nil
		}
	}
	return wire.AppendLenencBytes(out, b.Form), false, nil
}

// keptParamType is the type of the parameter of environment.Environment.AppendKeptParam.
func keptParamType(k value.Kind) ParamType {
	if k.IsNumbered() {
		return ParamType{Kind: wire.TypeLongLong, Unsigned: true}
	}
	return ParamType{Kind: wire.TypeBlob}
}

// ReadOtherwise reports whether a session would read the text in another way than when it was
// prepared. Character sets and collations are those of literals.
func (p *Execution) ReadOtherwise(now environment.Reading) bool {
	before := p.Reading
	if len(p.constants) == 0 {
		before.Client, before.Connection = now.Client, now.Connection
	}
	return before != now
}
