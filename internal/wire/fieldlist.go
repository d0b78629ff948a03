package wire

import "bytes"

// FieldList asks for the columns of a table of the current schema
// (COM_FIELD_LIST; MySQL's servers call it deprecated, drivers for ODBC use it).
//
//	field    type
//	command  1
//	table    zero-terminated
//	pattern  rest, of the columns' names as LIKE has it
type FieldList struct {
	Table   []byte
	Pattern []byte
}

// DecodeFieldList decodes the command. Servers take all for the table's name
// where the zero is missing.
func DecodeFieldList(payload []byte) (FieldList, error) {
	if len(payload) == 0 || Command(payload[0]) != ComFieldList {
		return FieldList{}, malformed("COM_FIELD_LIST", "command")
	}
	table, pattern, _ := bytes.Cut(payload[1:], []byte{0})
	return FieldList{Table: table, Pattern: pattern}, nil
}

// AppendTo appends the payload.
func (m FieldList) AppendTo(b []byte) []byte {
	return append(appendZeroTerminated(append(b, byte(ComFieldList)), m.Table), m.Pattern...)
}
