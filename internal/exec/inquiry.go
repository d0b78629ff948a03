package exec

import (
	"bytes"

	"tunic/internal/plan"
	"tunic/internal/show"
	"tunic/internal/sqlerr"
	"tunic/internal/value/charset"
	"tunic/internal/wire"
)

// Asked is a prepared question about tables. Its number is the server's.
type Asked struct {
	inquiry *plan.Inquiry
	answer  *show.Answer
	columns []wire.ColumnDefinition
}

// asking is a question under way.
type asking struct {
	*Asked
	binary bool
	types  []wire.Type
	cells  []wire.Cell
}

// noStatement stands for the Statement of a question: there is none.
var noStatement = &Statement{}

// Ask carries out a question about tables that has come as a COM_QUERY.
func (s *Session) Ask(q *plan.Inquiry, query wire.Query) error {
	defer s.end()
	a, err := s.answerTo(q)
	if err != nil {
		return err
	}
	server := s.link.Server
	server.SetSequence(0)
	if err := server.Send(wire.Bytes(wire.Query{Text: a.answer.Text(query.Text), Attributes: query.Attributes}.AppendQuery(nil, server.Capabilities))); err != nil {
		return &BrokenError{err}
	}
	s.link.Response.Begin(wire.ComQuery, server.Capabilities, s.link.Server.Sequence())
	return s.passAnswer(&asking{Asked: a})
}

// answerTo makes the answer to a question in this session.
func (s *Session) answerTo(q *plan.Inquiry) (*Asked, error) {
	s.last = nil
	if err := s.resume(); err != nil {
		return nil, err
	}
	answer, err := show.New(q, s.env.value.Flavor, resultsCharset{&s.env})
	if err != nil {
		return nil, sqlerr.NotDescribed()
	}
	return &Asked{inquiry: q, answer: answer}, nil
}

// PrepareAsked prepares a question at the server. It returns nil without an error if
// the server has refused, and the client knows. Otherwise the server's number of it
// is in Link.Response.
func (s *Session) PrepareAsked(q *plan.Inquiry, text []byte) (*Asked, error) {
	defer s.end()
	a, err := s.answerTo(q)
	if err != nil {
		return nil, err
	}
	server, r := s.link.Server, s.link.Response
	server.SetSequence(0)
	if err := server.Send(wire.Bytes(append([]byte{byte(wire.ComStmtPrepare)}, a.answer.Text(text)...))); err != nil {
		return nil, &BrokenError{err}
	}
	r.Begin(wire.ComStmtPrepare, server.Capabilities, s.link.Server.Sequence())
	if err := s.passPrepared(a); err != nil || !r.Described {
		return nil, err
	}
	return a, nil
}

// passPrepared passes on how the server describes a prepared question.
func (s *Session) passPrepared(a *Asked) error {
	r := s.link.Response
	var params []wire.ColumnDefinition
	for !r.Done() {
		inColumns, described, left := r.InColumns(), r.Described, len(params) < int(r.Prepared.Params)
		payload, err := s.next()
		switch {
		case err != nil:
			return err
		case r.Failed:
			if err := s.passAskedError(payload); err != nil {
				return err
			}
		case !r.Described:
			return &BrokenError{wire.ErrMalformed}
		case described && r.Ended() == wire.EndedNothing && (left || inColumns):
			c, err := wire.DecodeColumn(bytes.Clone(payload), s.link.Server.Capabilities)
			if err != nil {
				return &BrokenError{err}
			}
			if left {
				params = append(params, c)
			} else {
				a.columns = append(a.columns, c)
			}
		}
	}
	if r.Described {
		p := r.Prepared
		s.link.Client.WriteMessage(wire.PrepareOK{ID: p.ID, Params: p.Params, Columns: p.Columns, Warnings: r.Warnings})
		s.passDefinitions(params)
		s.passDefinitions(a.columns)
	}
	return s.link.Write()
}

// passDefinitions writes definitions as the server has them, and the EOF behind
// them.
func (s *Session) passDefinitions(all []wire.ColumnDefinition) {
	for i := range all {
		out := s.link.Client.OpenPacket()
		s.link.Client.ClosePacket(all[i].AppendColumn(out, s.link.Caps))
	}
	if len(all) > 0 && !s.link.Caps.Has(wire.ClientDeprecateEOF) {
		s.link.Client.WriteMessage(wire.EOF{Status: s.link.Response.Status})
	}
}

// flagsCursor ask for a cursor (MySQL source documentation, "COM_STMT_EXECUTE").
const flagsCursor = 0x07

// ExecuteAsked carries out an execution of a prepared question: m is a
// COM_STMT_EXECUTE that is not cut short, payload all of it. A cursor is not opened:
// the rows come at once, which clients have to expect.
func (s *Session) ExecuteAsked(a *Asked, m wire.Execute, payload []byte) error {
	defer s.end()
	if s.link.Catalog != nil && s.link.Catalog() != a.inquiry.Catalog {
		return needsPreparing()
	}
	s.last = nil
	if err := s.resume(); err != nil {
		return err
	}
	command := bytes.Clone(payload)
	command[len(payload)-len(m.Rest)] &^= flagsCursor
	server := s.link.Server
	server.SetSequence(0)
	if err := server.Send(wire.Bytes(command)); err != nil {
		return &BrokenError{err}
	}
	s.link.Response.Begin(wire.ComStmtExecute, server.Capabilities, s.link.Server.Sequence())
	return s.passAnswer(&asking{Asked: a, binary: true})
}

