package exec

import (
	"bytes"

	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/wire"
)

// Prepared is a statement that a client has prepared. At the server the stored
// statement is prepared, with a parameter for every slot: the literals of its text
// are sealed anew each time it is executed.
type Prepared struct {
	Numbered
	execution
	st *Statement
	// fallback is the same for the statement's fallback, which is prepared at the
	// server, with command, only where it is needed.
	fallback *Prepared
	command  []byte
	// all is the same for all rows of a query that asks for its first ones; ofAll says that it
	// is this.
	all   *Prepared
	ofAll bool
	// from is the same for the query whose rows are inserted. Nothing of it is prepared at
	// the server: both are sent as text.
	from *Prepared
	// whole says that the statement is sent as text.
	whole bool
	// types are those of the columns of the stored result.
	types []wire.Type
	// informed is what stands in the stored statement for tables of information_schema, nil
	// if it reads none.
	informed *informed
	actual   []actual // of the same, once it was executed
	told     told
	// described is how the result was described to the client last.
	described *Description
}

func newPrepared(st *Statement, text []byte) *Prepared {
	return &Prepared{Numbered: Numbered{text: text}, st: st, execution: newExecution(st.params)}
}

// Prepare prepares the stored statement at the server and describes it to the
// client. It returns nil without an error if the server has refused, and the client
// knows. Otherwise the server's number of it is in Link.Response.
func (s *Session) Prepare(st *Statement, text []byte, literals *sql.Literals) (*Prepared, error) {
	defer s.end()
	if st.run.Load != nil && s.link.Modes&sql.MariaDB == 0 {
		if err := s.resume(); err != nil {
			return nil, err
		}
		return nil, NotPreparable()
	}
	b := s.binder
	b.text, b.literals = text, literals
	st, description, err := s.beginPrepare(st)
	if err != nil {
		return nil, err
	}
	s.noteDeprecated(st)
	p, stored, err := s.readPrepared(st, bytes.Clone(text))
	if err != nil {
		return nil, err
	}
	made, err := s.prepareStored(p, stored)
	switch {
	case err != nil:
		return nil, err
	case made.refusal != nil:
		return nil, s.passRefusal(st, made.refusal)
	}
	if err := p.takeTypes(made); err != nil {
		return nil, err
	}
	p.described = description
	s.describePrepared(p, description)
	return p, s.link.Write()
}

// NotPreparable is what servers say to the preparation of a statement of a kind that cannot
// be prepared.
func NotPreparable() *sqlerr.Error {
	return &sqlerr.Error{Number: 1295, State: "HY000", Message: "This command is not supported in the prepared statement protocol yet"}
}

// beginPrepare is begin for a statement that is prepared. MariaDB looks at the columns that
// rows are inserted into, and at all of LOAD DATA, when it executes a statement.
func (s *Session) beginPrepare(st *Statement) (*Statement, *Description, error) {
	if s.link.Modes&sql.MariaDB == 0 || st.run.Load == nil && st.run.Fails == nil {
		return s.begin(st)
	}
	s.last = st
	return st, nil, s.resume()
}

// readPrepared reads the text of a statement that is prepared, and returns the
// command that prepares the stored statement.
func (s *Session) readPrepared(st *Statement, text []byte) (p *Prepared, command []byte, err error) {
	if !st.local() {
		if err := s.rows.begin(st, &s.env); err != nil {
			return nil, nil, err
		}
	}
	b := s.binder
	p = newPrepared(st, text)
	p.reading = s.env.Reading
	b.begin(&st.boundStatement)
	if command, err = p.read(b); err == nil {
		err = p.readAll(b)
	}
	if err != nil || st.fallback == nil {
		if err == nil {
			command, err = s.informPrepared(p, command)
		}
		return p, command, err
	}
	p.fallback = newPrepared(st.fallback, text)
	b.begin(&st.fallback.boundStatement)
	if p.fallback.command, err = p.fallback.read(b); err != nil {
		return p, command, err
	}
	if p.fallback.command, err = s.informPrepared(p.fallback, p.fallback.command); err != nil {
		return p, command, err
	}
	command, err = s.informPrepared(p, command)
	return p, command, err
}

// readFrom is read for a statement that inserts the rows of a query.
func (p *Prepared) readFrom(b *binder) (command []byte, err error) {
	p.from = newPrepared(p.st.from, p.text)
	p.from.whole = true
	if p.st.from.run.Remote != nil {
		b.begin(&p.st.from.boundStatement)
		_, err = p.from.read(b)
		b.begin(&p.st.boundStatement)
	} else {
		err = p.from.readText(b)
	}
	return append([]byte{byte(wire.ComStmtPrepare)}, textAsk...), err
}

