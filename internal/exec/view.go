package exec

import (
	"slices"

	"tunic/internal/sql"
	"tunic/internal/sqlerr"
)

// Described is a query as it is described: over twins, and with other literals in the
// place of the client's.
type Described struct {
	Statement []byte
	// Literals are those of the client, in the order of those that stand for them: as it has
	// written them, but for strings, which are written as a session without modes does.
	Literals []string
}

// DescribeView makes sure that the server can describe the query of a view, which is its
// error to tell otherwise, and returns it as it is described.
func (s *Session) DescribeView(st *Statement, text []byte, literals *sql.Literals) (*Described, error) {
	defer s.end()
	b := s.binder
	b.Text, b.Literals = text, literals
	if st, _, err := s.begin(st); err != nil || st.Run.Answer.Describe == nil {
		return nil, err
	}
	if literals == nil {
		return nil, sqlerr.StatementUnread()
	}
	neutral := b.NeutralOf(&st.Statement)
	d := &Described{}
	fill := func(dst []byte, h sql.Hole, element int) ([]byte, error) {
		dst, err := neutral(dst, h, element)
		if err == nil && h.Kind == sql.HolePlace {
			d.Literals = append(d.Literals, asWritten(b.Literals.At(h.Place, element), b.Text, b.Env.Modes))
		}
		return dst, err
	}
	var err error
	d.Statement, err = st.Run.Answer.Describe.Fill(nil, b.Literals.Elements, fill)
	d.Statement = slices.Clip(d.Statement)
	return d, err
}

// asWritten is a literal of a text. Strings in a row are one value, and so one string.
func asWritten(l sql.Literal, text []byte, m sql.Modes) string {
	if first := text[l.From]; first != '\'' && first != '"' {
		return string(text[l.From:l.To])
	}
	value, _ := l.AppendValue(nil, text, m)
	return string(sql.AppendString(nil, value, m&^sql.NoBackslashEscapes))
}

// ForgetNotices begins a statement of which there is nothing to tell yet.
func (s *Session) ForgetNotices() { s.binder.Notices.Begin(s.env.NoticesMax) }
