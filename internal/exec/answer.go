package exec

import (
	"tunic/internal/description"
	"tunic/internal/dialogue"
	"tunic/internal/exec/said"
	"tunic/internal/opening"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/translation"
	"tunic/internal/value"
	"tunic/internal/wire"
)

// answer passes the server's answer to the client: a result with its rows opened,
// an OK, or an error.
func (s *Session) answer(st *Statement, d *description.Description, binary bool) error {
	s.rows.Binary = binary
	return s.dialogue.PassAll(func(before dialogue.Stage, payload []byte) error { return s.pass(st, d, before, payload) })
}

// pass passes on one packet of the answer.
func (s *Session) pass(st *Statement, d *description.Description, before dialogue.Stage, payload []byte) error {
	r := s.dialogue.Response
	switch {
	case s.foreign:
		return nil
	case r.Failed:
		return s.passError(st, before == dialogue.StageOther && r.Succeeded == 0, payload)
	case wire.IsProgress(payload):
		s.link.Client.WritePacket(payload)
	case before == dialogue.StageColumns:
		return s.takeColumn(st, d, payload)
	case before == dialogue.StageRows && r.InRows():
		return s.passRow(st, payload)
	case before == dialogue.StageRows:
		return s.passEnd(st, payload)
	case r.Ended() == wire.EndedDefinitions:
		s.passDefinitionsEnd()
	case !r.Done(): // the number of columns
		return s.passHead(st, d, payload)
	default:
		return s.passEnd(st, payload)
	}
	return nil
}

// passHead begins the client's result.
func (s *Session) passHead(st *Statement, d *description.Description, payload []byte) error {
	head, err := wire.DecodeResultHeader(payload, s.link.Server.Capabilities)
	if err != nil || d == nil || head.Columns != len(st.Run.Cells) || len(st.Run.Fetch) != len(d.Columns) {
		return &dialogue.BrokenError{Err: wire.ErrMalformed}
	}
	if head.MetadataFollows {
		s.rows.Types, s.rows.Known = s.rows.Types[:0], s.rows.Known[:0]
	} else {
		s.rows.Cursor = false // there is nothing to see of it
	}
	told := head.MetadataFollows
	head.Columns, head.MetadataFollows = len(d.Columns), told || !s.hasColumns(d)
	client := s.link.Client
	client.ClosePacket(head.AppendHeader(client.OpenPacket(), s.link.Caps))
	if head.MetadataFollows && !told {
		s.appendResult(st, s.columns(d), allFlags)
	}
	return nil
}

// columns are the definitions of the result of the statement under way.
func (s *Session) columns(d *description.Description) []wire.ColumnDefinition {
	if p := s.executed; p != nil {
		return s.namer.Named(d, p.text, &s.env)
	}
	return s.namer.Named(d, s.binder.Text, &s.env)
}

// hasColumns reports whether the client has the definitions already, and takes an
// answer without them.
func (s *Session) hasColumns(d *description.Description) bool {
	p := s.executed
	if p == nil || !s.link.Caps.Has(wire.MariaDBCacheMetadata) {
		return false
	}
	had := p.told == told{d, s.env.ResultsID}
	p.told, p.described = told{d, s.env.ResultsID}, d
	return had
}

// told is how a result was described to a client last.
type told struct {
	description *description.Description
	resultsID   uint16
}

// appendResult writes the definitions of a result. What the server has computed of
// plain columns is passed on as it comes, and so described by the type that it has in
// this result: a server may choose another one than it has said before, as for what it
// groups by.
func (s *Session) appendResult(st *Statement, definitions []wire.ColumnDefinition, mask uint16) {
	for i := range definitions {
		c, f := definitions[i], st.Run.Fetch[i]
		if f.Cell < len(s.rows.Types) && f.Cell < len(s.rows.Known) && !f.Opened {
			c.Type = s.rows.Types[f.Cell]
			if f.Column < 0 {
				c.Flags = s.rows.Known[f.Cell].Flags
				if s.rows.Known[f.Cell].Original { // by the name that it has in a table of the server's
					c.OrgName = c.Name
				}
			} else {
				c.Flags = c.Flags&^description.UnsignedColumn | s.rows.Known[f.Cell].Flags&description.UnsignedColumn
			}
		}
		s.appendDefinitions([]wire.ColumnDefinition{c}, mask)
	}
}

// appendDefinitions writes definitions as this session has them: whoever was asked
// for them had the same character set of results, but perhaps another of its
// collations.
//
// Of the flags only those of the mask are written.
func (s *Session) appendDefinitions(definitions []wire.ColumnDefinition, mask uint16) {
	for i := range definitions {
		c := definitions[i]
		c.Flags &= mask
		if c.Charset != description.BinaryCollation && s.env.Results != nil {
			c.Charset = s.env.ResultsID
		}
		out := s.link.Client.OpenPacket()
		s.link.Client.ClosePacket(c.AppendColumn(out, s.link.Caps))
	}
}

