package exec

import (
	"bytes"

	"tunic/internal/exec/remark"
	"tunic/internal/plan/explanation"
	"tunic/internal/sql"
	"tunic/internal/wire"
)

// Explain carries out an EXPLAIN that has come as a COM_QUERY: the server explains
// the stored statement, and what tunic has to say itself is added to its answer. st
// is the Statement of e.Run; literals are those of the query's text.
func (s *Session) Explain(e *explanation.Explained, st *Statement, q wire.Query, literals *sql.Literals) error {
	defer s.end()
	b := s.binder
	b.Text, b.Literals = q.Text, literals
	st, _, err := s.begin(st)
	if err != nil {
		return err
	}
	x := &explaining{Explained: e, st: st}
	err = s.sendExplain(x, q)
	if other := st.alternative(facts{failed: err}); other != nil {
		x.st, x.fallback = other, true
		err = s.sendExplain(x, q)
	}
	if err != nil {
		return err
	}
	s.dialogue.Expect(wire.ComQuery)
	return s.passChanged(x)
}

// sendExplain sends the stored statement to be explained.
func (s *Session) sendExplain(x *explaining, q wire.Query) error {
	if err := s.dialogue.Told(); err != nil {
		return err
	}
	s.binder.Begin(&x.st.Statement)
	s.askFirst(x.st)
	server := s.link.Server
	server.SetSequence(0)
	server.Reserve(len(x.Prefix) + s.binder.StoredBytes(&x.st.Statement, len(q.Text)))
	out := wire.Query{Attributes: q.Attributes}.AppendQuery(server.OpenPacket(), server.Capabilities)
	out = append(out, x.Prefix...)
	out, err := x.st.Run.Remote.Fill(out, s.binder.ElementCount, s.binder.FillHole)
	err = s.dialogue.SendPacket(x.st.withoutLocks(out), s.env.PacketBytes, err)
	s.binder.Notices.Begin(s.env.NoticesMax) // nothing is stored: what values raise is not said
	return err
}

// withoutLocks is the stored statement without the FOR UPDATE of a read for writing:
// who explains an UPDATE waits for nobody's rows, and keeps none.
func (st *Statement) withoutLocks(stored []byte) []byte {
	if !st.rewrites() {
		return stored
	}
	return bytes.TrimSuffix(stored, []byte(" for update"))
}

// explaining is an EXPLAIN under way.
type explaining struct {
	*explanation.Explained
	changing
	remarks remark.Remarks
	// st is what is explained, and fallback says that it is the fallback.
	st       *Statement
	fallback bool
}

// begin implements changer: it makes room for tunic's own words.
func (x *explaining) begin(s *Session) (ok bool) {
	x.remarks, ok = remark.Of(x.Lines(&x.st.Run, x.fallback), x.st.Run.Table.Name, x.columns, resultsCharset{&s.env})
	return ok
}

// row implements changer.
func (x *explaining) row(cells []wire.Cell) (keep, ok bool) {
	x.remarks.Adapt(cells)
	return true, true
}

// more implements changer.
func (x *explaining) more() [][]wire.Cell { return x.remarks.Rows() }

// refused implements changer.
func (x *explaining) refused(s *Session, alone bool, payload []byte) error {
	if !alone || !s.isRetriable(x.st, payload) {
		s.writeHeld(x.answer())
	}
	return s.passError(x.st, alone, payload)
}
