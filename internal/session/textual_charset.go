package session

import (
	"tunic/internal/binding"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// writtenText is a text that is written out as the server reads it: MySQL makes UTF-8 of three bytes of it (TEXT_STRING_sys of
// sql/sql_yacc.yy), and reads that in the character set of the client. So a character that is not there becomes a question mark,
// and one of another character set two others.
func (s *Session) writtenText(text []byte) ([]byte, error) {
	if s.state.Modes()&sql.MariaDB != 0 || charset.IsASCII(text) {
		return text, nil
	}
	settings, err := s.settings()
	if err != nil {
		return nil, err
	}
	from := settings.Client
	to, _ := charset.CharsetByName(value.MySQL, "utf8mb3")
	if from == to || from.Name == "binary" {
		return text, nil
	}
	if ok, _ := from.Convertible(); !ok || !from.Valid(text) {
		return nil, sqlerr.StatementRefused("PREPARE of a text that is none in the client's character set")
	}
	converted, _ := charset.Convert(nil, to, from, text)
	return converted, nil
}

// inClients reports whether a text is in the character set of the client's statements.
func (s *Session) inClients(v *binding.Variable) bool {
	settings, err := s.settings()
	return err == nil && v.Source.Collation != nil && v.Source.Collation.Charset == settings.Client
}
