package exec

import (
	"bytes"
	"slices"

	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/wire"
)

// Explain carries out an EXPLAIN that has come as a COM_QUERY: the server explains
// the stored statement, and what tunic has to say itself is added to its answer. st
// is the Statement of e.Run; literals are those of the query's text.
func (s *Session) Explain(e *plan.Explained, st *Statement, q wire.Query, literals *sql.Literals) error {
	defer s.end()
	b := s.binder
	b.text, b.literals = q.Text, literals
	st, _, err := s.begin(st)
	if err != nil {
		return err
	}
	x := &explaining{Explained: e, st: st}
	err = s.sendExplain(x, q)
	if err == errComparison && st.fallback != nil { //nolint:errorlint // it is never wrapped
		x.st, x.fallback = st.fallback, true
		err = s.sendExplain(x, q)
	}
	if err != nil {
		return err
	}
	s.expect(wire.ComQuery)
	return s.passExplained(x)
}

// sendExplain sends the stored statement to be explained.
func (s *Session) sendExplain(x *explaining, q wire.Query) error {
	s.binder.begin(x.st)
	server := s.link.Server
	server.SetSequence(0)
	server.Reserve(len(x.Prefix) + s.binder.storedBytes(x.st, len(q.Text)))
	out := wire.Query{Attributes: q.Attributes}.AppendQuery(server.OpenPacket(), server.Capabilities)
	out = append(out, x.Prefix...)
	out, err := x.st.run.Remote.Fill(out, s.binder.elementCount, s.binder.fillHole)
	err = s.send(x.st.withoutLocks(out), err)
	s.binder.notices.begin(s.env.noticesMax) // nothing is stored: what values raise is not said
	return err
}

// withoutLocks is the stored statement without the FOR UPDATE of a read for writing:
// who explains an UPDATE waits for nobody's rows, and keeps none.
func (st *Statement) withoutLocks(stored []byte) []byte {
	if st.run.Write == nil {
		return stored
	}
	return bytes.TrimSuffix(stored, []byte(" for update"))
}

// explaining is an EXPLAIN under way.
type explaining struct {
	*plan.Explained
	// st is what is explained, and fallback says that it is the fallback.
	st       *Statement
	fallback bool
	binary   bool
	columns  []wire.ColumnDefinition // of the answer
	types    []wire.Type
	cells    []wire.Cell
	head     wire.ResultHeader
	words
}

// passExplained passes on the server's answer with tunic's own words in it.
func (s *Session) passExplained(x *explaining) error {
	return s.passAll(func(before stage, payload []byte) error { return s.passExplanation(x, before, payload) })
}

// passExplanation passes on one packet of the answer.
func (s *Session) passExplanation(x *explaining, before stage, payload []byte) error {
	r := s.link.Response
	switch {
	case s.foreign:
		return nil
	case r.Failed:
		return s.passError(x.st, payload)
	case len(payload) > 0 && payload[0] == 0xff: // a report of progress
		s.link.Client.WritePacket(payload)
	case before == stageColumns:
		return s.takeExplainedColumn(x, payload)
	case before == stageRows && r.InRows():
		return s.passExplainedRow(x, payload)
	case before != stageRows && r.Ended() == wire.EndedDefinitions:
		s.passDefinitionsEnd()
	case !r.Done(): // the number of columns
		var err error
		if x.head, err = wire.DecodeResultHeader(payload, s.link.Server.Capabilities); err != nil {
			return &BrokenError{err}
		}
		if !x.head.MetadataFollows {
			s.beginExplained(x)
			return nil
		}
		x.columns = nil
	default:
		return s.endExplained(x, payload)
	}
	return nil
}

// takeExplainedColumn reads the definition of a column of the answer.
func (s *Session) takeExplainedColumn(x *explaining, payload []byte) error {
	c, err := wire.DecodeColumn(slices.Clone(payload), s.link.Server.Capabilities)
	if err != nil {
		return &BrokenError{err}
	}
	if x.columns = append(x.columns, c); !s.link.Response.InColumns() {
		s.beginExplained(x)
	}
	return nil
}

// beginExplained begins the client's result: the columns are known. An answer of
// another form than tunic's words fit into is refused.
func (s *Session) beginExplained(x *explaining) {
	if !x.fit(resultsCharset{&s.env}) {
		s.failAsked()
		return
	}
	x.types = x.types[:0]
	for i := range x.columns {
		x.types = append(x.types, x.columns[i].Type)
	}
	client := s.link.Client
	client.ClosePacket(x.head.AppendHeader(client.OpenPacket(), s.link.Caps))
	if !x.head.MetadataFollows {
		return
	}
	for i := range x.columns {
		client.ClosePacket(x.columns[i].AppendColumn(client.OpenPacket(), s.link.Caps))
	}
}

// passExplainedRow passes on a row of the server's.
func (s *Session) passExplainedRow(x *explaining, payload []byte) (err error) {
	if x.binary {
		x.cells, err = wire.DecodeBinaryRow(x.cells, payload, x.types)
	} else {
		x.cells, err = wire.DecodeTextRow(x.cells, payload, len(x.types))
	}
	if err != nil {
		return &BrokenError{err}
	}
	x.adapt(x.cells)
	return s.writeExplainedRow(x, x.cells)
}

// writeExplainedRow writes a row to the client.
func (s *Session) writeExplainedRow(x *explaining, cells []wire.Cell) error {
	client, ok := s.link.Client, true
	out := client.OpenPacket()
	if x.binary {
		out, ok = wire.AppendBinaryRow(out, cells, x.types)
	} else {
		out = wire.AppendTextRow(out, cells)
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

// endExplained adds tunic's rows and ends the result.
func (s *Session) endExplained(x *explaining, payload []byte) error {
	for _, cells := range x.rows() {
		if err := s.writeExplainedRow(x, cells); err != nil || s.foreign {
			return err
		}
	}
	return s.passEnd(noStatement, payload)
}
