package session

import (
	"bytes"
	"slices"

	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// A program of the server's that was there before a table was protected reads stored forms. What it
// answers with says of which columns of which tables the rows are. An answer with a column that is
// protected is not passed on: all of that answer is read, and the client is told. What the program
// has done, it has done.

// mayShowForms reports whether a statement may run a program which answers with rows.
func mayShowForms(st plan.Statement) bool {
	return st.Kind == sql.Call || st.Kind == sql.Execute || st.Kind == sql.ExecuteImmediate || st.Kind == sql.Unknown
}

// watchesRows reports whether the rows of the answer that is due may be a program's, over
// protected tables.
func (s *Session) watchesRows() bool {
	return s.passed != nil && s.shared.Ledger != nil &&
		slices.ContainsFunc(s.passed.Statements, mayShowForms)
}

// relayFrames is relay, frame by frame. Of an answer that is watched, what comes before the rows of a
// result is held back until all of their columns are known.
func (s *Session) relayFrames(watched bool) error {
	var held []heldFrame
	shows := false
	for !s.response.Done() {
		buffered := s.server.Buffered()
		defines := watched && s.response.Defines()
		n, err := s.response.Step(buffered)
		switch {
		case err != nil:
			return s.answerBroken(err)
		case n == 0:
			if err := s.moreToTranslate(); err != nil {
				return err
			}
			continue
		case s.response.WantsFile() && !s.mayWantFile():
			return s.fileRefused()
		}
		if s.killings.Any() {
			s.killings.Tell(&s.response, s.state.Modes())
		}
		if defines {
			column, err := wire.DecodeColumn(buffered[wire.HeaderBytes:n], s.server.Capabilities)
			if err != nil {
				return s.answerBroken(err)
			}
			shows = shows || s.isProtected(&column)
		}
		s.shared.Metrics.Bytes.ClientOut.Add(n)
		switch {
		case shows:
			held = nil
		case watched && s.response.Describing():
			held = append(held, heldFrame{bytes.Clone(buffered[:n]), s.response.Ended()})
		default:
			for _, f := range held {
				s.passFrame(f.frame, f.ended)
			}
			held = held[:0]
			s.passFrame(buffered[:n], s.response.Ended())
		}
		s.server.Advance(n)
	}
	if shows {
		s.response.Failed = true
		return s.failAnew(sqlerr.ProgramShows())
	}
	if err := s.write(nil); err != nil {
		return err
	}
	return s.answered()
}

// heldFrame is a frame that the client has not got yet.
type heldFrame struct {
	frame []byte
	ended wire.Ended
}

// passFrame gives the client a frame, as it has agreed on.
func (s *Session) passFrame(frame []byte, ended wire.Ended) {
	if s.translates() {
		s.translateFrame(frame, ended)
		return
	}
	s.client.WriteFrame(frame)
}

// isProtected reports whether a column of a result is that of a protected one, as it is stored.
func (s *Session) isProtected(c *wire.ColumnDefinition) bool {
	if len(c.OrgTable) == 0 {
		return false
	}
	t := s.attempt.Catalog().Table(string(c.Schema), string(c.OrgTable))
	if t == nil || t.Plain() {
		return false
	}
	at := t.Column(string(c.OrgName))
	return at < 0 || t.Columns[at].Protected()
}
