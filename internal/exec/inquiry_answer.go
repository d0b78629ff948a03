package exec

import (
	"bytes"

	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// passAnswer passes on the server's answer to a question.
func (s *Session) passAnswer(a *asking) error {
	return s.passAll(func(before stage, payload []byte) error { return s.passAsked(a, before, payload) })
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
		a.names = a.answer.Names(head.Columns)
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
	at := len(a.columns) - 1
	if at < len(a.names) {
		a.rename(at, a.names[at])
	}
	out := s.link.Client.OpenPacket()
	s.link.Client.ClosePacket(a.columns[at].AppendColumn(out, s.link.Caps))
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
	keep, ok := a.answer.Row(a.cells)
	if !ok {
		s.failAsked()
	}
	if !ok || !keep {
		return nil
	}
	client := s.link.Client
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
