package exec

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"errors"
	"slices"
	"strings"

	"tunic/internal/backend"
	"tunic/internal/dialogue"
	"tunic/internal/environment"
	"tunic/internal/identifier"
	"tunic/internal/plan"
	"tunic/internal/show"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/value/charset"
	"tunic/internal/wire"
)

// asking is a question under way.
type asking struct {
	changing
	asked  *Asked
	placed []placedRow // that come when all are there
}

// placedRow is a row that has a place among the others.
type placedRow struct {
	place int
	cells []wire.Cell
}

// begin implements changer.
func (a *asking) begin(*Session) bool {
	a.asked.describe(a.columns, a.binary)
	a.asked.name(a.columns)
	names, lengths := make([]string, len(a.columns)), make([]uint32, len(a.columns))
	for i := range a.columns {
		names[i], lengths[i] = string(a.columns[i].Name), a.columns[i].Length
	}
	a.asked.answer.Columns(names, a.types, a.binary)
	a.asked.answer.Lengths(lengths)
	for i := range a.columns {
		a.columns[i].Length = lengths[i]
	}
	return true
}

// row implements changer.
func (a *asking) row(cells []wire.Cell) (keep, ok bool) {
	answer := a.asked.answer
	if keep, ok = answer.Row(cells); !keep || !ok || !answer.Placed() {
		return keep, ok
	}
	row := placedRow{place: answer.Place(), cells: slices.Clone(cells)}
	for i := range row.cells { // they are in what is read next
		row.cells[i].Bytes = bytes.Clone(row.cells[i].Bytes)
	}
	a.placed = append(a.placed, row)
	return false, true
}

// more implements changer.
func (a *asking) more() (rows [][]wire.Cell) {
	slices.SortStableFunc(a.placed, func(x, y placedRow) int { return cmp.Compare(x.place, y.place) })
	for _, row := range a.placed {
		rows = append(rows, row.cells)
	}
	return rows
}

// refused implements changer: the error is as the server has it.
func (a *asking) refused(s *Session, _ bool, payload []byte) error {
	s.writeHeld(a.changing.answer())
	return s.passServerError(payload)
}

// passServerError passes on an error as the server has it.
func (s *Session) passServerError(payload []byte) error {
	m, err := wire.DecodeErr(payload)
	if err != nil {
		return &dialogue.BrokenError{Err: err}
	}
	s.link.Client.WriteMessage(m)
	return nil
}

// name gives columns the names that the statement has for them, which differ in case.
func (a *Asked) name(columns []wire.ColumnDefinition) {
	for i, name := range a.answer.Names(len(columns)) {
		if strings.EqualFold(name, string(columns[i].Name)) {
			columns[i].Name = []byte(name)
		}
	}
}

// describe gives columns the definitions that they have at the server where its own tables are
// asked. One whose values would be sent in another form stays as it is.
func (a *Asked) describe(columns []wire.ColumnDefinition, binary bool) {
	if len(a.described) != len(columns) {
		return
	}
	for i := range columns {
		if d := a.described[i]; !binary || d.Type == columns[i].Type || isStringType(d.Type) && isStringType(columns[i].Type) {
			columns[i] = d
		}
	}
}

// isStringType reports whether values of a type are strings in both protocols.
func isStringType(t wire.Type) bool {
	return t == wire.TypeVarString || t == wire.TypeString || t >= wire.TypeTinyBlob && t <= wire.TypeBlob
}

// describeAsked has MariaDB describe the columns of a query of its information_schema, as the
// client has written it; MySQL describes them otherwise before it runs the query. The refusal is
// the server's, nil if there is none.
func (s *Session) describeAsked(a *Asked, text []byte) (refusal *wire.Err, err error) {
	q := a.inquiry
	if q.Tree == nil || q.Own || s.env.Value.Flavor != value.MariaDB || q.Tree.Kind() != sql.Select && q.Tree.Kind() != sql.SetOperation {
		return nil, nil //nolint:nilnil // of other questions the server's answer has the columns, if there are any
	}
	made, err := s.dialogue.PrepareRemote(append([]byte{byte(wire.ComStmtPrepare)}, text...))
	switch {
	case err != nil:
		return nil, err
	case made.Refusal != nil && made.Refusal.Number == errTooManyPrepared:
		return nil, nil //nolint:nilnil // the query itself needs none
	case made.Refusal != nil:
		return made.Refusal, nil
	}
	s.dialogue.CloseStatement(s.dialogue.Response.Prepared.ID)
	a.described = made.Columns
	return nil, nil //nolint:nilnil // it is done
}

