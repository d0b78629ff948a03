package exec

import (
	"bytes"

	"tunic/internal/plan"
	"tunic/internal/plan/information"
	"tunic/internal/show"
	"tunic/internal/wire"
)

// A query that reads information_schema beside protected tables is finished here, as any
// over several tables is. In its stored statement a query stands in the place of each table
// of information_schema that tells the logical facts, as package show has it; words in the
// rows that come back are the texts that they stand for before anything is computed.

// informed is what stands in a stored statement for tables of information_schema.
type informed struct {
	answer  *show.Answer
	version uint64 // of the catalog
}

// inform puts what tells the logical facts into the text of a stored statement.
func (s *Session) inform(text []byte) ([]byte, *informed, error) {
	c := s.link.Owner.Told()
	text = bytes.Clone(text) // its tree refers to it
	q, err := plan.InformationOf(c, text, s.env.Modes)
	if err != nil {
		return nil, nil, err
	}
	last := s.words.Last
	a, err := s.answerTo(q)
	s.words.Last = last
	if err != nil {
		return nil, nil, err
	}
	return a.answer.Text(text), &informed{a.answer, c.Version}, nil
}

// sendInformed sends a stored statement that reads information_schema.
func (s *Session) sendInformed(st *Statement, q wire.Query) error {
	text, err := st.Run.Remote.Fill(nil, s.binder.ElementCount, s.binder.FillHole)
	if err == nil {
		text, s.informed, err = s.inform(text)
	}
	if err == nil {
		err = s.dialogue.Told()
	}
	if err != nil {
		return err
	}
	server := s.link.Server
	server.SetSequence(0)
	out := wire.Query{Text: text, Attributes: q.Attributes}.AppendQuery(server.OpenPacket(), server.Capabilities)
	return s.dialogue.SendPacket(out, s.env.PacketBytes, nil)
}

// informPrepared is inform for a command that prepares a stored statement.
func (s *Session) informPrepared(p *Prepared, command []byte) (_ []byte, err error) {
	if !p.st.Run.Informs() {
		return command, nil
	}
	text, made, err := s.inform(command[1:])
	if err != nil {
		return nil, err
	}
	p.informed = made
	return append([]byte{byte(wire.ComStmtPrepare)}, text...), nil
}

// Informed is the version of the catalog that a prepared statement tells of, where it reads
// information_schema; false for one that does not.
func (p *Prepared) Informed() (version uint64, ok bool) {
	if p.informed == nil {
		return 0, false
	}
	return p.informed.version, true
}

// sayWords puts texts in the place of words in a row of a stored statement.
func (s *Session) sayWords(st *Statement, cells []wire.Cell) {
	for i, c := range st.Run.Cells {
		if c.Column >= 0 && i < len(cells) && information.Worded(st.Columns[c.Column].Name) && !c.Sealed {
			s.informed.answer.Replace(&cells[i])
		}
	}
}
