package exec

import (
	"bytes"
	"errors"
	"strings"

	"tunic/internal/backend"
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
	names  []string
	types  []wire.Type
	cells  []wire.Cell
}

// rename gives a column the name that the statement has for it, which differs in
// case.
func (a *Asked) rename(at int, name string) {
	if strings.EqualFold(name, string(a.columns[at].Name)) {
		a.columns[at].Name = []byte(name)
	}
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
	answer, err := show.New(q, show.Session{
		Env: &s.env.value, Collation: s.env.connection, Charset: resultsCharset{&s.env}, Dictionary: s.dictionary,
	})
	if err != nil {
		return nil, unanswered(err)
	}
	return &Asked{inquiry: q, answer: answer}, nil
}

// unanswered is why there is no answer to a question.
func unanswered(err error) error {
	if _, ok := errors.AsType[*sqlerr.Error](err); ok {
		return err
	}
	if _, ok := errors.AsType[*BrokenError](err); ok {
		return err
	}
	return sqlerr.NotDescribed()
}

// dictionary is the server's information_schema, which is asked for once.
func (s *Session) dictionary() (show.Dictionary, error) {
	version := s.link.Modes.Version()
	if known, ok := s.engine.dictionaries.Load(version); ok {
		return known.(show.Dictionary), nil //nolint:forcetypeassert // nothing else is stored
	}
	_, rows, err := s.link.Server.Rows([]byte(dictionaryQuery))
	switch {
	case errors.Is(err, backend.ErrAnswered):
		return nil, err
	case err != nil:
		return nil, &BrokenError{err}
	}
	d := show.Dictionary{}
	for _, row := range rows {
		name := strings.ToLower(row[0])
		d[name] = append(d[name], show.Column{Name: row[1], Type: row[2]})
	}
	s.engine.dictionaries.Store(version, d)
	return d, nil
}

// dictionaryQuery asks for the columns of information_schema.
const dictionaryQuery = "SELECT TABLE_NAME, COLUMN_NAME, COLUMN_TYPE FROM information_schema.COLUMNS " +
	"WHERE TABLE_SCHEMA = 'information_schema' ORDER BY TABLE_NAME, ORDINAL_POSITION"

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
		for i, name := range a.answer.Names(len(a.columns)) {
			a.rename(i, name)
		}
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

// Inquiry is what is asked.
func (a *Asked) Inquiry() *plan.Inquiry { return a.inquiry }

// ExecuteAsked carries out an execution of a prepared question: m is a
// COM_STMT_EXECUTE that is not cut short, payload all of it. A cursor is not opened:
// the rows come at once, which clients have to expect. A question that is outdated
// is not asked: what it is about has another definition since.
func (s *Session) ExecuteAsked(a *Asked, m wire.Execute, payload []byte, outdated bool) error {
	defer s.end()
	if outdated {
		return NeedsPreparing()
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
