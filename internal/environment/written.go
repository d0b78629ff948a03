package environment

import (
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// TextWrittenOut is a text that a PREPARE has written out as MySQL reads it: it makes UTF-8 of three bytes of it (TEXT_STRING_sys
// of sql/sql_yacc.yy), and reads that in the character set of the client. So a character that is not there becomes a question
// mark, and one of another character set two others.
func TextWrittenOut(text []byte, client *charset.Charset) ([]byte, error) {
	to, _ := charset.CharsetByName(value.MySQL, "utf8mb3")
	if client == to || client.Name == "binary" {
		return text, nil
	}
	if ok, _ := client.Convertible(); !ok || !client.Valid(text) {
		return nil, sqlerr.StatementRefused("PREPARE of a text that is none in the client's character set")
	}
	converted, _ := charset.Convert(nil, to, client, text)
	return converted, nil
}
