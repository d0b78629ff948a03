package exec

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
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
	params  int
	text    []byte
	// renewed is the server's number of what has taken the place of the statement that
	// the client has prepared; 0 if that is still good.
	renewed uint32
	untyped bool // the server has not got the types of parameters since
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
	text := wire.Query{Text: a.answer.Text(query.Text), Attributes: query.Attributes}
	if err := s.request(text.AppendQuery(nil, s.link.Server.Capabilities)); err != nil {
		return err
	}
	return s.passAnswer(&asking{Asked: a})
}

// answerTo makes the answer to a question in this session.
func (s *Session) answerTo(q *plan.Inquiry) (*Asked, error) {
	s.last = nil
	if err := s.resume(); err != nil {
		return nil, err
	}
	if r := s.env.results; r != nil {
		if ok, _ := r.Convertible(); !ok { // names could not be told apart
			return nil, sqlerr.StatementRefused("a question about tables with results in " + r.Name)
		}
	}
	answer, err := show.New(q, show.Session{
		Env: &s.env.value, Collation: s.env.connection, Charset: resultsCharset{&s.env}, Dictionary: s.dictionary, Visible: s.visible,
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
	_, rows, err := s.link.Server.Rows([]byte(dictionaryQuery + limitQuery))
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

// visible asks for the schemas and names of the tables that the client may know of,
// or of those with one of these names.
func (s *Session) visible(names []string) (tables [][2]string, err error) {
	query := visibleQuery
	if len(names) > 0 {
		for i, n := range names {
			names[i] = "_utf8mb4 X'" + hex.EncodeToString([]byte(n)) + "'"
		}
		query += " AND TABLE_NAME IN (" + strings.Join(names, ", ") + ")"
	}
	_, rows, err := s.link.Server.Rows([]byte(query + limitQuery))
	switch {
	case errors.Is(err, backend.ErrAnswered):
		return nil, err
	case err != nil:
		return nil, &BrokenError{err}
	}
	set := resultsCharset{&s.env}
	for _, row := range rows {
		tables = append(tables, [2]string{set.Decode([]byte(row[0])), set.Decode([]byte(row[1]))})
	}
	return tables, nil
}

const (
	// dictionaryQuery asks for the columns of information_schema.
	dictionaryQuery = "SELECT TABLE_NAME, COLUMN_NAME, COLUMN_TYPE FROM information_schema.COLUMNS " +
		"WHERE TABLE_SCHEMA = 'information_schema' ORDER BY TABLE_NAME, ORDINAL_POSITION"
	// visibleQuery asks for tables that are not the server's own.
	visibleQuery = "SELECT TABLE_SCHEMA, TABLE_NAME FROM information_schema.TABLES " +
		"WHERE TABLE_SCHEMA NOT IN ('information_schema', 'performance_schema', 'mysql', 'sys')"
	// limitQuery asks for all rows, whatever sql_select_limit is.
	limitQuery = " LIMIT 18446744073709551615"
)

// PrepareAsked prepares a question at the server. It returns nil without an error if
// the server has refused, and the client knows. Otherwise the server's number of it
// is in Link.Response.
func (s *Session) PrepareAsked(q *plan.Inquiry, text []byte) (*Asked, error) {
	defer s.end()
	a, params, failure, err := s.prepareAsked(q, text)
	r := s.link.Response
	switch {
	case err != nil:
		return nil, err
	case failure != nil:
		s.link.Client.WriteMessage(failure)
		return nil, s.link.Write()
	case !r.Described:
		return nil, &BrokenError{wire.ErrMalformed}
	}
	p := r.Prepared
	for i, name := range a.answer.Names(len(a.columns)) {
		a.rename(i, name)
	}
	s.link.Client.WriteMessage(wire.PrepareOK{ID: p.ID, Params: p.Params, Columns: p.Columns, Warnings: r.Warnings})
	s.passDefinitions(params)
	s.passDefinitions(a.columns)
	return a, s.link.Write()
}

// RenewAsked prepares a question again, by another plan of its text: what it is about
// has got another definition. The client keeps its number.
func (s *Session) RenewAsked(a *Asked, q *plan.Inquiry) error {
	defer s.end()
	fresh, _, failure, err := s.prepareAsked(q, a.text)
	switch {
	case err != nil:
		return err
	case failure != nil:
		return &sqlerr.Error{Number: failure.Number, State: failure.State, Message: string(failure.Message)}
	case !s.link.Response.Described || fresh.params != a.params:
		return NeedsPreparing()
	}
	fresh.renewed, fresh.untyped = s.link.Response.Prepared.ID, a.params > 0
	s.ForgetAsked(a)
	*a = *fresh
	return nil
}

// ForgetAsked closes what has taken the place of a prepared question at the server.
func (s *Session) ForgetAsked(a *Asked) {
	if a.renewed != 0 {
		s.closeStatement(a.renewed)
		a.renewed = 0
	}
}

// prepareAsked has the server prepare a question, and reads its answer: an error, or
// a description.
func (s *Session) prepareAsked(q *plan.Inquiry, text []byte) (a *Asked, params []wire.ColumnDefinition, failure *wire.Err, err error) {
	if a, err = s.answerTo(q); err != nil {
		return nil, nil, nil, err
	}
	a.text = bytes.Clone(text)
	if err := s.request(append([]byte{byte(wire.ComStmtPrepare)}, a.answer.Text(text)...)); err != nil {
		return nil, nil, nil, err
	}
	r := s.link.Response
	for !r.Done() {
		inColumns, described := r.InColumns(), r.Described
		left := len(params) < int(r.Prepared.Params)
		payload, err := s.next()
		switch {
		case err != nil:
			return nil, nil, nil, err
		case r.Failed:
			m, err := wire.DecodeErr(bytes.Clone(payload))
			if err != nil {
				return nil, nil, nil, &BrokenError{err}
			}
			failure = &m
		case described && r.Ended() == wire.EndedNothing && (left || inColumns):
			c, err := wire.DecodeColumn(bytes.Clone(payload), s.link.Server.Capabilities)
			if err != nil {
				return nil, nil, nil, &BrokenError{err}
			}
			if left {
				params = append(params, c)
			} else {
				a.columns = append(a.columns, c)
			}
		}
	}
	a.params = len(params)
	return a, params, failure, nil
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

// Text is what the client has prepared.
func (a *Asked) Text() []byte { return a.text }

// Command is a command about the question, with the server's number in it.
func (a *Asked) Command(payload []byte) []byte {
	payload = bytes.Clone(payload)
	if a.renewed != 0 {
		binary.LittleEndian.PutUint32(payload[1:], a.renewed)
	}
	return payload
}

// ExecuteAsked carries out an execution of a prepared question: m is a
// COM_STMT_EXECUTE that is not cut short, payload all of it. A cursor is not opened:
// the rows come at once, which clients have to expect.
func (s *Session) ExecuteAsked(a *Asked, m wire.Execute, payload []byte) error {
	defer s.end()
	if a.untyped && !a.typed(m, s.link.Caps) {
		return NeedsPreparing() // the types are those of an execution before
	}
	s.last = nil
	if err := s.resume(); err != nil {
		return err
	}
	a.untyped = false
	command := a.Command(payload)
	command[len(payload)-len(m.Rest)] &^= flagsCursor
	if err := s.request(command); err != nil {
		return err
	}
	return s.passAnswer(&asking{Asked: a, binary: true})
}

// typed reports whether an execution has the types of its parameters. With query
// attributes that is not looked at.
func (a *Asked) typed(m wire.Execute, caps wire.Capability) bool {
	at := executeHead + (a.params+7)/8
	return !caps.Has(wire.ClientQueryAttributes) && at < len(m.Rest) && m.Rest[at] == 1
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