// passAnswer passes on the server's answer to a question.
func (s *Session) passAnswer(a *asking) error {
	r := s.link.Response
	for !r.Done() {
		before := stageOf(r)
		payload, err := s.next()
		if err == nil {
			err = s.passAsked(a, before, payload)
		}
		if err != nil {
			return err
		}
	}
	if len(s.link.Server.Buffered()) > 0 {
		return &BrokenError{errMore}
	}
	return s.link.Write()
}

// passAsked passes on one packet of the answer.
func (s *Session) passAsked(a *asking, before stage, payload []byte) error {
	r := s.link.Response
	switch {
	case s.foreign:
		return nil
	case r.Failed:
		return s.passAskedError(payload)
	case len(payload) > 0 && payload[0] == 0xff: // a report of progress
		s.link.Client.WritePacket(payload)
	case before == stageColumns:
		return s.passAskedColumn(a, payload)
	case before == stageRows && r.InRows():
		return s.passAskedRow(a, payload)
	case before != stageRows && r.Ended() == wire.EndedDefinitions:
		s.passDefinitionsEnd()
	case before != stageRows && (r.InColumns() || r.InRows()): // the number of columns
		return s.passAskedHead(a, payload)
	default:
		return s.passEnd(noStatement, payload)
	}
	return nil
}

// passAskedError passes on an error as the server has it.
func (s *Session) passAskedError(payload []byte) error {
	m, err := wire.DecodeErr(payload)
	if err != nil {
		return &BrokenError{err}
	}
	s.link.Client.WriteMessage(m)
	return nil
}

// passAskedHead begins the client's result.
func (s *Session) passAskedHead(a *asking, payload []byte) error {
	head, err := wire.DecodeResultHeader(payload, s.link.Server.Capabilities)
	if err != nil {
		return &BrokenError{err}
	}
	if head.MetadataFollows {
		a.columns = nil
	}
	client := s.link.Client
	client.ClosePacket(head.AppendHeader(client.OpenPacket(), s.link.Caps))
	if !head.MetadataFollows {
		a.begin()
	}
	return nil
}

// passAskedColumn passes on the definition of a column.
func (s *Session) passAskedColumn(a *asking, payload []byte) error {
	c, err := wire.DecodeColumn(bytes.Clone(payload), s.link.Server.Capabilities)
	if err != nil {
		return &BrokenError{err}
	}
	a.columns = append(a.columns, c)
	out := s.link.Client.OpenPacket()
	s.link.Client.ClosePacket(c.AppendColumn(out, s.link.Caps))
	if !s.link.Response.InColumns() {
		a.begin()
	}
	return nil
}

// begin prepares for the rows: the columns are known.
func (a *asking) begin() {
	names := make([]string, len(a.columns))
	a.types = a.types[:0]
	for i := range a.columns {
		names[i] = string(a.columns[i].Name)
		a.types = append(a.types, a.columns[i].Type)
	}
	a.answer.Columns(names, a.types, a.binary)
}

// passAskedRow passes on a row, changed or not, or leaves it out.
func (s *Session) passAskedRow(a *asking, payload []byte) error {
	var err error
	if a.binary {
		a.cells, err = wire.DecodeBinaryRow(a.cells, payload, a.types)
	} else {
		a.cells, err = wire.DecodeTextRow(a.cells, payload, len(a.types))
	}
	if err != nil {
		return &BrokenError{err}
	}
	keep, err := a.answer.Row(a.cells)
	if err != nil {
		s.failAsked()
		return nil
	}
	if !keep {
		return nil
	}
	client, ok := s.link.Client, true
	out := client.OpenPacket()
	if a.binary {
		out, ok = wire.AppendBinaryRow(out, a.cells, a.types)
	} else {
		out = wire.AppendTextRow(out, a.cells)
	}
	if !ok {
		client.DropPacket(out)
		s.failAsked()
		return nil
	}
	client.ClosePacket(out)
	if client.Pending() >= wire.BufferBytes {
		return s.link.Write()
	}
	return nil
}

// failAsked ends a result with a row that cannot be told in the words of the logical
// table. What follows of the answer is read and dropped.
func (s *Session) failAsked() {
	e := sqlerr.StatementRefused("this form of the server's answer")
	s.link.Client.WriteMessage(wire.Err{Number: e.Number, State: e.State, Message: []byte(e.Message)})
	s.foreign = true
}

// resultsCharset converts between UTF-8 and the character set of results.
type resultsCharset struct{ env *environment }

func (c resultsCharset) convert(text []byte, encode bool) []byte {
	results := c.env.results
	if results == nil || results.Name == "utf8mb4" || results.Name == "binary" {
		return text
	}
	utf8, ok := charset.CharsetByName(c.env.value.Flavor, "utf8mb4")
	if !ok {
		return text
	}
	var out []byte
	if encode {
		out, _ = charset.Convert(nil, results, utf8, text)
	} else {
		out, _ = charset.Convert(nil, utf8, results, text)
	}
	return out
}

// Encode implements show.Charset.
func (c resultsCharset) Encode(text string) []byte { return c.convert([]byte(text), true) }

// Decode implements show.Charset.
func (c resultsCharset) Decode(text []byte) string { return string(c.convert(text, false)) }
