package exec

import (
	"bytes"

	"tunic/internal/binding"
	"tunic/internal/description"
	"tunic/internal/dialogue"
	"tunic/internal/exec/said"
	"tunic/internal/local"
	"tunic/internal/opening"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/wire"
)

// Prepared is a statement that a client has prepared. At the server the stored
// statement is prepared, with a parameter for every slot: the literals of its text
// are sealed anew each time it is executed.
type Prepared struct {
	Numbered
	binding.Execution
	st *Statement
	// fallback is the same for the statement's alternative for NoToken, which is prepared at the
	// server, with command, only where it is needed.
	fallback *Prepared
	command  []byte
	// once is the same for its alternative for NamedOnce.
	once *Prepared
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
	actual   []opening.Actual // of the same, once it was executed
	told     told
	// described is how the result was described to the client last.
	described *description.Description
}

func newPrepared(st *Statement, text []byte) *Prepared {
	return &Prepared{Numbered: Numbered{text: text}, st: st, Execution: binding.NewExecution(st.params)}
}

// Prepare prepares the stored statement at the server and describes it to the
// client. It returns nil without an error if the server has refused, and the client
// knows. Otherwise the server's number of it is in Link.Response.
func (s *Session) Prepare(st *Statement, text []byte, literals *sql.Literals) (*Prepared, error) {
	defer s.end()
	if st.Run.Load() != nil && s.link.Modes&sql.MariaDB == 0 {
		if err := s.resume(); err != nil {
			return nil, err
		}
		return nil, said.NotPreparable()
	}
	b := s.binder
	b.Text, b.Literals = text, literals
	st, d, err := s.beginPrepare(st)
	if err != nil {
		return nil, err
	}
	s.noteDeprecated(st)
	s.noteCounts(st)
	p, stored, err := s.readPrepared(st, bytes.Clone(text))
	if err != nil {
		return nil, err
	}
	made, err := s.prepareStored(p, stored)
	switch {
	case err != nil:
		return nil, err
	case made.Refusal != nil:
		return nil, s.passRefusal(st, made.Refusal)
	}
	if err := p.takeTypes(made); err != nil {
		return nil, err
	}
	p.described = d
	s.describePrepared(p, d)
	return p, s.link.Waiter.Write()
}

// beginPrepare is begin for a statement that is prepared. MariaDB looks at the columns that
// rows are inserted into, and at all of LOAD DATA, when it executes a statement.
func (s *Session) beginPrepare(st *Statement) (*Statement, *description.Description, error) {
	if s.link.Modes&sql.MariaDB == 0 || st.Run.Load() == nil && st.Run.Fails == nil {
		return s.begin(st)
	}
	s.words.Last = &st.Statement
	return st, nil, s.resume()
}

// readPrepared reads the text of a statement that is prepared, and returns the
// command that prepares the stored statement.
func (s *Session) readPrepared(st *Statement, text []byte) (p *Prepared, command []byte, err error) {
	if !st.local() {
		if err := s.rows.Begin(&st.Statement, &s.env); err != nil {
			return nil, nil, err
		}
	}
	b := s.binder
	p = newPrepared(st, text)
	p.Reading = s.env.Reading
	b.Begin(&st.Statement)
	if command, err = p.read(b); err == nil {
		err = p.readAll(b)
	}
	if err != nil {
		return p, command, err
	}
	if p.fallback, err = s.readOther(st.alternatives[recipe.NoToken], text); err != nil {
		return p, command, err
	}
	if p.once, err = s.readOther(st.alternatives[recipe.NamedOnce], text); err != nil {
		return p, command, err
	}
	if p.once != nil {
		p.once.fallback = p.fallback
	}
	command, err = s.informPrepared(p, command)
	return p, command, err
}

// readOther is readPrepared for an alternative; nil where there is none.
func (s *Session) readOther(other *Statement, text []byte) (*Prepared, error) {
	if other == nil {
		return nil, nil //nolint:nilnil // most statements have none
	}
	p := newPrepared(other, text)
	s.binder.Begin(&other.Statement)
	command, err := p.read(s.binder)
	if err == nil {
		p.command, err = s.informPrepared(p, command)
	}
	return p, err
}

// readFrom is read for a statement that inserts the rows of a query.
func (p *Prepared) readFrom(b *binding.Binder) (command []byte, err error) {
	p.keepBehindRows(b)
	p.from = newPrepared(p.st.from, p.text)
	p.from.whole = true
	if p.st.from.Run.Remote != nil {
		b.Begin(&p.st.from.Statement)
		_, err = p.from.read(b)
		b.Begin(&p.st.Statement)
	} else {
		err = p.from.readText(b)
	}
	return append([]byte{byte(wire.ComStmtPrepare)}, dialogue.TextAsk...), err
}

// read takes what is needed later from the text, which does not stay, and returns
// the command that prepares the stored statement.
func (p *Prepared) read(b *binding.Binder) ([]byte, error) {
	if err := p.readText(b); err != nil {
		return nil, err
	}
	switch {
	case p.st.from != nil:
		return p.readFrom(b)
	case p.st.Run.Load() != nil || p.st.Run.Fails != nil:
		return append([]byte{byte(wire.ComStmtPrepare)}, dialogue.TextAsk...), nil //nolint:nilerr // what fails does so when it is executed
	}
	fill := func(dst []byte, h sql.Hole, element int) ([]byte, error) {
		switch h.Kind {
		case sql.HoleParam: // of a user variable as well
			p.Inputs = append(p.Inputs, binding.Input{Param: h.Number})
		case sql.HoleSlot:
			p.Inputs = append(p.Inputs, binding.Input{Param: -1, Slot: h.Number, Element: element})
			p.KeepConstant(b, h.Number, element)
		default:
			if p.st.upsert != nil || p.st.write != nil || p.st.targets != nil || p.st.whole != nil || p.whole || p.st.unnamed() {
				p.KeepPlace(b, h.Place, element)
			}
			return b.Fill(dst, h, element)
		}
		return append(dst, '?'), nil
	}
	return p.st.remote(p.ofAll).Fill([]byte{byte(wire.ComStmtPrepare)}, b.ElementCount, fill)
}

