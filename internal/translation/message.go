package translation

import (
	"bytes"
	"cmp"
	"strings"

	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// Errors of the server that need more than other names.
const (
	errSyntax     = 1064
	noteExplained = 1003 // what an EXPLAIN has made of the statement (ER_YES)
)

// Message is the message of an error or warning of the server about the stored
// statement, in the words of the logical one. A stored form is never in it, and
// neither is a value that stands for one.
func Message(st *binding.Statement, number uint16, message []byte) []byte {
	switch number {
	case DuplicateEntry, errDuplicateName:
		return duplicateMessage(st, message)
	case errSyntax: // of a statement that the client has not written
		message, _, _ = bytes.Cut(message, []byte(" near "))
	case noteExplained:
		message = []byte(HideForms(string(message)))
	}
	return renameQuoted(st, message)
}

// Error is an error of the server with its message as Message has it, for a client.
func Error(st *binding.Statement, m *wire.Err) *sqlerr.Error {
	return &sqlerr.Error{Number: m.Number, State: m.State, Message: string(Message(st, m.Number, m.Message))}
}

// errBadField is of a name that is no column: of what is described it is the client's own.
const errBadField = 1054

// Misdescribed is an error of the server about what it was asked to describe, whose names
// of columns are those that the client has written.
func Misdescribed(st *binding.Statement, m *wire.Err) *sqlerr.Error {
	e := Error(st, m)
	if name := quotedFirst(m.Message); m.Number == errBadField && catalog.Reserved(name) && !strings.Contains(name, ".") {
		_, rest, _ := strings.Cut(string(m.Message), name)
		head, _, _ := strings.Cut(string(m.Message), name)
		e.Message = head + name + string(renameQuotedBehind(st, rest))
	}
	return e
}

// renameQuotedBehind is renameQuoted for what stands behind a quoted name.
func renameQuotedBehind(st *binding.Statement, rest string) []byte {
	if rest == "" {
		return nil
	}
	return append([]byte{rest[0]}, renameQuoted(st, []byte(rest[1:]))...)
}

// quotedFirst is the first name in quotes.
func quotedFirst(message []byte) string {
	_, rest, ok := bytes.Cut(message, []byte("'"))
	name, _, closed := bytes.Cut(rest, []byte("'"))
	if !ok || !closed {
		return ""
	}
	return string(name)
}

// renameQuoted puts logical names in the place of stored ones, and nothing in the
// place of bytes that are no text, where they stand in quotes.
func renameQuoted(st *binding.Statement, message []byte) []byte {
	whole := message
	out := make([]byte, 0, len(message))
	for len(message) > 0 {
		open := bytes.IndexAny(message, "'`")
		if open < 0 {
			break
		}
		length := bytes.IndexByte(message[open+1:], message[open])
		if length < 0 {
			break
		}
		quoted := message[open+1 : open+1+length]
		out = append(out, message[:open+1]...)
		out = append(out, renameParts(st, quoted, whole)...)
		out = append(out, message[open])
		message = message[open+length+2:]
	}
	return append(out, message...)
}

// renameParts renames each part of schema.table.column, which stands in a message.
func renameParts(st *binding.Statement, quoted, message []byte) string {
	if bytes.ContainsFunc(quoted, unprintable) || bytes.Contains(quoted, []byte(`\x`)) {
		return ""
	}
	parts := strings.Split(string(quoted), ".")
	for i, part := range parts {
		if i+1 < len(parts) && strings.EqualFold(part, catalog.Schema) {
			if twin := TwinOf(st, parts[i+1]); twin != nil {
				parts[i] = twin.Schema
				continue
			}
		}
		parts[i] = renamePart(st, part, message)
	}
	return strings.Join(parts, ".")
}

func renamePart(st *binding.Statement, name string, message []byte) string {
	twin := TwinOf(st, name)
	switch {
	case strings.EqualFold(name, catalog.Schema):
		return st.Run.Table.Schema
	case twin != nil:
		return twin.Name
	case !catalog.Reserved(name):
		return name
	}
	if logical := cmp.Or(logical(st, name), member(st, name, message)); logical != "" {
		return logical
	}
	return name[:strings.LastIndexByte(name, '$')] // of another table, by a foreign key
}

// unprintable is a character that no name has: what is left of bytes that are no
// text, and controls.
func unprintable(r rune) bool { return r < ' ' || r == 0x7f || r == '\ufffd' }

// TwinOf is the table that has a twin of this name, nil for none.
func TwinOf(st *binding.Statement, name string) *catalog.Table {
	for _, t := range st.Run.Tables {
		if t.Twin != "" && strings.EqualFold(t.Twin, name) {
			return t
		}
	}
	return nil
}