// errTooManyPrepared says that the server has max_prepared_stmt_count prepared statements.
const errTooManyPrepared = 1461

// noStatement stands for the Statement of a question: there is none.
var noStatement = &Statement{}

// Ask carries out a question about tables that has come as a COM_QUERY.
func (s *Session) Ask(q *plan.Inquiry, query wire.Query) error {
	defer s.end()
	a, err := s.answerTo(q)
	if err != nil {
		return err
	}
	switch refusal, err := s.describeAsked(a, query.Text); {
	case err != nil:
		return err
	case refusal != nil:
		s.link.Client.WriteMessage(*refusal)
		return s.link.Waiter.Write()
	}
	text := wire.Query{Text: a.answer.Text(query.Text), Attributes: query.Attributes}
	if err := s.dialogue.Request(text.AppendQuery(nil, s.link.Server.Capabilities)); err != nil {
		return err
	}
	return s.passAsked(&asking{asked: a})
}

// passAsked passes on the answer to a question, and notes how many rows the client got: the server
// has counted those of what it was asked instead.
func (s *Session) passAsked(a *asking) error {
	err := s.passChanged(a)
	s.uncounted, s.leavesFound, s.changed, s.found = true, false, foundRows{}, foundRows{a.written, !s.dialogue.Response.Failed}
	return err
}

// answerTo makes the answer to a question in this session.
func (s *Session) answerTo(q *plan.Inquiry) (*Asked, error) {
	s.words.Last = nil
	if err := s.resume(); err != nil {
		return nil, err
	}
	if r := s.env.Results; r != nil {
		if ok, _ := r.Convertible(); !ok { // names could not be told apart
			return nil, sqlerr.StatementRefused("a question about tables with results in " + r.Name)
		}
	}
	answer, err := show.New(q, show.Session{
		Env: &s.env.Value, Collation: s.env.Connection, Charset: resultsCharset{&s.env}, Dictionary: s.dictionary, Visible: s.visible, Knows: s.knows, Own: s.link.Owner.Own(),
		PlainOnly: s.link.Owner.PlainOnly(),
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
	if _, ok := errors.AsType[*dialogue.BrokenError](err); ok {
		return err
	}
	if answer, ok := errors.AsType[*backend.AnswerError](err); ok && noRoom[answer.Err.Number] {
		return dialogue.ErrorOf(&answer.Err)
	}
	return sqlerr.NotDescribed()
}

// noRoom are the errors of a server whose disk is full, which it has with any question that it
// sorts, or keeps the rows of for a while: the client is to hear that, and not what was asked.
var noRoom = map[uint16]bool{3: true, 1021: true, 1026: true, 1030: true, 1114: true}

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
		return nil, &dialogue.BrokenError{Err: err}
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
		return nil, &dialogue.BrokenError{Err: err}
	}
	set := resultsCharset{&s.env}
	for _, row := range rows {
		tables = append(tables, [2]string{set.Decode([]byte(row[0])), set.Decode([]byte(row[1]))})
	}
	return tables, nil
}

// knows asks for the definition of a table, which takes a privilege on it. A temporary table
// of the session's that has the name says nothing.
func (s *Session) knows(schema, table string) (bool, error) {
	_, rows, err := s.link.Server.Rows([]byte("SHOW CREATE TABLE " + identifier.Quoted(schema) + "." + identifier.Quoted(table)))
	switch {
	case errors.Is(err, backend.ErrAnswered):
		return false, nil
	case err != nil:
		return false, &dialogue.BrokenError{Err: err}
	}
	return len(rows) == 1 && len(rows[0]) == 2 && strings.HasPrefix(rows[0][1], "CREATE TABLE "), nil
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

// resultsCharset converts between UTF-8 and the character set of results.
type resultsCharset struct{ env *environment.Environment }

func (c resultsCharset) convert(text []byte, encode bool) []byte {
	results := c.env.Results
	if results == nil || results.Name == "utf8mb4" || results.Name == "binary" {
		return text
	}
	utf8, ok := charset.CharsetByName(c.env.Value.Flavor, "utf8mb4")
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