// Flags of a definition (MySQL source documentation, "Column Definition Flags").
const (
	allFlags = 1<<16 - 1
	// keyFlags are PRI_KEY, UNIQUE_KEY, MULTIPLE_KEY, AUTO_INCREMENT and PART_KEY.
	keyFlags = 1<<1 | 1<<2 | 1<<3 | 1<<9 | 1<<14
)

// takeColumn keeps the type of a stored column, by which binary rows are read. After
// the last one the client is told of the logical ones.
func (s *Session) takeColumn(st *Statement, d *description.Description, payload []byte) error {
	c, err := wire.DecodeColumn(payload, s.link.Server.Capabilities)
	if err != nil {
		return &dialogue.BrokenError{Err: err}
	}
	s.rows.Types, s.rows.Known = append(s.rows.Types, c.Type), append(s.rows.Known, opening.Actual{Flags: c.Flags, Original: len(c.OrgName) > 0 && len(c.OrgTable) == 0})
	s.rows.Flags |= c.Flags
	if d == nil || s.dialogue.Response.InColumns() {
		return nil
	}
	if p := s.executed; p != nil { // for an answer without definitions
		p.types, p.actual = append(p.types[:0], s.rows.Types...), append(p.actual[:0], s.rows.Known...)
	}
	mask := uint16(allFlags)
	if s.rows.Cursor && s.rows.Flags&keyFlags == 0 { // servers copy the rows of a cursor into a table without keys, and describe that
		mask &^= keyFlags
	}
	s.appendResult(st, s.columns(d), mask)
	return nil
}

// passDefinitionsEnd passes on the EOF behind definitions to a client that expects
// one.
func (s *Session) passDefinitionsEnd() {
	if r := s.dialogue.Response; !s.link.Caps.Has(wire.ClientDeprecateEOF) {
		s.link.Client.WriteEOF(wire.EOF{Warnings: r.Warnings, Status: r.Status})
	}
}

// passEnd passes on an OK or what ends the rows, with the warnings that tunic has
// raised.
func (s *Session) passEnd(st *Statement, payload []byte) error {
	client, caps, r := s.link.Client, s.link.Caps, s.dialogue.Response
	if err, refused := s.sure(st).(*sqlerr.Error); refused { //nolint:errorlint // never wrapped
		client.WriteMessage(wire.Err{Number: err.Number, State: err.State, Message: []byte(err.Message)})
		s.binder.Notices.Add(value.Error, err.Number, []byte(err.Message))
		return nil
	}
	warnings := s.binder.Notices.With(r.Warnings)
	if r.Ended() == wire.EndedResult { // an EOF
		if !caps.Has(wire.ClientDeprecateEOF) {
			client.WriteEOF(wire.EOF{Warnings: warnings, Status: r.Status})
			return nil
		}
		out := client.OpenPacket()
		client.ClosePacket(wire.OK{EndOfRows: true, Status: r.Status, Warnings: warnings}.AppendOK(out, caps))
		return nil
	}
	ok, err := wire.DecodeOK(payload, s.link.Server.Capabilities)
	if err != nil {
		return &dialogue.BrokenError{Err: err}
	}
	if st.Run.Kind == sql.Update && s.binder.Notices.Count() > 0 {
		s.binder.Notices.Repeat(said.MatchedRows(&ok))
		warnings = s.binder.Notices.With(r.Warnings)
	}
	ok.Warnings = warnings
	if s.binder.Notices.Count() > 0 {
		ok.Info = said.WithWarnings(ok.Info, s.binder.Notices.Count())
	}
	out := client.OpenPacket()
	client.ClosePacket(ok.AppendOK(out, caps))
	return nil
}

// isRetriable reports whether an error may be that of a stale statement.
func (s *Session) isRetriable(st *Statement, payload []byte) bool {
	m, err := wire.DecodeErr(payload)
	return err == nil && translation.Retriable(&st.Statement, translation.Error(&st.Statement, &m))
}

// passError passes on an error, in the words of the logical table. One that says that the
// statement may be stale is returned, if it is all that there is of the answer.
func (s *Session) passError(st *Statement, alone bool, payload []byte) error {
	m, err := wire.DecodeErr(payload)
	if err != nil {
		return &dialogue.BrokenError{Err: err}
	}
	if alone && s.lost(payload) {
		return errLost
	}
	if e := translation.Error(&st.Statement, &m); alone && translation.Retriable(&st.Statement, e) {
		return e
	}
	m.Message = s.words.Sent(&st.Statement, &m)
	s.link.Client.WriteMessage(m)
	return nil
}
