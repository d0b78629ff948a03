package exec

import (
	"bytes"

	"tunic/internal/dialogue"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// changing is an answer of the server's that is changed on its way to the client: that
// to a question about tables, or to an EXPLAIN.
type changing struct {
	binary bool
	head   wire.ResultHeader
	// columns are those of the execution before until the server describes them: it
	// does not to a client that has them.
	columns []wire.ColumnDefinition
	types   []wire.Type
	cells   []wire.Cell
	written uint64 // rows that the client got
	// held says that the columns are known and not written: MariaDB tells those of an EXPLAIN before it finds
	// out that there is no such statement. ended is what ends them, behind which nothing has come.
	held  bool
	ended *wire.EOF
}

func (c *changing) answer() *changing { return c }

// changer changes an answer.
type changer interface {
	answer() *changing
	// begin is when the columns are known, which it may change; false if they are not
	// those of an answer that is known here.
	begin(s *Session) bool
	// row changes a row. The client does not get it if keep is false; ok is false if it
	// cannot be told.
	row(cells []wire.Cell) (keep, ok bool)
	// more are the rows behind the server's.
	more() [][]wire.Cell
	// refused passes on an error of the server's; alone says that it is all that there is of the answer.
	refused(s *Session, alone bool, payload []byte) error
}

// passChanged passes on the server's answer.
func (s *Session) passChanged(by changer) error {
	return s.dialogue.PassAll(func(before dialogue.Stage, payload []byte) error { return s.passChangedPacket(by, before, payload) })
}

func (s *Session) passChangedPacket(by changer, before dialogue.Stage, payload []byte) error {
	r := s.dialogue.Response
	switch {
	case s.foreign:
		return nil
	case r.Failed:
		return by.refused(s, (before == dialogue.StageOther || by.answer().held) && r.Succeeded == 0, payload)
	case wire.IsProgress(payload):
		s.link.Client.WritePacket(payload)
	case before == dialogue.StageColumns:
		return s.takeChangedColumn(by, payload)
	case before == dialogue.StageRows && r.InRows():
		return s.passChangedRow(by, payload)
	case before != dialogue.StageRows && r.Ended() == wire.EndedDefinitions:
		by.answer().ended = &wire.EOF{Warnings: r.Warnings, Status: r.Status}
	case !r.Done(): // the number of columns
		return s.takeChangedHead(by, payload)
	default:
		return s.endChanged(by, payload)
	}
	return nil
}

// takeChangedHead takes what is before the columns.
func (s *Session) takeChangedHead(by changer, payload []byte) (err error) {
	c := by.answer()
	if c.head, err = wire.DecodeResultHeader(payload, s.link.Server.Capabilities); err != nil {
		return &dialogue.BrokenError{Err: err}
	}
	if c.head.MetadataFollows {
		c.columns = nil
		return nil
	}
	s.beginChanged(by)
	return nil
}

// takeChangedColumn takes the definition of a column.
func (s *Session) takeChangedColumn(by changer, payload []byte) error {
	column, err := wire.DecodeColumn(bytes.Clone(payload), s.link.Server.Capabilities)
	if err != nil {
		return &dialogue.BrokenError{Err: err}
	}
	c := by.answer()
	if c.columns = append(c.columns, column); !s.dialogue.Response.InColumns() {
		s.beginChanged(by)
	}
	return nil
}

// beginChanged begins the client's result: the columns are known.
func (s *Session) beginChanged(by changer) {
	c := by.answer()
	c.types = c.types[:0]
	for i := range c.columns {
		c.types = append(c.types, c.columns[i].Type)
	}
	if !by.begin(s) {
		s.failChanged()
		return
	}
	c.held = true
}

// writeHeld writes the columns, if they are known and not written.
func (s *Session) writeHeld(c *changing) {
	if !c.held {
		return
	}
	c.held = false
	client := s.link.Client
	client.ClosePacket(c.head.AppendHeader(client.OpenPacket(), s.link.Caps))
	if c.head.MetadataFollows {
		for i := range c.columns {
			client.ClosePacket(c.columns[i].AppendColumn(client.OpenPacket(), s.link.Caps))
		}
	}
	if c.ended != nil && !s.link.Caps.Has(wire.ClientDeprecateEOF) {
		client.WriteEOF(*c.ended)
	}
}

// passChangedRow passes on a row, changed or not, or leaves it out.
func (s *Session) passChangedRow(by changer, payload []byte) (err error) {
	c := by.answer()
	s.writeHeld(c)
	if c.binary {
		c.cells, err = wire.DecodeBinaryRow(c.cells, payload, c.types)
	} else {
		c.cells, err = wire.DecodeTextRow(c.cells, payload, len(c.types))
	}
	if err != nil {
		return &dialogue.BrokenError{Err: err}
	}
	keep, ok := by.row(c.cells)
	if !ok {
		s.failChanged()
	}
	if !ok || !keep {
		return nil
	}
	return s.writeChangedRow(c, c.cells)
}

// writeChangedRow writes a row to the client.
func (s *Session) writeChangedRow(c *changing, cells []wire.Cell) error {
	client, ok := s.link.Client, true
	out := client.OpenPacket()
	if c.binary {
		out, ok = wire.AppendBinaryRow(out, cells, c.types)
	} else {
		out = wire.AppendTextRow(out, cells)
	}
	if !ok {
		client.DropPacket(out)
		s.failChanged()
		return nil
	}
	client.ClosePacket(out)
	c.written++
	if client.Pending() >= wire.BufferBytes {
		return s.link.Waiter.Write()
	}
	return nil
}

// endChanged ends the client's result.
func (s *Session) endChanged(by changer, payload []byte) error {
	s.writeHeld(by.answer())
	for _, cells := range by.more() {
		if err := s.writeChangedRow(by.answer(), cells); err != nil || s.foreign {
			return err
		}
	}
	return s.passEnd(noStatement, payload)
}

// failChanged ends a result that cannot be told in the words of the logical table. What
// follows of the answer is read and dropped.
func (s *Session) failChanged() {
	e := sqlerr.StatementRefused("this form of the server's answer")
	s.link.Client.WriteMessage(wire.Err{Number: e.Number, State: e.State, Message: []byte(e.Message)})
	s.foreign = true
}