// read takes what is needed later from the text, which does not stay, and returns
// the command that prepares the stored statement.
func (p *Prepared) read(b *binder) ([]byte, error) {
	if err := p.readText(b); err != nil {
		return nil, err
	}
	switch {
	case p.st.from != nil:
		return p.readFrom(b)
	case p.st.run.Load != nil || p.st.run.Fails != nil:
		return append([]byte{byte(wire.ComStmtPrepare)}, textAsk...), nil //nolint:nilerr // what fails does so when it is executed
	}
	fill := func(dst []byte, h sql.Hole, element int) ([]byte, error) {
		switch h.Kind {
		case sql.HoleParam: // of a user variable as well
			p.inputs = append(p.inputs, input{param: h.Number})
		case sql.HoleSlot:
			p.inputs = append(p.inputs, input{param: -1, slot: h.Number, element: element})
			p.keepConstant(b, h.Number, element)
		default:
			if p.st.upsert != nil || p.st.whole != nil || p.whole || p.st.unnamed() {
				p.keepPlace(b, h.Place, element)
			}
			return b.fill(dst, h, element)
		}
		return append(dst, '?'), nil
	}
	return p.st.remote(p.ofAll).Fill([]byte{byte(wire.ComStmtPrepare)}, b.elementCount, fill)
}

// readAll is read for all rows of a query that asks for its first ones.
func (p *Prepared) readAll(b *binder) (err error) {
	if first := p.st.run.First; first != nil && first.All != nil {
		p.all = newPrepared(p.st, p.text)
		p.all.ofAll = true
		p.all.command, err = p.all.read(b)
	}
	return err
}

// readText is read for what is not of the stored statement.
func (p *Prepared) readText(b *binder) (err error) {
	if p.st.run.Describe != nil {
		if p.describes, err = b.describes(&p.st.boundStatement); err != nil {
			return err
		}
		p.shape = bytes.Clone(b.shapeOf(&p.st.boundStatement))
	}
	for group := range b.literals.Groups() {
		p.elements = append(p.elements, b.literals.Elements(group))
	}
	p.keepWritten(b)
	p.keepInputs(b)
	return nil
}

// keepInputs keeps the literals that are computed with locally.
func (p *Prepared) keepInputs(b *binder) {
	for i := range p.st.query.Inputs.Singles {
		p.keepLiteral(b, &p.st.query.Inputs.Singles[i], 0)
	}
	for i := range p.st.run.Given {
		of := &p.st.run.Given[i].Of
		elements := 1
		if g := of.Place.Group; of.Kind == recipe.FromPlace && g >= 0 && g != sql.QueryRows {
			elements = p.elements[g]
		}
		for element := range elements {
			p.keepLiteral(b, of, element)
		}
	}
	for _, place := range p.st.query.Inputs.Lists {
		for element := range p.elements[place.Group] {
			p.keepLiteral(b, &recipe.Operand{Kind: recipe.FromPlace, Place: place}, element)
		}
	}
}

// keepWritten keeps what the second half of the statement takes of the text, and the
// literals that columns are set to.
func (p *Prepared) keepWritten(b *binder) {
	for _, w := range p.st.writings() {
		for _, place := range w.places {
			p.keepPlace(b, place, 0)
		}
		for i := range w.set {
			if n := w.set[i].operand; n >= 0 {
				p.keepOperand(b, n, 0)
			}
		}
	}
}

// describePrepared writes the description of the logical statement.
func (s *Session) describePrepared(p *Prepared, d *Description) {
	r := s.link.Response
	head := wire.PrepareOK{ID: r.Prepared.ID, Params: uint16(p.st.params), Warnings: s.binder.notices.added(r.Warnings)}
	var columns []wire.ColumnDefinition
	if d != nil && p.st.reads() {
		columns = s.named(d, p.text)
		p.told = told{d, s.env.ResultsID}
		head.Columns = uint16(len(columns))
	}
	s.link.Client.WriteMessage(head)
	s.writeDefinitions(p.st.paramDefinitions(d, s.env.Value.Flavor))
	s.writeDefinitions(columns)
}

// writeDefinitions writes definitions and the EOF behind them.
func (s *Session) writeDefinitions(definitions []wire.ColumnDefinition) {
	s.appendDefinitions(definitions, allFlags)
	if len(definitions) > 0 && !s.link.Caps.Has(wire.ClientDeprecateEOF) {
		s.link.Client.WriteEOF(wire.EOF{Status: s.link.Response.Status})
	}
}

// paramDefinitions are the definitions of the client's parameters: as the server
// has them, or else those that it has for a parameter of which it knows nothing.
func (st *Statement) paramDefinitions(d *Description, flavor value.Flavor) []wire.ColumnDefinition {
	if d != nil && len(d.Params) == st.params {
		return d.Params
	}
	const binaryFlag = 1 << 7
	unknown := wire.TypeVarString
	if flavor == value.MariaDB {
		unknown = wire.TypeNull
	}
	all := make([]wire.ColumnDefinition, st.params)
	for i := range all {
		all[i] = wire.ColumnDefinition{
			Catalog: []byte("def"), Name: []byte("?"), Charset: binaryCollation, Type: unknown, Flags: binaryFlag,
		}
	}
	return all
}