// keepBehindRows keeps the literals that stand in the text of the INSERT itself, which is behind its rows.
func (p *Prepared) keepBehindRows(b *binding.Binder) {
	for _, h := range p.st.Run.Remote.Holes() {
		elements := 1
		if g := h.Place.Group; h.Kind == sql.HolePlace && g >= 0 && g < len(p.Elements) {
			elements = p.Elements[g]
		}
		for element := range elements {
			switch h.Kind {
			case sql.HolePlace:
				p.KeepPlace(b, h.Place, element)
			case sql.HoleSlot:
				p.KeepConstant(b, h.Number, element)
			}
		}
	}
}

// readAll is read for all rows of a query that asks for its first ones.
func (p *Prepared) readAll(b *binding.Binder) (err error) {
	if first := p.st.firstOf(); first != nil && first.All != nil {
		p.all = newPrepared(p.st, p.text)
		p.all.ofAll = true
		p.all.command, err = p.all.read(b)
	}
	return err
}

// readText is read for what is not of the stored statement.
func (p *Prepared) readText(b *binding.Binder) (err error) {
	if p.st.Run.Answer.Describe != nil {
		if p.Describes, err = b.Describes(&p.st.Statement); err != nil {
			return err
		}
		p.Shape = bytes.Clone(b.ShapeOf(&p.st.Statement))
	}
	for group := range b.Literals.Groups() {
		p.Elements = append(p.Elements, b.Literals.Elements(group))
	}
	p.keepWritten(b)
	p.keepInputs(b)
	return nil
}

// keepInputs keeps the literals that are computed with locally.
func (p *Prepared) keepInputs(b *binding.Binder) {
	for i := range p.st.query.Inputs.Singles {
		p.KeepLiteral(b, &p.st.query.Inputs.Singles[i], 0)
	}
	if tree := p.st.Run.Tree; tree != nil {
		if skipped, ok := tree.Skipped.(*ast.Argument); ok {
			of := local.OperandOf(skipped)
			p.KeepLiteral(b, &of, 0)
		}
	}
	var given []recipe.Given
	if insert, ok := p.st.Run.Does.(*recipe.Insert); ok {
		given = insert.Given
	}
	for i := range given {
		p.keepEach(b, &given[i].Of)
	}
	if u := p.st.upsert; u != nil {
		for i := range u.Rows {
			if u.Rows[i].Numbering == recipe.NumberGiven {
				p.keepEach(b, &u.Rows[i].Number.Of)
			}
			if to := u.Rows[i].Renumber; to != nil {
				p.keepEach(b, &to.Of)
			}
		}
	}
	for _, place := range p.st.query.Inputs.Lists {
		for element := range p.Elements[place.Group] {
			p.KeepLiteral(b, &recipe.Operand{Kind: recipe.FromPlace, Place: place}, element)
		}
	}
}

// keepEach keeps the literals of an operand, one for each element of its group.
func (p *Prepared) keepEach(b *binding.Binder, of *recipe.Operand) {
	elements := 1
	if g := of.Place.Group; of.Kind == recipe.FromPlace && g >= 0 && g != sql.QueryRows {
		elements = p.Elements[g]
	}
	for element := range elements {
		p.KeepLiteral(b, of, element)
	}
}

// keepWritten keeps what the second half of the statement takes of the text, and the
// literals that columns are set to.
func (p *Prepared) keepWritten(b *binding.Binder) {
	for _, w := range p.st.writings() {
		for _, place := range w.Places {
			p.KeepPlace(b, place, 0)
		}
		for i := range w.Settings {
			if n := w.Settings[i].Operand; n >= 0 {
				p.KeepOperand(b, n, 0)
			}
		}
	}
}

// describePrepared writes the description of the logical statement.
func (s *Session) describePrepared(p *Prepared, d *description.Description) {
	r := s.dialogue.Response
	head := wire.PrepareOK{ID: r.Prepared.ID, Params: uint16(p.st.params), Warnings: s.binder.Notices.With(r.Warnings)}
	var columns []wire.ColumnDefinition
	if d != nil && p.st.Reads() {
		columns = s.namer.Named(d, p.text, &s.env)
		p.told = told{d, s.env.ResultsID}
		head.Columns = uint16(len(columns))
	}
	s.link.Client.WriteMessage(head)
	s.writeDefinitions(description.Params(d, p.st.params, s.env.Value.Flavor))
	s.writeDefinitions(columns)
}

// writeDefinitions writes definitions and the EOF behind them.
func (s *Session) writeDefinitions(definitions []wire.ColumnDefinition) {
	s.appendDefinitions(definitions, allFlags)
	if len(definitions) > 0 && !s.link.Caps.Has(wire.ClientDeprecateEOF) {
		s.link.Client.WriteEOF(wire.EOF{Status: s.dialogue.Response.Status})
	}
}
