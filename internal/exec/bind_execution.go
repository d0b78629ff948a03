package exec

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

// execution is what executions of a prepared statement are bound to: the values of its parameters, and what is
// kept of its text. The literals of the text are sealed anew each time it is executed.
type execution struct {
	count int // of the client's parameters
	// inputs are what the parameters of the stored statement are given.
	inputs []input
	// constants are the literals of the text that slots are filled with.
	constants map[constantAt]constant
	// elements are how many there are of each group of literals.
	elements []int
	// written are literals of the text as the client has written them, which the
	// second half of the statement has in it.
	written map[constantAt][]byte
	// describes is the statement that is described, nil if there is none.
	describes, shape []byte

	params     []param             // of the execution under way, in the order of the client's
	attributes []attribute         // of the same
	bound      []paramType         // as the client has said last
	prior      []priorTypes        // of the parameters
	reading    environment.Reading // when it was prepared
	long       [][]byte            // parts that were sent ahead, by parameter
	longBytes  int
	longMost   int
}

// newExecution is what executions with so many parameters are bound to.
func newExecution(params int) execution {
	return execution{count: params, constants: map[constantAt]constant{}}
}

// inherit takes over what a client has sent for a statement that another takes the place of: the types and the
// parts of parameters.
func (p *execution) inherit(before *execution) {
	p.bound, p.prior = before.bound, before.prior
	p.long, p.longBytes, p.longMost = before.long, before.longBytes, before.longMost
}

// share takes the values of another statement's execution.
func (p *execution) share(of *execution) { p.params, p.attributes = of.params, of.attributes }

// shareAll is share for a statement that is described as the other one is.
func (p *execution) shareAll(of *execution) {
	p.share(of)
	p.describes, p.shape = of.describes, of.shape
}

// input is what a parameter of the stored statement is given: a parameter of the
// client's as it comes, or a form.
type input struct {
	param   int // -1 for a form
	slot    int
	element int
}

// constantAt is where a literal of a text stands.
type constantAt struct {
	place   sql.Place
	element int
}

func (p *execution) constant(at sql.Place, element int) constant {
	if at.Group < 0 {
		element = 0
	}
	return p.constants[constantAt{at, element}]
}

// keepPlace keeps a literal as the client has written it.
func (p *execution) keepPlace(b *binder, place sql.Place, element int) {
	if place.Group == sql.QueryRows {
		return // it is not of the text
	}
	if p.written == nil {
		p.written = map[constantAt][]byte{}
	}
	at := b.literals.At(place, element)
	p.written[constantAt{place, element}] = bytes.Clone(b.text[at.From:at.To])
}

// keepConstant keeps the literal that a slot is filled with, if it is one of the
// text.
func (p *execution) keepConstant(b *binder, slot, element int) {
	p.keepOperand(b, b.st.slots[slot].operand, element)
}

// keepOperand keeps the literal of an operand.
func (p *execution) keepOperand(b *binder, n, element int) {
	of := &b.st.operands[n].of
	if of.Kind == recipe.FromComputed {
		for _, a := range argumentsIn(of.Computed.Expr) {
			literal := local.OperandOf(a)
			p.keepLiteral(b, &literal, element)
		}
	}
	p.keepLiteral(b, of, element)
}

// keepLiteral keeps a literal of the text.
func (p *execution) keepLiteral(b *binder, of *recipe.Operand, element int) {
	if of.Kind != recipe.FromPlace || of.Place.Group == sql.QueryRows {
		return
	}
	if of.Place.Group < 0 {
		element = 0
	}
	c := b.literal(of, element)
	c.bytes, c.introducer = bytes.Clone(c.bytes), bytes.Clone(c.introducer)
	p.constants[constantAt{of.Place, element}] = c
}

// appendExecute appends the command. Forms are binary parameters, which no
// character set is converted into.
func (b *binder) appendExecute(out []byte, p *execution, m wire.Execute, caps wire.Capability) ([]byte, error) {
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
func (b *binder) appendTypes(out []byte, p *execution, named bool) []byte {
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

// appendInput appends the value of a parameter of the stored statement.
func (b *binder) appendInput(out []byte, p *execution, in *input) (_ []byte, null bool, err error) {
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

// readOtherwise reports whether a session would read the text in another way than when it was
// prepared. Character sets and collations are those of literals.
func (p *execution) readOtherwise(now environment.Reading) bool {
	before := p.reading
	if len(p.constants) == 0 {
		before.Client, before.Connection = now.Client, now.Connection
	}
	return before != now
}
